//===- Expressions.h - Expressions to values --------------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_EXPRESSIONS_H
#define TSC_LIB_FRONTEND_EXPRESSIONS_H

#include "FunctionContext.h"

namespace tsc {

/// Emits an expression whose value is wanted; `hint` is the type that its place wants, or null. Null after a report.
Value *emitExpr(FunctionContext &fn, const Tree *tree, const Type *hint = nullptr);
/// Emits an expression that may be no value. `binders` is how many targets take it apart. Null after a report.
SugaredValue *emitSugared(FunctionContext &fn, const Tree *tree, NumBinders binders = std::nullopt,
                          const Type *hint = nullptr);

} // namespace tsc

#endif
