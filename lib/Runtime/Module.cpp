//===- Module.cpp - Calling, freezing and saving modules ------------------===//
#include "tsc/Runtime/Module.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/Support/ReplaceFile.h"
#include "llvm/ADT/STLExtras.h"

using namespace tsc;

//===----------------------------------------------------------------------===//
// Made and saved
//===----------------------------------------------------------------------===//

StatusOr<Module> Module::create(llvm::StringRef className, std::shared_ptr<ObjectUnit> unit,
                                const GraphExecutor &executor, bool mangle) {
  assert(unit && "a class belongs to a program");
  Context &context = unit->compilationUnit().context();
  llvm::SmallVector<llvm::StringRef, 4> parts;
  className.split(parts, '.');
  if (llvm::any_of(parts, [](llvm::StringRef part) { return part.empty(); }))
    return invalidArgument("'" + className + "' is no name of a class");
  std::string name = (parts.size() == 1 ? "__torch__." : "") + className.str();
  if (context.findNamed(name)) {
    if (!mangle)
      return invalidArgument("there is a type '" + llvm::Twine(name) +
                             "' already; with `mangle` the class gets another name");
    name = mangledName(context, name);
  }
  ClassType &type = *context.classType(name);
  type.setIsModule(true);
  type.setDefined();
  return Module(makeRef<ObjectValue>(&type, 0), executor, std::move(unit));
}

Module Module::withUnit(std::shared_ptr<ObjectUnit> unit) const {
  Module result = *this;
  result.owner = std::move(unit);
  return result;
}

Module Module::withExecutor(const GraphExecutor &other) const {
  Module result = *this;
  result.executor = &other;
  return result;
}

StatusOr<std::string> Module::save() const {
  if (!owner)
    return failedPrecondition(
        "a module that belongs to no program cannot be saved; take it from Program::findModule()");
  if (frozen)
    return unimplemented("a frozen module cannot be saved; Program::freezeToSave() gives one that can");
  return owner->saveObject(IValue(self));
}

Status Module::save(const std::string &path) const {
  TSC_ASSIGN_OR_RETURN(std::string bytes, save());
  return replaceFile(path, bytes);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// The inputs that a hook leaves: those it gives, one alone or a tuple of them, or those it was given.
static StatusOr<IValue> inputsAfter(StatusOr<IValue> given, IValue inputs) {
  if (!given.ok())
    return given.status();
  if (given->isNone())
    return inputs;
  return given->isTuple() ? std::move(*given) : makeTuple({std::move(*given)});
}

StatusOr<IValue> Module::operator()(CallContext &context, std::vector<IValue> args, KeywordArguments kwargs) const {
  const ForwardHooks &hooks = self->type->forwardHooks();
  Function *forward = findMethod("forward");
  if (hooks.empty() || !forward)
    return run(context, "forward", std::move(args), std::move(kwargs));
  args.insert(args.begin(), IValue(self));
  TSC_RETURN_IF_ERROR(bindArguments(context.context(), forward->schema(), args, kwargs));
  IValue inputs = makeTuple({args.begin() + 1, args.end()});
  for (const std::string &hook : hooks.before) {
    TSC_ASSIGN_OR_RETURN(inputs, inputsAfter(run(context, hook, {inputs}), inputs));
  }
  TSC_ASSIGN_OR_RETURN(IValue result, run(context, "forward", inputs.toTuple().elements));
  for (const std::string &hook : hooks.after) {
    TSC_ASSIGN_OR_RETURN(IValue given, run(context, hook, {inputs, result}));
    if (!given.isNone())
      result = std::move(given);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Freezing
//===----------------------------------------------------------------------===//

StatusOr<Module> Module::freeze(llvm::ArrayRef<std::string> methods, std::vector<std::string> keep,
                                std::vector<AttributeFate> *fates) const {
  FreezeOptions options;
  options.keep = std::move(keep);
  std::vector<std::string> wanted = methods.vec();
  if (llvm::is_contained(methods, "forward"))
    for (const std::vector<std::string> *hooks :
         {&self->type->forwardHooks().before, &self->type->forwardHooks().after})
      for (const std::string &hook : *hooks)
        if (!llvm::is_contained(wanted, hook))
          wanted.push_back(hook);
  for (const std::string &name : wanted) {
    Function *method = findMethod(name);
    if (!method)
      return notFound("Method '" + name + "' is not defined in '" + self->type->name() + "'");
    options.methods.push_back(method);
  }
  TSC_ASSIGN_OR_RETURN(FrozenModule result, freezeModule(self, options));
  if (fates)
    *fates = result.attributes;
  Module module(copyUsed(self, result.used), *executor, owner);
  module.frozen = std::make_shared<const FrozenModule>(std::move(result));
  executor->keepAlive(module.frozen);
  if (&executor->asWritten() != executor)
    executor->asWritten().keepAlive(module.frozen);
  return module;
}
