//===- ShortCircuits.cpp - `and` and `or` ---------------------------------===//
#include "ShortCircuits.h"
#include "../../SugaredValues/Values.h"
#include "../Calls.h"
#include "../Expressions.h"
#include "../FunctionContext.h"
#include "../Observation.h"
#include "../Refinement.h"
#include "../Statements/Branches.h"
#include "../TypeExpressions.h"
#include "Conditions.h"
#include "tsc/Support/Stack.h"

using namespace tsc;

static Condition emitShortCircuitFrom(FunctionContext &fn, const BoolOp &tree, const Condition &left) {
  return emitShortCircuit(fn, tree.range(), tree.op() == TreeOp::Or, left,
                          [&] { return emitCondition(fn, tree.rhs(), left.compared); });
}

Condition tsc::emitShortCircuit(FunctionContext &fn, const BoolOp &tree, const Compared &known) {
  Condition left = emitCondition(fn, tree.lhs(), known);
  return left ? emitShortCircuitFrom(fn, tree, left) : Condition();
}

Condition tsc::emitShortCircuit(FunctionContext &fn, SourceRange range, bool isOr, const Condition &left,
                                llvm::function_ref<Condition()> emitOther) {
  // `x is None or …` with x never None is just what comes after; known the other way, what comes after is never run.
  if (left.known) {
    if (*left.known == isOr) {
      Condition result = knownCondition(fn, isOr, range);
      result.refinements = left.refinements;
      return result;
    }
    return emitOther();
  }
  Condition right;
  std::vector<Refinement> named; // what the right side names, which only runs where the left does not decide
  auto emitRight = [&]() -> Value * {
    right = emitOther();
    for (const auto &[name, type] : fn.env.current().types)
      if (type && !fn.env.typeInParents(name))
        named.push_back({name, type, type});
    return right ? toBool(fn, right.value, right.value->node()->range()) : nullptr;
  };
  auto emitConstant = [&]() -> Value * { return fn.constant(isOr, range); };
  Value *value = isOr ? emitIfExpression(fn, range, left, emitConstant, emitRight)
                      : emitIfExpression(fn, range, left, emitRight, emitConstant);
  if (!value)
    return {};
  Condition result;
  result.value = value;
  if (right.known && *right.known == isOr)
    result.known = isOr;
  result.refinements = isOr ? left.refinements.either(fn.context(), right.refinements)
                            : left.refinements.both(fn.context(), right.refinements);
  auto &whereRightRan = isOr ? result.refinements.whenFalse : result.refinements.whenTrue;
  whereRightRan = unite(named, whereRightRan);
  for (Refinement &refinement : whereRightRan)
    for (const Refinement &one : named)
      if (one.name == refinement.name)
        refinement.stored = one.stored;
  // Both ways give the names a value; nobody reads that of the way around.
  InsertPointGuard guard(fn.graph());
  fn.graph().setInsertPoint(value->node()->block(isOr ? 0 : 1));
  for (const Refinement &one : named)
    fn.env.store(one.name, fn.insertValue(prim::Uninitialized, {}, one.type, range), range);
  return result;
}

/// Whether an expression is another thing than a bool, as far as its form tells.
static bool isValueSurely(const FunctionContext &fn, const Tree *tree) {
  switch (tree->kind()) {
  case TreeKind::IntLiteral:
  case TreeKind::FloatLiteral:
  case TreeKind::StringLiteral:
  case TreeKind::FormatString:
  case TreeKind::ListLiteral:
  case TreeKind::TupleLiteral:
  case TreeKind::DictLiteral:
  case TreeKind::ListComp:
  case TreeKind::DictComp:
  case TreeKind::NoneLiteral: return true;
  case TreeKind::Var: {
    const Type *type = fn.env.typeOf(llvm::cast<Var>(tree)->name());
    return type && !type->isBool();
  }
  case TreeKind::BoolOp: {
    auto *logical = llvm::cast<BoolOp>(tree);
    return isValueSurely(fn, logical->rhs()) || (logical->op() == TreeOp::Or && isValueSurely(fn, logical->lhs()));
  }
  default: return false;
  }
}

