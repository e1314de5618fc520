//===- Opaque.cpp - Sparse and nested tensors -----------------------------===//
#include "tsc/Tensor/Opaque.h"
#include "tsc/Support/WorkMeter.h"

using namespace tsc;

StatusOr<Tensor> tsc::makeOpaque(ArrayRef<int64_t> sizes, Ref<RefCounted> parts) {
  assert(parts && "an opaque tensor has its elements in a companion");
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

StatusOr<Tensor> tsc::rowStartsOf(const SparseParts &parts, int64_t rows) {
  assert(parts.indices.dim() == 2 && "indices of dimensions and elements");
  TSC_ASSIGN_OR_RETURN(Tensor starts, Tensor::full({rows + 1}, Scalar(0), DType::Int64));
  auto *start = starts.mutableData<int64_t>();
  for (int64_t i = 0, count = parts.indices.size(1); i != count; ++i)
    if (int64_t row = parts.indices.at(i).toInt(); row >= 0 && row < rows)
      ++start[row + 1];
  for (int64_t row = 0; row != rows; ++row)
    start[row + 1] += start[row];
  return starts;
}

StatusOr<Tensor> tsc::indicesOfRows(const Tensor &starts, const Tensor &columns, ArrayRef<int64_t> sizes) {
  auto isIndex = [](const Tensor &tensor) {
    return tensor.dim() == 1 && (tensor.dtype() == DType::Int64 || tensor.dtype() == DType::Int32);
  };
  if (sizes.size() != 2 || sizes[0] < 0 || !isIndex(starts) || !isIndex(columns) || starts.size(0) - 1 != sizes[0])
    return invalidArgument(
        "crow_indices and col_indices of a sparse matrix must be rows of integers that fit its size " +
        shapeString(sizes));
  const int64_t count = columns.size(0);
  TSC_ASSIGN_OR_RETURN(Tensor indices, Tensor::empty({2, count}, DType::Int64));
  auto *row = indices.mutableData<int64_t>(), *column = row + count;
  int64_t at = 0;
  work::LongLoop turns; // rows without elements may be many more than there is memory for
  for (int64_t i = 0; i != sizes[0]; ++i) {
    if (!turns.goOn())
      return work::stopped();
    const int64_t begin = starts.at(i).toInt(), end = starts.at(i + 1).toInt();
    if (begin != at || end < begin || end > count)
      return invalidArgument("crow_indices of a sparse matrix must ascend from 0 to the number of its elements");
    for (; at != end; ++at) {
      row[at] = i;
      column[at] = columns.at(at).toInt();
      if (column[at] < 0 || column[at] >= sizes[1])
        return invalidArgument("col_indices of a sparse matrix must be within its size " + shapeString(sizes));
    }
  }
  if (at != count)
    return invalidArgument("crow_indices of a sparse matrix must ascend from 0 to the number of its elements");
  return indices;
}

DType tsc::elementDType(const Tensor &tensor) {
  if (const SparseParts *parts = sparseOf(tensor))
    return parts->values.dtype();
  if (const NestedParts *parts = nestedOf(tensor))
    return parts->padded.dtype();
  return tensor.dtype();
}
