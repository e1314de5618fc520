//===- Functions.h - Whole functions ----------------------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_FUNCTIONS_H
#define TSC_LIB_FRONTEND_FUNCTIONS_H

#include "FunctionContext.h"

namespace tsc {

/// Emits the body of `function`, whose graph is the context's. Sets the return type where it was not annotated. False
/// after a report.
bool emitFunction(FunctionContext &fn, const Def &def, Function &function);
/// Emits a body that returns a tuple of the expressions. False after a report.
bool emitExpressions(FunctionContext &fn, ArrayRef<const Tree *> expressions, Function &function);

} // namespace tsc

#endif
