//===- Forks.cpp - torch.jit.fork -----------------------------------------===//
#include "Forks.h"
#include "../../SugaredValues/Values.h"
#include "../Calls/CallExpressions.h"
#include "../Calls/Instances.h"
#include "../Calls/Parameters.h"
#include "../Calls/SugaredArguments.h"
#include "../Expressions.h"
#include "../FunctionContext.h"
#include "../Lowering.h"
#include "SpecialForms.h"

using namespace tsc;

Value *tsc::emitFork(FunctionContext &fn, const Apply &tree) {
  if (tree.args().empty())
    return arityError(fn, tree.range(), "fork", 1, SIZE_MAX, 0);
  SugaredValue *callee = emitSugared(fn, tree.args()[0]);
  std::vector<NamedValue> args, kwargs;
  if (!callee || !emitArguments(fn, tree, args, kwargs, 1))
    return nullptr;
  auto body = std::make_shared<Graph>(fn.context());
  auto *closure = llvm::dyn_cast<ClosureSugar>(callee);
  FunctionContext inner(fn.compiler, closure ? closure->resolver : fn.resolver, *body,
                        closure ? closure->definer : &fn);
  inner.caller = &fn;
  inner.graph().setInsertPoint(body->block());
  std::vector<Value *> inputs;
  auto import = [&](Value *value) {
    inputs.push_back(value);
    return body->addInput("", value->type());
  };
  const Type *result = nullptr;
  if (closure) {
    std::vector<SugaredArgument> given;
    for (const NamedValue &arg : args)
      given.push_back({fn.simple(arg.value), tree.range(), ""});
    for (const NamedValue &arg : kwargs)
      given.push_back({fn.simple(arg.value), tree.range(), arg.name});
    inner.env.push(body->block());
    if (bindParameters(inner, *closure, tree.range(), given, fn))
      result = emitClosureBody(inner, *closure);
    inputs.insert(inputs.end(), inner.captures.values.begin(), inner.captures.values.end());
  } else {
    SugaredValue *target = callee;
    if (auto *method = llvm::dyn_cast<MethodSugar>(callee))
      if (callee->describe() != "interface method")
        target = inner.make<MethodSugar>(import(method->self), method->methods);
    if (auto *object = llvm::dyn_cast<SimpleValue>(callee))
      target = inner.simple(import(object->get()));
    for (std::vector<NamedValue> *list : {&args, &kwargs})
      for (NamedValue &arg : *list)
        if (arg.value)
          arg.value = import(arg.value);
    SugaredValue *called = target->call(inner, tree.range(), args, kwargs);
    Value *value = called ? called->asValue(inner, tree.range()) : nullptr;
    if (value) {
      inner.insertNode(prim::ReturnStmt, {value}, 0, tree.range());
      result = value->type();
    }
  }
  if (!result)
    return nullptr;
  lowerBody(*body, result);
  Node *node = fn.insertNode(prim::fork, inputs, 1, tree.range());
  node->setAttribute(attr::Subgraph, body);
  return node->output()->setType(fn.context().futureOf(result));
}
