//===- Conditions.cpp - Truth, comparisons, and what they tell about types ===//
//
// A condition is emitted together with what it tells about types: `x is not None`,
// `isinstance(x, T)` and their combinations. Where the answer is known while
// compiling, only one branch will be emitted.
//
//===----------------------------------------------------------------------===//
#include "Conditions.h"
#include "../../SugaredValues/Values.h"
#include "../Calls.h"
#include "../Calls/FunctionCalls.h"
#include "../Calls/Instances.h"
#include "../Expressions.h"
#include "../Forms/SpecialForms.h"
#include "../FunctionContext.h"
#include "../Refinement.h"
#include "../Statements/Assignments.h"
#include "../Statements/Branches.h"
#include "../TypeExpressions.h"
#include "Names.h"
#include "Operations.h"
#include "ShortCircuits.h"
#include "TypeTests.h"

using namespace tsc;

static Condition emitPresence(FunctionContext &fn, const Tree *tree, Value *value);
static Condition emitIsNone(FunctionContext &fn, const Compare &tree, Value *lhs, Value *rhs);

void tsc::insertRefinements(FunctionContext &fn, ArrayRef<Refinement> refinements, SourceRange range) {
  for (const Refinement &refinement : refinements) {
    if (StringRef(refinement.name).contains('.')) {
      fn.env.setPath(refinement.name, refinement.type);
      continue;
    }
    const Type *type = fn.env.typeOf(refinement.name);
    if (refinement.stored && !fn.env.isDefined(refinement.name)) // `a and (n := f()) > 0`
      fn.env.setType(refinement.name, type = refinement.stored);
    if (!type || type == refinement.type)
      continue;
    Value *value = fn.env.load(refinement.name, type, range);
    if (setVariable(fn, refinement.name, fn.simple(fn.castTo(value, refinement.type, range)), range))
      fn.env.noteNarrowed(refinement.name, type);
  }
}

Condition tsc::knownCondition(FunctionContext &fn, bool value, SourceRange range) {
  Condition condition;
  condition.value = fn.constant(value, range);
  condition.known = value;
  return condition;
}

/// The truth of a value that is of one of these types.
static Value *truthOfMember(FunctionContext &fn, Value *value, ArrayRef<const Type *> types, SourceRange range) {
  const Type *type = types[0];
  auto whenIsOne = [&]() -> Value * {
    return type->isNone() ? fn.constant(false, range) : toBool(fn, fn.castTo(value, type, range), range);
  };
  if (types.size() == 1)
    return whenIsOne();
  Node *node = fn.insertNode(prim::isinstance, {value}, 1, range);
  node->setAttribute(attr::types, std::vector<const Type *>{type});
  Condition isOne;
  isOne.value = node->output()->setType(Type::boolType());
  return emitIfExpression(fn, range, isOne, whenIsOne,
                          [&] { return truthOfMember(fn, value, types.drop_front(), range); });
}

Value *tsc::toBool(FunctionContext &fn, Value *value, SourceRange range) {
  if (value->type()->isBool())
    return value;
  if (llvm::isa<ClassType>(value->type())) {
    auto *type = llvm::cast<ClassType>(value->type());
    for (StringRef magic : {"__bool__", "__len__"})
      if (Function *method = type->findMethod(magic)) {
        Value *result = callMethod(fn, range, value, method, {}, {});
        if (!result || result->type()->isBool())
          return result;
        const Type *given = result->type();
        if (!given->isTensor() && !given->isInt() && !given->isFloat() && !given->isNumber())
          return fn.error(range, diag::ConditionNotBool, magic, given->annotation());
        return callBuiltin(fn, range, aten::Bool, {result});
      }
  }
  const Type *type = value->type();
  if (auto *either = llvm::dyn_cast<UnionType>(type); either && fn.resolver.followsPython())
    return truthOfMember(fn, value, either->members(), range);
  if (hasLength(type)) {
    Value *length = callBuiltin(fn, range, aten::len, {value});
    return length ? callBuiltin(fn, range, aten::Bool, {length}) : nullptr;
  }
  if (!type->isTensor() && !type->isInt() && !type->isFloat() && !type->isComplex() && !type->isNumber())
    return fn.error(range, diag::NotABool, type->annotation());
  return callBuiltin(fn, range, aten::Bool, {value});
}

/// Whether `==` of values of these types is `is`: nothing but None equals None, unless a class says otherwise.
static bool asksForNone(Context &context, const Type *lhs, const Type *rhs) {
  if (lhs->isNone())
    std::swap(lhs, rhs);
  auto *type = llvm::dyn_cast<ClassType>(withoutNone(context, lhs));
  return rhs->isNone() && !(type && (type->findMethod("__eq__") || type->findMethod("__ne__")));
}

