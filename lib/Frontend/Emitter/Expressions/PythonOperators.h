//===- PythonOperators.h - Operators as Python's ----------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_PYTHONOPERATORS_H
#define TSC_LIB_FRONTEND_PYTHONOPERATORS_H

#include "../FunctionContext.h"

namespace tsc {

/// Whether values of the type are lists or tuples.
inline bool isSequence(const Type *type) { return llvm::isa<ListType, TupleType>(type); }
/// Whether values of the type are numbers that have an order.
inline bool isPlainNumber(const Type *type) { return type->isInt() || type->isFloat() || type->isBool(); }

/// Emits `a op b` as Python has it; nothing where PyTorch's operators are asked, null after a report.
std::optional<Value *> emitPythonBinary(FunctionContext &fn, TreeOp op, Value *lhs, Value *rhs, SourceRange range);

} // namespace tsc

#endif
