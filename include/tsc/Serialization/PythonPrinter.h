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

/// From `offset` in a text on, what stands there came from `range`; from nowhere where that is invalid.
struct CodeOrigin {
  uint32_t offset;
  SourceRange range;
};

/// The text of a program, and what text cannot hold.
struct PythonCode {
  std::map<std::string, std::string> modules; ///< "__torch__.a.b" -> source. In order of names.
  /// Modules with operators that mean what Python means (docs/Python.md), as those of source files do.
  std::set<std::string> pythonModules;
  /// Of each module, in order: the author's source that its text stands for, where that is known.
  std::map<std::string, std::vector<CodeOrigin>> origins;
  std::vector<IValue> constants; ///< What CONSTANTS.c0, CONSTANTS.c1, … stand for.
  /// The format that knows the operators' meaning: an operator whose meaning changed asks for the version since which
  /// it has today's.
  int64_t version = 3;
};

/// Prints types and functions, each once, with all that they name.
///
/// Ownership: borrows the types and functions; finish() compiles bodies where that has not happened yet.
/// Errors:    InvalidArgument: a body does not compile (its compiler has reported why); Unimplemented: a node that
///            TorchScript source cannot say (a fusion group, an operator without a schema), with its place in the text
///            it came from.
class PythonPrinter {
public:
  PythonPrinter();
  ~PythonPrinter();
  /// A class, enum, interface or NamedTuple; of any other type, those within it.
  void add(const Type *type);
  void add(Function &function);
  StatusOr<PythonCode> finish();

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

/// The definition of one function or method alone. Empty when it cannot be written.
std::string pythonSource(Function &function, bool isMethod);
/// A string literal that PyTorch and Python read alike.
std::string pythonLiteral(llvm::StringRef text);
/// The shortest digits that give the number back; `inf`, `-inf` and `nan`, which an archive's code knows.
std::string pythonLiteral(double number);

} // namespace tsc

#endif
