//===- ThreadMemory.h - What a thread's part of a walk needs ----*- C++ -*-===//
#ifndef TSC_LIB_FUSERCPU_THREADMEMORY_H
#define TSC_LIB_FUSERCPU_THREADMEMORY_H

#include "tsc/Tensor/Allocator.h"
#include "llvm/ADT/SmallVector.h"

namespace tsc::fuser {

/// Blocks of uninitialised memory that go when this goes.
class ThreadMemory {
public:
  ThreadMemory() = default;
  ~ThreadMemory() {
    for (memory::Block block : blocks)
      memory::deallocate(block.data, block.capacity);
  }
  ThreadMemory(const ThreadMemory &) = delete;
  ThreadMemory &operator=(const ThreadMemory &) = delete;
  /// Null when there is no memory.
  char *take(size_t bytes) {
    blocks.push_back(memory::allocate(bytes));
    isShort |= !blocks.back().data;
    return static_cast<char *>(blocks.back().data);
  }
  bool isShort = false; ///< Some block could not be had.

private:
  llvm::SmallVector<memory::Block, 2> blocks;
};

} // namespace tsc::fuser

#endif
