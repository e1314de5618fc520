//===- Subscripts.h - x[i], x[a:b] ------------------------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_SUBSCRIPTS_H
#define TSC_LIB_FRONTEND_SUBSCRIPTS_H

#include "../FunctionContext.h"

namespace tsc {

/// Returns the integer that a value is known to be, or nothing.
std::optional<int64_t> constantIndex(const FunctionContext &fn, Value *index);
/// Emits `x[…]`; `hint` is the type that is wanted, or null. Null after a report.
SugaredValue *emitSubscript(FunctionContext &fn, const Subscript &tree, const Type *hint);
/// Emits the start, stop and step of a list's slice, as Optional[int] the first two. Nothing after a report.
std::optional<std::array<Value *, 3>> emitSliceBounds(FunctionContext &fn, const Slice &slice, SourceRange range);
/// Emits `x[…] = value`. False after a report.
bool emitSubscriptAssign(FunctionContext &fn, const Subscript &target, Value *value, SourceRange range);
/// Emits `x[…] op= value`. False after a report.
bool emitSubscriptAugAssign(FunctionContext &fn, const AugAssign &tree, const Subscript &target);

} // namespace tsc

#endif
