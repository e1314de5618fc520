//===- SparseValues.cpp - Sparse tensors of files as dense ones -----------===//
#include "SparseValues.h"
#include "PickleMachine.h"
#include "tsc/Serialization/Unpickler.h"

using namespace tsc;
using llvm::ArrayRef;
using llvm::Twine;

/// A few numbers of a file must not ask for all of memory.
static constexpr int64_t maxDenseBytes = int64_t(1) << 31;

/// Element `i` of a tensor of integers.
static int64_t indexAt(const Tensor &tensor, int64_t i) { return tensor.at(i).toInt(); }

static Scalar sum(const Scalar &a, const Scalar &b) {
  switch (a.kind()) {
  case Scalar::Kind::Complex: return Scalar(a.toComplex() + b.toComplex());
  case Scalar::Kind::Double: return Scalar(a.toDouble() + b.toDouble());
  case Scalar::Kind::Bool: return Scalar(a.toBool() || b.toBool());
  case Scalar::Kind::Int: return Scalar(static_cast<int64_t>(static_cast<uint64_t>(a.toInt()) + uint64_t(b.toInt())));
  }
  return a;
}

/// The flat position in the leading dimensions of element `i`, or a failure.
static StatusOr<int64_t> positionOf(ArrayRef<int64_t> sizes, ArrayRef<int64_t> coordinates) {
  int64_t position = 0;
  for (auto [size, coordinate] : llvm::zip(sizes, coordinates)) {
    if (coordinate < 0 || coordinate >= size)
      return badPickle("a sparse tensor with an index outside of its sizes");
    position = position * size + coordinate;
  }
  return position;
}

StatusOr<Tensor> tsc::makeDense(ArrayRef<int64_t> sizes, ArrayRef<Tensor> indices, const Tensor &values) {
  auto isInteger = [](const Tensor &tensor) {
    return tensor.dtype() == DType::Int64 || tensor.dtype() == DType::Int32;
  };
  const bool isCoo = indices.size() == 1;
  const int64_t sparseDims = isCoo ? (indices[0].dim() == 2 ? indices[0].size(0) : -1) : 2;
  const int64_t count = values.dim() ? values.size(0) : -1;
  if (!llvm::all_of(indices, isInteger) || count < 0 || sparseDims < 0 ||
      sparseDims + values.dim() - 1 != static_cast<int64_t>(sizes.size()) ||
      ArrayRef<int64_t>(values.sizes()).drop_front() != sizes.drop_front(sparseDims))
    return badPickle("a sparse tensor whose indices and values do not fit its sizes");
  if (isCoo ? indices[0].size(1) != count
            : indices[0].dim() != 1 || indices[0].size(0) != sizes[0] + 1 || indices[1].dim() != 1 ||
                  indices[1].size(0) != count)
    return badPickle("a sparse tensor whose indices and values do not fit its sizes");
  int64_t bytes = itemSize(values.dtype());
  for (int64_t size : sizes)
    if (size < 0 || __builtin_mul_overflow(bytes, size, &bytes))
      return badPickle("a sparse tensor of impossible sizes");
  if (bytes > maxDenseBytes)
    return resourceExhausted("a sparse tensor whose dense form, in which it is read, would have " + Twine(bytes) +
                             " bytes");
  TSC_ASSIGN_OR_RETURN(Tensor dense, Tensor::full(sizes, Scalar(0), values.dtype()));
  const int64_t inner = count ? values.numel() / count : 0;
  int64_t row = 0;
  for (int64_t i = 0; i != count; ++i) {
    llvm::SmallVector<int64_t, 4> coordinates;
    if (isCoo) {
      for (int64_t d = 0; d != sparseDims; ++d)
        coordinates.push_back(indexAt(indices[0], d * count + i));
    } else {
      while (row < sizes[0] && indexAt(indices[0], row + 1) <= i)
        ++row;
      coordinates = {row, indexAt(indices[1], i)};
    }
    TSC_ASSIGN_OR_RETURN(int64_t position, positionOf(sizes, coordinates));
    for (int64_t j = 0; j != inner; ++j) {
      const int64_t at = position * inner + j;
      dense.set(at, sum(dense.at(at), values.at(i * inner + j)));
    }
  }
  return dense;
}
