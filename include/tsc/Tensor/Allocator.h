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

/// A block of memory; `data` is null where there is none.
struct Block {
  void *data = nullptr;
  size_t capacity = 0; ///< The size in bytes, at least what was asked for; give it back to `deallocate`.
};

/// Returns a block of at least `bytes`, uninitialised (but see ZeroFill), or {nullptr, 0} when there is no memory or a
/// limit is reached.
Block allocate(size_t bytes);
/// Gives back a block; `data` may be null.
void deallocate(void *data, size_t capacity);

/// Returns memory for an object of a fixed size of at most 1024 bytes (tensor headers, storages). Throws std::bad_alloc
/// when there is none.
void *allocateObject(size_t size);
/// Gives back the memory of an object; `size` is what was asked for.
void deallocateObject(void *object, size_t size);

/// While it lives, blocks that the calling thread gets are zero, so that a program that reads what it never wrote does
/// the same in every run.
class ZeroFill {
public:
  ZeroFill();
  ~ZeroFill();
  ZeroFill(const ZeroFill &) = delete;
  ZeroFill &operator=(const ZeroFill &) = delete;

private:
  bool previous;
};

/// Returns free blocks of more than 1 KB, those in the shared lists and the calling thread's, to where they came from.
/// Smaller ones stay for later use.
void trim();
/// Allows no more than `bytes` of blocks (of more than 1 KB) in use at once; 0 lifts the limit.
void setLimit(size_t bytes);
/// Returns the bytes of blocks (of more than 1 KB) in use.
size_t bytesInUse();

} // namespace memory
} // namespace tsc

#endif
