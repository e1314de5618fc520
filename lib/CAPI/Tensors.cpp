//===- Tensors.cpp - Elements of tensors, from and to C -------------------===//
#include "Eager.h"
#include "HostMemory.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Tensor/Opaque.h"
#include "tsc/Tensor/Quantizer.h"
#include "tsc/Tensor/TensorHistory.h"
#include <cstring>

using namespace tsc;
using namespace tsc::capi;

/// The tensor of a value, with its elements in memory that a host can read.
static StatusOr<Tensor> tensorOf(const tsc_value *value) {
  TSC_RETURN_IF_ERROR(checkNotNull({{value, "value"}}));
  if (!value->value.isTensor())
    return wrongKind(value, "a tensor");
  Tensor tensor = value->value.toTensor();
  if (tensor.device().kind != DeviceKind::CPU)
    return invalidArgument("the tensor is on the device '" + tensor.device().str() + "'");
  return tensor;
}

static const void *dataOf(const Tensor &tensor) { return tensor.get()->storage ? tensor.data() : nullptr; }

//===----------------------------------------------------------------------===//
// Tensors of the host's memory
//===----------------------------------------------------------------------===//

tsc_error *tsc_value_new_tensor(const tsc_tensor *tensor, tsc_release release, void *user, tsc_value **value) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{value, "value"}}));
    *value = nullptr;
    TSC_RETURN_IF_ERROR(checkNotNull({{tensor, "tensor"}}));
    std::unique_ptr<tsc_value> made(new tsc_value()); // first: what fails must not release what the host lent
    TSC_ASSIGN_OR_RETURN(Tensor over, tensorOver(*tensor, Elements::Read, release, user));
    made->value = IValue(std::move(over));
    *value = made.release();
    return okStatus();
  });
}

tsc_error *tsc_value_new_tensor_copy(const tsc_tensor *tensor, tsc_value **value) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{value, "value"}}));
    *value = nullptr;
    TSC_RETURN_IF_ERROR(checkNotNull({{tensor, "tensor"}}));
    TSC_ASSIGN_OR_RETURN(Tensor outside, tensorOver(*tensor, Elements::Read));
    TSC_ASSIGN_OR_RETURN(Tensor copy, cpu::clone(outside, MemoryFormat::Contiguous));
    *value = newValue(IValue(std::move(copy)), nullptr);
    return okStatus();
  });
}

tsc_error *tsc_value_new_empty_tensor(const tsc_tensor *tensor, tsc_value **value) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{value, "value"}}));
    *value = nullptr;
    TSC_RETURN_IF_ERROR(checkNotNull({{tensor, "tensor"}}));
    TSC_ASSIGN_OR_RETURN(Tensor made, emptyTensor(*tensor));
    *value = newValue(IValue(std::move(made)), nullptr);
    return okStatus();
  });
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

tsc_error *tsc_tensor_get(const tsc_value *value, tsc_tensor *tensor) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{tensor, "tensor"}}));
    const size_t size = tensor->struct_size;
    if (size < sizeof(tsc_tensor))
      return invalidArgument("struct_size of a tsc_tensor is " + llvm::Twine(size) + ": set it to sizeof(tsc_tensor)");
    *tensor = tsc_tensor();
    tensor->struct_size = size;
    TSC_ASSIGN_OR_RETURN(Tensor held, tensorOf(value));
    if (cpu::isLazy(held))
      return unimplemented("the tensor is a lazy conjugate, whose elements stand nowhere: copy it");
    if (held.dtype() == DType::Opaque)
      return unimplemented("the tensor is sparse or nested: its elements are not in one block");
    tensor->data = const_cast<void *>(dataOf(held));
    tensor->sizes = held.sizes().data();
    tensor->strides = held.strides().data();
    tensor->rank = static_cast<int32_t>(held.dim());
    tensor->dtype = static_cast<int32_t>(held.dtype());
    return okStatus();
  });
}

tsc_error *tsc_tensor_mutable_data(const tsc_value *value, void **data) {
  tsc_error *error = tsc_tensor_data(value, data);
  if (!error && *data)
    value->value.asTensor().bumpVersion();
  return error;
}

tsc_error *tsc_tensor_data(const tsc_value *value, void **data) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{data, "data"}}));
    *data = nullptr;
    TSC_ASSIGN_OR_RETURN(Tensor held, tensorOf(value));
    if (cpu::isLazy(held))
      return unimplemented("the tensor is a lazy conjugate, whose elements stand nowhere: copy it");
    if (held.dtype() == DType::Opaque)
      return unimplemented("the tensor is sparse or nested: its elements are not in one block");
    if (!held.get()->storage)
      return okStatus();
    *data = held.mutableData();
    return okStatus();
  });
}

