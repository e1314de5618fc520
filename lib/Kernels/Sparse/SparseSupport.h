//===- SparseSupport.h - What kernels of sparse tensors share ---*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_SPARSE_SPARSESUPPORT_H
#define TSC_LIB_KERNELS_SPARSE_SPARSESUPPORT_H

#include "tsc/Tensor/Opaque.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace tsc::cpu {

/// Returns a sparse tensor's parts, which the tensor owns. InvalidArgument, with the operator's name, for other
/// tensors.
StatusOr<const SparseParts *> partsOf(const Tensor &self, llvm::StringRef name);
/// Returns a sparse tensor that shares these parts, which must fit each other and the sizes.
StatusOr<Tensor> makeSparse(ArrayRef<int64_t> sizes, const Tensor &indices, const Tensor &values, bool isCoalesced);
/// OutOfRange for an index, of contiguous ones, that is not within `sizes`: a program may have written to the indices
/// of a sparse tensor since they were checked.
Status checkIndices(const Tensor &indices, ArrayRef<int64_t> sizes);
/// Each column of indices as one number, row-major in `sizes`, those of the sparse dimensions.
StatusOr<std::vector<int64_t>> placesOf(const Tensor &indices, ArrayRef<int64_t> sizes);

} // namespace tsc::cpu

#endif
