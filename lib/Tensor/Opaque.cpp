//===- Opaque.cpp - Sparse and nested tensors -----------------------------===//
#include "tsc/Tensor/Opaque.h"

using namespace tsc;

StatusOr<Tensor> tsc::makeOpaque(ArrayRef<int64_t> sizes, Ref<RefCounted> parts) {
  TSC_ASSIGN_OR_RETURN(int64_t count, elementCount(sizes));
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty({1}, DType::Opaque));
  TensorImpl &impl = *result.get();
  impl.sizes.assign(sizes.begin(), sizes.end());
  impl.strides.assign(sizes.size(), 0); // every element would be the one byte: nothing can reach beyond it
  impl.count = count;
  impl.contiguous = false;
  impl.companion = std::move(parts);
  return result;
}

DType tsc::elementDType(const Tensor &tensor) {
  if (const SparseParts *parts = sparseOf(tensor))
    return parts->values.dtype();
  if (const NestedParts *parts = nestedOf(tensor))
    return parts->padded.dtype();
  return tensor.dtype();
}
