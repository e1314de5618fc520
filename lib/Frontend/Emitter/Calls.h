//===- Calls.h - Calls of operators -----------------------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_CALLS_H
#define TSC_LIB_FRONTEND_CALLS_H

#include "FunctionContext.h"

namespace tsc {

/// Calls an operator by the overload that takes the arguments; `receiver` is the first one of a method. A tuple of
/// several results, None of no result; null after a report that lists all candidates.
Value *callBuiltin(FunctionContext &fn, SourceRange range, Symbol name, ArrayRef<NamedValue> args,
                   ArrayRef<NamedValue> kwargs = {}, Value *receiver = nullptr);
/// Calls an operator with values alone. Null where one of them is null, and after a report.
Value *callBuiltin(FunctionContext &fn, SourceRange range, Symbol name, std::initializer_list<Value *> args);
/// Marks a node of the user's source where Python's meaning is another than PyTorch's, as far as one can tell.
void followPython(Node &node);

} // namespace tsc

#endif
