//===- Language.h - What the language has beyond TorchScript ----*- C++ -*-===//
#ifndef TSC_RUNTIME_DISPATCH_OPS_LANGUAGE_H
#define TSC_RUNTIME_DISPATCH_OPS_LANGUAGE_H

#include "tsc/Runtime/Dispatch/CallContext.h"

namespace tsc::ops {

// Each is a BoxedKernel (CallContext.h) that a record of Language.td names, which has its schema.
#define TSC_BOXED(NAME) Status NAME(CallContext &, const IValue *const *args, IValue *results);
TSC_BOXED(failureOf)
TSC_BOXED(writeOutput)
TSC_BOXED(makeGenerator)
TSC_BOXED(seedGenerator)
TSC_BOXED(initialSeed)
TSC_BOXED(seedAnew)
#undef TSC_BOXED

} // namespace tsc::ops

#endif
