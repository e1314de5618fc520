//===- Module.cpp - Calling functions and modules -------------------------===//
#include "tsc/Runtime/Module.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Function.h"
#include "tsc/IR/Graph.h"
#include "llvm/ADT/STLExtras.h"

using namespace tsc;

/// Binds the arguments to the function's signature, in place; `call` makes the call with them and sets its results.
template <typename F>
static StatusOr<IValue> callWith(Function &function, CallContext &context, std::vector<IValue> &args,
                                 const KeywordArguments &kwargs, F &&call) {
  TSC_RETURN_IF_ERROR(bindArguments(context.context(), function.schema(), args, kwargs));
  std::vector<IValue> results;
  TSC_RETURN_IF_ERROR(call(results));
  if (results.empty())
    return IValue();
  return results.size() == 1 ? std::move(results[0]) : makeTuple(std::move(results));
}

StatusOr<IValue> tsc::callFunction(const GraphExecutor &executor, Function &function, CallContext &context,
                                   std::vector<IValue> &&args, const KeywordArguments &kwargs) {
  // The signature of a function without annotations is known once its body is compiled.
  if (!function.hasSchema() && failed(function.ensureDefined()))
    return invalidArgument("function '" + function.qualifiedName() + "' could not be compiled");
  return callWith(function, context, args, kwargs,
                  [&](std::vector<IValue> &results) { return executor.call(function, context, args, results); });
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

Function *Module::findMethod(llvm::StringRef name) const { return self->type->findMethod(name); }

StatusOr<IValue> Module::run(CallContext &context, llvm::StringRef name, std::vector<IValue> args,
                             KeywordArguments kwargs) const {
  Function *method = findMethod(name);
  if (!method) {
    std::string known;
    for (Function *other : self->type->methods())
      known += (known.empty() ? "" : ", ") + other->name().str();
    return notFound("Method '" + name + "' is not defined in '" + self->type->name() +
                    "', which has: " + (known.empty() ? "no methods" : known));
  }
  return run(context, *method, std::move(args), kwargs);
}

StatusOr<IValue> Module::run(CallContext &context, Function &method, std::vector<IValue> &&args,
                             const KeywordArguments &kwargs) const {
  args.emplace(args.begin(), self);
  return call(method, context, std::move(args), kwargs);
}

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

const Graph *Module::graphOf(const Function &method) const {
  if (!frozen)
    return method.graph();
  auto at = llvm::find_if(frozen->methods, [&](const FrozenMethod &each) { return each.function == &method; });
  return at == frozen->methods.end() ? nullptr : at->graph.get();
}

/// A method as the program has it, or frozen.
StatusOr<IValue> Module::call(Function &method, CallContext &context, std::vector<IValue> &&args,
                              const KeywordArguments &kwargs) const {
  if (!frozen)
    return callFunction(*executor, method, context, std::move(args), kwargs);
  if (const Graph *graph = graphOf(method))
    return callWith(method, context, args, kwargs, [&](std::vector<IValue> &results) {
      return executor->call(*graph, method.qualifiedName(), context, args, results);
    });
  return notFound("Method '" + method.name() + "' was not among those for which the module was frozen");
}

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
  Module module(copyUsed(self, result.used), *executor);
  module.frozen = std::make_shared<const FrozenModule>(std::move(result));
  executor->keepAlive(module.frozen);
  return module;
}
