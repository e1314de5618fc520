//===- DeviceCopy.h - Tensors from one device to another --------*- C++ -*-===//
#ifndef TSC_TENSOR_DEVICECOPY_H
#define TSC_TENSOR_DEVICECOPY_H

#include "tsc/Tensor/Tensor.h"

namespace tsc {

/// Memory of a device that the processor cannot read or write: through copies alone. One at a time stands for a device.
class RemoteMemory : public DeviceMemory {
public:
  /// Between a block of this device and memory of the processor's; done when it returns.
  virtual Status copyToHost(void *to, const void *from, size_t bytes) const = 0;
  virtual Status copyFromHost(void *to, const void *from, size_t bytes) const = 0;
  /// Who has the storages of a device; null for the processor.
  static const RemoteMemory *of(Device device);

protected:
  explicit RemoteMemory(Device device);
  ~RemoteMemory();
};

inline bool isOnHost(const Storage &storage) { return storage.device().kind == DeviceKind::CPU; }
/// That a storage was allocated in.
inline const DeviceMemory &memoryOf(const Storage &storage) {
  const RemoteMemory *remote = isOnHost(storage) ? nullptr : RemoteMemory::of(storage.device());
  return remote ? static_cast<const DeviceMemory &>(*remote) : DeviceMemory::cpu();
}
inline bool isOnHost(const Tensor &tensor) { return !tensor.get()->storage || isOnHost(*tensor.get()->storage); }

/// Bytes from a place of one memory to a place of another, which may be the same.
Status copyBytes(void *to, const DeviceMemory &toMemory, const void *from, const DeviceMemory &fromMemory,
                 size_t bytes);
/// The same bytes in the other memory.
StatusOr<Ref<Storage>> copyStorage(const Storage &storage, const DeviceMemory &memory);
/// A tensor of the same sizes, strides and elements in the other memory. Of the storage, what lies between the first
/// element and the last is copied.
StatusOr<Tensor> copyTensor(const Tensor &tensor, const DeviceMemory &memory);
/// What the processor can read: the tensor itself, or a copy of it.
StatusOr<Tensor> onHost(const Tensor &tensor);
StatusOr<Ref<Storage>> onHost(const Ref<Storage> &storage);

} // namespace tsc

#endif
