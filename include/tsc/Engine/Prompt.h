//===- Prompt.h - A program to talk to --------------------------*- C++ -*-===//
#ifndef TSC_ENGINE_PROMPT_H
#define TSC_ENGINE_PROMPT_H

#include "tsc/Engine/Program.h"
#include "tsc/Frontend/Session.h"

namespace tsc {

class TapedCalls;

/// Runs statements that somebody types after a program was loaded. They may name its functions, its classes and the
/// modules that its code made; the module of an archive is called `model`.
///
/// Ownership: borrows the program and the context of its calls; keeps values of both.
/// Threads:   while a function runs, no other thread may use the program. CallContext::cancel() ends it, from any
///            thread.
class Prompt {
public:
  Prompt(const Program &program, CallContext &call);
  ~Prompt();
  Prompt(const Prompt &) = delete;

  using Show = Session::Show;
  /// Runs a text of whole statements up to the first that fails, and calls `show` with the value of each statement that
  /// is an expression. Where the text does not compile, the status is one that wasDiagnosed().
  Status run(std::string text, const Show &show);
  /// Runs the statements at the top level of the program's file of functions, and its main block, as Python does.
  Status runFile();
  /// Returns the type of an expression as an annotation, such as "List[int]", or "" where it is no value but a module
  /// or a function. The expression is compiled and not run.
  StatusOr<std::string> typeOf(std::string expression);
  /// Returns the graph of a function or method called `name`, as the frontend made it, or NotFound.
  StatusOr<const Graph *> graphOf(llvm::StringRef name);
  /// Returns the variables that statements have assigned, and `model`, by name.
  const std::map<std::string, Session::Variable, std::less<>> &variables() const { return session.variables(); }

  /// Whether the text is unfinished, so that its next line belongs to it: a bracket, a string or a block is open. An
  /// empty line ends a block.
  static bool goesOn(llvm::StringRef text);

private:
  Status obeyingCall(llvm::function_ref<llvm::FailureOr<Status>(const Session::Runner &runner)> run);
  StatusOr<IValue> runFunction(Function &function, std::vector<IValue> arguments);
  const SourceBuffer &bufferOf(std::string text);
  const Program &program;
  CallContext &call;
  Session session;
  std::unique_ptr<TapedCalls> calls;
  unsigned numTexts = 0;
};

} // namespace tsc

#endif
