//===- DeviceCall.h - Operators called with tensors of a device -*- C++ -*-===//
#ifndef TSC_RUNTIME_DISPATCH_DEVICECALL_H
#define TSC_RUNTIME_DISPATCH_DEVICECALL_H

#include "tsc/IR/FunctionSchema.h"
#include "tsc/IR/IValue.h"
#include "tsc/IR/OpRecord.h"
#include "tsc/Runtime/Dispatch/Accelerator.h"
#include "tsc/Runtime/Dispatch/CallContext.h"

namespace tsc {

/// One call of an operator whose operands may be on a device.
struct DeviceCall {
  OpKind op = OpKind::Unknown;
  const FunctionSchema *schema = nullptr; ///< Null: anything may be read and written.
  llvm::StringRef name;
  llvm::ArrayRef<const IValue *> args;
  llvm::MutableArrayRef<IValue> results;
  /// Runs the operator on the processor, with operands that are there.
  llvm::function_ref<Status(const IValue *const *args, IValue *results)> kernel;
};

/// Whether the operator may put tensors on a device, whatever its operands are.
bool placesTensors(OpKind op, const FunctionSchema &schema);

/// Calls an operator whose operands may be on a device of the accelerator, or whose result is wanted there.
/// On a device it runs as a kernel of the fuser's, as a view or a question that reads no elements, or on the processor:
/// its operands are copied there, and what it wrote and made is copied back. Fails in PyTorch's words for operands on
/// two devices.
Status callOnDevices(CallContext &context, Accelerator &accelerator, const DeviceCall &call);

/// Whether a call has to be made by callOnDevices().
inline bool usesDevices(const Accelerator *accelerator, bool placesTensors) {
  return accelerator && (placesTensors || accelerator->isUsed());
}

} // namespace tsc

#endif