/// `left`, or what `emitRight` gives when left's truth does not decide. Of a bool and something else, a bool.
static Value *emitChoice(FunctionContext &fn, SourceRange range, Value *left, bool isOr,
                         llvm::function_ref<Value *()> emitRight, const Type *hint) {
  // Of an Optional, None is false, and what is left of it after `or` is never None.
  const Type *present = withoutNone(fn.context(), left->type());
  Condition test;
  if (present != left->type()) {
    Condition isPresent;
    isPresent.value = callBuiltin(fn, range, aten::__isnot__, {left, fn.none(range)});
    test.value = emitIfExpression(
        fn, range, isPresent, [&] { return toBool(fn, fn.castTo(left, present, range), range); },
        [&] { return fn.constant(false, range); });
  } else {
    test.value = left->type()->isNone() ? fn.constant(false, range) : toBool(fn, left, range);
  }
  if (!test.value)
    return nullptr;
  auto emitLeft = [&] { return isOr && present != left->type() ? fn.castTo(left, present, range) : left; };
  std::optional<IfValues> made = isOr ? emitIfValues(fn, range, test, emitLeft, emitRight, hint)
                                      : emitIfValues(fn, range, test, emitRight, emitLeft, hint);
  if (!made)
    return nullptr;
  const Type *types[] = {made->results[0]->type(), made->results[1]->type()};
  if (!made->type && !types[0]->isBool() && !types[1]->isBool())
    return fn.error(range, diag::LogicalTypes, isOr ? "or" : "and", left->type()->annotation(),
                    types[isOr ? 1 : 0]->annotation());
  for (unsigned i : {0, 1}) {
    Block &block = made->node->block(i);
    InsertPointGuard guard(fn.graph());
    fn.graph().setInsertPoint(block);
    Value *result = made->type ? made->results[i] : toBool(fn, made->results[i], range);
    if (!result)
      return nullptr;
    block.addOutput(result);
  }
  return made->node->addOutput(made->type ? made->type : Type::boolType());
}

/// Whether an expression is a bool of which the truth is all there is: a comparison, a `not`, `isinstance`.
static bool tellsOnlyTruth(const Tree *tree) {
  if (auto *apply = llvm::dyn_cast<Apply>(tree))
    return StringRef(dottedName(apply->callee())).ends_with("isinstance");
  auto *unary = llvm::dyn_cast<UnaryOp>(tree);
  return llvm::isa<Compare>(tree) || (unary && unary->op() == TreeOp::Not);
}

/// Whether an expression is the rest of a chain of comparisons, whose left operand is `known`.
static bool continuesChain(const Tree *tree, const Compared &known) {
  auto *logical = llvm::dyn_cast<BoolOp>(tree);
  auto *link = llvm::dyn_cast<Compare>(logical ? logical->lhs() : tree);
  return known.tree && link && link->lhs() == known.tree;
}

/// Emits the right operand of `and` or `or`; `known` is an operand of the comparison on its left.
static Value *emitRightOperand(FunctionContext &fn, const Tree *tree, const Type *hint, const Compared &known) {
  if (!continuesChain(tree, known))
    return emitExpr(fn, tree, hint);
  requireStack();
  auto *logical = llvm::dyn_cast<BoolOp>(tree);
  Value *value = logical ? emitBoolOp(fn, *logical, hint, known) : emitCondition(fn, tree, known).value;
  if (value && fn.compiler.observer)
    tellOf(fn, *tree, SimpleValue(value));
  return value;
}

/// `and` and `or` where their value counts, and not their truth alone: in Python one of the operands.
static Condition emitLogical(FunctionContext &fn, const BoolOp &tree, const Type *hint, const Compared &known) {
  bool isOr = tree.op() == TreeOp::Or;
  auto *inner = llvm::dyn_cast<BoolOp>(tree.lhs());
  Condition result, left;
  auto emitRight = [&] { return emitRightOperand(fn, tree.rhs(), hint, left.compared); };
  // `c and x or y` is x if c and x are true, and else y: c itself it never is.
  if (isOr && inner && inner->op() == TreeOp::And &&
      (isValueSurely(fn, inner->rhs()) || isValueSurely(fn, tree.rhs()))) {
    Condition condition = emitCondition(fn, inner->lhs(), known);
    auto emitMiddle = [&]() -> Value * {
      Value *middle = emitRightOperand(fn, inner->rhs(), hint, condition.compared);
      return middle ? emitChoice(fn, tree.range(), middle, true, emitRight, hint) : nullptr;
    };
    result.value = condition ? emitIfExpression(fn, tree.range(), condition, emitMiddle, emitRight, hint) : nullptr;
    return result;
  }
  if (inner) {
    left = emitLogical(fn, *inner, hint, known);
  } else if (tellsOnlyTruth(tree.lhs())) {
    left = emitCondition(fn, tree.lhs(), known);
  } else if ((left.value = emitExpr(fn, tree.lhs()))) { // an Optional is taken as it is
    if (std::optional<IValue> known = isConstant(left.value) ? constantValue(left.value) : std::nullopt)
      if (known->isBool())
        left.known = known->toBool();
  }
  if (!left)
    return {};
  if (left.value->type()->isBool())
    return emitShortCircuitFrom(fn, tree, left);
  result.value = emitChoice(fn, tree.range(), left.value, isOr, emitRight, hint);
  return result;
}

Value *tsc::emitBoolOp(FunctionContext &fn, const BoolOp &tree, const Type *hint, const Compared &known) {
  return (fn.resolver.followsPython() ? emitLogical(fn, tree, hint, known) : emitCondition(fn, &tree, known)).value;
}
