//===- NativeTable.h - Functions that the evaluator implements --*- C++ -*-===//
//
// Python's own functions and the methods of its types are rows of tables: a name,
// what arguments it takes, and a small function. Evaluator::callRow() finds the row
// of a call, reports arguments that it does not allow, and calls the function. So
// a row's function meets no argument of a wrong kind, and where a member of the
// evaluator or a function of tsc/Python does all the work, the row names that
// (Forward).
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_FRONTEND_EVALUATOR_NATIVETABLE_H
#define TSC_LIB_FRONTEND_EVALUATOR_NATIVETABLE_H

#include "Object.h"
#include <cstdint>
#include <string_view>

namespace tsc::python {

class Evaluator;

/// A call of a function or a method that the evaluator implements. Borrows all that it holds.
struct NativeCall {
  StringRef name;       ///< "len"; of a method "append".
  StringRef shown;      ///< What refusals call it: "len", "list.append".
  const AnyValue &self; ///< What a method is called on.
  const Arguments &arguments;
  SourceRange range;
  const std::vector<AnyValue> &args = arguments.positional;

  /// Returns the argument of that name, or null.
  const AnyValue *keyword(StringRef wanted) const {
    for (const KeywordValue &given : arguments.keywords)
      if (given.name == wanted)
        return &given.value;
    return nullptr;
  }
  /// Returns the argument at a position or else of a name, or null.
  const AnyValue *argument(size_t position, StringRef wanted) const {
    return position < args.size() ? &args[position] : keyword(wanted);
  }
  /// Returns the object of the kind that the method is known to be called on.
  template <typename T> T &object() const { return *self.as<T>(); }
};

/// A row: a function or method that the evaluator implements.
struct NativeFunction {
  static constexpr size_t any = SIZE_MAX;
  llvm::StringLiteral name;
  Result (*run)(Evaluator &, const NativeCall &);
  size_t least = 0, most = any;       ///< How many arguments it takes by position.
  llvm::StringLiteral keywords = "*"; ///< Those that it takes by name, with blanks between; "*" for any name.
  /// The kinds of the arguments by position, a letter each: `s` a string, `i` an int, `t` a string or None, `b` an int
  /// or None (the bound of a section), `.` anything, as are those that have no letter.
  llvm::StringLiteral kinds = "";

  /// Whether the arguments by position have these kinds.
  bool takesKinds(llvm::ArrayRef<AnyValue> args) const {
    return llvm::all_of(llvm::zip(kinds, args), [](auto each) {
      auto [kind, arg] = each;
      switch (kind) {
      case 's': return arg.isString();
      case 'i': return arg.isInt();
      case 't': return arg.isString() || arg.isNone();
      case 'b': return arg.isInt() || arg.isNone();
      default: return true;
      }
    });
  }
};

/// What becomes of a call that has no row, or whose arguments the row does not allow.
enum class WrongCall : uint8_t {
  Refused, ///< It is refused: Python may have what is missing here.
  Raised   ///< It is refused where a name is unknown, and a TypeError, in CPython's words, where their number is wrong.
};

/// `Forward<&Evaluator::length>::call` is the function of a row that hands its arguments to a member of the evaluator:
/// the first one or the first two, or all with or without the row's name, and the place of the call.
template <auto member> struct Forward {
  static Result call(Evaluator &e, const NativeCall &call) { return pass(e, call, member); }

private:
  using Given = const Arguments &;
  using One = const AnyValue &;
  template <typename E> static Result pass(E &e, const NativeCall &call, Result (E::*to)(One, SourceRange)) {
    return (e.*to)(call.args[0], call.range);
  }
  template <typename E> static Result pass(E &e, const NativeCall &call, Result (E::*to)(One, One, SourceRange)) {
    return (e.*to)(call.args[0], call.args[1], call.range);
  }
  template <typename E> static Result pass(E &e, const NativeCall &call, Result (E::*to)(Given, SourceRange)) {
    return (e.*to)(call.arguments, call.range);
  }
  template <typename E>
  static Result pass(E &e, const NativeCall &call, Result (E::*to)(StringRef, Given, SourceRange)) {
    return (e.*to)(call.name, call.arguments, call.range);
  }
};

/// Returns the row of that name, or null.
inline const NativeFunction *findNative(llvm::ArrayRef<NativeFunction> table, StringRef name) {
  const NativeFunction *found = llvm::find_if(table, [&](const NativeFunction &row) { return row.name == name; });
  return found == table.end() ? nullptr : found;
}

/// A name of Library.def, and whether it says that the evaluator has it.
struct WalkedName {
  std::string_view name;
  bool isWalked;
};

/// Whether each name that the evaluator is said to have has a row in a table, and others have none.
template <size_t N, size_t M> consteval bool haveRows(const WalkedName (&names)[N], const NativeFunction (&table)[M]) {
  for (const WalkedName &one : names) {
    bool isFound = false;
    for (const NativeFunction &row : table)
      isFound |= std::string_view(row.name.data(), row.name.size()) == one.name;
    if (isFound != one.isWalked)
      return false;
  }
  return true;
}

} // namespace tsc::python

#endif
