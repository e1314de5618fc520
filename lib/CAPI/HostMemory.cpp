//===- HostMemory.cpp - Tensors over memory of the host's -----------------===//
//
// The description is checked here, in its own words; the tensor is one over lent
// memory (tsc/Tensor/LentMemory.h).
//
//===----------------------------------------------------------------------===//
#include "HostMemory.h"
#include "tsc/Kernels/Factories.h"
#include "tsc/Tensor/LentMemory.h"
#include <algorithm>

using namespace tsc;
using namespace tsc::capi;

bool capi::isKnownDType(int32_t dtype) {
  switch (dtype) {
  case TSC_UINT8:
  case TSC_INT8:
  case TSC_INT16:
  case TSC_INT32:
  case TSC_INT64:
  case TSC_FLOAT16:
  case TSC_FLOAT32:
  case TSC_FLOAT64:
  case TSC_COMPLEX64:
  case TSC_COMPLEX128:
  case TSC_BOOL:
  case TSC_BFLOAT16: return true;
  default: return false;
  }
}

static constexpr int32_t maxRank = 64; // PyTorch's

static Status checkDescription(const tsc_tensor &tensor) {
  if (tensor.struct_size < sizeof(tsc_tensor))
    return invalidArgument("struct_size of a tsc_tensor is " + llvm::Twine(tensor.struct_size) + ", and not " +
                           llvm::Twine(sizeof(tsc_tensor)) + ": set it to sizeof(tsc_tensor)");
  if (!isKnownDType(tensor.dtype))
    return invalidArgument("there is no dtype " + llvm::Twine(tensor.dtype));
  if (tensor.flags & ~uint32_t(TSC_COLUMN_MAJOR | TSC_READ_ONLY))
    return invalidArgument("there are no flags " + llvm::Twine(tensor.flags));
  if (tensor.rank < 0 || tensor.rank > maxRank)
    return invalidArgument("a tensor has 0 to " + llvm::Twine(maxRank) + " dimensions, not " +
                           llvm::Twine(tensor.rank));
  if (tensor.rank != 0 && !tensor.sizes)
    return invalidArgument("'sizes' of a tsc_tensor is NULL");
  return okStatus();
}

/// Of what has no gaps; the first index varies fastest.
static Dims columnMajorStrides(ArrayRef<int64_t> sizes) {
  llvm::SmallVector<int64_t, 5> reversed(sizes.rbegin(), sizes.rend());
  Dims strides = contiguousStrides(reversed);
  std::reverse(strides.begin(), strides.end());
  return strides;
}

StatusOr<Tensor> capi::emptyTensor(const tsc_tensor &description) {
  TSC_RETURN_IF_ERROR(checkDescription(description));
  return cpu::emptyOp({description.sizes, static_cast<size_t>(description.rank)}, static_cast<DType>(description.dtype),
                      std::nullopt, std::nullopt, std::nullopt, std::nullopt);
}

StatusOr<Tensor> capi::tensorOver(const tsc_tensor &description, Elements read, tsc_release release, void *user) {
  TSC_RETURN_IF_ERROR(checkDescription(description));
  const DType dtype = static_cast<DType>(description.dtype);
  const size_t rank = static_cast<size_t>(description.rank);
  ArrayRef<int64_t> sizes(description.sizes, rank);
  StatusOr<int64_t> count = elementCount(sizes);
  if (!count.ok())
    return invalidArgument(messageOf(count.status()));
  Dims strides;
  if (description.strides)
    strides.assign(description.strides, description.strides + rank);
  else
    strides = description.flags & TSC_COLUMN_MAJOR ? columnMajorStrides(sizes) : contiguousStrides(sizes);
  if (*count != 0 && !description.data)
    return invalidArgument("'data' of a tsc_tensor is NULL, but its sizes are " + shapeString(sizes));
  LentMemory memory{description.data, (description.flags & TSC_READ_ONLY) != 0, read == Elements::Read, release, user};
  return tsc::tensorOver(memory, sizes, strides, dtype);
}