/// Whether a value of such a type is None: always, never, or it depends.
static std::optional<bool> isNoneType(const Type *type) {
  if (type->isNone())
    return true;
  if (type->isAny() || llvm::isa<OptionalType>(type) || type->hasFreeVariables())
    return std::nullopt;
  if (auto *unionType = llvm::dyn_cast<UnionType>(type))
    return llvm::is_contained(unionType->members(), Type::noneType()) ? std::nullopt : std::optional(false);
  return false;
}

/// Whether a value of this type equals None never: nothing but None does, unless its class says otherwise.
static bool equalsNoNone(const Type *type) {
  return isNoneType(type) == false && !llvm::isa<ClassType, InterfaceType, UnionType>(type);
}

/// `x == y` where y is never None: x is not None where that is true.
static void narrowEqual(FunctionContext &fn, const Compare &tree, Value *lhs, Value *rhs, Condition &result) {
  auto narrow = [&](const Tree *tested, Value *value, Value *other) {
    auto *maybe = llvm::dyn_cast<OptionalType>(value->type());
    if (!maybe || !equalsNoNone(other->type()) || !equalsNoNone(maybe->element()) || maybe->element()->isTensor())
      return;
    Refinement place = testedPlace(fn, tested, value);
    if (place.name.empty() || !llvm::isa<OptionalType>(place.type))
      return;
    auto &refinements = tree.op() == TreeOp::Eq ? result.refinements.whenTrue : result.refinements.whenFalse;
    refinements = {{place.name, withoutNone(fn.context(), place.type)}};
  };
  narrow(tree.lhs(), lhs, rhs);
  narrow(tree.rhs(), rhs, lhs);
}

/// Emits a comparison. `known` is an operand of one before it in a chain.
static Condition emitComparison(FunctionContext &fn, const Compare &tree, const Compared &known) {
  const bool isIdentity = tree.op() == TreeOp::Is || tree.op() == TreeOp::IsNot;
  if (std::optional<Condition> ofTypes = emitTypeComparison(fn, tree))
    return *ofTypes;
  Value *lhs = tree.lhs() == known.tree ? known.value : emitExpr(fn, tree.lhs());
  SugaredValue *right = lhs ? emitSugared(fn, tree.rhs()) : nullptr;
  const bool isMembership = tree.op() == TreeOp::In || tree.op() == TreeOp::NotIn;
  if (auto *numbers = llvm::dyn_cast_or_null<RangeSugar>(right);
      numbers && isMembership && lhs->type()->isInt() && fn.resolver.followsPython()) {
    Condition result;
    result.value = callTemplate(fn, tree.range(), "in_range", {lhs, numbers->start, numbers->end, numbers->step});
    if (result.value && tree.op() == TreeOp::NotIn)
      result.value = callBuiltin(fn, tree.range(), aten::__not__, {result.value});
    return result;
  }
  Value *rhs = right ? right->asValue(fn, tree.rhs()->range()) : nullptr;
  if (!rhs)
    return {};
  const bool isEquality = tree.op() == TreeOp::Eq || tree.op() == TreeOp::Ne;
  if (isIdentity || (isEquality && fn.resolver.followsPython() && asksForNone(fn.context(), lhs->type(), rhs->type())))
    return emitIsNone(fn, tree, lhs, rhs);
  Condition result;
  result.value = emitBinaryOn(fn, tree.op(), lhs, rhs, tree.range());
  if (!llvm::isa<Var, Select>(tree.rhs())) // which are narrowed
    result.compared = {tree.rhs(), rhs};
  if (isEquality && fn.resolver.followsPython())
    narrowEqual(fn, tree, lhs, rhs, result);
  // Of tensors, a comparison gives a tensor: it is the users of the condition that ask for a bool.
  return result;
}

