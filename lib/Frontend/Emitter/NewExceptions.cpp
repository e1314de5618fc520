//===- NewExceptions.cpp - Exceptions with constructors of their own -------===//
//
// An exception is the name of its class and a message. Where the class has an
// `__init__`, `raise Late(3)` compiles it for the call: what it gives to
// `super().__init__` is the message. Attributes that it sets are variables of it;
// handlers see the message alone.
//
//===----------------------------------------------------------------------===//
#include "../SugaredValues/Values.h"
#include "FunctionEmitter.h"
#include "SizeLimits.h"
#include "TypeExpressions.h"
#include "tsc/Frontend/Diagnostics.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace tsc;

static constexpr StringRef messageVariable = "$message";
static constexpr unsigned maxBases = 32;

std::optional<FunctionEmitter::ExceptionConstructor>
FunctionEmitter::exceptionConstructor(Resolver &resolver, StringRef name, unsigned depth) {
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

Value *FunctionEmitter::exceptionText(ArrayRef<Value *> args, SourceRange range) {
  if (args.empty())
    return constant(IValue(""), range);
  Value *value = args.size() == 1 ? args[0] : makeTuple(args, range);
  return value->type()->isString() ? value : callBuiltin(range, aten::str, {value});
}

Value *FunctionEmitter::constructException(const ExceptionConstructor &constructor, ArrayRef<SugaredArgument> args,
                                           SourceRange range) {
  if (compiler.numInstances > maxInstances || compiler.bodyDepth > maxInstanceDepth)
    return error(range, diag::NestedTooDeeply, maxInstanceDepth);
  ClosureSugar init(*constructor.init, *constructor.file, nullptr);
  init.first = make<NewExceptionSugar>(/*isSuper=*/false);
  auto body = std::make_unique<Graph>(context);
  FunctionEmitter inner(compiler, *constructor.file, *body);
  inner.caller = this;
  inner.newException = &constructor;
  inner.graph.setInsertPoint(body->block());
  inner.env.push(body->block());
  llvm::SaveAndRestore<unsigned> inside(compiler.bodyDepth, compiler.bodyDepth + 1);
  const bool ok = inner.bindParameters(init, range, args, *this) &&
                  inner.setVariable(messageVariable, inner.simple(inner.constant(IValue(""), range)), range) &&
                  inner.emitStatements(constructor.init->body());
  if (!ok)
    return nullptr;
  // Without a call of its base's, Python keeps the arguments themselves.
  if (!inner.hasExceptionMessage) {
    llvm::SmallVector<Value *, 4> values;
    for (const SugaredArgument &arg : args)
      if (arg.name.empty() && !values.emplace_back(arg.value->asValue(*this, arg.range)))
        return nullptr;
    return exceptionText(values, range);
  }
  Value *message = inner.env.load(messageVariable, Type::stringType(), range);
  inner.insertNode(prim::ReturnStmt, {message}, 0, range);
  if (!inner.checkSharedContainers() || !inner.finishLoops())
    return nullptr;
  return finishInstance(inner, std::move(body), constructor.type->name(), Type::stringType(), {}, range);
}

Value *FunctionEmitter::emitNewException(const ExceptionConstructor &constructor, const Apply *call,
                                         SourceRange range) {
  std::vector<SugaredArgument> args;
  if (call && !emitSugaredArguments(*call, args))
    return nullptr;
  return constructException(constructor, args, range);
}

static std::string variableOf(StringRef attribute) { return ("$self_" + attribute).str(); }

SugaredValue *NewExceptionSugar::attribute(EmitterContext &context, SourceRange range, StringRef name) {
  FunctionEmitter &e = emitterOf(context);
  if (isSuper && name == "__init__")
    return this;
  if (!isSuper && e.env.isDefined(variableOf(name)))
    return e.lookUp(variableOf(name), range);
  return SugaredValue::attribute(e, range, name);
}

bool NewExceptionSugar::setAttribute(EmitterContext &context, SourceRange range, StringRef name, Value *newValue) {
  FunctionEmitter &e = emitterOf(context);
  return !isSuper && e.setVariable(variableOf(name), e.simple(newValue), range);
}

SugaredValue *NewExceptionSugar::call(EmitterContext &context, SourceRange range, ArrayRef<NamedValue> args,
                                      ArrayRef<NamedValue> kwargs) {
  FunctionEmitter &e = emitterOf(context);
  if (!isSuper)
    return SugaredValue::call(e, range, args, kwargs);
  Value *message = nullptr;
  const FunctionEmitter::ExceptionConstructor &own = *e.newException;
  for (const Tree *base : own.type->bases()) {
    auto constructor = FunctionEmitter::exceptionConstructor(*own.file, dottedName(base));
    if (!constructor)
      continue;
    std::vector<FunctionEmitter::SugaredArgument> given;
    for (ArrayRef<NamedValue> list : {args, kwargs})
      for (const NamedValue &arg : list)
        given.push_back({e.simple(arg.value), range, arg.name});
    message = e.constructException(*constructor, given, range);
    if (!message)
      return nullptr;
    break;
  }
  if (!message) {
    llvm::SmallVector<Value *, 4> values;
    for (const NamedValue &arg : args)
      values.push_back(arg.value);
    message = e.exceptionText(values, range);
  }
  e.hasExceptionMessage = true;
  return message && e.setVariable(messageVariable, e.simple(message), range) ? e.simple(e.none(range)) : nullptr;
}
