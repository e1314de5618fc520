//===- Assignments.h - =, +=, del -------------------------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_ASSIGNMENTS_H
#define TSC_LIB_FRONTEND_ASSIGNMENTS_H

#include "../FunctionContext.h"

namespace tsc {

/// Sets a variable of the function, as `name = value` does; `annotated` is the type that an annotation gives it, or
/// null. False after a report.
bool setVariable(FunctionContext &fn, StringRef name, SugaredValue *value, SourceRange range,
                 const Type *annotated = nullptr);
/// Emits `target = value`, `a = b = value` and `x: T = value`. False after a report.
bool emitAssign(FunctionContext &fn, const Assign &tree);
/// Assigns to a target of any form: a name, an attribute, a subscript, a tuple of targets. False after a report.
bool assignTo(FunctionContext &fn, const Tree *target, SugaredValue *value, SourceRange range,
              const Type *annotated = nullptr);
/// Returns the operator that `target op= value` calls: the one that changes the target where its type can be changed.
Symbol inPlaceOperator(FunctionContext &fn, TreeOp op, Value *target, SourceRange range);
/// Emits `target op= value`. False after a report.
bool emitAugAssign(FunctionContext &fn, const AugAssign &tree);
/// Emits `del x, l[i]`. False after a report.
bool emitDelete(FunctionContext &fn, const Delete &tree);

} // namespace tsc

#endif
