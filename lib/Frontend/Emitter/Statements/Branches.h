//===- Branches.h - if and the ternary --------------------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_BRANCHES_H
#define TSC_LIB_FRONTEND_BRANCHES_H

#include "../FunctionContext.h"
#include "../Refinement.h"

namespace tsc {

/// Emits an if statement; one branch alone where the condition is known. False after a report.
bool emitIf(FunctionContext &fn, const If &tree);
/// Emits a prim::If whose blocks the callbacks fill, and merges the variables of the two. False after a report.
bool emitIfBlocks(FunctionContext &fn, SourceRange range, const Condition &condition,
                  llvm::function_ref<bool()> whenTrue, llvm::function_ref<bool()> whenFalse);
/// A prim::If that is to give a value, before its blocks have outputs.
struct IfValues {
  Node *node = nullptr;
  Value *results[2] = {};     ///< What the blocks compute: where the condition is true, and where it is false.
  const Type *type = nullptr; ///< The type that both results may have; null where there is none.
};
/// Emits a prim::If whose blocks compute what the callbacks give, each in a scope of its own with what the condition
/// says there. `hint` is the type of both where they have no other in common. Nothing after a report.
std::optional<IfValues> emitIfValues(FunctionContext &fn, SourceRange range, const Condition &condition,
                                     llvm::function_ref<Value *()> whenTrue, llvm::function_ref<Value *()> whenFalse,
                                     const Type *hint);
/// Emits a prim::If that gives what one of the callbacks gives; `hint` is the type of both where they have no other in
/// common. Null after a report.
Value *emitIfExpression(FunctionContext &fn, SourceRange range, const Condition &condition,
                        llvm::function_ref<Value *()> whenTrue, llvm::function_ref<Value *()> whenFalse,
                        const Type *hint = nullptr);
/// Emits `a if c else b`. Null after a report.
Value *emitTernary(FunctionContext &fn, const Ternary &tree, const Type *hint);

} // namespace tsc

#endif
