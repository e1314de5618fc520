//===- CallExpressions.h - f(x, key=y) --------------------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_CALLEXPRESSIONS_H
#define TSC_LIB_FRONTEND_CALLEXPRESSIONS_H

#include "../FunctionContext.h"

namespace tsc {

/// Appends the arguments of a call behind the first `skip` ones. `takesSizes`: ints and a starred list of ints are one
/// list. `callee`, where it is known, says what literal arguments are to be. False after a report.
bool emitArguments(FunctionContext &fn, const Apply &tree, std::vector<NamedValue> &args,
                   std::vector<NamedValue> &kwargs, unsigned skip = 0, bool takesSizes = false,
                   SugaredValue *callee = nullptr);
/// Emits a call. Null after a report.
SugaredValue *emitApply(FunctionContext &fn, const Apply &tree, NumBinders binders, const Type *hint);

} // namespace tsc

#endif
