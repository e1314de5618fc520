//===- DeviceMemory.h - Where storages have their bytes ---------*- C++ -*-===//
//
// A device gives memory through one object that lives as long as the process or, for
// a device that a program brings, as long as the last storage there.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_TENSOR_DEVICEMEMORY_H
#define TSC_TENSOR_DEVICEMEMORY_H

#include "tsc/Support/Status.h"
#include "tsc/Tensor/Allocator.h"
#include "tsc/Tensor/Scalar.h"

namespace tsc {

class RemoteMemory;

/// Gives the bytes of storages on one device, and takes them back.
///
/// Threads: every function may be called from any thread.
class DeviceMemory {
public:
  /// Returns the processor's memory: the caching allocator, unless memory::setProcessorMemory() put another one in its
  /// place.
  static const DeviceMemory &cpu();

  Device device() const { return where; }
  /// Returns a block of at least `bytes`, uninitialised and aligned to 64; {nullptr, 0} when there is no memory.
  virtual memory::Block allocate(size_t bytes) const = 0;
  /// Takes back a block, with the capacity that allocate() gave it. The device may be about to use it for what was
  /// asked for before.
  virtual void deallocate(void *data, size_t capacity) const = 0;
  /// Copies bytes between two blocks of this device, which do not overlap.
  virtual void copy(void *to, const void *from, size_t bytes) const = 0;
  /// Returns this memory where the processor reaches it through copies alone (DeviceCopy.h); null where the processor
  /// reads it as its own.
  virtual const RemoteMemory *asRemote() const { return nullptr; }

protected:
  constexpr explicit DeviceMemory(Device where) : where(where) {}
  ~DeviceMemory() = default;

private:
  Device where;
};

/// Returns the error, in PyTorch's words where it has some, of a program that wants a device of a kind that the host
/// does not have.
Status absentDevice(Device device);

} // namespace tsc

#endif
