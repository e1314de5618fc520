//===- Collectives.h - Kernels of operators of several ranks ----*- C++ -*-===//
#ifndef TSC_RUNTIME_DISPATCH_OPS_COLLECTIVES_H
#define TSC_RUNTIME_DISPATCH_OPS_COLLECTIVES_H

#include "tsc/Support/Status.h"

namespace tsc {
class CallContext;
class IValue;
} // namespace tsc

namespace tsc::ops {

// Each is a BoxedKernel (CallContext.h) with the operands and results of its record (IR/Ops/Collectives.td). It asks
// the context's Collectives, and fails with FailedPrecondition where there are none.

// Operators of _c10d_functional.
Status allReduce(CallContext &context, const IValue *const *args, IValue *results);
Status allReduceInPlace(CallContext &context, const IValue *const *args, IValue *results);
Status allGather(CallContext &context, const IValue *const *args, IValue *results);
Status allGatherOut(CallContext &context, const IValue *const *args, IValue *results);
Status reduceScatter(CallContext &context, const IValue *const *args, IValue *results);
Status allToAll(CallContext &context, const IValue *const *args, IValue *results);
Status broadcastRanks(CallContext &context, const IValue *const *args, IValue *results);
Status broadcastRanksInPlace(CallContext &context, const IValue *const *args, IValue *results);
Status waitTensor(CallContext &context, const IValue *const *args, IValue *results);

// What torch.distributed is made of.
/// Asks for ranks. PermissionDenied for programs that may not have files, such as archives.
Status initRanks(CallContext &context, const IValue *const *args, IValue *results);
Status endRanks(CallContext &context, const IValue *const *args, IValue *results);
Status newRanks(CallContext &context, const IValue *const *args, IValue *results);
Status startCollective(CallContext &context, const IValue *const *args, IValue *results);
Status finishCollective(CallContext &context, const IValue *const *args, IValue *results);
Status ranksOf(CallContext &context, const IValue *const *args, IValue *results);
Status isFinished(CallContext &context, const IValue *const *args, IValue *results);

} // namespace tsc::ops

#endif
