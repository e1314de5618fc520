//===- DeviceCopy.h - Tensors from one device to another --------*- C++ -*-===//
#ifndef TSC_TENSOR_DEVICECOPY_H
#define TSC_TENSOR_DEVICECOPY_H

#include "tsc/Tensor/Tensor.h"

namespace tsc {

/// The memory of a device, which the processor reads and writes through copies alone. Of several for one device, the
/// last one made stands for it.
class RemoteMemory : public DeviceMemory {
public:
  /// Copies bytes from a block of this device to memory of the processor's; done when it returns.
  virtual Status copyToHost(void *to, const void *from, size_t bytes) const = 0;
  /// Copies bytes from memory of the processor's to a block of this device; done when it returns.
  virtual Status copyFromHost(void *to, const void *from, size_t bytes) const = 0;
  /// Returns the memory of a device; null for the processor, and for a device that nobody has opened.
  static const RemoteMemory *of(Device device);

protected:
  explicit RemoteMemory(Device device); ///< Makes the memory of a device other than the processor.
  ~RemoteMemory();
};

/// Whether the processor can read a storage.
inline bool isOnHost(const Storage &storage) { return storage.device().kind == DeviceKind::CPU; }
/// Returns the memory that stands for a storage's device: where results of operators on it are allocated, and whose
/// address says whether two storages are on one device. It is not always the object that the storage was allocated in
/// (Storage::allocatedIn()): a device may have been opened more than once, a host lends the processor blocks that are
/// no memory for results, and may replace the processor's memory. A device that has no RemoteMemory, which the
/// processor reads as its own, is stood for by what the storage was allocated in.
inline const DeviceMemory &memoryOf(const Storage &storage) {
  if (isOnHost(storage))
    return DeviceMemory::cpu();
  const RemoteMemory *remote = RemoteMemory::of(storage.device());
  return remote ? static_cast<const DeviceMemory &>(*remote) : storage.allocatedIn();
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