Condition tsc::emitCondition(FunctionContext &fn, const Tree *tree, const Compared &known) {
  if (auto *unary = llvm::dyn_cast<UnaryOp>(tree); unary && unary->op() == TreeOp::Not) {
    Condition inner = emitCondition(fn, unary->operand());
    if (!inner)
      return {};
    Condition result;
    result.refinements = inner.refinements.negated();
    if (inner.known)
      result.known = !*inner.known;
    result.value = result.known ? fn.constant(*result.known, tree->range())
                                : callBuiltin(fn, tree->range(), aten::__not__,
                                              {toBool(fn, inner.value, unary->operand()->range())});
    return result;
  }
  if (auto *logical = llvm::dyn_cast<BoolOp>(tree))
    return emitShortCircuit(fn, *logical, known);
  if (auto *compare = llvm::dyn_cast<Compare>(tree))
    return emitComparison(fn, *compare, known);
  if (auto *apply = llvm::dyn_cast<Apply>(tree)) {
    if (auto *var = llvm::dyn_cast<Var>(apply->callee());
        var && var->name() == "isinstance" && !fn.env.isDefined(var->name()))
      return emitIsInstance(fn, *apply, FormKind::IsInstance);
    std::string path = fn.resolver.canonicalName(dottedName(apply->callee()));
    if (path == "torch.jit.isinstance" || path == "torch.jit._isinstance" || path == "torch._jit_internal._isinstance")
      return emitIsInstance(fn, *apply, FormKind::JitIsInstance);
    if (path == "torch.is_tensor")
      return emitIsInstance(fn, *apply, FormKind::IsTensor);
  }
  Condition result;
  Value *value = emitExpr(fn, tree);
  if (!value)
    return {};
  result.value = value;
  if (std::optional<IValue> known = isConstant(value) ? constantValue(value) : std::nullopt)
    if (known->isBool())
      result.known = known->toBool();
  auto *either = llvm::dyn_cast<UnionType>(value->type());
  const bool mayBeNone =
      llvm::isa<OptionalType>(value->type()) || (either && llvm::is_contained(either->members(), Type::noneType()));
  if (mayBeNone && fn.resolver.followsPython())
    return emitPresence(fn, tree, value);
  return result;
}

/// The truth of what may be None: None is false, and the rest is what it is without the question.
static Condition emitPresence(FunctionContext &fn, const Tree *tree, Value *value) {
  SourceRange range = tree->range();
  const Type *present = withoutNone(fn.context(), value->type());
  auto *type = llvm::dyn_cast<ClassType>(present);
  const bool isAlwaysTrue = type && !type->findMethod("__bool__") && !type->findMethod("__len__");
  Condition result, isPresent;
  isPresent.value = callBuiltin(fn, range, aten::__isnot__, {value, fn.none(range)});
  result.value = isAlwaysTrue
                     ? isPresent.value
                     : emitIfExpression(
                           fn, range, isPresent, [&] { return toBool(fn, fn.castTo(value, present, range), range); },
                           [&] { return fn.constant(false, range); });
  if (!result.value)
    return {};
  if (Refinement place = testedPlace(fn, tree, value); !place.name.empty()) {
    result.refinements.whenTrue = {{place.name, withoutNone(fn.context(), place.type)}};
    if (isAlwaysTrue)
      result.refinements.whenFalse = {{place.name, Type::noneType()}};
  }
  return result;
}

Refinement tsc::testedPlace(const FunctionContext &fn, const Tree *tree, const Value *value) {
  if (auto *named = llvm::dyn_cast<NamedExpr>(tree))
    tree = named->target();
  std::string name = placeOf(fn, tree);
  StringRef root = StringRef(name).split('.').first;
  const Type *type = name.empty() ? nullptr : fn.env.typeOf(root);
  if (!type || type->isAny())
    return {};
  return {name, root == name ? type : value->type()};
}

static Condition emitIsNone(FunctionContext &fn, const Compare &tree, Value *lhs, Value *rhs) {
  bool isNot = tree.op() == TreeOp::IsNot || tree.op() == TreeOp::Ne;
  std::optional<bool> left = isNoneType(lhs->type()), right = isNoneType(rhs->type());
  if (left && right && (*left || *right))
    return knownCondition(fn, (*left && *right) != isNot, tree.range());
  Condition result;
  // There is one object for each member of an enumeration.
  bool areMembers = fn.resolver.followsPython() && llvm::isa<EnumType>(lhs->type()) && lhs->type() == rhs->type();
  const TreeOp comparison = areMembers ? (isNot ? TreeOp::Ne : TreeOp::Eq) : isNot ? TreeOp::IsNot : TreeOp::Is;
  result.value = callBuiltin(fn, tree.range(), operatorOf(comparison), {lhs, rhs});
  const Tree *tested = right && *right ? tree.lhs() : left && *left ? tree.rhs() : nullptr;
  Refinement place = tested ? testedPlace(fn, tested, tested == tree.lhs() ? lhs : rhs) : Refinement();
  if (place.name.empty() || place.type->isAny())
    return result;
  Refinement present{place.name, withoutNone(fn.context(), place.type)}, absent{place.name, Type::noneType()};
  result.refinements.whenTrue = {isNot ? present : absent};
  result.refinements.whenFalse = {isNot ? absent : present};
  return result;
}
