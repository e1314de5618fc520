//===- KnownCalls.h - The operators that a context has described *- C++ -*-===//
#ifndef TSC_LIB_RUNTIME_DISPATCH_KNOWNCALLS_H
#define TSC_LIB_RUNTIME_DISPATCH_KNOWNCALLS_H

namespace tsc {

class Context;

/// Drops what operatorCallOf() has described for the context, whose accelerator is another one from now on.
void forgetOperatorCalls(Context &context);

} // namespace tsc

#endif
