//===- Scans.h - Running sums, products and extrema on a GPU ----*- C++ -*-===//
#ifndef TSC_LIB_FUSERCUDA_SCANS_H
#define TSC_LIB_FUSERCUDA_SCANS_H

#include "HandKernels.h"
#include "tsc/IR/OpRecord.h"

namespace tsc::fuser {

/// What the elements along a dimension come to, up to each one.
struct Scan {
  enum Kind : uint8_t { Sum, Product, LogSumExp, Max, Min } kind;
  Tensor self;
  int64_t dim;
  DType result;
};
/// What cumsum, cumprod, logcumsumexp, cummax and cummin ask for; nullopt: the operator is none of these, has an error
/// to tell, or converts its operand in a way of its own.
std::optional<Scan> scanOf(OpKind op, llvm::ArrayRef<const IValue *> args);

/// Threads: everything may be called from many threads.
class Scanner {
public:
  explicit Scanner(HandKernels &kernels) : kernels(kernels) {}
  /// False: nothing was done, as there is no kernel for such tensors.
  StatusOr<bool> scan(const Scan &scan, llvm::MutableArrayRef<IValue> results);
  /// Of each element of a row-major tensor, how many up to it are not zero, as Int32.
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

#endif
