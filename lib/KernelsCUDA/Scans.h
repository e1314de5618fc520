//===- Scans.h - Running sums, products and extrema on a GPU ----*- C++ -*-===//
#ifndef TSC_LIB_KERNELSCUDA_SCANS_H
#define TSC_LIB_KERNELSCUDA_SCANS_H

#include "HandKernels.h"

namespace tsc::fuser {

/// What the elements along a dimension come to, up to each one.
struct Scan {
  /// What elements are combined by.
  enum Kind : uint8_t { Sum, Product, LogSumExp, Max, Min } kind;
  Tensor self;
  int64_t dim;
  DType result;
};

/// Threads: everything may be called from many threads.
class Scanner {
public:
  explicit Scanner(HandKernels &kernels) : kernels(kernels) {}
  /// Computes a scan's results. Returns false, and has done nothing, where there is no kernel for such tensors.
  StatusOr<bool> scan(const Scan &scan, llvm::MutableArrayRef<IValue> results);
  /// Counts, for each element of a row-major tensor, how many up to it are not zero. The result is of Int32.
  StatusOr<Tensor> countNonzero(const Tensor &dense);

private:
  /// A kind of scan, as the marks of the kernels' text.
  struct Form {
    std::string name;
    HandKernels::OwnedMarks marks;
  };
  static Form formOf(const Scan &scan);
  Status run(const Form &form, const Tensor &from, int64_t length, int64_t inner, const Tensor &values,
             const Tensor &indices);

  HandKernels &kernels;
};

} // namespace tsc::fuser

namespace tsc::cuda {

// What cumsum, cumprod, logcumsumexp, cummax and cummin ask for. `dtype` is the number of the result's. Nothing is
// returned where the operator has an error to tell, or converts its operand in a way of its own.
std::optional<fuser::Scan> cumulativeSum(const Tensor &self, int64_t dim, std::optional<int64_t> dtype);
std::optional<fuser::Scan> cumulativeProduct(const Tensor &self, int64_t dim, std::optional<int64_t> dtype);
std::optional<fuser::Scan> cumulativeLogSumExp(const Tensor &self, int64_t dim);
std::optional<fuser::Scan> cumulativeMax(const Tensor &self, int64_t dim);
std::optional<fuser::Scan> cumulativeMin(const Tensor &self, int64_t dim);

} // namespace tsc::cuda

#endif
