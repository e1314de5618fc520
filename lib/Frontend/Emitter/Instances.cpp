//===- Instances.cpp - Functions that are compiled for their arguments ----===//
//
// A nested def, a lambda, or a function that takes functions becomes a function of
// the program at each call: its parameters have the types of the arguments, and
// what is no value (a function, a class) is known by name in its body. Variables
// around it are parameters behind the others, read at the call, as Python reads
// them. Nothing of it is special to whoever runs the program or writes an archive.
//
//===----------------------------------------------------------------------===//
#include "../SugaredValues/Values.h"
#include "FunctionEmitter.h"
#include "Lowering.h"
#include "SizeLimits.h"
#include "SourceResolver.h"
#include "TypeExpressions.h"
#include "llvm/ADT/ScopeExit.h"

using namespace tsc;

TreeList<Param> ClosureSugar::params() const {
  auto *def = llvm::dyn_cast<Def>(&tree);
  return def ? def->params() : llvm::cast<Lambda>(&tree)->params();
}

StringRef ClosureSugar::name() const {
  auto *def = llvm::dyn_cast<Def>(&tree);
  return def ? def->name() : "lambda";
}

/// What makes a function a generator or a coroutine, which is refused whether it is called or not.
static const Tree *findSuspension(const Tree *tree) {
  if (!tree || llvm::isa<Yield, Await>(tree))
    return tree;
  for (const Tree *child : tree->children())
    if (const Tree *found = findSuspension(child))
      return found;
  return nullptr;
}

/// A nested def or a lambda. Defaults that are no constants are worked out here, as in Python.
ClosureSugar *FunctionEmitter::makeClosure(const Tree &tree) {
  if (const Tree *refused = findSuspension(&tree))
    return error(refused->range(), diag::UnsupportedSyntax, unsupportedWords(refused->kind()));
  auto *closure = make<ClosureSugar>(tree, resolver, this);
  for (const Param *param : closure->params()) {
    if (!param->defaultValue() || compiler.evaluateConstant(param->defaultValue(), nullptr, resolver))
      continue;
    Value *value = emitExpr(param->defaultValue());
    std::string hidden = compiler.hiddenName("default");
    if (!value || !setVariable(hidden, simple(value), param->range()))
      return nullptr;
    closure->defaults[param] = hidden;
  }
  return closure;
}

/// What is no value, with the values that it holds made inputs of this body: they are the caller's.
SugaredValue *FunctionEmitter::takeOver(SugaredValue *sugared) {
  auto import = [&](Value *value) {
    captured.push_back(value);
    return graph.addInput("", value->type());
  };
  if (auto *method = llvm::dyn_cast<MethodSugar>(sugared)) {
    if (auto *ofInterface = dynamic_cast<InterfaceMethod *>(sugared))
      return make<InterfaceMethod>(import(ofInterface->self), ofInterface->schema);
    return make<MethodSugar>(import(method->self), method->methods);
  }
  if (auto *builtin = dynamic_cast<BuiltinFunction *>(sugared); builtin && builtin->self)
    return make<BuiltinFunction>(builtin->name, import(builtin->self));
  if (auto *cast = dynamic_cast<TensorCast *>(sugared))
    return make<TensorCast>(import(cast->self), cast->dtype);
  if (auto *partial = llvm::dyn_cast<PartialSugar>(sugared)) {
    std::vector<SugaredArgument> given = partial->given;
    for (SugaredArgument &one : given) {
      auto *held = llvm::dyn_cast<SimpleValue>(one.value);
      one.value = held ? simple(import(held->get())) : takeOver(one.value);
    }
    return make<PartialSugar>(takeOver(partial->callee), std::move(given));
  }
  auto *value = llvm::dyn_cast<SimpleValue>(sugared);
  if (auto *function = value ? llvm::dyn_cast<FunctionType>(value->get()->type()) : nullptr)
    return make<FunctionSugar>(std::vector<Function *>{const_cast<Function *>(function->function())});
  return sugared;
}

/// The variable `name` of `definer`, which this body stands in or was called from within.
SugaredValue *FunctionEmitter::variableOf(FunctionEmitter &definer, StringRef name, SourceRange range) {
  if (this == &definer)
    return lookUp(name, range);
  if (Value *known = knownCaptures.lookup(name); known && outer == &definer)
    return simple(known);
  SugaredValue *value = caller ? caller->variableOf(definer, name, range) : nullptr;
  auto *first = llvm::dyn_cast_or_null<SimpleValue>(value);
  if (!first || llvm::isa<FunctionType>(first->get()->type()))
    return value ? takeOver(value) : nullptr;
  captured.push_back(first->get());
  Value *input = graph.addInput(isMeaningfulName(name) ? name : "", first->get()->type());
  if (outer == &definer)
    knownCaptures[name] = input;
  return simple(input);
}

