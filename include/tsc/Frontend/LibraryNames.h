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
class Type;

/// Something that a dotted name of Python or its libraries stands for.
struct LibraryEntry {
  enum class Kind : uint8_t { Module, Operator, Function, Class, Constant, Form };
  Kind kind;
  std::string op;            ///< Of an operator: `aten::softmax`.
  std::string signature;     ///< Of a function or class of the library's own text: `relu(input: Tensor) -> Tensor`.
  std::string documentation; ///< The summary of an operator, the docstring of a function; may be empty.
};

/// What `torch.nn.functional.relu` is; nothing for a name that programs cannot use.
std::optional<LibraryEntry> libraryEntry(Compiler &compiler, llvm::StringRef path);
/// Names that programs can use behind the dot of a module, sorted; all that libraryEntry() knows but those that begin
/// with an underscore. Looks at every operator: for those who keep the answer.
std::vector<std::string> libraryMembers(Compiler &compiler, llvm::StringRef module);
/// The modules that libraryMembers() is good for: "torch", "torch.nn.functional", "math".
llvm::ArrayRef<llvm::StringLiteral> libraryModules();
/// Methods and attributes that values of a type have by operators (those of classes are in their types), sorted.
std::vector<std::string> operatorMembers(Context &context, const Type *type);
/// The operator behind `value.name`: `aten::relu`, `prim::dtype`; empty when there is none.
std::string operatorMember(Context &context, const Type *type, llvm::StringRef name);
/// Python's own names: `print`, `len`, `range`.
llvm::ArrayRef<llvm::StringLiteral> pythonNames();

} // namespace tsc

#endif
