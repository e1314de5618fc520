//===- Raises.cpp - raise and assert --------------------------------------===//
#include "Raises.h"
#include "../../SugaredValues/Values.h"
#include "../Calls.h"
#include "../Calls/Instances.h"
#include "../Expressions.h"
#include "../Expressions/Conditions.h"
#include "../Expressions/Displays.h"
#include "../Expressions/Names.h"
#include "../FunctionContext.h"
#include "../Refinement.h"
#include "../TypeExpressions.h"
#include "Attempts.h"
#include "Branches.h"
#include "NewExceptions.h"

using namespace tsc;

static bool emitRaiseNode(FunctionContext &fn, Value *message, StringRef className, SourceRange range) {
  fn.insertNode(prim::RaiseException,
                {message, className.empty() ? fn.none(range) : fn.constant(IValue(className), range)}, 0, range);
  fn.noteLeft();
  return true;
}

bool tsc::emitRaise(FunctionContext &fn, const Raise &tree) {
  SourceRange range = tree.range();
  Value *message = nullptr;
  std::string name = "Exception";
  if (!tree.value() && fn.scopes.handled)
    return emitRaiseAgain(fn, *fn.scopes.handled, range);
  if (auto *var = llvm::dyn_cast_or_null<Var>(tree.value()); var && isVisible(fn, var->name()))
    if (auto *again = llvm::dyn_cast_or_null<ExceptionSugar>(lookUp(fn, var->name(), range)))
      return emitRaiseAgain(fn, {again->message, again->className, again->future}, range);
  if (const Tree *value = tree.value()) {
    auto *apply = llvm::dyn_cast<Apply>(value);
    const Tree *callee = apply ? apply->callee() : value;
    name = dottedName(callee);
    if (name.empty()) {
      message = emitExpr(fn, value);
      if (!message)
        return false;
      if (!llvm::isa<ClassType>(message->type()))
        return fn.error(value->range(), diag::RaiseNoException, message->type()->annotation());
      name = "Exception";
    } else if (std::optional<ExceptionConstructor> constructor = exceptionConstructor(fn.resolver, name)) {
      message = emitNewException(fn, *constructor, apply, range);
      if (!message)
        return false;
    } else if (apply) {
      llvm::SmallVector<Value *, 4> values;
      if (!emitElements(fn, apply->args(), values))
        return false;
      const bool isKey = values.size() == 1 && fn.resolver.exceptionName(name) == "builtins.KeyError";
      message = isKey && fn.resolver.followsPython() ? callTemplate(fn, range, "repr", {values[0]})
                                                     : exceptionText(fn, values, range);
      if (!message)
        return false;
    }
    if (message && !message->type()->isString())
      message = callBuiltin(fn, range, aten::str, {message});
  }
  if (!message)
    message = fn.constant(IValue(""), range);
  if (std::string known = fn.resolver.exceptionName(name); !known.empty())
    name = std::move(known);
  else if (!StringRef(name).contains('.')) {
    if (fn.resolver.followsPython() && tree.value()) { // a name of no exception, or of nothing
      auto *apply = llvm::dyn_cast<Apply>(tree.value());
      const Tree *callee = apply ? apply->callee() : tree.value();
      return emitSugared(fn, callee, 1) && fn.error(callee->range(), diag::NoExceptionClass, name);
    }
    name = "builtins." + name;
  }
  return message && emitRaiseNode(fn, message, name, range);
}

bool tsc::emitAssert(FunctionContext &fn, const Assert &tree) {
  Condition condition = emitCondition(fn, tree.condition());
  if (!condition)
    return false;
  if (condition.known && *condition.known) {
    insertRefinements(fn, condition.refinements.whenTrue, tree.range());
    return true;
  }
  auto raise = [&] {
    Value *message = tree.message() ? emitExpr(fn, tree.message()) : fn.constant(IValue(""), tree.range());
    if (message && !message->type()->isString())
      message = callBuiltin(fn, tree.range(), aten::str, {message});
    if (!message)
      return false;
    Value *text =
        callBuiltin(fn, tree.range(), aten::add, {fn.constant(IValue("AssertionError: "), tree.range()), message});
    return text && emitRaiseNode(fn, text, "", tree.range());
  };
  if (condition.known && fn.resolver.followsPython() && !fn.resolver.isPrinted())
    return raise(); // what follows is not compiled: `assert not torch.jit.is_scripting()`
  condition.known.reset();
  return emitIfBlocks(fn, tree.range(), condition, [] { return true; }, raise);
}
