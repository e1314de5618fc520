//===- SparseValues.cpp - Sparse tensors of files -------------------------===//
#include "SparseValues.h"
#include "tsc/Serialization/Unpickler.h"
#include "tsc/Tensor/Opaque.h"

using namespace tsc;
using llvm::ArrayRef;

static bool isInteger(const Tensor &tensor) { return tensor.dtype() == DType::Int64 || tensor.dtype() == DType::Int32; }

/// Whether each element may have a place of its own in the file: strides of zero would make many of few bytes.
static bool fillStorage(const Tensor &tensor) {
  return !isInteger(tensor) ||
         tensor.numel() <= static_cast<int64_t>(tensor.get()->storage->size() / itemSize(tensor.dtype()));
}

/// [sparse dimensions, count] as int64, row-major, each index within the sizes.
static StatusOr<Tensor> checkedCoordinates(ArrayRef<int64_t> sizes, const Tensor &indices) {
  if (indices.dim() != 2 || !isInteger(indices) || indices.size(0) > static_cast<int64_t>(sizes.size()))
    return dataLoss("a sparse tensor whose indices and values do not fit its sizes");
  TSC_ASSIGN_OR_RETURN(Tensor own, Tensor::empty(indices.sizes(), DType::Int64));
  const int64_t count = indices.size(1);
  for (int64_t i = 0; i != indices.numel(); ++i) {
    const int64_t index = indices.at(i).toInt();
    if (index < 0 || index >= sizes[i / count])
      return dataLoss("a sparse tensor with an index outside of its sizes");
    own.mutableData<int64_t>()[i] = index;
  }
  return own;
}

StatusOr<Tensor> tsc::makeSparse(ArrayRef<int64_t> sizes, ArrayRef<Tensor> indices, const Tensor &values) {
  assert((indices.size() == 1 || indices.size() == 2) && "coordinates, or starts of rows and columns");
  if (!llvm::all_of(sizes, [](int64_t size) { return size >= 0; }))
    return dataLoss("a sparse tensor of impossible sizes");
  if (!llvm::all_of(indices, fillStorage))
    return dataLoss("a sparse tensor whose indices do not fill their storage");
  auto parts = makeRef<SparseParts>();
  if (indices.size() == 1) {
    TSC_ASSIGN_OR_RETURN(parts->indices, checkedCoordinates(sizes, indices[0]));
  } else {
    StatusOr<Tensor> made = indicesOfRows(indices[0], indices[1], sizes);
    if (!made.ok())
      return dataLoss(messageOf(made.status()).str());
    parts->indices = *std::move(made);
    parts->isInRows = true;
    parts->isCoalesced = true;
    const int64_t count = parts->indices.size(1), *row = parts->indices.data<int64_t>(), *column = row + count;
    for (int64_t i = 1; i < count; ++i)
      parts->isCoalesced &= row[i] != row[i - 1] || column[i] > column[i - 1];
  }
  if (values.dtype() == DType::Opaque || values.dim() == 0 || values.size(0) != parts->indices.size(1) ||
      ArrayRef<int64_t>(values.sizes()).drop_front() != sizes.drop_front(parts->indices.size(0)))
    return dataLoss("a sparse tensor whose indices and values do not fit its sizes");
  parts->values = values.alias(values.sizes(), values.strides(), values.storageOffset()); // the file may name it twice
  StatusOr<Tensor> tensor = makeOpaque(sizes, std::move(parts));
  return tensor.ok() ? std::move(tensor) : dataLoss("a sparse tensor of impossible sizes");
}
