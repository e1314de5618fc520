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

class CodeEvaluator;
class CompileObserver;
class PreludeTexts;
class Resolver;

/// Compiles TorchScript text into functions and classes of a unit.
///
/// Ownership: borrows the unit, the diagnostic engine and the texts of the prelude. Owns syntax trees and resolvers,
///            which bodies that are not compiled yet need: it must outlive the unit's last ensureDefined().
/// Threads:   one at a time, bodies that are compiled later included.
/// Errors:    reported to the engine; results are then null or failure().
class Compiler {
public:
  /// `prelude` is the library's part that is written in TorchScript: tsc::prelude(), of tsc/Frontend/Prelude/Prelude.h,
  /// or a host's own.
  Compiler(CompilationUnit &unit, DiagnosticEngine &diags, const PreludeTexts &prelude);
  ~Compiler();
  CompilationUnit &unit() const;
  Context &context() const;
  DiagnosticEngine &diagnostics() const;
  /// Lets all text call operators that otherwise only passes make (Trait::MadeByPasses), because it is tsc's own.
  /// Called before addSource().
  void setIsLibrary();
  /// Sets who is told what the compiler finds out from now on; null for nobody. The observer outlives the compiler.
  void setObserver(CompileObserver *observer);

  //===-- Source files ------------------------------------------------------===//
  /// Declares every function and class of a `.py` file as `<prefix>.<name>`; their bodies are compiled later. A file
  /// with modules is run.
  llvm::LogicalResult addSource(const SourceBuffer &source, llvm::StringRef prefix = "__torch__");
  /// What the host finds where a file imports `a.b`.
  struct FoundFile {
    const SourceBuffer *text = nullptr; ///< The text of a/b.py, or of a/b/__init__.py; null where there is none.
    bool isPackage = false;             ///< Whether a/b is a folder, with a text or without.
  };
  /// Finds the file that a path with dots, such as `a.b`, names.
  using FindFile = std::function<FoundFile(llvm::StringRef path)>;
  /// Lets files import other files, which are unknown names otherwise. Called before addSource().
  void setFindFile(FindFile find);
  /// Lets compiled code use names of the host: one that a file neither defines nor imports, and that is none of
  /// Python's own, is what `names` says. Code that runs while a file is loaded does not see them. `names` outlives the
  /// compiler. Called before addSource().
  void setHostNames(Resolver &names);
  /// Makes what runs code while a file with modules is loaded.
  using MakeEvaluator = std::function<std::unique_ptr<CodeEvaluator>(Compiler &compiler)>;
  /// Sets who makes what runs such code, once for a compiler; without it, a file that defines modules is
  /// refused. setConstructionHost(), of tsc/Frontend/Evaluator/Construction.h, hands in tsc's own. Called before
  /// addSource().
  void setEvaluator(MakeEvaluator make);
  /// Returns the functions that addSource() declared, in the order of the text; methods are found through their
  /// classes.
  llvm::ArrayRef<Function *> sourceFunctions() const;
  /// Returns the classes that addSource() declared, in the order of the text.
  llvm::ArrayRef<ClassType *> sourceClasses() const;

  //===-- Source files with modules -----------------------------------------===//
  // A file that defines or makes modules is run by addSource, as Python would run it, but for `if __name__ ==
  // "__main__":`. Its functions are declared when they are asked for. What another file has at its top beside
  // definitions is run by Session::runFile.
  /// Whether addSource() ran the file because it has modules. What follows is about such files unless it says
  /// otherwise.
  bool wasRun() const;
  /// Whether the file, run or not, has an `if __name__ == "__main__":`. For a file that was run, a call of its main()
  /// at the top level counts as one.
  bool hasMainBlock() const;
  /// Whether a file without a main block calls something at its top level for the effect: `print(f(x))`, `train()`.
  bool isScript() const;
  /// Runs the main block of a file that was run.
  llvm::LogicalResult runMainBlock();
  /// Whether a function of the file makes or uses modules as Python does. Such a function is run by callEvaluated(),
  /// and not compiled.
  bool isEvaluated(llvm::StringRef function) const;
  /// Calls a function for which isEvaluated() holds, and returns its result.
  llvm::FailureOr<IValue> callEvaluated(llvm::StringRef function, std::vector<IValue> args,
                                        std::vector<std::pair<std::string, IValue>> kwargs);
  /// Returns the module object that the file's code keeps under a global name, or an object of the class of modules of
  /// that name, if it needs no arguments. Without a name it is the module that the file is about: the last one that its
  /// code makes, else one of the last such class. Null when there is none.
  llvm::FailureOr<Ref<ObjectValue>> makeModule(llvm::StringRef name);
  /// Returns the names that makeModule() takes; none for a file that was not run.
  std::vector<std::string> moduleNames() const;
  /// Returns a function of the file, run or not, declared now if it was not yet; null when there is none.
  Function *findSourceFunction(llvm::StringRef name);
  /// Returns the names of the functions that the file, run or not, defines.
  std::vector<std::string> sourceFunctionNames() const;
  /// Returns a method of a module from source, declared now if it was not yet, or from an archive; null when there is
  /// none.
  Function *findMethod(const ClassType &type, llvm::StringRef name);
  /// Compiles `source`, which holds definitions of methods (`def f(self, x): …`) and nothing else, and adds them to a
  /// class of any origin. They may use what the text of the class may, and torch, math, typing and
  /// torch.nn.functional (as F). Where one is refused, or has the name of something that the class has, none is added.
  llvm::LogicalResult defineMethods(ClassType &type, const SourceBuffer &source);
  /// Declares the methods that `torch.jit.export` marks in a module from source and in the modules within it, so that
  /// their classes have them.
  void declareExported(const ObjectValue &module);

  //===-- Archives ----------------------------------------------------------===//
  /// Returns the text of a module of the archive, code/__torch__/a/b.py for "__torch__.a.b", or null when it has none.
  using FindSource = std::function<const SourceBuffer *(llvm::StringRef module)>;
  /// Sets what `__torch__.…` and `CONSTANTS.cN` mean. Called before findType() and findFunction(). The code of
  /// `pythonModules` is read with Python's meaning (docs/Python.md), all other code with PyTorch's; `version` is that
  /// of the archive's operators.
  void setArchive(FindSource findSource, std::vector<IValue> constants, int64_t version = INT64_MAX,
                  std::vector<std::string> pythonModules = {});
  /// Returns the class, interface, enum or NamedTuple with a qualified name ("__torch__.a.b.C"), declared with its
  /// methods now if it was not yet. Null when the archive does not define it, without a report, or when its definition
  /// is wrong.
  const Type *findType(llvm::StringRef qualifiedName);
  /// Returns the function with a qualified name ("__torch__.a.b.f"); null as for findType().
  Function *findFunction(llvm::StringRef qualifiedName);
  /// Returns the type that an annotation spells: `Optional[Tensor]`, `__torch__.a.B`, `Dict[str, int]`.
  const Type *typeFromAnnotation(llvm::StringRef text);

  //===-- Both --------------------------------------------------------------===//
  /// Compiles the expressions between commas of `text` (the argument of --args) into a function without parameters that
  /// returns a tuple of their values. Names are those of the source file, and some common imports.
  Function *compileExpressions(const SourceBuffer &text);
  /// Compiles all declared bodies, and those that they declare in turn. Goes on after errors, and fails if there was
  /// any.
  llvm::LogicalResult defineAll();

  struct Impl;
  Impl &implementation() { return *impl; } ///< Returns what the files of lib/Frontend share.

private:
  std::unique_ptr<Impl> impl;
};

} // namespace tsc

#endif
