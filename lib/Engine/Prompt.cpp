//===- Prompt.cpp - A program to talk to ----------------------------------===//
#include "tsc/Engine/Prompt.h"
#include "ProgramImpl.h"
#include "tsc/Frontend/Lexer.h"
#include "tsc/IR/Graph.h"
#include "tsc/Runtime/Exceptions.h"
#include "tsc/Runtime/Tape.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace tsc;

Prompt::Prompt(Program &program, CallContext &call)
    : program(program), call(call), session(program.impl->compiler), tape(std::make_unique<Tape>(program.context())) {
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

/// Whether a value holds a tensor, at a depth that programs have, that gradients are wanted of.
static bool holdsTracked(const IValue &value, unsigned depth = 0) {
  if (depth == 8)
    return false;
  auto any = [&](const auto &values) {
    return llvm::any_of(values, [&](const IValue &one) { return holdsTracked(one, depth + 1); });
  };
  if (value.isTensor())
    return value.toTensor().defined() && value.toTensor().requiresGrad();
  if (value.isTuple())
    return any(value.toTuple().elements);
  if (value.isObject())
    return any(value.toObject().slots);
  if (value.isDict()) {
    bool holds = false;
    value.toDict().forEach([&](const IValue &, const IValue &one) { holds |= holdsTracked(one, depth + 1); });
    return holds;
  }
  if (value.isList())
    for (size_t i = 0; i != value.listSize(); ++i)
      if (holdsTracked(value.listElement(i), depth + 1))
        return true;
  return false;
}

StatusOr<IValue> Prompt::runFunction(Function &function, std::vector<IValue> arguments) {
  Program::Impl &impl = *program.impl;
  needsTape |= llvm::any_of(arguments, [](const IValue &value) { return holdsTracked(value); });
  llvm::SaveAndRestore<FileAccess *> lending(call.files, impl.options.allowFiles ? &impl.files : nullptr);
  auto run = [&](std::vector<IValue> values) {
    CodeCache &codes = needsTape && impl.options.optimization != 0 ? impl.written : impl.cache;
    llvm::SaveAndRestore<Tape *> taping(call.tape, needsTape ? tape.get() : nullptr);
    return callFunction(codes, function, call, std::move(values));
  };
  call.isObserved = false;
  StatusOr<IValue> result = run(arguments);
  if (!result.ok() && isWithoutTape(result.status()) && !call.isObserved) {
    needsTape = true;
    result = run(std::move(arguments));
  }
  if (result.ok())
    needsTape |= holdsTracked(*result);
  return result;
}

Status Prompt::obeyingCall(llvm::function_ref<llvm::FailureOr<Status>(const Session::Runner &runner)> run) {
  program.finishCompiling(); // the thread that makes plans compiles bodies too
  Program::Impl &impl = *program.impl;
  const size_t heard = impl.sink.numErrors();
  // What makes modules goes through the host of the file's code, which obeys this call.
  CallContext &inner = impl.sourceHost.context();
  inner.obey(&call);
  inner.setOut(call.out());
  auto restored = llvm::make_scope_exit([&] { inner.obey(nullptr); });
  llvm::FailureOr<Status> status = run(
      [&](Function &function, std::vector<IValue> arguments) { return runFunction(function, std::move(arguments)); });
  if (failed(status))
    return impl.refusal(heard, "the text does not compile");
  if (!status->ok() && impl.sink.numErrors() != heard) // a function was compiled when it was reached
    return impl.refusal(heard, "");
  return *status;
}

Status Prompt::run(std::string text, const Show &show) {
  return obeyingCall(
      [&](const Session::Runner &runner) { return session.run(bufferOf(std::move(text)), runner, show); });
}

Status Prompt::runFile() {
  return obeyingCall([&](const Session::Runner &runner) { return session.runFile(runner); });
}

StatusOr<std::string> Prompt::typeOf(std::string expression) {
  program.finishCompiling();
  const size_t heard = program.impl->sink.numErrors();
  llvm::FailureOr<const Type *> type = session.typeOf(bufferOf(std::move(expression)));
  if (failed(type))
    return program.impl->refusal(heard, "the text does not compile");
  return *type ? (*type)->annotation() : std::string();
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
