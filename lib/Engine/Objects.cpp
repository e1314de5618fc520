//===- Objects.cpp - Objects that a host makes, keeps and adds to ---------===//
#include "ProgramImpl.h"
#include "tsc/Support/MemoryErrors.h"
#include "tsc/Support/Stack.h"

using namespace tsc;

/// Returns a text without the spaces and tabs that all its lines begin with, but for blank ones: text within a host's
/// source is indented like that.
static std::string dedented(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n');
  std::optional<llvm::StringRef> margin;
  for (llvm::StringRef line : lines) {
    llvm::StringRef indent = line.take_while([](char c) { return c == ' ' || c == '\t'; });
    if (line.trim().empty())
      continue;
    if (!margin)
      margin = indent;
    while (!indent.starts_with(*margin))
      margin = margin->drop_back();
  }
  std::string result;
  for (llvm::StringRef line : lines) {
    if (!line.trim().empty())
      result += line.drop_front(margin->size());
    result += '\n';
  }
  return result;
}

Function *Program::Impl::declareMethod(const ClassType &type, llvm::StringRef name) {
  if (!compiler.wasRun()) // other programs list all methods of a class with it
    return nullptr;
  InsideScope inside(&forkDomain);
  std::lock_guard lock(finding);
  executor.finishCompiling(); // the thread that makes plans compiles bodies too
  Function *method = compiler.findMethod(type, name);
  // Calls compile nothing then, beside another thread that looks for an entry. They say what does not compile.
  if (method)
    (void)orMemoryError([&] { return compileOnce(*method); });
  return method;
}

Status Program::Impl::define(ClassType &type, llvm::StringRef source) {
  InsideScope inside(&forkDomain);
  TSC_RETURN_IF_ERROR(checkWhole());
  TSC_RETURN_IF_ERROR(checkStack(stackToCompile, "compiling"));
  return orMemoryError([&]() -> Status {
    std::lock_guard lock(finding);
    executor.finishCompiling(); // the thread that makes plans compiles bodies too
    const size_t heard = sink.numErrors();
    const SourceBuffer &text = context.sources().add("<definition>", dedented(source));
    if (failed(compiler.defineMethods(type, text)))
      return refusal(heard, "methods of '" + type.name() + "' do not compile");
    noteModuleChange();
    return okStatus();
  });
}

Status Program::define(llvm::function_ref<bool(Compiler &)> declare) {
  InsideScope inside(&impl->forkDomain);
  TSC_RETURN_IF_ERROR(impl->checkWhole());
  TSC_RETURN_IF_ERROR(checkStack(stackToCompile, "compiling"));
  return orMemoryError([&]() -> Status {
    std::lock_guard lock(impl->finding);
    impl->executor.finishCompiling(); // the thread that makes plans compiles bodies too
    const size_t heard = impl->sink.numErrors();
    auto definitions = impl->unit.lockDefinitions(); // a call that compiles what it calls uses the compiler, too
    const bool isGood = declare(impl->compiler);
    impl->noteModuleChange();
    return isGood && impl->sink.numErrors() == heard ? okStatus() : impl->refusal(heard, "the definition is refused");
  });
}

StatusOr<Object> Program::object(const IValue &value) const {
  TSC_RETURN_IF_ERROR(impl->checkWhole());
  if (!value.isObject())
    return invalidArgument("a '" + pythonTypeName(value) + "' is no object of a class");
  return Object(Ref<ObjectValue>::share(&value.toObject()), impl->executor, impl);
}

StrongValue Program::keep(IValue value) const { return StrongValue(std::move(value), impl); }

StatusOr<Module> Program::createModule(llvm::StringRef className, bool mangle) {
  InsideScope inside(&impl->forkDomain);
  TSC_RETURN_IF_ERROR(impl->checkWhole());
  return orMemoryError([&] { return Module::create(className, impl, impl->executor, mangle); });
}

StatusOr<Module> Program::createModule(const ClassType &type) {
  InsideScope inside(&impl->forkDomain);
  TSC_RETURN_IF_ERROR(impl->checkWhole());
  return orMemoryError([&]() -> StatusOr<Module> {
    if (!type.isModule())
      return invalidArgument("'" + type.name() + "' is no class of modules");
    return Module(makeRef<ObjectValue>(&type, type.numAttributes()), impl->executor, impl);
  });
}
