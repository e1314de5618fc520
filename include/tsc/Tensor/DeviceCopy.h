//===- DeviceCopy.h - Tensors from one device to another --------*- C++ -*-===//
#ifndef TSC_TENSOR_DEVICECOPY_H
#define TSC_TENSOR_DEVICECOPY_H

#include "tsc/Tensor/Tensor.h"

namespace tsc {

/// The memory of a device, which the processor reads and writes through copies alone. What the device has been asked to
/// do with a block before takes place before a copy from or to it.
class RemoteMemory : public DeviceMemory {
public:
  /// Copies bytes from a block of this device to memory of the processor's; done when it returns.
  virtual Status copyToHost(void *to, const void *from, size_t bytes) const = 0;
  /// Copies bytes from memory of the processor's, which may change when it returns, to a block of this device.
  virtual Status copyFromHost(void *to, const void *from, size_t bytes) const = 0;
  const RemoteMemory *asRemote() const final { return this; }

protected:
  /// Makes the memory of a device other than the processor, which has a number.
  explicit RemoteMemory(Device device) : DeviceMemory(device) {
    assert(device.kind != DeviceKind::CPU && "the processor needs no copies");
    assert(device.index >= 0 && "memory is that of one device");
  }
  ~RemoteMemory() = default;
};

/// Whether the processor can read a storage.
inline bool isOnHost(const Storage &storage) { return storage.device().kind == DeviceKind::CPU; }
/// Returns the memory in which results of operators on a storage are allocated. On a device it is the storage's own. On
/// the processor it is not always what the storage was allocated in (Storage::allocatedIn()): a host lends blocks that
/// are no memory for results, and may replace the processor's memory. Whether a storage is on a device its device()
/// says, and not the address of the memory: a device that was opened twice has two.
inline const DeviceMemory &memoryOf(const Storage &storage) {
  return isOnHost(storage) ? DeviceMemory::cpu() : storage.allocatedIn();
}
/// Whether the processor can read a tensor, which is defined; true for one without a storage.
inline bool isOnHost(const Tensor &tensor) {
  assert(tensor.defined() && "an undefined tensor is nowhere");
  return !tensor.get()->storage || isOnHost(*tensor.get()->storage);
}

/// Copies bytes from a place of one memory to a place of another, which may be the same; the places do not overlap, and
/// are not null where there are bytes. Memory that is no RemoteMemory the processor copies itself. Between two devices
/// the bytes go through memory of the processor's, for which there may be none (ResourceExhausted).
Status copyBytes(void *to, const DeviceMemory &toMemory, const void *from, const DeviceMemory &fromMemory,
                 size_t bytes);
/// Returns a new storage in `memory` with the bytes of another.
StatusOr<Ref<Storage>> copyStorage(const Storage &storage, const DeviceMemory &memory);
/// Returns a tensor of the same sizes, strides and elements as a defined one in `memory`. Of the storage, what lies
/// between the first element and the last is copied. InvalidArgument for a tensor without a storage.
StatusOr<Tensor> copyTensor(const Tensor &tensor, const DeviceMemory &memory);
/// Returns what the processor can read: the tensor itself, which may be undefined, or a copy of it.
StatusOr<Tensor> onHost(const Tensor &tensor);
/// Returns what the processor can read: the storage itself, or a copy of it.
StatusOr<Ref<Storage>> onHost(const Ref<Storage> &storage);

} // namespace tsc

#endif
