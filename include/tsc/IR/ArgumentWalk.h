//===- ArgumentWalk.h - Which argument goes to which parameter --*- C++ -*-===//
//
// TorchScript's rules for the arguments of a call, without a look at what they are: the
// compiler asks for the types of expressions (SchemaMatching.h), and a host's call by
// name for values (Dispatch/CallByName.h).
//
//===----------------------------------------------------------------------===//
#ifndef TSC_IR_ARGUMENTWALK_H
#define TSC_IR_ARGUMENTWALK_H

#include "tsc/IR/FunctionSchema.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <utility>

namespace tsc {

/// Walks the parameters of a schema from the first to the last, and says which of a call's arguments each one takes.
///
/// Ownership: borrows the schema and the keywords' text.
class ArgumentWalk {
public:
  /// Begins with a call that gives so many arguments by position, and others by these keywords.
  ArgumentWalk(const FunctionSchema &schema, size_t numPositional, llvm::SmallVector<llvm::StringRef, 4> keywords)
      : schema(schema), numPositional(numPositional), keywords(std::move(keywords)), named(this->keywords.size()) {}

  /// What a parameter takes. `index` is the argument's, among those by position or among those by keyword.
  struct Source {
    /// Where the parameter's value comes from.
    enum Kind : uint8_t {
      Positional, ///< The next argument by position.
      Rest,       ///< All arguments by position from the next one on, as the elements of a list: x.view(2, 3).
      Keyword,    ///< The argument by its name.
      Default,    ///< Its default.
      Missing,    ///< None of these: the call does not fit.
    };
    Kind kind;
    size_t index = 0;
  };
  /// Returns what the parameter at position `parameter` takes, and counts it as taken. Parameters are asked for in
  /// order; one that takes nothing by these rules, as `self` of a method, is left out. `isElement` is asked about the
  /// next argument by position of a parameter that may take the rest: whether it is an element of the list rather than
  /// the list.
  Source take(size_t parameter, llvm::function_ref<bool(size_t index)> isElement);
  /// Takes the arguments by position that are left, for a schema with a variable number of them. Returns how many were
  /// taken before.
  size_t takeFurther() { return std::exchange(used, numPositional); }
  /// Returns how many arguments by position were taken.
  size_t numTaken() const { return used; }
  /// Returns how many arguments no parameter has taken.
  size_t numLeft() const { return numPositional - used + named.size() - named.count(); }
  /// Returns `T` of `Optional[T]`, and other types themselves.
  static const Type *withoutOptional(const Type *type);
  /// Returns the first keyword whose argument no parameter has taken, or nullopt.
  std::optional<size_t> unusedKeyword() const;

private:
  bool mayTakeRest(size_t parameter) const;

  const FunctionSchema &schema;
  const size_t numPositional;
  const llvm::SmallVector<llvm::StringRef, 4> keywords;
  llvm::SmallBitVector named; ///< The arguments by keyword that were taken.
  size_t used = 0;            ///< The arguments by position that were taken.
};

} // namespace tsc

#endif
