//===- Partials.h - functools.partial ---------------------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_PARTIALS_H
#define TSC_LIB_FRONTEND_PARTIALS_H

#include "../FunctionContext.h"
#include "SugaredArguments.h"

namespace tsc {

/// Emits functools.partial(function, …). Null after a report.
SugaredValue *emitPartial(FunctionContext &fn, const Apply &tree);
/// Calls what may take arguments that are no values. Null after a report.
SugaredValue *callSugared(FunctionContext &fn, SugaredValue &callee, SourceRange range, ArrayRef<SugaredArgument> args);

} // namespace tsc

#endif
