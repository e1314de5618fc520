//===- FunctionCalls.h - Calls of functions ---------------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_FUNCTIONCALLS_H
#define TSC_LIB_FRONTEND_FUNCTIONCALLS_H

#include "../FunctionContext.h"

namespace tsc {

/// Makes sure that a function has its signature, for which its body is compiled where it has no annotations. False
/// after a report.
bool ensureSchema(FunctionContext &fn, SourceRange range, Function *function);
/// Matches arguments with a signature and inserts the call, a node of `kind`. Null after a report.
Value *callSchema(FunctionContext &fn, SourceRange range, Value *self, const FunctionSchema &schema,
                  StringRef methodName, ArrayRef<NamedValue> args, ArrayRef<NamedValue> kwargs, Symbol kind);
/// Reports a positional-only parameter that is given by its name; false then.
bool checkPositionalOnly(FunctionContext &fn, SourceRange range, const Function &function, ArrayRef<NamedValue> kwargs);
/// Calls a function of the unit. Null after a report.
Value *callFunction(FunctionContext &fn, SourceRange range, Function *function, ArrayRef<NamedValue> args,
                    ArrayRef<NamedValue> kwargs);
/// Calls a method of an object. Null after a report.
Value *callMethod(FunctionContext &fn, SourceRange range, Value *self, Function *method, ArrayRef<NamedValue> args,
                  ArrayRef<NamedValue> kwargs);
/// Calls a module: `forward` between its hooks. Null after a report.
SugaredValue *callHooked(FunctionContext &fn, SourceRange range, Value *module, Function *forward,
                         ArrayRef<NamedValue> args, ArrayRef<NamedValue> kwargs);
/// Calls `__add__` or another method of the class of the first value, and the operator `fallback` where that is no
/// object. Null after a report.
Value *callMagic(FunctionContext &fn, SourceRange range, StringRef magic, Symbol fallback, ArrayRef<Value *> given);

} // namespace tsc

#endif
