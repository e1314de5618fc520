//===- Captures.h - What a body reads from outside --------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_CAPTURES_H
#define TSC_LIB_FRONTEND_CAPTURES_H

#include "../FunctionContext.h"

namespace tsc {

/// Returns what is no value, with the values that it holds made inputs of this body: they are the caller's.
SugaredValue *takeOver(FunctionContext &fn, SugaredValue *sugared);
/// Returns the variable `name` of `definer`, which this body stands in or was called from within. Null after a report.
SugaredValue *variableOf(FunctionContext &fn, FunctionContext &definer, StringRef name, SourceRange range);

} // namespace tsc

#endif
