//===- Refinement.h - What a condition tells about types ----------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_REFINEMENT_H
#define TSC_LIB_FRONTEND_REFINEMENT_H

#include "tsc/IR/Context.h"
#include <string>
#include <vector>

namespace tsc {

class Value;

/// A variable whose type is narrower where a condition is known.
struct Refinement {
  std::string name;
  const Type *type;
  const Type *stored = nullptr; ///< Of a variable that the condition names: the type that it has been given.
};

/// What holds when a condition is true, and when it is false.
struct Refinements {
  std::vector<Refinement> whenTrue, whenFalse;
  Refinements negated() const { return {whenFalse, whenTrue}; }
  Refinements both(Context &context, const Refinements &other) const;   ///< a and b
  Refinements either(Context &context, const Refinements &other) const; ///< a or b
};

/// A condition: its value, what it tells, and its truth when that is known while compiling.
struct Condition {
  Value *value = nullptr; ///< Null: an error was reported.
  Refinements refinements;
  std::optional<bool> known;
  explicit operator bool() const { return value; }
};

/// The alternatives of an Optional or a Union; the type itself otherwise.
std::vector<const Type *> alternativesOf(const Type *type);

/// An Optional or a Union without None; the type itself where None is none of its alternatives.
const Type *withoutNone(Context &context, const Type *type);

} // namespace tsc

#endif