//===-- Arguments ----------------------------------------------------------===//

bool FunctionEmitter::emitSugaredArguments(const Apply &tree, std::vector<SugaredArgument> &args, unsigned skip) {
  for (size_t i = skip; i < tree.args().size(); ++i) {
    const Tree *argument = tree.args()[i];
    auto *starred = llvm::dyn_cast<Starred>(argument);
    SugaredValue *value = emitSugared(starred ? starred->value() : argument);
    if (!value)
      return false;
    if (!starred) {
      args.push_back({value, argument->range(), ""});
      continue;
    }
    auto parts = value->asTuple(*this, argument->range(), std::nullopt);
    if (!parts)
      return false;
    for (SugaredValue *part : *parts)
      args.push_back({part, argument->range(), ""});
  }
  for (const Tree *keyword : tree.keywords()) {
    auto *named = llvm::dyn_cast<Keyword>(keyword);
    if (!named) {
      if (!emitKeywords(*llvm::cast<DoubleStarred>(keyword), args))
        return false;
      continue;
    }
    SugaredValue *value = emitSugared(named->value());
    if (!value)
      return false;
    args.push_back({value, keyword->range(), named->name().str()});
  }
  return true;
}

std::vector<FunctionEmitter::SugaredArgument>
FunctionEmitter::sugaredArguments(SourceRange range, ArrayRef<NamedValue> args, ArrayRef<NamedValue> kwargs) {
  std::vector<SugaredArgument> all;
  for (ArrayRef<NamedValue> some : {args, kwargs})
    for (const NamedValue &arg : some) {
      SugaredValue *value = arg.value ? simple(arg.value) : make<ConstantSugar>(arg.constant);
      all.push_back({value, arg.range.isValid() ? arg.range : range, arg.name});
    }
  return all;
}

/// Whether an argument is a value that a parameter can hold.
static bool isFirstClass(const SugaredValue *value) {
  if (auto *simple = llvm::dyn_cast<SimpleValue>(value))
    return !llvm::isa<FunctionType>(simple->get()->type());
  return llvm::isa<ConstantSugar, TupleSugar>(value);
}

