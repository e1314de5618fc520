//===- Session.h - Statements one after the other ---------------*- C++ -*-===//
#ifndef TSC_FRONTEND_SESSION_H
#define TSC_FRONTEND_SESSION_H

#include "tsc/Frontend/Compiler.h"
#include "tsc/Support/Status.h"
#include <map>

namespace tsc {

/// Runs statements as somebody types them; variables, definitions and imports stay for the next ones. Each statement at
/// the top level is compiled as a function of the variables that it names, and run; what makes modules is evaluated, as
/// in a file. Unlike a variable of a function, one of a session may get a value of another type.
///
/// Ownership: borrows the compiler, and begins with the names of its source file.
/// Errors:    a wrong text is reported to the compiler's engine; what fails in a run is a status of the Runner's.
class Session {
public:
  /// A variable's value, and the type as which statements see it.
  struct Variable {
    IValue value;
    const Type *type = nullptr;
  };
  /// Runs the function of a statement with the values of its variables.
  using Runner = std::function<StatusOr<IValue>(Function &function, std::vector<IValue> arguments)>;
  /// Called with the value of each statement that is an expression. What is no value, such as a function, has a
  /// description alone.
  using Show = std::function<void(const IValue &value, llvm::StringRef description)>;

  /// Returns the text of the imports that every session begins with.
  static llvm::StringRef importText();

  /// Imports importText(), and takes over the variables of the compiler's file if that was run.
  explicit Session(Compiler &compiler);
  ~Session();

  /// Runs the statements of a text up to the first that fails. Returns failure when the text is wrong, which was
  /// reported.
  llvm::FailureOr<Status> run(const SourceBuffer &text, const Runner &runner, const Show &show);
  /// Runs what the top level of the compiler's file holds beside definitions, and the statements of its main block. The
  /// file must not have been run while it was loaded.
  llvm::FailureOr<Status> runFile(const Runner &runner);
  /// Returns the type of one expression, which is compiled but not run; null for what is no value.
  llvm::FailureOr<const Type *> typeOf(const SourceBuffer &expression);
  /// Returns a function or method by name (`f`, `model.forward`, `Point.norm`), compiled, or null when there is none or
  /// it does not compile. The name of a module stands for its `forward`.
  Function *findFunction(llvm::StringRef name);

  /// Sets a variable, which statements then see.
  void setVariable(llvm::StringRef name, Variable variable);
  const std::map<std::string, Variable, std::less<>> &variables() const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace tsc

#endif
