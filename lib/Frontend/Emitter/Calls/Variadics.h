//===- Variadics.h - *args and **kwargs -------------------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_VARIADICS_H
#define TSC_LIB_FRONTEND_VARIADICS_H

#include "../FunctionContext.h"

namespace tsc {

/// Returns what a function gathers of its arguments, or null where it gathers none.
const VariadicInfo *variadicInfo(const FunctionContext &fn, const Function *function);
/// Calls a function that gathers arguments; `self` is the object of a method, or null. Null after a report.
Value *callVariadic(FunctionContext &fn, SourceRange range, Value *self, Function *function, ArrayRef<NamedValue> args,
                    ArrayRef<NamedValue> kwargs);
/// Emits the call of a function that gathers arguments. Null after a report.
SugaredValue *emitVariadicCall(FunctionContext &fn, Value *self, Function *function, const Apply &tree);

} // namespace tsc

#endif
