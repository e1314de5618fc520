//===- LibraryNames.h - What the libraries of a program offer ---*- C++ -*-===//
#ifndef TSC_FRONTEND_LIBRARYNAMES_H
#define TSC_FRONTEND_LIBRARYNAMES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace tsc {

class Compiler;
class Context;
class Symbol;
class Type;

/// What a dotted name of Python or its libraries stands for.
struct LibraryEntry {
  /// A Form is a name that the compiler treats by the syntax around it, such as `typing.cast`.
  enum class Kind : uint8_t { Module, Operator, Function, Class, Constant, Form };
  Kind kind;
  std::string op;        ///< The qualified name of an Operator: `aten::softmax`.
  std::string signature; ///< The head of a Function or Class in the library's text: `relu(input: Tensor) -> Tensor`.
  std::string documentation; ///< The operator's summary or the first paragraph of the docstring; may be empty.
};

/// Returns what a dotted name like `torch.nn.functional.relu` stands for, or nothing for a name that programs cannot
/// use.
std::optional<LibraryEntry> libraryEntry(Compiler &compiler, llvm::StringRef path);
/// Returns the names that programs can use behind the dot of a module, sorted, without those that begin with an
/// underscore. It looks at every operator, so callers should keep the answer.
std::vector<std::string> libraryMembers(Compiler &compiler, llvm::StringRef module);
/// Returns the modules that libraryMembers() knows: "torch", "torch.nn.functional", "math".
llvm::ArrayRef<llvm::StringRef> libraryModules();
/// Returns the names of the methods and attributes of a type that are operators, sorted. The methods of a class are in
/// its type.
std::vector<std::string> operatorMembers(Context &context, const Type *type);
/// Returns the operator behind `value.name` for a value of the type (`aten::relu`, `prim::dtype`), or an empty string.
std::string operatorMember(Context &context, const Type *type, llvm::StringRef name);
/// Returns the names of Python's built-in functions and types that programs can use: `print`, `len`, `range`.
llvm::ArrayRef<llvm::StringRef> pythonNames();
/// Returns the names of the methods and attributes that every torch.nn.Module has: `parameters`, `training`.
llvm::ArrayRef<llvm::StringRef> moduleMembers();
/// Whether an operator computes nothing, and costs no more than its operands: it compares, converts, formats or takes
/// out what is there already. A `__setstate__` of an archive may run it without the host's leave.
bool movesDataOnly(Symbol kind);

} // namespace tsc

#endif
