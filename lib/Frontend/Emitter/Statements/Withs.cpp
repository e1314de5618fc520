//===- Withs.cpp - with ---------------------------------------------------===//
#include "Withs.h"
#include "../../SugaredValues/Values.h"
#include "../Calls/CallExpressions.h"
#include "../Calls/FunctionCalls.h"
#include "../Expressions.h"
#include "../Expressions/Names.h"
#include "../FunctionContext.h"
#include "../SourceResolver.h"
#include "../Statements.h"
#include "../TypeExpressions.h"
#include "Assignments.h"
#include "llvm/Support/SaveAndRestore.h"
#include <deque>

using namespace tsc;

/// The object that a `with` enters. `torch.set_grad_enabled(mode)` is a statement elsewhere, of an operator without a
/// result; here it is an object that brings the mode before back.
static Value *emitContext(FunctionContext &fn, const Expr *tree) {
  auto *apply = llvm::dyn_cast<Apply>(tree);
  const std::string path = apply ? dottedName(apply->callee()) : "";
  if (path.empty() || isVisible(fn, StringRef(path).split('.').first) || !fn.resolver.followsPython())
    return emitExpr(fn, tree);
  auto *builtin =
      dynamic_cast<BuiltinFunction *>(libraryValue(fn.compiler, fn.compiler.arena, fn.resolver.canonicalName(path)));
  if (!builtin || builtin->name != aten::set_grad_enabled)
    return emitExpr(fn, tree);
  SugaredValue *contexts = fn.compiler.prelude(torchPrelude)->resolveValue("set_grad_enabled", {});
  std::vector<NamedValue> args, kwargs;
  SugaredValue *made =
      contexts && emitArguments(fn, *apply, args, kwargs) ? contexts->call(fn, tree->range(), args, kwargs) : nullptr;
  return made ? made->asValue(fn, tree->range()) : nullptr;
}

/// Says what the methods of a context manager take that `with` does not give them; empty where they take what it gives.
static std::string wrongSignature(const Function &enter, const Function &exit) {
  if (enter.schema().arguments().size() != 1)
    return "__enter__ must have only one argument and one return value";
  ArrayRef<Argument> given = exit.schema().arguments();
  if (given.size() != 4)
    return "__exit__ must have four arguments";
  // They are None: a parameter without an annotation is a Tensor, and may be left unused.
  for (size_t i = 1; i != given.size(); ++i)
    if (!given[i].type->isTensor() && !Type::noneType()->isSubtypeOf(given[i].type))
      return "argument " + std::to_string(i) + " of __exit__ must have Any type";
  return "";
}

bool tsc::emitWith(FunctionContext &fn, const With &tree) {
  std::deque<OpenWith> entered;
  OpenWith *const outer = fn.scopes.with;
  llvm::SaveAndRestore<OpenWith *> open(fn.scopes.with);
  for (const WithItem *item : tree.items()) {
    Value *object = emitContext(fn, item->value());
    if (!object)
      return false;
    auto *type = llvm::dyn_cast<ClassType>(object->type());
    Function *enter = type ? type->findMethod("__enter__") : nullptr;
    Function *exit = type ? type->findMethod("__exit__") : nullptr;
    if (!enter || !exit || !ensureSchema(fn, tree.range(), enter) || !ensureSchema(fn, tree.range(), exit))
      return fn.error(item->value()->range(), diag::NotAContextManager, object->type()->annotation());
    if (std::string wrong = wrongSignature(*enter, *exit); !wrong.empty())
      return fn.error(item->value()->range(), diag::BadContextManager, wrong, object->type()->annotation());
    Value *result = fn.insertValue(prim::Enter, {object}, enter->schema().returns()[0].type, tree.range());
    fn.scopes.with = &entered.emplace_back(OpenWith{object, tree.range(), fn.scopes.with});
    if (item->target() && !assignTo(fn, item->target(), fn.simple(result), tree.range()))
      return false;
  }
  if (!emitStatements(fn, tree.body()))
    return false;
  if (!fn.isLeft())
    emitWithExits(fn, outer);
  return true;
}

void tsc::emitWithExits(FunctionContext &fn, const OpenWith *outermost) {
  for (const OpenWith *open = fn.scopes.with; open != outermost; open = open->outer)
    fn.insertValue(prim::Exit, {open->object}, Type::noneType(), open->range);
}
