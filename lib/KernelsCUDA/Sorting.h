//===- Sorting.h - Order along a dimension, on a GPU ------------*- C++ -*-===//
#ifndef TSC_LIB_KERNELSCUDA_SORTING_H
#define TSC_LIB_KERNELSCUDA_SORTING_H

#include "HandKernels.h"
#include "tsc/IR/IValue.h"

namespace tsc::fuser {

/// The first `width` elements along a dimension, when they are in order, and where they were. Equal elements keep the
/// order they have.
struct Ordering {
  Tensor self;
  int64_t dim = 0, width = 0;
  bool isDescending = false;
  bool wantsValues = true, wantsIndices = true;
  bool keepsStrides = true; ///< The results have strides as the operand has.
};

/// Threads: everything may be called from many threads.
class Sorter {
public:
  explicit Sorter(HandKernels &kernels) : kernels(kernels) {}
  /// Sorts, and sets the results. Returns false, and has done nothing, where there is no kernel for such tensors.
  StatusOr<bool> sort(const Ordering &ordering, llvm::MutableArrayRef<IValue> results);

  /// Numbers in order, and where each was; both are Int32.
  struct Order {
    Tensor keys, places;
  };
  /// Sorts a row-major tensor of Int32 whose elements are from 0 to `most`.
  StatusOr<Order> orderOf(const Tensor &numbers, int64_t most);

private:
  /// Rows of elements that stand `inner` apart. `kind` is how their bits are ordered.
  struct Rows {
    enum Kind : uint8_t { Unsigned, Signed, Real } kind;
    DType dtype;
    const void *data;
    int64_t rows, length, inner, width;
    bool isDescending;
    int64_t bits; ///< How many bits of the keys differ.
  };
  StatusOr<Order> order(const Rows &rows);
  Status orderTiles(const Rows &rows, const Order &order);
  Status mergeRuns(const Rows &rows, int64_t run, const Order &from, const Order &to);

  HandKernels &kernels;
};

} // namespace tsc::fuser

namespace tsc::cuda {

// Each returns what the operator of its name puts in order, or nothing where it has an error to tell.
std::optional<fuser::Ordering> sort(const Tensor &self, int64_t dim, bool descending);
std::optional<fuser::Ordering> argsort(const Tensor &self, int64_t dim, bool descending);
std::optional<fuser::Ordering> msort(const Tensor &self);
std::optional<fuser::Ordering> topk(const Tensor &self, int64_t k, int64_t dim, bool largest);

} // namespace tsc::cuda

#endif
