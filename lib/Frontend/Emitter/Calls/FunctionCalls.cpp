//===- FunctionCalls.cpp - Calls of functions and methods -----------------===//
#include "FunctionCalls.h"
#include "../../SugaredValues/Values.h"
#include "../Calls.h"
#include "../Conversions.h"
#include "../FunctionContext.h"
#include "Variadics.h"
#include "tsc/IR/SchemaMatching.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace tsc;

bool tsc::ensureSchema(FunctionContext &fn, SourceRange range, Function *function) {
  fn.compiler.noteCall(*function, range);
  if (function->hasSchema() && !function->schema().returns().empty())
    return true;
  if (function->isBeingDefined())
    return fn.error(range, diag::UnannotatedRecursion, function->name());
  if (fn.compiler.bodyDepth > 200)
    return fn.error(range, diag::NestedTooDeeply, 200);
  return succeeded(function->ensureDefined()) && !function->schema().returns().empty();
}

Value *tsc::callSchema(FunctionContext &fn, SourceRange range, Value *self, const FunctionSchema &schema,
                       StringRef methodName, ArrayRef<NamedValue> args, ArrayRef<NamedValue> kwargs, Symbol kind) {
  std::vector<NamedValue> all;
  if (self && kind == prim::CallMethod)
    all.push_back(self);
  all.insert(all.end(), args.begin(), args.end());
  std::vector<NamedValue> named(kwargs.begin(), kwargs.end());
  if (fn.resolver.followsPython() && !fn.resolver.isPrinted()) { // an int will do where a float is wanted
    for (auto [given, argument] : llvm::zip(all, schema.arguments()))
      given.value = asFloatFor(fn, given.value, argument.type, range);
    for (NamedValue &given : named)
      for (const Argument &argument : schema.arguments())
        if (argument.name == given.name)
          given.value = asFloatFor(fn, given.value, argument.type, range);
  }
  auto matched = matchSchema(schema, fn.graph(), range, all, named, fn.diagnostics());
  if (!matched)
    return nullptr;
  std::vector<Value *> inputs(matched->inputs.begin(), matched->inputs.end());
  makeDefaultsAnew(fn, inputs, range);
  if (kind == prim::CallFunction)
    inputs.insert(inputs.begin(), self);
  fn.env.forgetPaths();
  Node *node = fn.insertNode(kind, inputs, 1, range);
  if (kind == prim::CallMethod)
    node->setAttribute(attr::name, methodName.str());
  return node->output()->setType(matched->returnTypes.empty() ? Type::noneType() : matched->returnTypes[0]);
}

bool tsc::checkPositionalOnly(FunctionContext &fn, SourceRange range, const Function &function,
                              ArrayRef<NamedValue> kwargs) {
  auto found = fn.compiler.positionalOnly.find(&function);
  if (found == fn.compiler.positionalOnly.end())
    return true;
  for (const Argument &argument : function.schema().arguments().take_front(found->second))
    if (llvm::any_of(kwargs, [&](const NamedValue &given) { return given.name == argument.name; }))
      return fn.error(range, diag::PositionalOnly, function.name(), argument.name);
  return true;
}

Value *tsc::callFunction(FunctionContext &fn, SourceRange range, Function *function, ArrayRef<NamedValue> args,
                         ArrayRef<NamedValue> kwargs) {
  if (variadicInfo(fn, function))
    return callVariadic(fn, range, nullptr, function, args, kwargs);
  if (!ensureSchema(fn, range, function) || !checkPositionalOnly(fn, range, *function, kwargs))
    return nullptr;
  Value *target = fn.constant(IValue(function), range);
  return callSchema(fn, range, target, function->schema(), "", args, kwargs, prim::CallFunction);
}