/// Run by the body's emitter: `user` is who calls.
bool FunctionEmitter::bindParameters(ClosureSugar &closure, SourceRange range, ArrayRef<SugaredArgument> args,
                                     FunctionEmitter &user) {
  auto positional = args.take_while([](const SugaredArgument &arg) { return arg.name.empty(); });
  llvm::SmallVector<bool, 8> isUsed(args.size(), false);
  size_t next = 0;
  auto bind = [&](const Param &param, SugaredValue *value, SourceRange at, bool isTyped) -> bool {
    if (llvm::isa<RangeSugar, IterableTree>(value)) // a list of what it gives
      value = user.listByLoop(value, at);
    else if (llvm::isa<ExceptionSugar>(value)) // its message
      value = user.simple(value->asValue(user, at));
    if (!value)
      return false;
    if (!isFirstClass(value)) {
      env.setSugared(param.name(), takeOver(value));
      return true;
    }
    Value *given = value->asValue(user, at);
    if (!given)
      return false;
    if (compiler.moduleInfo(given->type())) { // a module is known by name, as in loops over containers of them
      captured.push_back(given);
      env.setSugared(param.name(), simple(graph.addInput(param.name(), given->type())));
      return true;
    }
    if (isTyped && param.type() && isCallableType(closure.resolver, param.type()))
      return error(at, diag::CannotCall, value->describe());
    const Type *declared =
        isTyped && param.type() ? typeFromExpression(context, diags, closure.resolver, param.type()) : nullptr;
    if (isTyped && param.type() && !declared)
      return false;
    if (declared) {
      given = user.convertTo(given, declared, at, /*allowConversions=*/true);
      if (!given->type()->isSubtypeOf(declared))
        return error(at, diag::ClosureArgument, closure.name(), declared->annotation(), param.name(),
                     given->type()->annotation());
    }
    captured.push_back(given);
    Value *input = graph.addInput(isMeaningfulName(param.name()) ? param.name() : "", given->type());
    env.store(param.name(), input, param.range(), declared);
    env.setType(param.name(), declared ? declared : given->type());
    return true;
  };
  auto params = closure.params();
  for (size_t i = 0; i != params.size(); ++i) {
    const Param &param = *params[i];
    if (i == 0 && closure.first) {
      if (llvm::isa<SimpleValue>(closure.first) ? !bind(param, closure.first, range, false)
                                                : (env.setSugared(param.name(), closure.first), false))
        return false;
      continue;
    }
    if (param.isVarKeywords()) {
      KeywordsSugar::Entries rest;
      for (auto [at, arg] : llvm::enumerate(args)) {
        if (arg.name.empty() || isUsed[at])
          continue;
        isUsed[at] = true;
        SugaredValue *value = arg.value;
        if (isFirstClass(value)) {
          Value *given = value->asValue(user, arg.range);
          if (!given)
            return false;
          captured.push_back(given);
          value = simple(graph.addInput("", given->type()));
        } else {
          value = takeOver(value);
        }
        rest.emplace_back(arg.name, value);
      }
      env.setSugared(param.name(), make<KeywordsSugar>(std::move(rest)));
      continue;
    }
    if (param.isVarArgs()) {
      llvm::SmallVector<SugaredValue *, 4> rest;
      for (; next < positional.size(); isUsed[next++] = true)
        rest.push_back(positional[next].value);
      if (!bind(param, user.make<TupleSugar>(rest), range, false))
        return false;
      continue;
    }
    if (!param.isKeywordOnly() && next < positional.size()) {
      isUsed[next] = true;
      if (!bind(param, positional[next].value, positional[next].range, true))
        return false;
      ++next;
      continue;
    }
    auto named = llvm::find_if(args, [&](const SugaredArgument &arg) { return arg.name == param.name(); });
    if (named != args.end()) {
      isUsed[named - args.begin()] = true;
      if (!bind(param, named->value, named->range, true))
        return false;
      continue;
    }
    if (!param.defaultValue())
      return error(range, diag::MissingArgument, param.name());
    if (auto known = closure.defaults.find(&param); known != closure.defaults.end()) {
      SugaredValue *value = user.variableOf(*closure.definer, known->second, range);
      if (!value || !bind(param, value, range, true))
        return false;
      continue;
    }
    const Type *declared = param.type() ? tryTypeFromExpression(context, closure.resolver, param.type()) : nullptr;
    std::optional<IValue> value = compiler.evaluateConstant(param.defaultValue(), declared, closure.resolver);
    if (!value)
      return error(param.defaultValue()->range(), diag::DefaultNotConstant, param.name(),
                   declared ? declared->annotation() : "Any");
    if (!bind(param, user.simple(user.madeAnew(*value, declared, range)), range, true))
      return false;
  }
  for (size_t i = 0; i != args.size(); ++i)
    if (!isUsed[i])
      return args[i].name.empty() ? error(args[i].range, diag::TooManyArguments, closure.name(), params.size())
                                  : error(args[i].range, diag::UnknownKeyword, closure.name(), args[i].name);
  return true;
}

//===-- Bodies -------------------------------------------------------------===//

const Type *FunctionEmitter::emitClosureBody(const ClosureSugar &closure) {
  auto *def = llvm::dyn_cast<Def>(&closure.tree);
  if (def && def->returnType()) {
    returnDeclared = true;
    returnType = annotationType(def->returnType());
    if (!returnType)
      return nullptr;
  }
  bool ok = def ? emitStatements(def->body()) && finishBody(def->range(), returnType)
                : emitReturn(llvm::cast<Lambda>(&closure.tree)->body(), closure.tree.range());
  return ok && checkSharedContainers() && finishLoops() ? mergedReturn : nullptr;
}

