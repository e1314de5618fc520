//===- Operations.h - Operators between values ------------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_OPERATIONS_H
#define TSC_LIB_FRONTEND_OPERATIONS_H

#include "../FunctionContext.h"

namespace tsc {

/// Returns the operator that a spelling of the language calls, as `Library.def` has it; an empty symbol for others.
Symbol operatorOf(TreeOp op);
/// Emits `-x`, `not x`, `~x`. Null after a report.
Value *emitUnary(FunctionContext &fn, const UnaryOp &tree);
/// Emits `a op b`. Null after a report.
Value *emitBinary(FunctionContext &fn, const BinOp &tree);
/// Emits an operator, comparisons and `in` too, between values. Null after a report.
Value *emitBinaryOn(FunctionContext &fn, TreeOp op, Value *lhs, Value *rhs, SourceRange range);
/// Makes the power of an int to an int an int, unless the exponent is negative as one can see: `2 ** -1`, `10 ** -n`.
/// Returns other values as they are.
Value *asPythonPower(FunctionContext &fn, Value *power);

} // namespace tsc

#endif
