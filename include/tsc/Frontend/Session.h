//===- Session.h - Statements one after the other ---------------*- C++ -*-===//
#ifndef TSC_FRONTEND_SESSION_H
#define TSC_FRONTEND_SESSION_H

#include "tsc/Frontend/Compiler.h"
#include "tsc/Support/Status.h"
#include <map>

namespace tsc {

/// Runs statements as somebody types them, with variables, definitions and imports that stay. Each statement of the top
/// level is a function of the variables that it names, compiled and run; what makes modules is evaluated, as in a file.
/// Unlike a function's, a variable may get a value of another type.
///
/// Ownership: borrows the compiler, whose source file's names it begins with.
/// Errors:    of the text are reported to the compiler's engine; of the run are those of Runner.
class Session {
public:
  struct Variable {
    IValue value;
    const Type *type = nullptr;
  };
  /// Runs a function of a statement.
  using Runner = std::function<StatusOr<IValue>(Function &function, std::vector<IValue> arguments)>;
  /// Hears the value of each statement that is an expression; what is no value has a description alone.
  using Show = std::function<void(const IValue &value, llvm::StringRef description)>;

  /// What every session has imported.
  static llvm::StringRef importText();

  explicit Session(Compiler &compiler);
  ~Session();

  /// Runs the statements of a text up to the first that fails. Failure: the text was reported to be wrong.
  llvm::FailureOr<Status> run(const SourceBuffer &text, const Runner &runner, const Show &show);
  /// Runs what the compiler's file, which was not run, has at its top beside definitions and constants, and its main
  /// block.
  llvm::FailureOr<Status> runFile(const Runner &runner);
  /// The type of an expression, which is compiled and not run.
  llvm::FailureOr<const Type *> typeOf(const SourceBuffer &expression);
  /// A function or a method by name: `f`, `model.forward`, `Point.norm`; compiled. Null when there is none, or after a
  /// report.
  Function *findFunction(llvm::StringRef name);

  void setVariable(llvm::StringRef name, Variable variable);
  const std::map<std::string, Variable, std::less<>> &variables() const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace tsc

#endif
