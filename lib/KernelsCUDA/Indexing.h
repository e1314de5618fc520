//===- Indexing.h - Elements by indices, on a GPU ---------------*- C++ -*-===//
#ifndef TSC_LIB_KERNELSCUDA_INDEXING_H
#define TSC_LIB_KERNELSCUDA_INDEXING_H

#include "HandKernels.h"
#include "tsc/IR/IValue.h"

namespace tsc::fuser {

/// What names elements of a tensor: of `indices.size()` dimensions from `dim` on, one index each. They name slices, or,
/// where there is an index for each element (of gather and scatter), elements.
struct Indices {
  int64_t dim = 0;
  llvm::SmallVector<Tensor, 2> indices; ///< All have the same sizes, and may be broadcast.
  bool isPerElement = false, mayBeNegative = false;
  Dims order; ///< How the view that the indices are of orders the tensor's dimensions; empty: as they are.
};
/// What x[indices] names, in a view whose dimensions that are named stand side by side. Nullopt: there are masks, or
/// sizes do not fit.
std::optional<Indices> indicesOf(const Tensor &self, ArrayRef<Tensor> indices);
/// The one mask of x[indices], which no index is beside, with the dimension that it begins at.
std::optional<std::pair<Tensor, int64_t>> maskOf(const Tensor &self, ArrayRef<Tensor> indices);
/// Returns the view of `self` that indices are of.
Tensor viewFor(const Tensor &self, const Indices &indices);
/// One index along a dimension; nullopt: there is no such dimension.
std::optional<Indices> indicesAlong(const Tensor &self, int64_t dim, const Tensor &index);

/// A tensor whose elements are those that indices name.
struct Selection {
  Tensor self;
  Indices indices;
  Dims sizes; ///< The result's sizes.
};
/// What self[indices] asks for; nullopt: there are masks, or sizes do not fit.
std::optional<Selection> selectionOf(const Tensor &self, ArrayRef<Tensor> indices);

/// Threads: everything may be called from many threads.
class Indexing {
public:
  explicit Indexing(HandKernels &kernels) : kernels(kernels) {}
  /// Waits for the device, which says whether all indices are within the tensor. False: some are not, so that the
  /// operator has an error to tell, or there is no kernel for such tensors.
  StatusOr<bool> select(const Selection &selection, IValue &result);

  /// Int32: the slices that indices name, as numbers among all that there are, or elements, as they lie row-major.
  /// Nullopt as above.
  StatusOr<std::optional<Tensor>> placesOf(const Tensor &self, const Indices &indices);

private:
  HandKernels &kernels;
};

} // namespace tsc::fuser

namespace tsc::cuda {

// Each returns what the operator of its name selects, or nothing where sizes do not fit, or take_along_dim has no
// dimension.
std::optional<fuser::Selection> indexSelect(const Tensor &self, int64_t dim, const Tensor &index);
std::optional<fuser::Selection> gather(const Tensor &self, int64_t dim, const Tensor &index);
std::optional<fuser::Selection> takeAlongDim(const Tensor &self, const Tensor &indices, std::optional<int64_t> dim);
std::optional<fuser::Selection> embedding(const Tensor &weight, const Tensor &indices);

} // namespace tsc::cuda

#endif
