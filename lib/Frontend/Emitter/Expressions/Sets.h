//===- Sets.h - Sets and counters -------------------------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_SETS_H
#define TSC_LIB_FRONTEND_SETS_H

#include "../FunctionContext.h"

namespace tsc {

/// Emits `{a, b}`. Null after a report.
Value *emitSetLiteral(FunctionContext &fn, const SetLiteral &tree, const Type *hint);
/// Emits `{x for x in xs}`. Null after a report.
Value *emitSetComp(FunctionContext &fn, const SetComp &tree, const Type *hint);
/// Emits `set()` and `set(xs)`. Null after a report.
SugaredValue *emitSetForm(FunctionContext &fn, const Apply &tree, const Type *hint);
/// Emits `Counter()`, `Counter(xs)`, `Counter({x: count})`. Null after a report.
SugaredValue *emitCounterForm(FunctionContext &fn, const Apply &tree, const Type *hint);

} // namespace tsc

#endif
