//===- Instances.h - Functions compiled for a call --------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_INSTANCES_H
#define TSC_LIB_FRONTEND_INSTANCES_H

#include "../FunctionContext.h"
#include "SugaredArguments.h"

namespace tsc {

class ClosureSugar;

/// Returns what a nested def or a lambda is. Defaults that are no constants are worked out here, as in Python. Null
/// after a report.
ClosureSugar *makeClosure(FunctionContext &fn, const Tree &tree);
/// Emits the statements of a Def, or the expression of a Lambda. Returns the type of what they return; null after a
/// report.
const Type *emitClosureBody(FunctionContext &fn, const ClosureSugar &closure);
/// Makes a function of an emitted body and calls it: with `args`, and with what the body reads of its surroundings.
Value *finishInstance(FunctionContext &fn, FunctionContext &inner, std::unique_ptr<Graph> body, StringRef name,
                      const Type *result, ArrayRef<Value *> args, SourceRange range);
/// Compiles a function for the arguments of a call, and calls it. Null after a report.
SugaredValue *callClosure(FunctionContext &fn, ClosureSugar &closure, SourceRange range,
                          ArrayRef<SugaredArgument> args);
/// Emits the call of a function without parameters whose body `emit` emits and returns from. Null after a report.
Value *callInline(FunctionContext &fn, SourceRange range, StringRef name,
                  llvm::function_ref<bool(FunctionContext &)> emit);
/// Calls a function of Prelude/python.py, which is compiled for the arguments. Null after a report.
Value *callTemplate(FunctionContext &fn, SourceRange range, StringRef name, ArrayRef<SugaredValue *> args);
/// Calls a function of Prelude/python.py with values. Null where one of them is null, and after a report.
Value *callTemplate(FunctionContext &fn, SourceRange range, StringRef name, std::initializer_list<Value *> args);

} // namespace tsc

#endif
