//===- Refinement.h - What a condition tells about types --------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_REFINEMENT_H
#define TSC_LIB_FRONTEND_REFINEMENT_H

#include "tsc/IR/Context.h"
#include <string>
#include <vector>

namespace tsc {

class Tree;
class Value;

/// A variable whose type is narrower where a condition is known.
struct Refinement {
  std::string name;
  const Type *type;
  const Type *stored = nullptr; ///< The type that a variable has been given which the condition names; else null.
};

/// What holds when a condition is true, and when it is false.
struct Refinements {
  std::vector<Refinement> whenTrue, whenFalse;
  Refinements negated() const { return {whenFalse, whenTrue}; }
  Refinements both(Context &context, const Refinements &other) const;   ///< a and b
  Refinements either(Context &context, const Refinements &other) const; ///< a or b
};

/// The right operand of a comparison, which in a chain is the left one of the next comparison.
struct Compared {
  const Tree *tree = nullptr;
  Value *value = nullptr;
};

/// A condition: its value, what it tells, and its truth when that is known while compiling.
struct Condition {
  Value *value = nullptr; ///< Null: an error was reported.
  Refinements refinements;
  std::optional<bool> known;
  Compared compared; ///< The right operand, where the condition is a comparison.
  explicit operator bool() const { return value; }
};

/// Returns the refinements of two conditions that both hold; `b` was found knowing `a`.
std::vector<Refinement> unite(const std::vector<Refinement> &a, const std::vector<Refinement> &b);

/// Returns the alternatives of an Optional or a Union, and the type itself otherwise.
std::vector<const Type *> alternativesOf(const Type *type);

/// Returns an Optional or a Union without None, and the type itself where None is none of its alternatives.
const Type *withoutNone(Context &context, const Type *type);

} // namespace tsc

#endif
