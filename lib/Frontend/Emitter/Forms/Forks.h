//===- Forks.h - torch.jit.fork ---------------------------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_FORKS_H
#define TSC_LIB_FRONTEND_FORKS_H

#include "../FunctionContext.h"

namespace tsc {

/// Emits torch.jit.fork(f, …): the graph that a forked call runs, with what it needs as inputs. Null after a report.
Value *emitFork(FunctionContext &fn, const Apply &tree);

} // namespace tsc

#endif
