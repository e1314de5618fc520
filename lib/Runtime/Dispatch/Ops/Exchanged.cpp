//===- Exchanged.cpp - The tensors of an exchange between ranks -----------===//
#include "Exchanged.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Runtime/Dispatch/Accelerator.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Runtime/Dispatch/DeviceCollectives.h"
#include "tsc/Tensor/DeviceCopy.h"
#include "tsc/Tensor/Opaque.h"

using namespace tsc;
using llvm::StringRef;

Status tsc::checkExchanged(const Tensor &tensor) {
  if (tensor.dtype() == DType::Opaque || sparseOf(tensor) || nestedOf(tensor) || !tensor.isContiguous())
    return invalidArgument("tensors that ranks exchange must be dense and contiguous");
  return okStatus();
}

/// Returns the library that exchanges tensors of the device that both are on, or null where they go as copies.
static DeviceCollectivesOrWhy libraryFor(CallContext &context, Collectives &ranks, StringRef group,
                                         const CollectiveCall &call, const Tensor &input, const Tensor &output) {
  std::shared_ptr<DeviceCollectives> none;
  Accelerator *accelerator = acceleratorOf(context.context());
  const Device device = output.get()->storage->device();
  if (!accelerator || (input.defined() && (isOnHost(input) || input.get()->storage->device() != device)))
    return none;
  const DeviceCollectivesOrWhy library = accelerator->collectives(device);
  if (library.ok() && !*library)
    return none;
  TSC_ASSIGN_OR_RETURN(bool isJoined, ranks.joinDevice(group, library, [&] { return context.checkLimits(); }));
  return isJoined && (*library)->takes(call) ? *library : none;
}

/// Whether an element of one tensor, both of which are contiguous, may lie in the other.
static bool overlap(const Tensor &a, const Tensor &b) {
  if (a.get()->storage != b.get()->storage)
    return false;
  return a.storageOffset() < b.storageOffset() + b.numel() && b.storageOffset() < a.storageOffset() + a.numel();
}

StatusOr<std::shared_ptr<Exchanged>> Exchanged::of(CallContext &context, Collectives &ranks, StringRef group,
                                                   CollectiveCall &call, const Tensor &input, const Tensor &output) {
  TSC_RETURN_IF_ERROR(checkExchanged(output));
  if (input.defined()) {
    TSC_RETURN_IF_ERROR(checkExchanged(input));
    if (input.dtype() != output.dtype())
      return invalidArgument("tensors that ranks exchange must have one dtype");
  }
  auto made = std::make_shared<Exchanged>();
  made->input = input;
  made->output = output;
  call.dtype = output.dtype();
  const bool isToOne = call.name == "send" || call.name == "recv";
  if (!isOnHost(output) && !isToOne) {
    TSC_ASSIGN_OR_RETURN(call.device, libraryFor(context, ranks, group, call, input, output));
  }
  if (!call.device) {
    call.isCopy = !isOnHost(output) && (!input.defined() || !isOnHost(input));
    TSC_ASSIGN_OR_RETURN(made->input, onHost(input));
    TSC_ASSIGN_OR_RETURN(made->output, onHost(output));
    if (!isOnHost(output))
      made->result = output;
  } else if (input.defined() && overlap(input, output)) {
    TSC_ASSIGN_OR_RETURN(made->input, cpu::clone(input));
  }
  const Tensor &from = made->input.defined() ? made->input : made->output;
  call.output =
      output.numel() ? made->output.mutableData() : nullptr; // first, as it may move elements that are borrowed
  call.outputCount = output.numel();
  call.input = from.numel() ? from.data() : nullptr;
  call.inputCount = from.numel();
  return made;
}

Status Exchanged::deliver() const { return result.defined() ? cpu::copyInto(result, output) : okStatus(); }
