//===- Module.cpp - Calling functions and modules -------------------------===//
#include "tsc/Runtime/Module.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Function.h"
#include "tsc/IR/Graph.h"

using namespace tsc;

static IValue resultOf(std::vector<IValue> results) {
  if (results.empty())
    return IValue();
  return results.size() == 1 ? std::move(results[0]) : makeTuple(std::move(results));
}

StatusOr<IValue> tsc::callFunction(CodeCache &cache, Function &function, CallContext &context, std::vector<IValue> args,
                                   KeywordArguments kwargs) {
  // The signature of a function without annotations is known once its body is compiled.
  if (!function.hasSchema() && failed(function.ensureDefined()))
    return invalidArgument("function '" + function.qualifiedName() + "' could not be compiled");
  TSC_ASSIGN_OR_RETURN(std::vector<IValue> bound, bindArguments(context.context(), function.schema(), std::move(args), std::move(kwargs)));
  TSC_ASSIGN_OR_RETURN(const Code *code, cache.get(function));
  TSC_ASSIGN_OR_RETURN(std::vector<IValue> results, code->run(context, std::move(bound)));
  return resultOf(std::move(results));
}

Function *Module::findMethod(llvm::StringRef name) const { return self->type->findMethod(name); }

StatusOr<IValue> Module::attribute(llvm::StringRef name) const {
  auto slot = self->type->findAttribute(name);
  if (!slot || *slot >= self->slots.size())
    return notFound("'" + self->type->name() + "' has no attribute '" + name + "'");
  return self->slots[*slot];
}

StatusOr<IValue> Module::run(CallContext &context, llvm::StringRef name, std::vector<IValue> args, KeywordArguments kwargs) const {
  Function *method = findMethod(name);
  if (!method) {
    std::string known;
    for (Function *other : self->type->methods())
      known += (known.empty() ? "" : ", ") + other->name().str();
    return notFound("Method '" + name + "' is not defined in '" + self->type->name() + "', which has: " + (known.empty() ? "no methods" : known));
  }
  bool hooked = name == "forward";
  if (hooked)
    for (Function *hook : self->type->forwardPreHooks()) {
      TSC_ASSIGN_OR_RETURN(IValue changed, callFunction(*cache, *hook, context, {IValue(self), makeTuple(args)}));
      if (changed.isTuple())
        args = changed.toTuple().elements;
      else if (!changed.isNone())
        args = {std::move(changed)};
    }
  std::vector<IValue> all{IValue(self)};
  all.insert(all.end(), args.begin(), args.end());
  TSC_ASSIGN_OR_RETURN(IValue result, callFunction(*cache, *method, context, std::move(all), std::move(kwargs)));
  if (hooked)
    for (Function *hook : self->type->forwardHooks()) {
      TSC_ASSIGN_OR_RETURN(IValue changed, callFunction(*cache, *hook, context, {IValue(self), makeTuple(args), result}));
      if (!changed.isNone())
        result = std::move(changed);
    }
  return result;
}

Module Module::copy() const {
  IValue copied = deepCopy(IValue(self));
  return Module(Ref<ObjectValue>::share(&copied.toObject()), *cache);
}
