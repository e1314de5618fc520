//===- NewExceptions.cpp - Exceptions with constructors of their own -------===//
//
// An exception is the name of its class and a message. Where the class has an
// `__init__`, `raise Late(3)` compiles it for the call: what it gives to
// `super().__init__` is the message. Attributes that it sets are variables of it;
// handlers see the message alone.
//
//===----------------------------------------------------------------------===//
#include "NewExceptions.h"
#include "../../SugaredValues/Values.h"
#include "../Calls.h"
#include "../Calls/Instances.h"
#include "../Calls/Parameters.h"
#include "../Calls/SugaredArguments.h"
#include "../Expressions/Names.h"
#include "../FunctionContext.h"
#include "../SizeLimits.h"
#include "../Statements.h"
#include "../TypeExpressions.h"
#include "Assignments.h"
#include "ChangedContainers.h"
#include "tsc/Frontend/Diagnostics.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace tsc;

static constexpr StringRef messageVariable = "$message";
static constexpr unsigned maxBases = 32;

std::optional<ExceptionConstructor> tsc::exceptionConstructor(Resolver &resolver, StringRef name, unsigned depth) {
  const ClassDef *type = depth < maxBases ? resolver.classDefinition(name) : nullptr;
  if (!type || resolver.exceptionName(name).empty())
    return std::nullopt;
  Resolver &file = resolver.definer(name);
  for (const Tree *member : type->body())
    if (auto *def = llvm::dyn_cast<Def>(member); def && def->name() == "__init__")
      return ExceptionConstructor{def, type, &file};
  for (const Tree *base : type->bases())
    if (auto constructor = exceptionConstructor(file, dottedName(base), depth + 1))
      return constructor;
  return std::nullopt;
}

Value *tsc::exceptionText(FunctionContext &fn, ArrayRef<Value *> args, SourceRange range) {
  if (args.empty())
    return fn.constant(IValue(""), range);
  Value *value = args.size() == 1 ? args[0] : fn.makeTuple(args, range);
  return value->type()->isString() ? value : callBuiltin(fn, range, aten::str, {value});
}

static Value *constructException(FunctionContext &fn, const ExceptionConstructor &constructor,
                                 ArrayRef<SugaredArgument> args, SourceRange range) {
  if (fn.compiler.numInstances > maxInstances || fn.compiler.bodyDepth > maxInstanceDepth)
    return fn.error(range, diag::NestedTooDeeply, maxInstanceDepth);
  ClosureSugar init(*constructor.init, *constructor.file, nullptr);
  init.first = fn.make<NewExceptionSugar>(/*isSuper=*/false);
  auto body = std::make_unique<Graph>(fn.context());
  FunctionContext inner(fn.compiler, *constructor.file, *body);
  inner.caller = &fn;
  ConstructedException constructed{constructor};
  inner.scopes.constructed = &constructed;
  inner.graph().setInsertPoint(body->block());
  inner.env.push(body->block());
  llvm::SaveAndRestore<unsigned> inside(fn.compiler.bodyDepth, fn.compiler.bodyDepth + 1);
  const bool ok = bindParameters(inner, init, range, args, fn) &&
                  setVariable(inner, messageVariable, inner.simple(inner.constant(IValue(""), range)), range) &&
                  emitStatements(inner, constructor.init->body());
  if (!ok)
    return nullptr;
  // Without a call of its base's, Python keeps the arguments themselves.
  if (!constructed.hasMessage) {
    llvm::SmallVector<Value *, 4> values;
    for (const SugaredArgument &arg : args)
      if (arg.name.empty() && !values.emplace_back(arg.value->asValue(fn, arg.range)))
        return nullptr;
    return exceptionText(fn, values, range);
  }
  Value *message = inner.env.load(messageVariable, Type::stringType(), range);
  inner.insertNode(prim::ReturnStmt, {message}, 0, range);
  if (!checkSharedContainers(inner) || !finishLoops(inner))
    return nullptr;
  return finishInstance(fn, inner, std::move(body), constructor.type->name(), Type::stringType(), {}, range);
}

Value *tsc::emitNewException(FunctionContext &fn, const ExceptionConstructor &constructor, const Apply *call,
                             SourceRange range) {
  std::vector<SugaredArgument> args;
  if (call && !emitSugaredArguments(fn, *call, args))
    return nullptr;
  return constructException(fn, constructor, args, range);
}

static std::string attributeVariable(StringRef attribute) { return ("$self_" + attribute).str(); }

SugaredValue *NewExceptionSugar::attribute(EmitterContext &context, SourceRange range, StringRef name) {
  FunctionContext &fn = emitterOf(context);
  if (isSuper && name == "__init__")
    return this;
  if (!isSuper && fn.env.isDefined(attributeVariable(name)))
    return lookUp(fn, attributeVariable(name), range);
  return SugaredValue::attribute(fn, range, name);
}

bool NewExceptionSugar::setAttribute(EmitterContext &context, SourceRange range, StringRef name, Value *newValue) {
  FunctionContext &fn = emitterOf(context);
  return !isSuper && setVariable(fn, attributeVariable(name), fn.simple(newValue), range);
}

SugaredValue *NewExceptionSugar::call(EmitterContext &context, SourceRange range, ArrayRef<NamedValue> args,
                                      ArrayRef<NamedValue> kwargs) {
  FunctionContext &fn = emitterOf(context);
  if (!isSuper)
    return SugaredValue::call(fn, range, args, kwargs);
  Value *message = nullptr;
  const ExceptionConstructor &own = fn.scopes.constructed->constructor;
  for (const Tree *base : own.type->bases()) {
    auto constructor = exceptionConstructor(*own.file, dottedName(base));
    if (!constructor)
      continue;
    std::vector<SugaredArgument> given;
    for (ArrayRef<NamedValue> list : {args, kwargs})
      for (const NamedValue &arg : list)
        given.push_back({fn.simple(arg.value), range, arg.name});
    message = constructException(fn, *constructor, given, range);
    if (!message)
      return nullptr;
    break;
  }
  if (!message) {
    llvm::SmallVector<Value *, 4> values;
    for (const NamedValue &arg : args)
      values.push_back(arg.value);
    message = exceptionText(fn, values, range);
  }
  fn.scopes.constructed->hasMessage = true;
  return message && setVariable(fn, messageVariable, fn.simple(message), range) ? fn.simple(fn.none(range)) : nullptr;
}
