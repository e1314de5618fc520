//===- MemorySource.h - Where the allocator has its blocks from -*- C++ -*-===//
#ifndef TSC_TENSOR_MEMORYSOURCE_H
#define TSC_TENSOR_MEMORYSOURCE_H

#include <cstddef>

namespace tsc {

class DeviceMemory;

namespace memory {

/// Gives blocks of `size` bytes, aligned as asked, or null, and takes them back with the size that they have. Both are
/// called from any thread, and from many at once.
struct Source {
  void *(*allocate)(void *user, size_t size, size_t alignment);
  void (*release)(void *user, void *block, size_t size);
  void *user;
};

/// Blocks come from there, as long as the process lives. False when some came from elsewhere already.
bool setSource(const Source &source);

/// Tensors of the processor have their memory from there in the place of the caching allocator, as long as the process
/// lives: for those who look for accesses outside of tensors. It counts what it gives in the thread's account
/// (MemoryAccount.h). Called before other threads make tensors.
void setProcessorMemory(const DeviceMemory &memory);

} // namespace memory
} // namespace tsc

#endif
