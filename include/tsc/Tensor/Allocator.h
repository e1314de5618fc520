//===- Allocator.h - The caching allocator ----------------------*- C++ -*-===//
//
// Freed blocks are kept in lists by size class, first per thread, then shared, so
// that memory whose pages are already mapped is used again. All blocks are
// 64-byte aligned.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_TENSOR_ALLOCATOR_H
#define TSC_TENSOR_ALLOCATOR_H

#include <cstddef>

namespace tsc {

/// Threads: every function may be called from any thread.
namespace memory {

struct Block {
  void *data = nullptr;
  size_t capacity = 0; ///< The size class; give it back to `deallocate`.
};

/// At least `bytes`, uninitialised; {nullptr, 0} when there is no memory or the limit is reached.
Block allocate(size_t bytes);
void deallocate(void *data, size_t capacity);

/// A fixed-size object of at most 1024 bytes (tensor headers, storages).
void *allocateObject(size_t size);
void deallocateObject(void *object, size_t size);

/// While it lives, blocks that the calling thread gets are zero: a program that reads what it never wrote does the same
/// in every run.
class ZeroFill {
public:
  ZeroFill();
  ~ZeroFill();
  ZeroFill(const ZeroFill &) = delete;
  ZeroFill &operator=(const ZeroFill &) = delete;

private:
  bool previous;
};

/// Returns what is free, in the shared lists and the calling thread's, to the system.
void trim();
/// No more than `bytes` of blocks in use at once; 0 lifts the limit.
void setLimit(size_t bytes);
/// Bytes of blocks (of more than 1 KB) in use.
size_t bytesInUse();

} // namespace memory
} // namespace tsc

#endif
