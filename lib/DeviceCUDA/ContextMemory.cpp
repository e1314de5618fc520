//===- ContextMemory.cpp - The memory of a GPU ----------------------------===//
#include "tsc/DeviceCUDA/ContextMemory.h"

using namespace tsc;
using namespace tsc::fuser;

memory::Block ContextMemory::allocate(size_t bytes) const {
  const auto place = sequences ? sequences->nextPlace() : std::nullopt;
  const memory::Block block = allocator.allocate(bytes, place ? place->last : nullptr);
  if (place)
    sequences->setPlace(*place, block.data);
  return block;
}

void ContextMemory::copy(void *to, const void *from, size_t bytes) const {
  (void)context.copy(reinterpret_cast<uintptr_t>(to), reinterpret_cast<uintptr_t>(from), bytes);
}

Status ContextMemory::copyToHost(void *to, const void *from, size_t bytes) const {
  return context.copyToHost(to, reinterpret_cast<uintptr_t>(from), bytes);
}

Status ContextMemory::copyFromHost(void *to, const void *from, size_t bytes) const {
  return context.copyToDevice(reinterpret_cast<uintptr_t>(to), from, bytes);
}
