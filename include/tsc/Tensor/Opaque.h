//===- Opaque.h - Sparse and nested tensors ---------------------*- C++ -*-===//
//
// A tensor of DType::Opaque has sizes, and in its storage nothing: its elements
// are in a companion. Kernels that know nothing of it refuse its dtype. Images whose
// channels lie in blocks are such tensors too (lib/Kernels/ConvolutionBlocked.h), which
// no program sees.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_TENSOR_OPAQUE_H
#define TSC_TENSOR_OPAQUE_H

#include "tsc/Tensor/Tensor.h"

namespace tsc {

/// A sparse tensor in coordinates: the elements that are not zero, and where they are. The last dimensions may be
/// dense.
struct SparseParts final : RefCounted {
  Tensor indices;           ///< int64 [sparse dimensions, count]
  Tensor values;            ///< [count, dense dimensions...]
  bool isCoalesced = false; ///< Indices ascend, and none is there twice.
  bool isInRows = false;    ///< A matrix that a program knows as one of compressed rows (CSR).
};

/// A batch of sequences of different lengths.
struct NestedParts final : RefCounted {
  Tensor padded; ///< [batch, longest, features]
  Tensor mask;   ///< bool [batch, longest]: which rows there are.
};

/// Null for other tensors, and for what operators that know nothing of such tensors made of one.
inline const SparseParts *sparseOf(const Tensor &tensor) {
  return tensor.dtype() == DType::Opaque ? dynamic_cast<const SparseParts *>(tensor.get()->companion.get()) : nullptr;
}
inline const NestedParts *nestedOf(const Tensor &tensor) {
  return tensor.dtype() == DType::Opaque ? dynamic_cast<const NestedParts *>(tensor.get()->companion.get()) : nullptr;
}

/// A tensor of these sizes whose elements `parts` has. InvalidArgument for sizes that no number can count.
StatusOr<Tensor> makeOpaque(ArrayRef<int64_t> sizes, Ref<RefCounted> parts);
/// The layout that a program sees.
inline Layout layoutOf(const Tensor &tensor) {
  const SparseParts *parts = sparseOf(tensor);
  return !parts ? Layout::Strided : parts->isInRows ? Layout::SparseCsr : Layout::Sparse;
}
/// Where each row of a matrix of compressed rows begins among its elements, and the last one ends: int64 [rows + 1].
StatusOr<Tensor> rowStartsOf(const SparseParts &parts, int64_t rows);
/// The same of a tensor of int32 or int64 for `columns` [count]: the indices [2, count]. InvalidArgument for starts
/// that do not ascend from 0 to `count`, and for columns that are not within `sizes`.
StatusOr<Tensor> indicesOfRows(const Tensor &starts, const Tensor &columns, ArrayRef<int64_t> sizes);
/// The dtype that a program sees: that of the elements.
DType elementDType(const Tensor &tensor);

} // namespace tsc

#endif
