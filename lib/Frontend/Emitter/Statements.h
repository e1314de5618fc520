//===- Statements.h - Statements into blocks --------------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_STATEMENTS_H
#define TSC_LIB_FRONTEND_STATEMENTS_H

#include "FunctionContext.h"

namespace tsc {

/// Emits statements, up to one that surely leaves the block. False after a report.
bool emitStatements(FunctionContext &fn, TreeList<Stmt> body);
/// Emits one statement. False after a report.
bool emitStatement(FunctionContext &fn, const Tree *tree);

} // namespace tsc

#endif
