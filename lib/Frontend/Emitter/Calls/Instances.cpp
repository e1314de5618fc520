//===- Instances.cpp - Functions that are compiled for their arguments ----===//
//
// A nested def, a lambda, or a function that takes functions becomes a function of
// the program at each call: its parameters have the types of the arguments, and
// what is no value (a function, a class) is known by name in its body. Variables
// around it are parameters behind the others, read at the call, as Python reads
// them. Nothing of it is special to whoever runs the program or writes an archive.
//
//===----------------------------------------------------------------------===//
#include "Instances.h"
#include "../../SugaredValues/Values.h"
#include "../Expressions.h"
#include "../FunctionContext.h"
#include "../Lowering.h"
#include "../SizeLimits.h"
#include "../SourceResolver.h"
#include "../Statements.h"
#include "../Statements/Assignments.h"
#include "../Statements/ChangedContainers.h"
#include "../Statements/Returns.h"
#include "../TypeExpressions.h"
#include "Parameters.h"
#include "SugaredArguments.h"
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

/// Returns a `break` or `continue` in these statements that no loop among them is left by, or null. Functions within
/// have loops of their own.
static const Tree *findStrayJump(const Tree *tree) {
  if (!tree || llvm::isa<Break, Continue>(tree))
    return tree;
  if (llvm::isa<Def, Lambda, ClassDef>(tree))
    return nullptr;
  auto findIn = [](auto &&parts) -> const Tree * {
    for (const Tree *part : parts)
      if (const Tree *found = findStrayJump(part))
        return found;
    return nullptr;
  };
  if (auto *loop = llvm::dyn_cast<For>(tree))
    return findIn(loop->elseBody());
  if (auto *loop = llvm::dyn_cast<While>(tree))
    return findIn(loop->elseBody());
  return findIn(tree->children());
}

ClosureSugar *tsc::makeClosure(FunctionContext &fn, const Tree &tree) {
  if (const Tree *refused = findSuspension(&tree))
    return fn.error(refused->range(), diag::UnsupportedSyntax, unsupportedWords(refused->kind()));
  if (auto *def = llvm::dyn_cast<Def>(&tree)) // calls compile the body, and Python refuses it at once
    for (const Tree *statement : def->body())
      if (const Tree *jump = findStrayJump(statement))
        return fn.error(jump->range(), diag::OutsideLoop, llvm::isa<Break>(jump) ? "break" : "continue");
  auto *closure = fn.make<ClosureSugar>(tree, fn.resolver, &fn);
  for (const Param *param : closure->params()) {
    if (!param->defaultValue() || fn.compiler.evaluateConstant(param->defaultValue(), nullptr, fn.resolver))
      continue;
    Value *value = emitExpr(fn, param->defaultValue());
    std::string hidden = fn.compiler.hiddenName("default");
    if (!value || !setVariable(fn, hidden, fn.simple(value), param->range()))
      return nullptr;
    closure->defaults[param] = hidden;
  }
  return closure;
}

const Type *tsc::emitClosureBody(FunctionContext &fn, const ClosureSugar &closure) {
  auto *def = llvm::dyn_cast<Def>(&closure.tree);
  if (def && def->returnType()) {
    fn.returns.isDeclared = true;
    fn.returns.type = annotationType(fn, def->returnType());
    if (!fn.returns.type)
      return nullptr;
  }
  bool ok = def ? emitStatements(fn, def->body()) && finishBody(fn, def->range(), fn.returns.type)
                : emitReturn(fn, llvm::cast<Lambda>(&closure.tree)->body(), closure.tree.range());
  return ok && checkSharedContainers(fn) && finishLoops(fn) ? fn.returns.merged : nullptr;
}

Value *tsc::finishInstance(FunctionContext &fn, FunctionContext &inner, std::unique_ptr<Graph> body, StringRef name,
                           const Type *result, ArrayRef<Value *> args, SourceRange range) {
  if (SourceRange deep = findDeepExit(*body); deep.isValid())
    return fn.error(deep, diag::NestedTooDeeply, maxExitDepth);
  lowerBody(*body, result);
  Function *function = nullptr;
  std::string full;
  do
    full = ("__torch__." + name + "_" + llvm::Twine(fn.compiler.numInstances++)).str();
  while (fn.compiler.unit.find(full));
  function = fn.compiler.unit.create(full);
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
  llvm::SmallVector<Value *, 8> inputs{fn.constant(IValue(function), range)};
  inputs.append(args.begin(), args.end());
  inputs.append(inner.captures.values.begin(), inner.captures.values.end());
  fn.env.forgetPaths();
  return fn.insertValue(prim::CallFunction, inputs, result, range);
}

