//===- Prompt.h - A program to talk to --------------------------*- C++ -*-===//
#ifndef TSC_ENGINE_PROMPT_H
#define TSC_ENGINE_PROMPT_H

#include "tsc/Engine/Program.h"
#include "tsc/Frontend/Session.h"

namespace tsc {

class TapedCalls;

/// Runs statements that somebody types, behind those of a program: its functions, classes and the modules that its code
/// made can be named; the module of an archive is `model`.
///
/// Ownership: borrows the program and the context of its calls; keeps values of both.
/// Threads:   wants the program for itself. The context's cancel() ends what runs, from any thread.
class Prompt {
public:
  Prompt(Program &program, CallContext &call);
  ~Prompt();
  Prompt(const Prompt &) = delete;

  using Show = Session::Show;
  /// Runs a text of whole statements up to the first that fails. The status of a text that is wrong is one that
  /// wasDiagnosed().
  Status run(std::string text, const Show &show);
  /// Runs a file of functions as Python does: what it has at its top, and its main block.
  Status runFile();
  /// As people write it; of what is no value, nothing.
  StatusOr<std::string> typeOf(std::string expression);
  /// The graph of a function or method by name, as the frontend made it. NotFound: there is none.
  StatusOr<const Graph *> graphOf(llvm::StringRef name);
  const std::map<std::string, Session::Variable, std::less<>> &variables() const { return session.variables(); }

  /// Whether a text goes on in the next line: a bracket, a string or a block is open. A block ends with an empty line.
  static bool goesOn(llvm::StringRef text);

private:
  Status obeyingCall(llvm::function_ref<llvm::FailureOr<Status>(const Session::Runner &runner)> run);
  StatusOr<IValue> runFunction(Function &function, std::vector<IValue> arguments);
  const SourceBuffer &bufferOf(std::string text);
  Program &program;
  CallContext &call;
  Session session;
  std::unique_ptr<TapedCalls> calls;
  unsigned numTexts = 0;
};

} // namespace tsc

#endif
