//===- Opaque.h - Sparse and nested tensors ---------------------*- C++ -*-===//
//
// A tensor of DType::Opaque has sizes, and in its storage nothing: its elements
// are in a companion. Kernels that know nothing of it refuse its dtype. Images whose
// channels lie in blocks are such tensors too (lib/Kernels/Convolution/ConvolutionBlocked.h), which
// no program sees.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_TENSOR_OPAQUE_H
#define TSC_TENSOR_OPAQUE_H

#include "tsc/Tensor/Tensor.h"

namespace tsc {

/// The companion of a sparse tensor: in coordinates, the elements that are not zero, and where they are. The last
/// dimensions may be dense.
struct SparseParts final : RefCounted {
  Tensor indices;           ///< int64 [sparse dimensions, count]
  Tensor values;            ///< [count, dense dimensions...]
  bool isCoalesced = false; ///< Whether indices ascend and none is there twice.
  bool isInRows = false;    ///< Whether a program knows it as a matrix of compressed rows (CSR).
};

/// The companion of a nested tensor: a batch of sequences of different lengths.
struct NestedParts final : RefCounted {
  Tensor padded; ///< [batch, longest, features]
  Tensor mask;   ///< bool [batch, longest]: whether each row is part of its sequence.
};

/// Returns the parts of a sparse tensor. It is null for other tensors, and for what operators that know nothing of
/// sparse tensors made of one.
inline const SparseParts *sparseOf(const Tensor &tensor) {
  return tensor.dtype() == DType::Opaque ? dynamic_cast<const SparseParts *>(tensor.get()->companion.get()) : nullptr;
}
/// Returns the parts of a nested tensor; null likewise.
inline const NestedParts *nestedOf(const Tensor &tensor) {
  return tensor.dtype() == DType::Opaque ? dynamic_cast<const NestedParts *>(tensor.get()->companion.get()) : nullptr;
}

/// Returns a tensor of these sizes whose elements `parts` has, which is not null. Refuses the sizes that elementCount()
/// refuses.
StatusOr<Tensor> makeOpaque(ArrayRef<int64_t> sizes, Ref<RefCounted> parts);
/// Returns the layout that a program sees.
inline Layout layoutOf(const Tensor &tensor) {
  const SparseParts *parts = sparseOf(tensor);
  return !parts ? Layout::Strided : parts->isInRows ? Layout::SparseCsr : Layout::Sparse;
}
/// Returns where each row of a matrix of compressed rows begins among its elements, and the last one ends: int64 [rows
/// + 1].
StatusOr<Tensor> rowStartsOf(const SparseParts &parts, int64_t rows);
/// Returns the indices, int64 [2, count], of a matrix of `sizes` in compressed rows, given by `starts` [rows + 1] and
/// `columns` [count], each of int32 or int64. InvalidArgument for starts that do not ascend from 0 to `count`, and for
/// columns that are not within `sizes`.
StatusOr<Tensor> indicesOfRows(const Tensor &starts, const Tensor &columns, ArrayRef<int64_t> sizes);
/// Returns the dtype that a program sees: that of the elements.
DType elementDType(const Tensor &tensor);

} // namespace tsc

#endif
