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

/// The containers of Python that classes of the prelude implement, one for each type of elements.
enum class ContainerKind : uint8_t { Set, Counter };

/// Tells what the names in a text mean that are neither locals nor Python's own. The compiler owns those of its texts;
/// a host may hand in another one, which gives its own names (Compiler::setHostNames), with sugared values of its own
/// kinds.
///
/// Errors: a name that is unknown is null, without a report; one that is known and wrong is reported.
class Resolver {
public:
  virtual ~Resolver();
  /// Returns what `name` denotes, or null when it is unknown here. The resolver or its compiler owns the result.
  virtual SugaredValue *resolveValue(llvm::StringRef name, SourceRange range) = 0;
  /// Returns the type that a dotted name denotes in an annotation (`Point`, `torch.Tensor`, `__torch__.a.B`), or null
  /// when it is unknown.
  virtual const Type *resolveType(llvm::StringRef dottedName, SourceRange range) = 0;
  /// Returns the full path of a dotted name by the file's imports: `torch.Tensor` for `th.Tensor`, `typing.List` for
  /// `L`.
  virtual std::string canonicalName(llvm::StringRef dottedName) { return dottedName.str(); }
  /// Returns the full name by which handlers know a class of exceptions (`builtins.ValueError`,
  /// `__torch__.errors.Late`), or an empty string for a name that is none.
  virtual std::string exceptionName(llvm::StringRef dottedName);
  /// Returns the full names of the text's classes that derive directly from the exception with a full name.
  virtual std::vector<std::string> exceptionsWithBase(llvm::StringRef fullName) { return {}; }
  /// Returns the definition of a class in the text, or null when it has none of the name.
  virtual const ClassDef *classDefinition(llvm::StringRef name) { return nullptr; }
  /// Returns where the text imports the name from a module that is not known, or an invalid range for other names.
  virtual SourceRange unknownImport(llvm::StringRef name) { return {}; }
  /// Returns what an import inside of a function names in another file of the user's, or null where it names no such
  /// file or was reported.
  virtual SugaredValue *importedInside(const Import &import, const Alias &alias) { return nullptr; }
  /// Returns the resolver of the text that defines the name: that of another file where the name is imported from one.
  virtual Resolver &definer(llvm::StringRef name) { return *this; }
  /// Whether the text itself defines the name, so that it does not mean Python's own.
  virtual bool defines(llvm::StringRef name) { return false; }
  /// Whether the text defines an `async` function of the name.
  virtual bool isAsync(llvm::StringRef name) const { return false; }
  /// Returns the class of sets or counters with elements of a type, or null where there is none.
  virtual const Type *containerOf(ContainerKind kind, const Type *element) { return nullptr; }
  /// Whether operators mean what they mean in Python where PyTorch differs (docs/Python.md).
  virtual bool followsPython() const { return false; }
  /// Whether the text was printed from graphs, so that arguments stand in the order of the operators' schemas.
  virtual bool isPrinted() const { return false; }
};

} // namespace tsc

#endif
