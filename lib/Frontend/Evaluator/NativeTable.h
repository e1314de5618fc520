//===- NativeTable.h - Functions that the evaluator implements --*- C++ -*-===//
//
// Python's own functions and the methods of its types are rows of tables: a name,
// what arguments it takes, and a small function. Who calls by a table reports
// arguments that the row does not allow.
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
