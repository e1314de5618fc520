//===- DeviceAllocator.h - Memory of a GPU, kept for the next tensor *- C++ -*-===//
#ifndef TSC_DEVICECUDA_DEVICEALLOCATOR_H
#define TSC_DEVICECUDA_DEVICEALLOCATOR_H

#include "tsc/DeviceCUDA/Driver.h"
#include "tsc/Tensor/Allocator.h"
#include "llvm/ADT/DenseMap.h"
#include <vector>

namespace tsc::fuser {

/// Blocks of a context, by size class. What is freed is kept, and given again to whoever asks for its class: the stream
/// orders uses, so that work which is still to run on a block comes before that of its next owner. When the driver has
/// no memory left, what is kept is given back to it, and it is asked once more.
///
/// Threads: everything may be called from many threads.
class DeviceAllocator {
public:
  explicit DeviceAllocator(DriverContext &context) : context(context) {}
  ~DeviceAllocator() { releaseKept(); }

  /// Returns the block `wanted`, where it is kept and of that size's class, else any. Returns {nullptr, 0} when there
  /// is no memory, even after what is kept was given back.
  memory::Block allocate(size_t bytes, void *wanted = nullptr);
  /// Keeps a block that allocate() gave.
  void deallocate(void *data, size_t capacity);
  /// Gives what is kept back to the driver.
  void releaseKept();

private:
  static size_t classOf(size_t bytes);

  DriverContext &context;
  std::mutex lock; ///< Guards what follows.
  llvm::DenseMap<uint64_t, std::vector<void *>> kept;
};

} // namespace tsc::fuser

#endif
