//===- Compiler.h - From TorchScript text to functions ----------*- C++ -*-===//
//
// Declares the functions and classes of a source file or of an archive's code
// in a CompilationUnit. Signatures are known at once (where they are annotated);
// bodies are compiled when somebody asks for them (Function::ensureDefined), so
// that a large archive loads in the time of the part that is used.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_FRONTEND_COMPILER_H
#define TSC_FRONTEND_COMPILER_H

#include "tsc/IR/ClassType.h"
#include "tsc/IR/Function.h"
#include "tsc/IR/IValue.h"
#include "tsc/Support/Diagnostics.h"
#include "tsc/Support/Source.h"
#include <functional>
#include <memory>

namespace tsc {

class CompileObserver;
class ConstructionHost;

/// Compiles text into a unit.
///
/// Ownership: keeps syntax trees, resolvers and the prelude that uncompiled bodies still need: it must outlive the
///            unit's last ensureDefined(). Borrows the unit and the diagnostic engine.
/// Threads:   one at a time, bodies compiled later included.
/// Errors:    reported to the engine; results are then null or failure().
class Compiler {
public:
  Compiler(CompilationUnit &unit, DiagnosticEngine &diags);
  ~Compiler();
  CompilationUnit &unit() const;
  Context &context() const;
  DiagnosticEngine &diagnostics() const;
  /// Says that all text is tsc's own, which may call operators that else only passes make (Trait::MadeByPasses). Before
  /// addSource.
  void setIsLibrary();
  /// Who hears what is found out from now on; null for nobody. Outlives the compiler.
  void setObserver(CompileObserver *observer);

  //===-- Source files ------------------------------------------------------===//
  /// Declares every function and class of a `.py` file, as `<prefix>.<name>`. Bodies stay to be compiled.
  llvm::LogicalResult addSource(const SourceBuffer &source, llvm::StringRef prefix = "__torch__");
  /// What the host finds where a file imports `a.b`: the text of a/b.py, or of a/b/__init__.py where that is there;
  /// `isPackage`: a/b is a folder, with or without that text. Neither: there is no such file.
  struct FoundFile {
    const SourceBuffer *text = nullptr;
    bool isPackage = false;
  };
  using FindFile = std::function<FoundFile(llvm::StringRef path)>;
  /// Lets files import others; without it names of files are unknown. Before addSource.
  void setFindFile(FindFile find);
  /// Who runs code while a file with modules is loaded; without one such files are refused. Outlives the compiler.
  void setConstructionHost(ConstructionHost &host);
  /// What addSource declared, in the order of the text; methods are found through their classes.
  llvm::ArrayRef<Function *> sourceFunctions() const;
  llvm::ArrayRef<ClassType *> sourceClasses() const;

  //===-- Source files with modules -----------------------------------------===//
  // A file that defines or makes modules is run by addSource, as Python would run it, but for `if __name__ ==
  // "__main__":`. Its functions are declared when they are asked for. What another file has at its top beside
  // definitions is run by Session::runFile.
  bool wasRun() const;
  bool hasMainBlock() const;
  /// Whether a file without a main block calls something at its top for what that does: `print(f(x))`, `train()`.
  bool isScript() const;
  /// Runs `if __name__ == "__main__":` of a file that was run. A failure was reported.
  llvm::LogicalResult runMainBlock();
  /// Whether a function of the file makes or uses modules as Python does: it is run by callEvaluated then, not
  /// compiled.
  bool isEvaluated(llvm::StringRef function) const;
  /// What it returns; failure after a report.
  llvm::FailureOr<IValue> callEvaluated(llvm::StringRef function, std::vector<IValue> args,
                                        std::vector<std::pair<std::string, IValue>> kwargs);
  /// The object of a module that the file's code made, or of a class of modules that needs no arguments, by name;
  /// without a name, the one that the file is about: the last that it makes, else the last class. Null when there is
  /// none; failure after a report.
  llvm::FailureOr<Ref<ObjectValue>> makeModule(llvm::StringRef name);
  std::vector<std::string> moduleNames() const;
  /// A function of the file; null when there is none, or after a report.
  Function *findSourceFunction(llvm::StringRef name);
  std::vector<std::string> sourceFunctionNames() const;
  /// A method of a module, from source (declared now) or of an archive; null when there is none, or after a report.
  Function *findMethod(const ClassType &type, llvm::StringRef name);
  /// Declares the methods that `torch.jit.export` marks, of a module from source and of those within it; their classes
  /// have them then.
  void declareExported(const ObjectValue &module);

  //===-- Archives ----------------------------------------------------------===//
  /// The text of a module of the archive: "__torch__.a.b" -> code/__torch__/a/b.py; null when it has none.
  using FindSource = std::function<const SourceBuffer *(llvm::StringRef module)>;
  /// What `CONSTANTS.cN` and `__torch__.…` mean. Must be called before findType and findFunction.
  /// The code of `pythonModules` is read with Python's meaning (docs/Python.md), all other code with PyTorch's.
  void setArchive(FindSource findSource, std::vector<IValue> constants, int64_t version = INT64_MAX,
                  std::vector<std::string> pythonModules = {});
  /// The class, interface, enum or NamedTuple "__torch__.a.b.C", declared with its methods when that has not happened
  /// yet; null when the archive does not define it (nothing is reported) or its definition is wrong (reported).
  const Type *findType(llvm::StringRef qualifiedName);
  /// The function "__torch__.a.b.f"; null as above.
  Function *findFunction(llvm::StringRef qualifiedName);
  /// A type as archives and source spell it: `Optional[Tensor]`, `__torch__.a.B`, `Dict[str, int]`; null after a
  /// report.
  const Type *typeFromAnnotation(llvm::StringRef text);

  //===-- Both --------------------------------------------------------------===//
  /// A function without parameters that returns a tuple of the expressions between commas of `text` (for --args);
  /// names are those of the source files.
  Function *compileExpressions(const SourceBuffer &text);
  /// Compiles all bodies that are declared, and those that they declare in turn. Goes on after errors; fails if
  /// there was any.
  llvm::LogicalResult defineAll();

  struct Impl;
  Impl &implementation() { return *impl; } ///< For the frontend itself.

private:
  std::unique_ptr<Impl> impl;
};

} // namespace tsc

#endif
