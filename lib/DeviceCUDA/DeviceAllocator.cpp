//===- DeviceAllocator.cpp - Memory of a GPU, kept for the next tensor ----===//
#include "tsc/DeviceCUDA/DeviceAllocator.h"
#include "llvm/Support/MathExtras.h"

using namespace tsc;
using namespace tsc::fuser;

/// Multiples of 512 bytes up to a MiB; from there on eighths of powers of two, so that tensors of nearly one size share
/// blocks, and an eighth at most is wasted.
size_t DeviceAllocator::classOf(size_t bytes) {
  constexpr size_t smallest = 512, small = size_t{1} << 20;
  if (bytes <= small)
    return llvm::alignTo(std::max<size_t>(bytes, 1), smallest);
  return llvm::alignTo(bytes, llvm::PowerOf2Ceil(bytes) / 16);
}

memory::Block DeviceAllocator::allocate(size_t bytes, void *wanted) {
  const size_t capacity = classOf(bytes);
  {
    std::lock_guard<std::mutex> guard(lock);
    auto known = kept.find(capacity);
    if (known != kept.end() && !known->second.empty()) {
      std::vector<void *> &blocks = known->second;
      auto found = wanted ? std::find(blocks.rbegin(), blocks.rend(), wanted) : blocks.rend();
      void *data = found == blocks.rend() ? blocks.back() : *found;
      blocks.erase(found == blocks.rend() ? std::prev(blocks.end()) : std::prev(found.base()));
      return {data, capacity};
    }
  }
  StatusOr<CuPointer> address = context.allocate(capacity);
  if (!address.ok() && address.status().code() == StatusCode::ResourceExhausted) {
    releaseKept();
    address = context.allocate(capacity);
  }
  if (!address.ok())
    return {};
  return {reinterpret_cast<void *>(static_cast<uintptr_t>(*address)), capacity};
}

void DeviceAllocator::deallocate(void *data, size_t capacity) {
  std::lock_guard<std::mutex> guard(lock);
  kept[capacity].push_back(data);
}

void DeviceAllocator::releaseKept() {
  llvm::DenseMap<uint64_t, std::vector<void *>> released;
  {
    std::lock_guard<std::mutex> guard(lock);
    released.swap(kept);
  }
  // Where these fail the device is lost, which the next launch says.
  for (auto &[capacity, blocks] : released)
    for (void *block : blocks)
      (void)context.deallocate(reinterpret_cast<uintptr_t>(block));
  if (!released.empty())
    (void)context.synchronize(); // only then is it there for others
}
