//===- Comprehensions.h - Comprehensions as loops ---------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_COMPREHENSIONS_H
#define TSC_LIB_FRONTEND_COMPREHENSIONS_H

#include "../FunctionContext.h"

namespace tsc {

/// Runs `innermost` in the loops of a comprehension, conditions included; their targets hide variables of the same
/// names. False after a report.
bool emitComprehensionLoops(FunctionContext &fn, TreeList<Comprehension> loops, llvm::function_ref<bool()> innermost);
/// Emits `[x for x in xs]`. Null after a report.
Value *emitListComp(FunctionContext &fn, const ListComp &tree, const Type *hint);
/// Emits the list that a comprehension gives; `hint` is the type that is wanted, or null. Null after a report.
Value *emitComprehension(FunctionContext &fn, const Tree *elementTree, TreeList<Comprehension> loops, SourceRange range,
                         const Type *hint);
/// Emits `{k: v for …}`. Null after a report.
Value *emitDictComp(FunctionContext &fn, const DictComp &tree, const Type *hint);

} // namespace tsc

#endif
