//===- LentMemory.cpp - Tensors over memory of somebody else --------------===//
//
// Memory that may be written to is a DeviceMemory of the processor whose first block
// is the owner's. Blocks that storages want besides, for a copy or to grow, come from
// the allocator. Memory that is read only is borrowed, as that of mapped archives is.
//
//===----------------------------------------------------------------------===//
#include "tsc/Tensor/LentMemory.h"
#include "tsc/Tensor/Bools.h"
#include "llvm/ADT/STLExtras.h"
#include <cstring>

using namespace tsc;

namespace {
/// Who is to hear that memory is not used any more.
struct Lender {
  void (*release)(void *user) = nullptr;
  void *user = nullptr;
  void tell() const {
    if (release)
      release(user);
  }
};

class WritableMemory final : public DeviceMemory {
public:
  explicit WritableMemory(void *data, size_t bytes) : DeviceMemory(Device()), data(data ? data : this), bytes(bytes) {}
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
  static void operator delete(void *p) { memory::deallocateObject(p, sizeof(WritableMemory)); }

private:
  void *const data;
  const size_t bytes;
  mutable bool lent = false; ///< The owner's block is the first that is asked for, by the thread that makes this.
  mutable std::atomic<size_t> numBlocks{0};
};

/// Keeps memory that is read only.
class ReadOnlyMemory final : public RefCounted {
public:
  ~ReadOnlyMemory() override { lender.tell(); }
  Lender lender;
};

/// A dimension that has more than one place in memory.
struct Extent {
  int64_t size, stride;
};
} // namespace

static bool areBoolsAlong(const uint8_t *data, ArrayRef<Extent> dims) {
  if (dims.empty())
    return *data <= 1;
  if (dims.size() == 1 && dims[0].stride == 1)
    return areBools(data, static_cast<size_t>(dims[0].size));
  for (int64_t i = 0; i != dims[0].size; ++i)
    if (!areBoolsAlong(data + i * dims[0].stride, dims.drop_front()))
      return false;
  return true;
}

/// Whether each byte of a strided array of bools is 0 or 1. It looks at none between them, and at each at most once
/// where dimensions do not overlap.
static bool areStridedBools(const void *data, ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) {
  llvm::SmallVector<Extent, 5> dims;
  for (auto [size, stride] : llvm::zip(sizes, strides)) {
    if (size == 0)
      return true;
    if (size != 1 && stride != 0)
      dims.push_back({size, stride});
  }
  llvm::sort(dims, [](const Extent &a, const Extent &b) { return a.stride > b.stride; });
  bool isBlock = true;
  int64_t packed = 1;
  for (const Extent &dim : llvm::reverse(dims)) {
    isBlock &= dim.stride == packed;
    packed = dim.stride * dim.size; // within the memory
  }
  return isBlock ? areBools(data, static_cast<size_t>(packed))
                 : areBoolsAlong(static_cast<const uint8_t *>(data), dims);
}

/// Elements of complex types are two numbers, aligned as one of them is.
static size_t alignmentOf(DType dtype) { return itemSize(isComplex(dtype) ? toRealDType(dtype) : dtype); }

StatusOr<Tensor> tsc::tensorOver(const LentMemory &memory, ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides,
                                 DType dtype) {
  assert(sizes.size() == strides.size() && "a stride for each size");
  if (StatusOr<int64_t> count = elementCount(sizes); !count.ok())
    return invalidArgument(messageOf(count.status()));
  for (int64_t stride : strides)
    if (stride < 0)
      return invalidArgument("strides of a tensor are not negative, as in " + shapeString(strides));
  if (reinterpret_cast<uintptr_t>(memory.data) % alignmentOf(dtype) != 0)
    return invalidArgument("the memory is not aligned to its elements of " + pythonName(dtype));
  std::optional<int64_t> elements = requiredElements(sizes, strides, 0);
  size_t bytes = 0;
  if (!elements || __builtin_mul_overflow(static_cast<size_t>(*elements), itemSize(dtype), &bytes))
    return invalidArgument("a tensor of sizes " + shapeString(sizes) + " and strides " + shapeString(strides) +
                           " reaches beyond all memory");
  if (dtype == DType::Bool && memory.isRead && !areStridedBools(memory.data, sizes, strides))
    return invalidArgument("the memory of a tensor of bools has a byte that is neither 0 nor 1");
  if (memory.isReadOnly) {
    auto keeper = makeRef<ReadOnlyMemory>();
    TSC_ASSIGN_OR_RETURN(Tensor tensor,
                         Tensor::view(Storage::borrow(memory.data, bytes, keeper), 0, sizes, strides, dtype));
    keeper->lender = {memory.release, memory.user};
    return tensor;
  }
  auto *lent = new WritableMemory(memory.data, bytes); // goes with its last block
  TSC_ASSIGN_OR_RETURN(Ref<Storage> storage, Storage::allocate(bytes, *lent));
  TSC_ASSIGN_OR_RETURN(Tensor tensor, Tensor::view(std::move(storage), 0, sizes, strides, dtype));
  lent->lender = {memory.release, memory.user};
  return tensor;
}
