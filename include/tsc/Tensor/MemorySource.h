//===- MemorySource.h - Where the allocator has its blocks from -*- C++ -*-===//
#ifndef TSC_TENSOR_MEMORYSOURCE_H
#define TSC_TENSOR_MEMORYSOURCE_H

#include <cstddef>

namespace tsc {

class DeviceMemory;

namespace memory {

/// Functions of a host that give memory to the caching allocator. `allocate` gives a block of `size` bytes, aligned as
/// asked, or null; `release` takes it back with the size that it has. Both get `user`, and are called from any thread,
/// and from many at once.
struct Source {
  void *(*allocate)(void *user, size_t size, size_t alignment);
  void (*release)(void *user, void *block, size_t size);
  void *user;
};

/// Makes the caching allocator take its blocks from `source`, as long as the process lives. Returns false when some
/// came from elsewhere already.
bool setSource(const Source &source);

/// Makes tensors of the processor take their memory from `memory` in place of the caching allocator, as long as the
/// process lives: for those who look for accesses outside of tensors. It counts what it gives in the thread's account
/// (MemoryAccount.h). It must be called before other threads make tensors.
void setProcessorMemory(const DeviceMemory &memory);

} // namespace memory
} // namespace tsc

#endif
