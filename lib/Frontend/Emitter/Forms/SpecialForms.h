//===- SpecialForms.h - Calls compiled by syntax ----------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_SPECIALFORMS_H
#define TSC_LIB_FRONTEND_SPECIALFORMS_H

#include "../FunctionContext.h"

namespace tsc {

/// Expressions that are compiled by looking at their syntax: `annotate(T, x)`, `isinstance(x, T)`, …
enum class FormKind : uint8_t {
  Annotate,
  IsInstance,
  JitIsInstance,
  HasAttr,
  GetAttr,
  UncheckedCast,
  Uninitialized,
  Fork,
  Print,
  List,
  Dict,
  Tuple,
  Len,
  Enumerate,
  Zip,
  Range,
  Reversed,
  Super,
  NewObject,
  ToList,
  JitAttribute,
  TrueConstant,
  FalseConstant,
  Raise,
  CastTyping,
  Set,
  Iter,
  Partial,
  Counter,
  AssertNever,
  TypeOf,
  IsTensor
};

/// Reports that `form` takes `low` to `high` arguments and was given `count`.
EmitterContext::Failed arityError(FunctionContext &fn, SourceRange range, StringRef form, size_t low, size_t high,
                                  size_t count);
/// Returns whether `form` is called with `low` to `high` arguments and no keywords; reports where it is not.
bool checkArity(FunctionContext &fn, const Apply &tree, StringRef form, size_t low, size_t high);
/// Hands the arguments of a form to a node without results, padded with None to `padTo`. None; null after a report.
Value *emitEffect(FunctionContext &fn, const Apply &tree, Symbol kind, size_t padTo = 0);
/// Emits the call of a form. Null after a report.
SugaredValue *emitForm(FunctionContext &fn, FormKind form, const Apply &tree, NumBinders binders, const Type *hint);

} // namespace tsc

#endif