Value *tsc::callMethod(FunctionContext &fn, SourceRange range, Value *self, Function *method, ArrayRef<NamedValue> args,
                       ArrayRef<NamedValue> kwargs) {
  if (variadicInfo(fn, method))
    return callVariadic(fn, range, self, method, args, kwargs);
  if (!ensureSchema(fn, range, method) || !checkPositionalOnly(fn, range, *method, kwargs))
    return nullptr;
  return callSchema(fn, range, self, method->schema(), method->name(), args, kwargs, prim::CallMethod);
}

SugaredValue *tsc::callHooked(FunctionContext &fn, SourceRange range, Value *module, Function *forward,
                              ArrayRef<NamedValue> args, ArrayRef<NamedValue> kwargs) {
  const ForwardHooks &hooks = llvm::cast<ClassType>(module->type())->forwardHooks();
  auto results = [&](Value *value) { return value ? fn.simple(value) : nullptr; };
  if (hooks.empty())
    return results(callMethod(fn, range, module, forward, args, kwargs));
  llvm::SmallVector<Value *, 4> inputs;
  for (const NamedValue &arg : args)
    inputs.push_back(arg.value ? arg.value : fn.constant(arg.constant, range));
  auto run = [&](StringRef hook, std::initializer_list<Value *> given) {
    std::vector<NamedValue> values(given.begin(), given.end());
    for (NamedValue &value : values)
      value.range = range;
    return callMethod(fn, range, module, llvm::cast<ClassType>(module->type())->findMethod(hook), values, {});
  };
  for (const std::string &hook : hooks.before) {
    Value *changed = run(hook, {fn.makeTuple(inputs, range)});
    if (!changed)
      return nullptr;
    if (changed->type()->isNone())
      continue;
    auto *tuple = llvm::dyn_cast<TupleType>(changed->type());
    inputs.assign(tuple ? 0 : 1, changed);
    Node *unpack = tuple ? fn.insertNode(prim::TupleUnpack, {changed}, 0, range) : nullptr;
    for (const Type *element : tuple ? tuple->elements() : ArrayRef<const Type *>())
      inputs.push_back(unpack->addOutput(element));
  }
  std::vector<NamedValue> passed(inputs.begin(), inputs.end());
  for (NamedValue &value : passed)
    value.range = range;
  Value *result = callMethod(fn, range, module, forward, passed, kwargs);
  for (const std::string &hook : hooks.after) {
    Value *changed = result ? run(hook, {fn.makeTuple(inputs, range), result}) : nullptr;
    if (!changed)
      return nullptr;
    if (!changed->type()->isNone())
      result = changed;
  }
  return results(result);
}

Value *tsc::callMagic(FunctionContext &fn, SourceRange range, StringRef magic, Symbol fallback,
                      ArrayRef<Value *> given) {
  llvm::SmallVector<Value *, 4> args(given.begin(), given.end());
  const bool isOfOne = args.size() == 1 || magic == "__getitem__"; // members are compared as they are
  if (auto *members = llvm::dyn_cast<EnumType>(args[0]->type());
      members && isOfOne && fn.compiler.intEnums.contains(members))
    args[0] = fn.insertValue(prim::EnumValue, {args[0]}, members->valueType(), range);
  if (auto *type = llvm::dyn_cast<ClassType>(args[0]->type()); type && !magic.empty()) {
    Function *method = type->findMethod(magic);
    if (!method)
      return fn.error(range, diag::NoMagicMethod, type->annotation(), magic);
    std::vector<NamedValue> rest(args.begin() + 1, args.end());
    return callMethod(fn, range, args[0], method, rest, {});
  }
  llvm::SaveAndRestore<StringRef> spelled(fn.spelling, magic.ends_with("item__") ? "[]" : fn.spelling);
  std::vector<NamedValue> values(args.begin(), args.end());
  for (NamedValue &value : values)
    value.range = range;
  if (magic == "__getitem__" && llvm::isa<ListType>(args[0]->type()) && args[1]->type()->isBool() &&
      fn.resolver.followsPython())
    values[1].value = callBuiltin(fn, range, aten::Int, {args[1]});
  return callBuiltin(fn, range, fallback, values);
}
