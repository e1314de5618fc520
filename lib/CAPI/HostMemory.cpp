//===- HostMemory.cpp - Tensors over memory of the host's -----------------===//
//
// Memory that programs may write to is a DeviceMemory of the processor whose
// first block is the host's. Blocks that storages want besides, for a copy or to
// grow, come from the allocator. Memory that is read only is borrowed, as that of
// mapped archives is.
//
//===----------------------------------------------------------------------===//
#include "HostMemory.h"
#include "tsc/Kernels/Factories.h"
#include "tsc/Tensor/Bools.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cstring>

using namespace tsc;
using namespace tsc::capi;

namespace {
/// Who is to hear that memory is not used any more.
struct Lender {
  tsc_release release = nullptr;
  void *user = nullptr;
  void tell() const {
    if (release)
      release(user);
  }
};

class HostMemory final : public DeviceMemory {
public:
  explicit HostMemory(void *data, size_t bytes) : DeviceMemory(Device()), data(data ? data : this), bytes(bytes) {}
  memory::Block allocate(size_t wanted) const override {
    memory::Block block = lent ? memory::allocate(wanted) : memory::Block{data, bytes ? bytes : 1};
    lent = true;
    if (block.data)
      numBlocks.fetch_add(1, std::memory_order_relaxed);
    return block;
  }
  void deallocate(void *block, size_t capacity) const override {
    if (block == data)
      lender.tell();
    else
      memory::deallocate(block, capacity);
    if (numBlocks.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete this;
  }
  void copy(void *to, const void *from, size_t count) const override { std::memcpy(to, from, count); }

  mutable Lender lender; ///< Set before anybody else knows of the memory.
  static void *operator new(size_t size) { return memory::allocateObject(size); }
  static void operator delete(void *p) { memory::deallocateObject(p, sizeof(HostMemory)); }

private:
  void *const data;
  const size_t bytes;
  mutable bool lent = false; ///< The host's block is the first that is asked for, by the thread that makes this.
  mutable std::atomic<size_t> numBlocks{0};
};

/// Keeps memory that is read only.
class ReadOnlyMemory final : public RefCounted {
public:
  ~ReadOnlyMemory() override { lender.tell(); }
  Lender lender;
};
} // namespace

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

/// Elements of complex types are two numbers, aligned as one of them is.
static size_t alignmentOf(DType dtype) { return itemSize(isComplex(dtype) ? toRealDType(dtype) : dtype); }

StatusOr<Tensor> capi::emptyTensor(const tsc_tensor &description) {
  TSC_RETURN_IF_ERROR(checkDescription(description));
  return cpu::emptyOp({description.sizes, static_cast<size_t>(description.rank)}, static_cast<DType>(description.dtype),
                      std::nullopt, std::nullopt, std::nullopt, std::nullopt);
}

namespace {
/// A dimension of a host's tensor that has more than one place in memory.
struct Extent {
  int64_t size, stride;
};
} // namespace

static bool areBools(const uint8_t *data, ArrayRef<Extent> dims) {
  if (dims.empty())
    return *data <= 1;
  if (dims.size() == 1 && dims[0].stride == 1)
    return tsc::areBools(data, static_cast<size_t>(dims[0].size));
  for (int64_t i = 0; i != dims[0].size; ++i)
    if (!areBools(data + i * dims[0].stride, dims.drop_front()))
      return false;
  return true;
}

/// Looks at each byte that is a bool of the host's, and at none between them: at most once where dimensions do not
/// overlap. Kernels would read beyond their tables with another byte than 0 and 1.
static Status checkBools(const void *data, ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides, size_t bytes) {
  llvm::SmallVector<Extent, 5> dims;
  for (auto [size, stride] : llvm::zip(sizes, strides)) {
    if (size == 1 || stride == 0)
      continue;
    dims.push_back({size, stride});
  }
  llvm::sort(dims, [](const Extent &a, const Extent &b) { return a.stride > b.stride; });
  bool isBlock = true;
  int64_t packed = 1;
  for (const Extent &dim : llvm::reverse(dims)) {
    isBlock &= dim.stride == packed;
    packed = dim.stride * dim.size; // within the memory
  }
  if (isBlock ? tsc::areBools(data, bytes) : areBools(static_cast<const uint8_t *>(data), dims))
    return okStatus();
  return invalidArgument("'data' of a tsc_tensor of TSC_BOOL has a byte that is neither 0 nor 1");
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
  for (int64_t stride : strides)
    if (stride < 0)
      return invalidArgument("strides of a tensor are not negative, as in " + shapeString(strides));
  if (*count != 0 && !description.data)
    return invalidArgument("'data' of a tsc_tensor is NULL, but its sizes are " + shapeString(sizes));
  if (reinterpret_cast<uintptr_t>(description.data) % alignmentOf(dtype) != 0)
    return invalidArgument("'data' of a tsc_tensor is not aligned to its elements of " + pythonName(dtype));
  std::optional<int64_t> elements = requiredElements(sizes, strides, 0);
  size_t bytes = 0;
  if (!elements || __builtin_mul_overflow(static_cast<size_t>(*elements), itemSize(dtype), &bytes))
    return invalidArgument("a tensor of sizes " + shapeString(sizes) + " and strides " + shapeString(strides) +
                           " reaches beyond all memory");
  if (dtype == DType::Bool && read == Elements::Read && *count != 0)
    TSC_RETURN_IF_ERROR(checkBools(description.data, sizes, strides, bytes));
  if (description.flags & TSC_READ_ONLY) {
    auto keeper = makeRef<ReadOnlyMemory>();
    TSC_ASSIGN_OR_RETURN(Tensor tensor,
                         Tensor::view(Storage::borrow(description.data, bytes, keeper), 0, sizes, strides, dtype));
    keeper->lender = {release, user};
    return tensor;
  }
  auto *memory = new HostMemory(description.data, bytes); // goes with its last block
  TSC_ASSIGN_OR_RETURN(Ref<Storage> storage, Storage::allocate(bytes, *memory));
  TSC_ASSIGN_OR_RETURN(Tensor tensor, Tensor::view(std::move(storage), 0, sizes, strides, dtype));
  memory->lender = {release, user};
  return tensor;
}
