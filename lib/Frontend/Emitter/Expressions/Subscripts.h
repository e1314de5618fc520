//===- Subscripts.h - x[i], x[a:b] ------------------------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_SUBSCRIPTS_H
#define TSC_LIB_FRONTEND_SUBSCRIPTS_H

#include "../FunctionContext.h"

namespace tsc {

/// Returns the integer that a value is known to be, or nothing.
std::optional<int64_t> constantIndex(const FunctionContext &fn, Value *index);
/// Emits `x[…]`; `hint` is the type that is wanted, or null. Null after a report.
SugaredValue *emitSubscript(FunctionContext &fn, const Subscript &tree, const Type *hint);
/// Whether a subscript is a slice: `a:b:c`, a call of slice(), or a name of one.
bool isSlice(FunctionContext &fn, const Tree *tree);
/// Emits the start, the stop and the step of a slice in turn, and hands each to `use` with the text that it stands in:
/// null for one that is left out. False after a report, or as soon as `use` returns false.
bool emitSliceParts(FunctionContext &fn, const Tree *slice, llvm::function_ref<bool(const Tree *, Value *)> use);
/// Emits the start, stop and step of a slice: None for a bound that is left out, and 1 for the step. `areOptional`: the
/// bounds have the type Optional[int]. Nothing after a report.
std::optional<std::array<Value *, 3>> emitSliceBounds(FunctionContext &fn, const Tree *slice, SourceRange range,
                                                      bool areOptional);
/// Emits `x[…] = value`. False after a report.
bool emitSubscriptAssign(FunctionContext &fn, const Subscript &target, Value *value, SourceRange range);
/// Emits `x[…] op= value`. False after a report.
bool emitSubscriptAugAssign(FunctionContext &fn, const AugAssign &tree, const Subscript &target);

} // namespace tsc

#endif
