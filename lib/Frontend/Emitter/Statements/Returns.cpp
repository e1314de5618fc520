//===- Returns.cpp - return, and the end of a body ------------------------===//
#include "Returns.h"
#include "../../SugaredValues/Values.h"
#include "../Conversions.h"
#include "../Expressions.h"
#include "../FunctionContext.h"
#include "../SizeLimits.h"
#include "Attempts.h"
#include "Withs.h"

using namespace tsc;

bool tsc::emitReturn(FunctionContext &fn, const Tree *tree, SourceRange range) {
  FunctionContext &function = returningFunction(fn);
  const Type *&merged = function.returns.merged;
  const Type *declared = function.returns.isDeclared ? function.returns.type : nullptr;
  Value *value = tree ? emitExpr(fn, tree, declared) : fn.none(range);
  if (!value)
    return false;
  if (declared) {
    if (fn.resolver.followsPython() && !fn.resolver.isPrinted())
      value = asFloatFor(fn, value, declared, range);
    if (!declared->isAny())
      value = convertTo(fn, value, declared, range, /*allowConversions=*/true);
    std::string why;
    if (!value->type()->isSubtypeOf(declared, &why))
      return fn.error(range, diag::ReturnType, declared->annotation(), value->type()->annotation(),
                      why.empty() ? "" : "\n" + why);
    merged = declared;
  } else {
    const Type *common = merged ? fn.context().unify(merged, value->type()) : value->type();
    if (!common) {
      fn.diagnostics()
          .report(range, diag::ReturnMismatch, merged->annotation(), value->type()->annotation())
          .note(function.returns.last, diag::ReturnHere);
      return false;
    }
    merged = common;
  }
  function.returns.last = range;
  if (isTooLarge(merged))
    return fn.error(range, diag::TypeTooLarge, "return");
  return finishReturn(fn, value, range);
}

bool tsc::finishBody(FunctionContext &fn, SourceRange range, const Type *declared, TreeList<Stmt> body) {
  if (!fn.isLeft()) {
    if (declared && !declared->isNone() && !declared->isAny()) {
      const Tree *last = body.empty() ? nullptr : body.back();
      auto *branch = llvm::dyn_cast_or_null<If>(last);
      auto report = fn.diagnostics().report(range, diag::NoReturn);
      if (last)
        std::move(report).note(branch ? branch->condition()->range() : last->range(),
                               branch && branch->elseBody().empty() ? diag::FallsThroughIf : diag::FallsThrough);
      return false;
    }
    return emitReturn(fn, nullptr, range);
  }
  if (!fn.returns.merged)
    fn.returns.merged = declared ? declared : Type::noneType();
  return true;
}

bool tsc::finishReturn(FunctionContext &fn, Value *value, SourceRange range) {
  const bool isInAttempt = fn.scopes.attempt;
  if (isInAttempt && !keepReturned(fn, value, range))
    return false;
  emitWithExits(fn, nullptr);
  if (isInAttempt)
    return leaveAttempt(fn, Leaving::ByReturn, range);
  fn.insertNode(prim::ReturnStmt, {value}, 0, range);
  fn.noteLeft();
  return true;
}
