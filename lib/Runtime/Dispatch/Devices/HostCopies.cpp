//===- HostCopies.cpp - Operands of a device, on the processor ------------===//
#include "HostCopies.h"
#include "tsc/Tensor/DeviceCopy.h"
#include "tsc/Tensor/Quantizer.h"
#include "llvm/ADT/STLExtras.h"

using namespace tsc;

bool tsc::staysOnHost(const Tensor &tensor) {
  return !tensor.defined() || !tensor.get()->storage || tensor.dtype() == DType::Opaque || isQuantized(tensor.dtype());
}

StatusOr<Tensor> HostCopies::lower(const Tensor &tensor) {
  if (!tensor.defined() || !tensor.get()->storage)
    return tensor;
  if (isOnHost(tensor)) {
    hostOperands.push_back(tensor.get()->storage);
    return tensor;
  }
  for (const auto &[original, copy] : tensors)
    if (original.isSameAs(tensor))
      return copy;
  Tensor copy;
  if (!mayShare) {
    TSC_ASSIGN_OR_RETURN(copy, copyTensor(tensor, DeviceMemory::cpu()));
  } else {
    auto known = llvm::find_if(storages, [&](const Pair &pair) { return pair.original == tensor.get()->storage; });
    if (known == storages.end()) {
      TSC_ASSIGN_OR_RETURN(Ref<Storage> made, copyStorage(*tensor.get()->storage, DeviceMemory::cpu()));
      storages.push_back({tensor.get()->storage, std::move(made), 0});
      known = std::prev(storages.end());
    }
    copy = tensor.alias(tensor.sizes(), tensor.strides(), tensor.storageOffset());
    copy.get()->storage = known->copy;
  }
  copy.get()->requiresGrad = tensor.requiresGrad();
  tensors.emplace_back(tensor, copy);
  return copy;
}

StatusOr<IValue> HostCopies::lower(const IValue &value) {
  if (value.isTensor()) {
    TSC_ASSIGN_OR_RETURN(Tensor tensor, lower(value.asTensor()));
    return IValue(std::move(tensor));
  }
  if (value.isTensorList()) {
    std::vector<Tensor> elements;
    for (const Tensor &element : value.toTensorList().elements) {
      TSC_ASSIGN_OR_RETURN(elements.emplace_back(), lower(element));
    }
    IValue list(std::move(elements));
    lists.emplace_back(value, list);
    return list;
  }
  if (value.getTag() != IValue::Tag::GenericList)
    return value;
  IValue list = makeList(value.toGenericList().elementType);
  for (const IValue &element : value.toGenericList().elements) {
    if (!element.isTensor() && !element.isNone())
      return value; // of other things
    TSC_ASSIGN_OR_RETURN(IValue lowered, lower(element));
    appendToList(list, std::move(lowered));
  }
  return list;
}

HostCopies::Pair *HostCopies::pairOfCopy(const Storage *copy) {
  auto found = llvm::find_if(storages, [&](const Pair &pair) { return pair.copy.get() == copy; });
  return found == storages.end() ? nullptr : &*found;
}

void HostCopies::markWritten(const IValue &lowered) {
  auto mark = [&](const Tensor &tensor) {
    if (tensor.defined())
      if (Pair *pair = pairOfCopy(tensor.get()->storage.get()))
        pair->isWritten = true;
  };
  if (lowered.isTensor())
    mark(lowered.asTensor());
  else if (lowered.isTensorList())
    llvm::for_each(lowered.toTensorList().elements, mark);
}

Status HostCopies::writeBack() {
  if (!mayShare)
    return okStatus();
  for (Pair &pair : storages) {
    const uint32_t writes = pair.copy->version.load(std::memory_order_relaxed) - pair.version;
    if (writes == 0 && !pair.isWritten && pair.copy->size() == pair.original->size())
      continue;
    if (pair.copy->size() != pair.original->size())
      TSC_RETURN_IF_ERROR(pair.original->resize(pair.copy->size()));
    TSC_RETURN_IF_ERROR(copyBytes(pair.original->mutableData(), memoryOf(*pair.original), pair.copy->data(),
                                  DeviceMemory::cpu(), pair.copy->size()));
    pair.original->version.fetch_add(writes, std::memory_order_relaxed);
  }
  // An operator may have changed the view itself.
  for (auto &[original, copy] : tensors) {
    TensorImpl &to = *original.get();
    const TensorImpl &from = *copy.get();
    to.offset = from.offset, to.count = from.count, to.sizes = from.sizes, to.strides = from.strides;
    to.dtype = from.dtype, to.contiguous = from.contiguous, to.conjugate = from.conjugate;
    to.negative = from.negative, to.requiresGrad = from.requiresGrad;
    const Pair *pair = pairOfCopy(from.storage.get());
    if (pair && pair->original == to.storage)
      continue;
    TSC_ASSIGN_OR_RETURN(Tensor moved, raise(copy.alias(from.sizes, from.strides, from.offset)));
    to.storage = moved.get()->storage;
  }
  for (auto &[original, copy] : lists) {
    auto &before = original.toTensorList().elements;
    const auto &after = copy.toTensorList().elements;
    const bool isSame = before.size() == after.size() && llvm::all_of(llvm::zip(before, after), [&](const auto &both) {
                          const auto &[one, other] = both;
                          return one.isSameAs(other) || llvm::any_of(tensors, [&](const auto &pair) {
                                   return pair.first.isSameAs(one) && pair.second.isSameAs(other);
                                 });
                        });
    if (isSame)
      continue;
    std::vector<Tensor> elements;
    for (const Tensor &element : after) {
      TSC_ASSIGN_OR_RETURN(elements.emplace_back(), raise(element));
    }
    before = std::move(elements);
  }
  return okStatus();
}

StatusOr<Tensor> HostCopies::raise(const Tensor &tensor) {
  if (staysOnHost(tensor) || !isOnHost(tensor))
    return tensor;
  for (const auto &[original, copy] : tensors)
    if (copy.isSameAs(tensor))
      return original;
  const Ref<Storage> &storage = tensor.get()->storage;
  if (llvm::is_contained(hostOperands, storage))
    return tensor;
  Tensor result = tensor.alias(tensor.sizes(), tensor.strides(), tensor.storageOffset());
  if (const Pair *pair = pairOfCopy(storage.get())) {
    result.get()->storage = pair->original;
    return result;
  }
  Ref<Storage> &moved = raised[storage.get()];
  if (!moved) {
    TSC_ASSIGN_OR_RETURN(moved, copyStorage(*storage, memory));
  }
  result.get()->storage = moved;
  return result;
}

StatusOr<IValue> HostCopies::raise(const IValue &value) {
  if (value.isTensor()) {
    TSC_ASSIGN_OR_RETURN(Tensor tensor, raise(value.asTensor()));
    return IValue(std::move(tensor));
  }
  if (value.isTensorList()) {
    for (const auto &[original, copy] : lists)
      if (copy.isSameAs(value))
        return original;
    std::vector<Tensor> elements;
    for (const Tensor &element : value.toTensorList().elements) {
      TSC_ASSIGN_OR_RETURN(elements.emplace_back(), raise(element));
    }
    return IValue(std::move(elements));
  }
  if (value.isTuple()) {
    std::vector<IValue> elements;
    for (const IValue &element : value.toTuple().elements) {
      TSC_ASSIGN_OR_RETURN(elements.emplace_back(), raise(element));
    }
    return makeTuple(std::move(elements), value.toTuple().type);
  }
  return value;
}
