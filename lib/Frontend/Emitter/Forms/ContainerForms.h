//===- ContainerForms.h - list(), dict(), tuple() ---------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_CONTAINERFORMS_H
#define TSC_LIB_FRONTEND_CONTAINERFORMS_H

#include "../FunctionContext.h"

namespace tsc {

/// Emits `tensor.tolist()`, a list of type `hint`. Null after a report.
Value *emitToList(FunctionContext &fn, Value *tensor, const Type *hint, SourceRange range);
/// Returns the list of what `iterable` gives, by a loop that appends. Null after a report.
SugaredValue *listByLoop(FunctionContext &fn, SugaredValue *iterable, SourceRange range);
/// Emits `list()` and `list(xs)`. Null after a report.
SugaredValue *emitListForm(FunctionContext &fn, const Apply &tree, const Type *hint);
/// Returns a list of what a loop over `values` sees, by one operator where there is one. Null after a report.
SugaredValue *listCopy(FunctionContext &fn, SugaredValue *values, SourceRange range);
/// Returns a list of what a loop over `values` sees. Null after a report.
SugaredValue *listOf(FunctionContext &fn, SugaredValue *values, SourceRange range);
/// Emits `dict()`, `dict(a=1)` and `dict(pairs, a=1)`. Null after a report.
SugaredValue *emitDictForm(FunctionContext &fn, const Apply &tree, const Type *hint);
/// Emits `tuple()` and `tuple(xs)`. Null after a report.
SugaredValue *emitTupleForm(FunctionContext &fn, const Apply &tree, NumBinders binders);

} // namespace tsc

#endif
