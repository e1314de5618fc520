//===- OperatorGroup.h - One operator as a kernel of a device ---*- C++ -*-===//
#ifndef TSC_LIB_RUNTIME_DEVICES_OPERATORGROUP_H
#define TSC_LIB_RUNTIME_DEVICES_OPERATORGROUP_H

#include "tsc/IR/IValue.h"
#include "tsc/IR/OpRecord.h"

namespace tsc {

class Accelerator;
class CallContext;

/// Runs an operator as a fusion group of its own. False: nothing was done, as there is no kernel of it, or none yet.
StatusOr<bool> runOperatorGroup(CallContext &context, Accelerator &accelerator, Device device, const OpRecord &record,
                                llvm::ArrayRef<const IValue *> args, IValue &result);

} // namespace tsc

#endif