/// Makes a function of the emitted body, and calls it here: with `args`, and what the body reads of its surroundings.
Value *FunctionEmitter::finishInstance(FunctionEmitter &inner, std::unique_ptr<Graph> body, StringRef name,
                                       const Type *result, ArrayRef<Value *> args, SourceRange range) {
  if (SourceRange deep = findDeepExit(*body); deep.isValid())
    return error(deep, diag::NestedTooDeeply, maxExitDepth);
  lowerBody(*body, result);
  Function *function = nullptr;
  std::string full;
  do
    full = ("__torch__." + name + "_" + llvm::Twine(compiler.numInstances++)).str();
  while (compiler.unit.find(full));
  function = compiler.unit.create(full);
  std::vector<Argument> arguments;
  for (Value *input : body->inputs()) {
    Argument argument;
    argument.name =
        input->hasName() ? StringRef(input->name()).split('.').first.str() : "p" + std::to_string(arguments.size());
    while (llvm::any_of(arguments, [&](const Argument &other) { return other.name == argument.name; }))
      argument.name += "_";
    argument.type = input->type();
    arguments.push_back(std::move(argument));
  }
  Argument returned;
  returned.type = result;
  function->setSchema(FunctionSchema(StringRef(full).rsplit('.').second.str(), "", std::move(arguments), {returned}));
  function->setGraph(std::move(body));
  llvm::SmallVector<Value *, 8> inputs{constant(IValue(function), range)};
  inputs.append(args.begin(), args.end());
  inputs.append(inner.captured.begin(), inner.captured.end());
  env.forgetPaths();
  return insertValue(prim::CallFunction, inputs, result, range);
}

SugaredValue *FunctionEmitter::callClosure(ClosureSugar &closure, SourceRange range, ArrayRef<SugaredArgument> args) {
  if (closure.isBeingMade)
    return error(range, diag::RecursiveCall, closure.name());
  if (compiler.numInstances > maxInstances || compiler.bodyDepth > maxInstanceDepth)
    return error(range, diag::NestedTooDeeply, maxInstanceDepth);
  closure.isBeingMade = true;
  ++compiler.bodyDepth;
  auto leave = llvm::make_scope_exit([&] {
    closure.isBeingMade = false;
    --compiler.bodyDepth;
  });
  auto body = std::make_unique<Graph>(context);
  FunctionEmitter inner(compiler, closure.resolver, *body, closure.definer);
  inner.caller = this;
  if (calledFrom.isValid() || &closure.resolver == static_cast<Resolver *>(compiler.prelude(pythonPrelude)))
    inner.calledFrom = calledFrom.isValid() ? calledFrom : range;
  inner.graph.setInsertPoint(body->block());
  inner.env.push(body->block());
  if (!inner.bindParameters(closure, range, args, *this))
    return nullptr;
  const Type *result = inner.emitClosureBody(closure);
  return result ? simple(finishInstance(inner, std::move(body), closure.name(), result, {}, range)) : nullptr;
}

SugaredValue *ClosureSugar::call(EmitterContext &context, SourceRange range, ArrayRef<NamedValue> args,
                                 ArrayRef<NamedValue> kwargs) {
  FunctionEmitter &e = emitterOf(context);
  return e.callClosure(*this, range, e.sugaredArguments(range, args, kwargs));
}

Value *FunctionEmitter::callInline(SourceRange range, StringRef name,
                                   llvm::function_ref<bool(FunctionEmitter &)> emit) {
  if (compiler.numInstances > maxInstances || compiler.bodyDepth > maxInstanceDepth)
    return error(range, diag::NestedTooDeeply, maxInstanceDepth);
  ++compiler.bodyDepth;
  auto leave = llvm::make_scope_exit([&] { --compiler.bodyDepth; });
  auto body = std::make_unique<Graph>(context);
  FunctionEmitter inner(compiler, resolver, *body, this);
  inner.caller = this;
  inner.graph.setInsertPoint(body->block());
  inner.env.push(body->block());
  if (!emit(inner) || !inner.checkSharedContainers() || !inner.finishLoops())
    return nullptr;
  return finishInstance(inner, std::move(body), name, inner.mergedReturn, {}, range);
}

//===-- Templates of the prelude -------------------------------------------===//

Value *FunctionEmitter::callTemplate(SourceRange range, StringRef name, ArrayRef<SugaredValue *> args) {
  SourceResolver *file = compiler.prelude(pythonPrelude);
  file->setIsUsers();
  file->setHasTemplates();
  const Tree *def = file->definition(name);
  assert(def && "a template that the prelude lacks");
  auto *closure = make<ClosureSugar>(*def, *file, nullptr);
  std::vector<SugaredArgument> all;
  for (SugaredValue *value : args) {
    if (!value)
      return nullptr;
    all.push_back({value, range, ""});
  }
  SugaredValue *result = callClosure(*closure, range, all);
  return result ? result->asValue(*this, range) : nullptr;
}

Value *FunctionEmitter::callTemplate(SourceRange range, StringRef name, std::initializer_list<Value *> args) {
  llvm::SmallVector<SugaredValue *, 4> values;
  for (Value *value : args)
    values.push_back(simple(value));
  return callTemplate(range, name, values);
}
