//===- Displays.h - [a, b], (a, b), {k: v} ----------------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_DISPLAYS_H
#define TSC_LIB_FRONTEND_DISPLAYS_H

#include "../FunctionContext.h"
#include "../Refinement.h"

namespace tsc {

/// Returns the member of `hint` (perhaps Optional or Union) that is of the class `T`; null when there is none or
/// several.
template <typename T> const T *hintOf(const Type *hint) {
  if (!hint)
    return nullptr;
  const T *found = nullptr;
  for (const Type *member : alternativesOf(hint))
    if (auto *match = llvm::dyn_cast<T>(member)) {
      if (found)
        return nullptr;
      found = match;
    }
  return found;
}

/// Appends the values of expressions, each of type `hint` where it can be, a starred one's elements among them. False
/// after a report.
bool emitElements(FunctionContext &fn, TreeList<Expr> trees, llvm::SmallVectorImpl<Value *> &values,
                  const Type *hint = nullptr);
/// Returns the lists added up, or the first one itself where it is alone.
Value *joinLists(FunctionContext &fn, ArrayRef<Value *> lists, SourceRange range);
/// Emits a list; `hint` is the type that is wanted, or null. Null after a report.
Value *emitListLiteral(FunctionContext &fn, const ListLiteral &tree, const Type *hint);
/// Emits a tuple; `hint` is the type that is wanted, or null. Null after a report.
Value *emitTupleLiteral(FunctionContext &fn, const TupleLiteral &tree, const Type *hint);
/// Makes a dict of the types of `hint`, or, without one, of what the keys and the values have in common. Null after a
/// report.
Value *makeDict(FunctionContext &fn, ArrayRef<Value *> keys, ArrayRef<Value *> values, const DictType *hint,
                SourceRange range);
/// Emits a dict; `hint` is the type that is wanted, or null. Null after a report.
Value *emitDictLiteral(FunctionContext &fn, const DictLiteral &tree, const Type *hint);

} // namespace tsc

#endif