tsc_error *tsc_tensor_inspect(const tsc_value *value, tsc_tensor_info *info) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{info, "info"}}));
    const size_t size = info->struct_size;
    if (size < sizeof(tsc_tensor_info))
      return invalidArgument("struct_size of a tsc_tensor_info is " + llvm::Twine(size) +
                             ": set it to sizeof(tsc_tensor_info)");
    *info = tsc_tensor_info();
    info->struct_size = size;
    TSC_RETURN_IF_ERROR(checkNotNull({{value, "value"}}));
    if (!value->value.isTensor())
      return wrongKind(value, "a tensor");
    const Tensor &held = value->value.asTensor();
    const TensorImpl &impl = *held.get();
    info->sizes = impl.sizes.data();
    info->strides = impl.strides.data();
    info->rank = static_cast<int32_t>(held.dim());
    info->num_elements = impl.count;
    info->storage_offset = impl.offset;
    const Device device = impl.device();
    if (impl.storage) {
      info->storage = device.kind == DeviceKind::CPU ? impl.storage->data() : nullptr;
      info->storage_size = impl.storage->size();
      info->version = impl.storage->version.load(std::memory_order_relaxed);
    }
    info->dtype = static_cast<int32_t>(elementDType(held));
    info->layout = static_cast<int32_t>(layoutOf(held));
    info->device_kind = static_cast<int32_t>(device.kind);
    info->device_index = device.index;
    const TensorHistory *history = tensorHistoryOf(held);
    info->flags = (impl.contiguous ? TSC_IS_CONTIGUOUS : 0u) | (impl.requiresGrad ? TSC_REQUIRES_GRAD : 0u) |
                  (isLeaf(*value) ? TSC_IS_LEAF : TSC_HAS_GRAD_FN) | (isQuantized(impl.dtype) ? TSC_IS_QUANTIZED : 0u) |
                  (history && history->retainsGradient() ? TSC_RETAINS_GRAD : 0u) |
                  (history && history->gradient().defined() ? TSC_HAS_GRAD : 0u);
    return okStatus();
  });
}

tsc_error *tsc_tensor_set_data(const tsc_value *value, const tsc_value *source) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{value, "value"}, {source, "source"}}));
    for (const tsc_value *one : {value, source})
      if (!one->value.isTensor())
        return wrongKind(one, "a tensor");
    return setTensorData(value->value.asTensor(), source->value.asTensor());
  });
}

static Status checkSizes(const Tensor &tensor, const Tensor &outside) {
  if (tensor.sizes() == outside.sizes())
    return okStatus();
  return invalidArgument("the tensor has sizes " + shapeString(tensor.sizes()) + ", and not " +
                         shapeString(outside.sizes()));
}

/// Whether both have the same elements in the same order, without gaps.
static bool isOneBlock(const Tensor &tensor, const tsc_tensor &outside) {
  return tensor.isContiguous() && !tensor.get()->conjugate && !tensor.get()->negative && !outside.strides &&
         !(outside.flags & TSC_COLUMN_MAJOR) && outside.dtype == static_cast<int32_t>(tensor.dtype()) &&
         outside.rank == tensor.dim() && outside.struct_size >= sizeof(tsc_tensor) && outside.data &&
         (outside.rank == 0 || (outside.sizes && tensor.sizes() == ArrayRef<int64_t>(outside.sizes, outside.rank)));
}

tsc_error *tsc_tensor_copy_to(const tsc_value *value, const tsc_tensor *destination) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{destination, "destination"}}));
    TSC_ASSIGN_OR_RETURN(Tensor held, tensorOf(value));
    if (destination->flags & TSC_READ_ONLY)
      return invalidArgument("the destination is TSC_READ_ONLY");
    if (isOneBlock(held, *destination)) {
      if (held.numel() != 0)
        std::memmove(destination->data, held.data(), static_cast<size_t>(held.numel()) * itemSize(held.dtype()));
      return okStatus();
    }
    TSC_ASSIGN_OR_RETURN(Tensor outside, tensorOver(*destination, Elements::Overwritten));
    TSC_RETURN_IF_ERROR(checkSizes(held, outside));
    TSC_RETURN_IF_ERROR(cpu::checkWritable(outside));
    return cpu::copyInto(outside, held);
  });
}

tsc_error *tsc_tensor_copy_from(const tsc_value *value, const tsc_tensor *source) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{source, "source"}}));
    TSC_ASSIGN_OR_RETURN(Tensor held, tensorOf(value));
    TSC_ASSIGN_OR_RETURN(Tensor outside, tensorOver(*source, Elements::Read));
    TSC_RETURN_IF_ERROR(checkSizes(held, outside));
    TSC_RETURN_IF_ERROR(cpu::checkWritable(held));
    return cpu::copyInto(held, outside);
  });
}
