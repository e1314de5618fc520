//===- ContextMemory.h - The memory of a GPU --------------------*- C++ -*-===//
#ifndef TSC_DEVICECUDA_CONTEXTMEMORY_H
#define TSC_DEVICECUDA_CONTEXTMEMORY_H

#include "tsc/DeviceCUDA/DeviceAllocator.h"
#include "tsc/DeviceCUDA/LaunchSequences.h"
#include "tsc/Tensor/DeviceCopy.h"

namespace tsc::fuser {

/// Memory of a context. The stream orders uses: what is freed may be used by what is launched later.
///
/// Threads:   everything but follow() may be called from many threads.
/// Ownership: uses the context, which lives longer.
class ContextMemory final : public RemoteMemory {
public:
  /// `ordinal` is the GPU's number, as the driver counts.
  ContextMemory(DriverContext &context, int ordinal)
      : RemoteMemory(Device{DeviceKind::CUDA, static_cast<int16_t>(ordinal)}), context(context), allocator(context) {}
  memory::Block allocate(size_t bytes) const override;
  void deallocate(void *data, size_t capacity) const override { allocator.deallocate(data, capacity); }
  void copy(void *to, const void *from, size_t bytes) const override;
  Status copyToHost(void *to, const void *from, size_t bytes) const override;
  Status copyFromHost(void *to, const void *from, size_t bytes) const override;

  /// Gives calls that repeat the blocks that they had before, where these are free; null: nobody's.
  void follow(LaunchSequences *calls) { sequences = calls; }

private:
  DriverContext &context;
  mutable DeviceAllocator allocator;
  LaunchSequences *sequences = nullptr;
};

} // namespace tsc::fuser

#endif
