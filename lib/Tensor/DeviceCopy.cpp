//===- DeviceCopy.cpp - Tensors from one device to another ----------------===//
#include "tsc/Tensor/DeviceCopy.h"
#include <cstring>

using namespace tsc;

Status tsc::copyBytes(void *to, const DeviceMemory &toMemory, const void *from, const DeviceMemory &fromMemory,
                      size_t bytes) {
  if (bytes == 0)
    return okStatus();
  assert(to && from && "bytes are somewhere");
  if (&toMemory == &fromMemory) {
    toMemory.copy(to, from, bytes);
    return okStatus();
  }
  const RemoteMemory *source = fromMemory.asRemote(), *target = toMemory.asRemote();
  if (!source && !target) {
    std::memcpy(to, from, bytes);
    return okStatus();
  }
  if (!source)
    return target->copyFromHost(to, from, bytes);
  if (!target)
    return source->copyToHost(to, from, bytes);
  const DeviceMemory &host = DeviceMemory::cpu();
  memory::Block block = host.allocate(bytes);
  if (!block.data)
    return resourceExhausted("there is no memory to copy " + llvm::Twine(bytes) + " bytes between two devices");
  Status status = source->copyToHost(block.data, from, bytes);
  if (status.ok())
    status = target->copyFromHost(to, block.data, bytes);
  host.deallocate(block.data, block.capacity);
  return status;
}

StatusOr<Ref<Storage>> tsc::copyStorage(const Storage &storage, const DeviceMemory &memory) {
  TSC_ASSIGN_OR_RETURN(Ref<Storage> made, Storage::allocate(storage.size(), memory));
  TSC_RETURN_IF_ERROR(copyBytes(made->mutableData(), memory, storage.data(), memoryOf(storage), storage.size()));
  return made;
}

StatusOr<Tensor> tsc::copyTensor(const Tensor &tensor, const DeviceMemory &memory) {
  assert(tensor.defined() && "an undefined tensor has no copy");
  const TensorImpl &from = *tensor.get();
  const std::optional<int64_t> needed = requiredElements(from.sizes, from.strides, 0);
  if (!needed || !from.storage)
    return invalidArgument("a tensor without elements in memory cannot be copied to another device");
  const size_t bytes = static_cast<size_t>(*needed) * itemSize(from.dtype);
  TSC_ASSIGN_OR_RETURN(Ref<Storage> storage, Storage::allocate(bytes, memory));
  if (from.count != 0)
    TSC_RETURN_IF_ERROR(copyBytes(storage->mutableData(), memory, tensor.data(), memoryOf(*from.storage), bytes));
  Tensor made = tensor.alias(from.sizes, from.strides, 0);
  made.get()->storage = std::move(storage);
  return made;
}

StatusOr<Tensor> tsc::onHost(const Tensor &tensor) {
  if (!tensor.defined() || isOnHost(tensor))
    return tensor;
  return copyTensor(tensor, DeviceMemory::cpu());
}

StatusOr<Ref<Storage>> tsc::onHost(const Ref<Storage> &storage) {
  return isOnHost(*storage) ? StatusOr<Ref<Storage>>(storage) : copyStorage(*storage, DeviceMemory::cpu());
}
