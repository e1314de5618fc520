//===- Prompt.cpp - A program to talk to ----------------------------------===//
#include "tsc/Engine/Prompt.h"
#include "ProgramImpl.h"
#include "tsc/Frontend/Lexer.h"
#include "tsc/IR/Graph.h"
#include "tsc/Support/Stack.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace tsc;

Prompt::Prompt(const Program &program, CallContext &call)
    : program(program), call(call), session(program.impl->compiler),
      calls(std::make_unique<TapedCalls>(program.context(), program.impl->whoMayAsk())) {
  program.impl->findFiles();
  if (const Module *module = program.module()) {
    IValue object(module->object());
    const Type *type = object.dynamicType(program.context());
    session.setVariable("model", {std::move(object), type});
  }
}
Prompt::~Prompt() = default;

const SourceBuffer &Prompt::bufferOf(std::string text) {
  const SourceBuffer &buffer =
      program.context().sources().add("<prompt " + std::to_string(++numTexts) + ">", std::move(text));
  program.impl->typedTexts.insert(&buffer);
  return buffer;
}

StatusOr<IValue> Prompt::runFunction(Function &function, std::vector<IValue> arguments) {
  Program::Impl &impl = *program.impl;
  llvm::SaveAndRestore<FileAccess *> lending(call.files, impl.options.allowFiles ? &impl.files : nullptr);
  return calls->run(call, function, std::move(arguments), [&](std::vector<IValue> values, bool isTaped) {
    const GraphExecutor &through = isTaped ? impl.executor.whereHostsRecord() : impl.executor;
    return callFunction(through, function, call, std::move(values));
  });
}

Status Prompt::obeyingCall(llvm::function_ref<llvm::FailureOr<Status>(const Session::Runner &runner)> run) {
  program.finishCompiling(); // the thread that makes plans compiles bodies too
  Program::Impl &impl = *program.impl;
  const size_t heard = impl.sink.numErrors();
  // What makes modules goes through the host of the file's code, which obeys this call.
  CallContext &inner = impl.sourceHost.context();
  inner.obey(&call);
  inner.setOut(call.out());
  auto restored = llvm::make_scope_exit([&] {
    inner.obey(nullptr);
    impl.noteModuleChange();
  });
  llvm::SaveAndRestore<TapedCalls *> taping(impl.sourceHost.calls, calls.get());
  llvm::FailureOr<Status> status = run(
      [&](Function &function, std::vector<IValue> arguments) { return runFunction(function, std::move(arguments)); });
  if (failed(status))
    return impl.refusal(heard, "the text does not compile");
  if (!status->ok() && impl.sink.numErrors() != heard) // a function was compiled when it was reached
    return impl.refusal(heard, "");
  return *status;
}

Status Prompt::run(std::string text, const Show &show) {
  TSC_RETURN_IF_ERROR(checkStack(stackToCompile, "compiling"));
  return orMemoryError([&]() -> Status {
    return obeyingCall(
        [&](const Session::Runner &runner) { return session.run(bufferOf(std::move(text)), runner, show); });
  });
}

Status Prompt::runFile() {
  return obeyingCall([&](const Session::Runner &runner) { return session.runFile(runner); });
}

StatusOr<std::string> Prompt::typeOf(std::string expression) {
  TSC_RETURN_IF_ERROR(checkStack(stackToCompile, "compiling"));
  return orMemoryError([&]() -> StatusOr<std::string> {
    program.finishCompiling();
    const size_t heard = program.impl->sink.numErrors();
    llvm::FailureOr<const Type *> type = session.typeOf(bufferOf(std::move(expression)));
    if (failed(type))
      return program.impl->refusal(heard, "the text does not compile");
    return *type ? (*type)->annotation() : std::string();
  });
}

StatusOr<const Graph *> Prompt::graphOf(llvm::StringRef name) {
  program.finishCompiling();
  const size_t heard = program.impl->sink.numErrors();
  Function *function = session.findFunction(name);
  if (function && function->graph())
    return function->graph();
  if (program.impl->sink.numErrors() != heard)
    return program.impl->refusal(heard, "");
  return notFound("there is no function or method '" + name + "'");
}

bool Prompt::goesOn(llvm::StringRef text) {
  const TextEnd end = endOfText(text);
  return end == TextEnd::InsideLine ||
         (end == TextEnd::InsideBlock && !text.substr(text.rfind('\n') + 1).trim().empty());
}