SugaredValue *tsc::callClosure(FunctionContext &fn, ClosureSugar &closure, SourceRange range,
                               ArrayRef<SugaredArgument> args) {
  if (closure.isBeingMade)
    return fn.error(range, diag::RecursiveCall, closure.name());
  if (fn.compiler.numInstances > maxInstances || fn.compiler.bodyDepth > maxInstanceDepth)
    return fn.error(range, diag::NestedTooDeeply, maxInstanceDepth);
  closure.isBeingMade = true;
  ++fn.compiler.bodyDepth;
  auto leave = llvm::make_scope_exit([&] {
    closure.isBeingMade = false;
    --fn.compiler.bodyDepth;
  });
  auto body = std::make_unique<Graph>(fn.context());
  FunctionContext inner(fn.compiler, closure.resolver, *body, closure.definer);
  inner.caller = &fn;
  if (fn.calledFrom.isValid() || &closure.resolver == static_cast<Resolver *>(fn.compiler.prelude(pythonPrelude)))
    inner.calledFrom = fn.calledFrom.isValid() ? fn.calledFrom : range;
  inner.graph().setInsertPoint(body->block());
  inner.env.push(body->block());
  if (!bindParameters(inner, closure, range, args, fn))
    return nullptr;
  const Type *result = emitClosureBody(inner, closure);
  return result ? fn.simple(finishInstance(fn, inner, std::move(body), closure.name(), result, {}, range)) : nullptr;
}

SugaredValue *ClosureSugar::call(EmitterContext &context, SourceRange range, ArrayRef<NamedValue> args,
                                 ArrayRef<NamedValue> kwargs) {
  FunctionContext &fn = emitterOf(context);
  return callClosure(fn, *this, range, sugaredArguments(fn, range, args, kwargs));
}

Value *tsc::callInline(FunctionContext &fn, SourceRange range, StringRef name,
                       llvm::function_ref<bool(FunctionContext &)> emit) {
  if (fn.compiler.numInstances > maxInstances || fn.compiler.bodyDepth > maxInstanceDepth)
    return fn.error(range, diag::NestedTooDeeply, maxInstanceDepth);
  ++fn.compiler.bodyDepth;
  auto leave = llvm::make_scope_exit([&] { --fn.compiler.bodyDepth; });
  auto body = std::make_unique<Graph>(fn.context());
  FunctionContext inner(fn.compiler, fn.resolver, *body, &fn);
  inner.caller = &fn;
  inner.graph().setInsertPoint(body->block());
  inner.env.push(body->block());
  if (!emit(inner) || !checkSharedContainers(inner) || !finishLoops(inner))
    return nullptr;
  return finishInstance(fn, inner, std::move(body), name, inner.returns.merged, {}, range);
}

//===-- Templates of the prelude -------------------------------------------===//

Value *tsc::callTemplate(FunctionContext &fn, SourceRange range, StringRef name, ArrayRef<SugaredValue *> args) {
  SourceResolver *file = fn.compiler.prelude(pythonPrelude);
  file->setIsUsers();
  file->setHasTemplates();
  const Tree *def = file->definition(name);
  assert(def && "a template that the prelude lacks");
  auto *closure = fn.make<ClosureSugar>(*def, *file, nullptr);
  std::vector<SugaredArgument> all;
  for (SugaredValue *value : args) {
    if (!value)
      return nullptr;
    all.push_back({value, range, ""});
  }
  SugaredValue *result = callClosure(fn, *closure, range, all);
  return result ? result->asValue(fn, range) : nullptr;
}

Value *tsc::callTemplate(FunctionContext &fn, SourceRange range, StringRef name, std::initializer_list<Value *> args) {
  llvm::SmallVector<SugaredValue *, 4> values;
  for (Value *value : args)
    values.push_back(fn.simple(value));
  return callTemplate(fn, range, name, values);
}
