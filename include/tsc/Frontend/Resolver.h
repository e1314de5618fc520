//===- Resolver.h - What names mean outside a function ----------*- C++ -*-===//
//
// The emitter knows locals and Python's built-in names; every other name is a
// question to the resolver of the text the function was written in: a `.py` file
// (its functions, classes, imports and constants) or the code of an archive
// (`__torch__`, `torch`, `ops`, `CONSTANTS`).
//
//===----------------------------------------------------------------------===//
#ifndef TSC_FRONTEND_RESOLVER_H
#define TSC_FRONTEND_RESOLVER_H

#include "tsc/Support/Source.h"
#include <string>
#include <vector>

namespace tsc {

class Alias;
class ClassDef;
class Import;
class SugaredValue;
class Type;

/// What classes of the prelude stand for, one for each type of elements.
enum class ContainerKind : uint8_t { Set, Counter };

class Resolver {
public:
  virtual ~Resolver();
  /// What `name` stands for; null when it is unknown here (nothing is reported then). Owned by the resolver.
  virtual SugaredValue *resolveValue(llvm::StringRef name, SourceRange range) = 0;
  /// The type a dotted name denotes in an annotation (`Point`, `torch.Tensor`, `__torch__.a.B`); null when unknown.
  virtual const Type *resolveType(llvm::StringRef dottedName, SourceRange range) = 0;
  /// The full path of a dotted name after the file's imports: `L` -> `typing.List`, `th.Tensor` -> `torch.Tensor`.
  virtual std::string canonicalName(llvm::StringRef dottedName) { return dottedName.str(); }
  /// The full name of a class of exceptions, `builtins.ValueError` or `__torch__.errors.Late`, by which handlers know
  /// it; empty for what is none.
  virtual std::string exceptionName(llvm::StringRef dottedName);
  /// The full names of the classes that derive directly from the one with a full name.
  virtual std::vector<std::string> exceptionsWithBase(llvm::StringRef fullName) { return {}; }
  /// The definition of a class of the text; null when it has none.
  virtual const ClassDef *classDefinition(llvm::StringRef name) { return nullptr; }
  /// Where the text imports the name from a module that is not known; no place for another name.
  virtual SourceRange unknownImport(llvm::StringRef name) { return {}; }
  /// What a function's own import names in another file of the user's; null for none, and after a report.
  virtual SugaredValue *importedInside(const Import &import, const Alias &alias) { return nullptr; }
  /// Whose text defines the name: another file's, where it is imported from one.
  virtual Resolver &definer(llvm::StringRef name) { return *this; }
  /// Whether the text defines the name itself, which then is none of Python's.
  virtual bool defines(llvm::StringRef name) { return false; }
  /// Whether a file defines an `async` function of the name.
  virtual bool isAsync(llvm::StringRef name) const { return false; }
  /// The class of sets, or of counters, of such elements; null where there is none.
  virtual const Type *containerOf(ContainerKind kind, const Type *element) { return nullptr; }
  /// Whether operators mean what Python means, where that is not what PyTorch means (docs/Python.md).
  virtual bool followsPython() const { return false; }
  /// Whether the text was printed from graphs: its operands stand in the order in which operators take them.
  virtual bool isPrinted() const { return false; }
};

} // namespace tsc

#endif
