//===- Returns.h - return ---------------------------------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_RETURNS_H
#define TSC_LIB_FRONTEND_RETURNS_H

#include "../FunctionContext.h"

namespace tsc {

/// Emits `return value`; `tree` is null without a value. False after a report.
bool emitReturn(FunctionContext &fn, const Tree *tree, SourceRange range);
/// Ends a body: returns None where its end is reached, which is reported where `declared` is another type. `body` is
/// there for the report. False after one.
bool finishBody(FunctionContext &fn, SourceRange range, const Type *declared, TreeList<Stmt> body = {});
/// Returns a value that has the right type already. False after a report.
bool finishReturn(FunctionContext &fn, Value *value, SourceRange range);

} // namespace tsc

#endif
