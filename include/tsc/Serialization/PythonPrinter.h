//===- PythonPrinter.h - Graphs back to TorchScript source ------*- C++ -*-===//
//
// Control flow and SSA values become the statements and names of the text that
// torch.jit.save writes: what PyTorch compiles from it computes the same. Classes
// go to the modules that their names say, __torch__.a.B to __torch__.a.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_SERIALIZATION_PYTHONPRINTER_H
#define TSC_SERIALIZATION_PYTHONPRINTER_H

#include "tsc/IR/IValue.h"
#include "tsc/Support/Source.h"
#include <map>
#include <set>
#include <string>
#include <vector>

namespace tsc {

class Function;

/// Says that a printed text came from `range` of the author's source, from byte `offset` up to the next CodeOrigin. An
/// invalid range stands for text that came from no source.
struct CodeOrigin {
  uint32_t offset;
  SourceRange range;
};

/// A program as TorchScript source, with what its text refers to.
struct PythonCode {
  std::map<std::string, std::string> modules; ///< The source of each module by its name, "__torch__.a.b".
  /// The modules whose operators have Python's meaning (docs/Python.md), as those of source files have.
  std::set<std::string> pythonModules;
  /// Where each module's text came from, by the module's name, in ascending order of offsets.
  std::map<std::string, std::vector<CodeOrigin>> origins;
  std::vector<IValue> constants; ///< The values of CONSTANTS.c0, CONSTANTS.c1, …
  /// The lowest version of the archive format under which every operator of the code has the meaning that it has here.
  int64_t version = 3;
};

/// Prints types and functions as TorchScript source, each once, with all types and functions that they name.
///
/// Ownership: borrows the types and functions; finish() compiles bodies where that has not happened yet.
/// Errors:    InvalidArgument: a body does not compile (its compiler has reported why); Unimplemented: a node that
///            TorchScript source cannot say (a fusion group, an operator without a schema), with its place in the text
///            it came from.
class PythonPrinter {
public:
  PythonPrinter();
  ~PythonPrinter();
  /// Adds a class, enum, interface or NamedTuple to what is printed, or those that another type contains.
  void add(const Type *type);
  /// Adds a function that is no method.
  void add(Function &function);
  /// Prints all that was added, and what it needs.
  StatusOr<PythonCode> finish();

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

/// Returns the definition of one function or method, without what it refers to, or "" where it does not compile or
/// cannot be written as source. `constants`, when given, receives the values that the text calls CONSTANTS.c0, …
std::string pythonSource(Function &function, bool isMethod, std::vector<IValue> *constants = nullptr);
/// Returns a quoted string literal for `text`. Bytes beyond ASCII become octal escapes.
std::string pythonLiteral(llvm::StringRef text);
/// Returns the shortest literal that reads back as `number`, or one of the names `inf`, `-inf` and `nan`, which code of
/// archives may use.
std::string pythonLiteral(double number);

} // namespace tsc

#endif
