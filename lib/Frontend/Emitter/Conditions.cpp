//===- Conditions.cpp - Truth, refinement, short circuits -----------------===//
//
// A condition is emitted together with what it tells about types: `x is not None`,
// `isinstance(x, T)` and their combinations. Where the answer is known while
// compiling, only one branch will be emitted.
//
//===----------------------------------------------------------------------===//
#include "../SugaredValues/Values.h"
#include "FunctionEmitter.h"
#include "TypeExpressions.h"

using namespace tsc;

std::vector<const Type *> tsc::alternativesOf(const Type *type) {
  if (auto *optional = llvm::dyn_cast<OptionalType>(type)) {
    std::vector<const Type *> members = alternativesOf(optional->element());
    members.push_back(Type::noneType());
    return members;
  }
  if (auto *unionType = llvm::dyn_cast<UnionType>(type))
    return unionType->members();
  return {type};
}

const Type *tsc::withoutNone(Context &context, const Type *type) {
  std::vector<const Type *> members = alternativesOf(type);
  llvm::erase_if(members, [](const Type *t) { return t->isNone(); });
  if (members.empty())
    return type;
  return members.size() == 1 ? members[0] : context.unionOf(members);
}

//===-- Combining ----------------------------------------------------------===//

static std::vector<Refinement> unite(const std::vector<Refinement> &a, const std::vector<Refinement> &b) {
  std::vector<Refinement> result = a;
  for (const Refinement &r : b) {
    auto it = llvm::find_if(result, [&](const Refinement &o) { return o.name == r.name; });
    if (it == result.end()) {
      result.push_back(r);
      continue;
    }
    it->type = r.type; // the later one was found knowing the earlier one
    if (r.stored)
      it->stored = r.stored;
  }
  return result;
}

static std::vector<Refinement> intersect(Context &context, const std::vector<Refinement> &a,
                                         const std::vector<Refinement> &b) {
  std::vector<Refinement> result;
  for (const Refinement &x : a)
    for (const Refinement &y : b)
      if (x.name == y.name)
        if (const Type *type = context.unify(x.type, y.type, /*allowUnion=*/true))
          if (x.stored == y.stored)
            result.push_back({x.name, type, x.stored});
  return result;
}

Refinements Refinements::both(Context &context, const Refinements &other) const {
  return {unite(whenTrue, other.whenTrue), intersect(context, whenFalse, other.whenFalse)};
}

Refinements Refinements::either(Context &context, const Refinements &other) const {
  return {intersect(context, whenTrue, other.whenTrue), unite(whenFalse, other.whenFalse)};
}

void FunctionEmitter::insertRefinements(ArrayRef<Refinement> refinements, SourceRange range) {
  for (const Refinement &refinement : refinements) {
    if (StringRef(refinement.name).contains('.')) {
      env.setPath(refinement.name, refinement.type);
      continue;
    }
    const Type *type = env.typeOf(refinement.name);
    if (refinement.stored && !env.isDefined(refinement.name)) // `a and (n := f()) > 0`
      env.setType(refinement.name, type = refinement.stored);
    if (!type || type == refinement.type)
      continue;
    Value *value = env.load(refinement.name, type, range);
    if (setVariable(refinement.name, simple(castTo(value, refinement.type, range)), range))
      env.noteNarrowed(refinement.name, type);
  }
}

//===-- Conditions ---------------------------------------------------------===//

Condition FunctionEmitter::knownCondition(bool value, SourceRange range) {
  Condition condition;
  condition.value = constant(value, range);
  condition.known = value;
  return condition;
}

/// The truth of a value that is of one of these types.
Value *FunctionEmitter::truthOfMember(Value *value, ArrayRef<const Type *> types, SourceRange range) {
  const Type *type = types[0];
  auto whenIsOne = [&]() -> Value * {
    return type->isNone() ? constant(false, range) : toBool(castTo(value, type, range), range);
  };
  if (types.size() == 1)
    return whenIsOne();
  Node *node = insertNode(prim::isinstance, {value}, 1, range);
  node->setAttribute(attr::types, std::vector<const Type *>{type});
  Condition isOne;
  isOne.value = node->output()->setType(Type::boolType());
  return emitIfExpression(range, isOne, whenIsOne, [&] { return truthOfMember(value, types.drop_front(), range); });
}

Value *FunctionEmitter::toBool(Value *value, SourceRange range) {
  if (value->type()->isBool())
    return value;
  if (llvm::isa<ClassType>(value->type())) {
    auto *type = llvm::cast<ClassType>(value->type());
    for (StringRef magic : {"__bool__", "__len__"})
      if (Function *method = type->findMethod(magic)) {
        Value *result = callMethod(range, value, method, {}, {});
        return !result || result->type()->isBool() ? result : callBuiltin(range, aten::Bool, {result});
      }
  }
  const Type *type = value->type();
  if (auto *either = llvm::dyn_cast<UnionType>(type); either && resolver.followsPython())
    return truthOfMember(value, either->members(), range);
  if (hasLength(type)) {
    Value *length = callBuiltin(range, aten::len, {value});
    return length ? callBuiltin(range, aten::Bool, {length}) : nullptr;
  }
  if (!type->isTensor() && !type->isInt() && !type->isFloat() && !type->isComplex() && !type->isNumber())
    return error(range, diag::NotABool, type->annotation());
  return callBuiltin(range, aten::Bool, {value});
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
static void narrowEqual(FunctionEmitter &e, const Compare &tree, Value *lhs, Value *rhs, Condition &result) {
  auto narrow = [&](const Tree *tested, Value *value, Value *other) {
    auto *maybe = llvm::dyn_cast<OptionalType>(value->type());
    if (!maybe || !equalsNoNone(other->type()) || !equalsNoNone(maybe->element()) || maybe->element()->isTensor())
      return;
    Refinement place = e.testedPlace(tested, value);
    if (place.name.empty() || !llvm::isa<OptionalType>(place.type))
      return;
    auto &refinements = tree.op() == TreeOp::Eq ? result.refinements.whenTrue : result.refinements.whenFalse;
    refinements = {{place.name, withoutNone(e.context, place.type)}};
  };
  narrow(tree.lhs(), lhs, rhs);
  narrow(tree.rhs(), rhs, lhs);
}

Condition FunctionEmitter::emitCondition(const Tree *tree) {
  if (auto *unary = llvm::dyn_cast<UnaryOp>(tree); unary && unary->op() == TreeOp::Not) {
    Condition inner = emitCondition(unary->operand());
    if (!inner)
      return {};
    Condition result;
    result.refinements = inner.refinements.negated();
    if (inner.known)
      result.known = !*inner.known;
    result.value = result.known
                       ? constant(*result.known, tree->range())
                       : callBuiltin(tree->range(), aten::__not__, {toBool(inner.value, unary->operand()->range())});
    return result;
  }
  if (auto *logical = llvm::dyn_cast<BoolOp>(tree))
    return emitShortCircuit(*logical);
  if (auto *compare = llvm::dyn_cast<Compare>(tree)) {
    const bool isIdentity = compare->op() == TreeOp::Is || compare->op() == TreeOp::IsNot;
    if (std::optional<Condition> ofTypes = emitTypeComparison(*compare))
      return *ofTypes;
    Value *lhs = compare->lhs() == lastCompared.first ? lastCompared.second : emitExpr(compare->lhs());
    lastCompared = {};
    SugaredValue *right = lhs ? emitSugared(compare->rhs()) : nullptr;
    const bool isMembership = compare->op() == TreeOp::In || compare->op() == TreeOp::NotIn;
    if (auto *numbers = llvm::dyn_cast_or_null<RangeSugar>(right);
        numbers && isMembership && lhs->type()->isInt() && resolver.followsPython()) {
      Condition result;
      result.value = callTemplate(tree->range(), "in_range", {lhs, numbers->start, numbers->end, numbers->step});
      if (result.value && compare->op() == TreeOp::NotIn)
        result.value = callBuiltin(tree->range(), aten::__not__, {result.value});
      return result;
    }
    Value *rhs = right ? right->asValue(*this, compare->rhs()->range()) : nullptr;
    if (!rhs)
      return {};
    const bool isEquality = compare->op() == TreeOp::Eq || compare->op() == TreeOp::Ne;
    if (isIdentity || (isEquality && resolver.followsPython() && asksForNone(context, lhs->type(), rhs->type())))
      return emitIsNone(*compare, lhs, rhs);
    Condition result;
    result.value = emitBinaryOn(compare->op(), lhs, rhs, tree->range());
    if (!llvm::isa<Var, Select>(compare->rhs())) // which are narrowed
      lastCompared = {compare->rhs(), rhs};
    if (isEquality && resolver.followsPython())
      narrowEqual(*this, *compare, lhs, rhs, result);
    // Of tensors, a comparison gives a tensor: it is the users of the condition that ask for a bool.
    return result;
  }
  if (auto *apply = llvm::dyn_cast<Apply>(tree)) {
    if (auto *var = llvm::dyn_cast<Var>(apply->callee());
        var && var->name() == "isinstance" && !env.isDefined(var->name()))
      return emitIsInstance(*apply, FormKind::IsInstance);
    std::string path = resolver.canonicalName(dottedName(apply->callee()));
    if (path == "torch.jit.isinstance" || path == "torch.jit._isinstance" || path == "torch._jit_internal._isinstance")
      return emitIsInstance(*apply, FormKind::JitIsInstance);
    if (path == "torch.is_tensor")
      return emitIsInstance(*apply, FormKind::IsTensor);
  }
  Condition result;
  Value *value = emitExpr(tree);
  if (!value)
    return {};
  result.value = value;
  if (std::optional<IValue> known = isConstant(value) ? constantValue(value) : std::nullopt)
    if (known->isBool())
      result.known = known->toBool();
  auto *either = llvm::dyn_cast<UnionType>(value->type());
  const bool mayBeNone =
      llvm::isa<OptionalType>(value->type()) || (either && llvm::is_contained(either->members(), Type::noneType()));
  if (mayBeNone && resolver.followsPython())
    return emitPresence(tree, value);
  return result;
}

/// The truth of what may be None: None is false, and the rest is what it is without the question.
Condition FunctionEmitter::emitPresence(const Tree *tree, Value *value) {
  SourceRange range = tree->range();
  const Type *present = withoutNone(context, value->type());
  auto *type = llvm::dyn_cast<ClassType>(present);
  const bool isAlwaysTrue = type && !type->findMethod("__bool__") && !type->findMethod("__len__");
  Condition result, isPresent;
  isPresent.value = callBuiltin(range, aten::__isnot__, {value, none(range)});
  result.value = isAlwaysTrue ? isPresent.value
                              : emitIfExpression(
                                    range, isPresent, [&] { return toBool(castTo(value, present, range), range); },
                                    [&] { return constant(false, range); });
  if (!result.value)
    return {};
  if (Refinement place = testedPlace(tree, value); !place.name.empty()) {
    result.refinements.whenTrue = {{place.name, withoutNone(context, place.type)}};
    if (isAlwaysTrue)
      result.refinements.whenFalse = {{place.name, Type::noneType()}};
  }
  return result;
}

/// The variable or the attribute (`a.b.c` of a variable) that an expression reads, and its type as it is known here;
/// an empty name for other expressions.
Refinement FunctionEmitter::testedPlace(const Tree *tree, const Value *value) const {
  if (auto *named = llvm::dyn_cast<NamedExpr>(tree))
    tree = named->target();
  std::string name = placeOf(tree);
  StringRef root = StringRef(name).split('.').first;
  const Type *type = name.empty() ? nullptr : env.typeOf(root);
  if (!type || type->isAny())
    return {};
  return {name, root == name ? type : value->type()};
}

Condition FunctionEmitter::emitIsNone(const Compare &tree, Value *lhs, Value *rhs) {
  bool isNot = tree.op() == TreeOp::IsNot || tree.op() == TreeOp::Ne;
  std::optional<bool> left = isNoneType(lhs->type()), right = isNoneType(rhs->type());
  if (left && right && (*left || *right))
    return knownCondition((*left && *right) != isNot, tree.range());
  Condition result;
  // There is one object for each member of an enumeration.
  bool areMembers = resolver.followsPython() && llvm::isa<EnumType>(lhs->type()) && lhs->type() == rhs->type();
  Symbol comparison = areMembers ? (isNot ? aten::ne : aten::eq) : isNot ? aten::__isnot__ : aten::__is__;
  result.value = callBuiltin(tree.range(), comparison, {lhs, rhs});
  const Tree *tested = right && *right ? tree.lhs() : left && *left ? tree.rhs() : nullptr;
  Refinement place = tested ? testedPlace(tested, tested == tree.lhs() ? lhs : rhs) : Refinement();
  if (place.name.empty() || place.type->isAny())
    return result;
  Refinement present{place.name, withoutNone(context, place.type)}, absent{place.name, Type::noneType()};
  result.refinements.whenTrue = {isNot ? present : absent};
  result.refinements.whenFalse = {isNot ? absent : present};
  return result;
}

//===-- isinstance ---------------------------------------------------------===//

/// The types of the second argument: one, or a tuple of them (nested tuples as Python allows).
static bool collectTypes(FunctionEmitter &e, const Tree *tree, ArrayRef<const Type *> alternatives,
                         std::vector<const Type *> &types) {
  if (auto *tuple = llvm::dyn_cast<TupleLiteral>(tree)) {
    for (const Tree *element : tuple->elements())
      if (!collectTypes(e, element, alternatives, types))
        return false;
    return true;
  }
  std::string name = e.resolver.canonicalName(dottedName(tree));
  if (name == "list" || name == "List" || name == "typing.List")
    types.push_back(Type::anyListType());
  else if (name == "tuple" || name == "Tuple" || name == "typing.Tuple")
    types.push_back(Type::anyTupleType());
  else if ((name == "dict" || name == "Dict" || name == "typing.Dict") &&
           llvm::none_of(alternatives, [](const Type *type) { return type->isAny(); }))
    llvm::copy_if(alternatives, std::back_inserter(types), [](const Type *type) { return llvm::isa<DictType>(type); });
  else if (const Type *type = e.annotationType(tree))
    types.push_back(type);
  else
    return false;
  return true;
}

static bool matchesAny(const Type *type, ArrayRef<const Type *> candidates) {
  return llvm::any_of(candidates, [&](const Type *candidate) {
    return type->isSubtypeOf(candidate) || (candidate->isAnyList() && llvm::isa<ListType>(type)) ||
           (candidate->isAnyTuple() && llvm::isa<TupleType>(type));
  });
}

/// Objects of classes that derive from one of these are of that one too.
static void addDerived(Compiler::Impl &compiler, std::vector<const Type *> &types) {
  for (size_t i = 0, count = types.size(); i != count; ++i) {
    auto base = compiler.classes.find(llvm::dyn_cast<ClassType>(types[i]));
    if (base == compiler.classes.end() || !base->second.tree || base->second.module)
      continue;
    std::vector<const ClassType *> derived;
    for (const auto &[type, info] : compiler.classes)
      if (type != types[i] && info.tree && !info.module && llvm::is_contained(info.order, base->second.tree) &&
          !llvm::is_contained(types, type))
        derived.push_back(type);
    llvm::sort(derived, [](const ClassType *a, const ClassType *b) { return a->name() < b->name(); });
    types.insert(types.end(), derived.begin(), derived.end());
  }
}

/// Whether the second operand of isinstance names `int`, which bool derives from, and bool not by itself.
static bool namesIntAlone(const Tree *types) {
  llvm::SmallVector<const Tree *> all{types};
  if (llvm::isa<TupleLiteral>(types))
    all.assign(types->children().begin(), types->children().end());
  auto names = [&](StringRef name) {
    return llvm::any_of(all, [&](const Tree *one) {
      auto *var = llvm::dyn_cast<Var>(one);
      return var && var->name() == name;
    });
  };
  return names("int") && !names("bool");
}

Condition FunctionEmitter::emitIsInstance(const Apply &tree, FormKind form) {
  const bool isTensor = form == FormKind::IsTensor;
  const bool isTaken = isTensor ? takes(tree, "is_tensor", 1, 1) : takes(tree, "isinstance", 2, 2);
  Value *object = isTaken ? emitExpr(tree.args()[0]) : nullptr;
  if (object && !isTensor && resolver.followsPython() && namesIntAlone(tree.args()[1])) {
    if (object->type() == Type::boolType())
      return knownCondition(true, tree.range());
    if (llvm::is_contained(alternativesOf(object->type()), Type::boolType())) {
      error(tree.range(), diag::UnsupportedSyntax, "questions for int alone of what may be a bool");
      return {};
    }
  }
  return object ? emitIsInstance(tree.args()[0], object, isTensor ? nullptr : tree.args()[1], tree.range())
                : Condition();
}

Condition FunctionEmitter::emitIsInstance(const Tree *tested, Value *object, const Tree *of, SourceRange range) {
  if (ModuleInfo *module = of ? compiler.moduleInfo(object->type()) : nullptr)
    if (std::optional<bool> isOne = moduleIsA(*this, *module, of))
      return knownCondition(*isOne, range);
  std::vector<const Type *> types;
  if (!of)
    types.push_back(Type::tensorType());
  else if (!collectTypes(*this, of, alternativesOf(object->type()), types))
    return {};
  addDerived(compiler, types);
  // What the object may be, split by the answer. Any, and a supertype of a candidate, may be both.
  std::vector<const Type *> yes, no;
  bool open = false;
  for (const Type *alternative : alternativesOf(object->type())) {
    if (matchesAny(alternative, types)) {
      yes.push_back(alternative);
      continue;
    }
    no.push_back(alternative);
    for (const Type *candidate : types)
      if (candidate->isSubtypeOf(alternative)) {
        open = true;
        yes.push_back(candidate);
      }
  }
  if (no.empty() || yes.empty())
    return knownCondition(no.empty(), range);
  Condition result;
  Node *node = insertNode(prim::isinstance, {object}, 1, range);
  node->setAttribute(attr::types, types);
  result.value = node->output()->setType(Type::boolType());
  Refinement place = testedPlace(tested, object);
  if (auto *var = llvm::dyn_cast<Var>(tested); var && env.typeOf(nameHere(var->name()))) // Any too
    place.name = nameHere(var->name());
  if (!place.name.empty()) {
    result.refinements.whenTrue = {{place.name, yes.size() == 1 ? yes[0] : context.unionOf(yes)}};
    if (!open || no.size() < alternativesOf(object->type()).size())
      result.refinements.whenFalse = {{place.name, no.size() == 1 ? no[0] : context.unionOf(no)}};
  }
  return result;
}

//===-- Short circuits -----------------------------------------------------===//

Value *FunctionEmitter::emitIfExpression(SourceRange range, const Condition &condition,
                                         llvm::function_ref<Value *()> whenTrue,
                                         llvm::function_ref<Value *()> whenFalse, const Type *hint) {
  Value *test = toBool(condition.value, range);
  if (!test)
    return nullptr;
  Node *node = insertNode(prim::If, {test}, 0, range);
  Value *results[2];
  for (bool truth : {true, false}) {
    Block &block = node->addBlock();
    InsertPointGuard guard(graph);
    graph.setInsertPoint(block);
    env.push(block);
    insertRefinements(truth ? condition.refinements.whenTrue : condition.refinements.whenFalse, range);
    Value *result = truth ? whenTrue() : whenFalse();
    env.pop();
    if (!result)
      return nullptr;
    block.addOutput(result);
    results[!truth] = result;
  }
  const Type *type = context.unify(results[0]->type(), results[1]->type());
  if (!type && hint && results[0]->type()->isSubtypeOf(hint) && results[1]->type()->isSubtypeOf(hint))
    type = hint;
  if (!type)
    return error(range, diag::TernaryTypes, results[0]->type()->annotation(), results[1]->type()->annotation());
  return node->addOutput(type);
}

Condition FunctionEmitter::emitShortCircuit(const BoolOp &tree) {
  Condition left = emitCondition(tree.lhs());
  return left ? emitShortCircuitFrom(tree, left) : Condition();
}

Condition FunctionEmitter::emitShortCircuitFrom(const BoolOp &tree, const Condition &left) {
  return emitShortCircuit(tree.range(), tree.op() == TreeOp::Or, left, [&] { return emitCondition(tree.rhs()); });
}

Condition FunctionEmitter::emitShortCircuit(SourceRange range, bool isOr, const Condition &left,
                                            llvm::function_ref<Condition()> emitOther) {
  // `x is None or …` with x never None is just what comes after; known the other way, what comes after is never run.
  if (left.known) {
    if (*left.known == isOr) {
      Condition result = knownCondition(isOr, range);
      result.refinements = left.refinements;
      return result;
    }
    return emitOther();
  }
  Condition right;
  std::vector<Refinement> named; // what the right side names, which only runs where the left does not decide
  auto emitRight = [&]() -> Value * {
    right = emitOther();
    for (const auto &[name, type] : env.current().types)
      if (type && !env.typeInParents(name))
        named.push_back({name, type, type});
    return right ? toBool(right.value, right.value->node()->range()) : nullptr;
  };
  auto emitConstant = [&]() -> Value * { return constant(isOr, range); };
  Value *value = isOr ? emitIfExpression(range, left, emitConstant, emitRight)
                      : emitIfExpression(range, left, emitRight, emitConstant);
  if (!value)
    return {};
  Condition result;
  result.value = value;
  if (right.known && *right.known == isOr)
    result.known = isOr;
  result.refinements =
      isOr ? left.refinements.either(context, right.refinements) : left.refinements.both(context, right.refinements);
  auto &whereRightRan = isOr ? result.refinements.whenFalse : result.refinements.whenTrue;
  whereRightRan = unite(named, whereRightRan);
  for (Refinement &refinement : whereRightRan)
    for (const Refinement &one : named)
      if (one.name == refinement.name)
        refinement.stored = one.stored;
  // Both ways give the names a value; nobody reads that of the way around.
  InsertPointGuard guard(graph);
  graph.setInsertPoint(value->node()->block(isOr ? 0 : 1));
  for (const Refinement &one : named)
    env.store(one.name, insertValue(prim::Uninitialized, {}, one.type, range), range);
  return result;
}

//===-- Values of `and` and `or` -------------------------------------------===//

/// Whether an expression is another thing than a bool, as far as its form tells.
bool FunctionEmitter::isValueSurely(const Tree *tree) const {
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
    const Type *type = env.typeOf(llvm::cast<Var>(tree)->name());
    return type && !type->isBool();
  }
  case TreeKind::BoolOp: {
    auto *logical = llvm::cast<BoolOp>(tree);
    return isValueSurely(logical->rhs()) || (logical->op() == TreeOp::Or && isValueSurely(logical->lhs()));
  }
  default: return false;
  }
}

/// `left`, or what `emitRight` gives when left's truth does not decide. Of a bool and something else, a bool.
Value *FunctionEmitter::emitChoice(SourceRange range, Value *left, bool isOr, llvm::function_ref<Value *()> emitRight,
                                   const Type *hint) {
  // Of an Optional, None is false, and what is left of it after `or` is never None.
  const Type *present = withoutNone(context, left->type());
  Condition test;
  if (present != left->type()) {
    Condition isPresent;
    isPresent.value = callBuiltin(range, aten::__isnot__, {left, none(range)});
    test.value = emitIfExpression(
        range, isPresent, [&] { return toBool(castTo(left, present, range), range); },
        [&] { return constant(false, range); });
  } else {
    test.value = left->type()->isNone() ? constant(false, range) : toBool(left, range);
  }
  if (!test.value)
    return nullptr;
  Node *node = insertNode(prim::If, {test.value}, 0, range);
  Value *results[2];
  for (bool truth : {true, false}) {
    Block &block = node->addBlock();
    InsertPointGuard guard(graph);
    graph.setInsertPoint(block);
    env.push(block);
    results[!truth] = truth != isOr                     ? emitRight()
                      : isOr && present != left->type() ? castTo(left, present, range)
                                                        : left;
    env.pop();
    if (!results[!truth])
      return nullptr;
  }
  const Type *type = context.unify(results[0]->type(), results[1]->type());
  if (!type && hint && results[0]->type()->isSubtypeOf(hint) && results[1]->type()->isSubtypeOf(hint))
    type = hint;
  if (!type && !results[0]->type()->isBool() && !results[1]->type()->isBool())
    return error(range, diag::LogicalTypes, isOr ? "or" : "and", left->type()->annotation(),
                 results[isOr ? 1 : 0]->type()->annotation());
  for (unsigned i = 0; i != 2; ++i) {
    InsertPointGuard guard(graph);
    graph.setInsertPoint(node->block(i));
    Value *result = type ? results[i] : toBool(results[i], range);
    if (!result)
      return nullptr;
    node->block(i).addOutput(result);
  }
  return node->addOutput(type ? type : Type::boolType());
}

/// Whether an expression is a bool of which the truth is all there is: a comparison, a `not`, `isinstance`.
static bool tellsOnlyTruth(const Tree *tree) {
  if (auto *apply = llvm::dyn_cast<Apply>(tree))
    return StringRef(dottedName(apply->callee())).ends_with("isinstance");
  auto *unary = llvm::dyn_cast<UnaryOp>(tree);
  return llvm::isa<Compare>(tree) || (unary && unary->op() == TreeOp::Not);
}

/// `and` and `or` where their value counts, and not their truth alone: in Python one of the operands.
Condition FunctionEmitter::emitLogical(const BoolOp &tree, const Type *hint) {
  bool isOr = tree.op() == TreeOp::Or;
  auto *inner = llvm::dyn_cast<BoolOp>(tree.lhs());
  auto emitRight = [&] { return emitExpr(tree.rhs(), hint); };
  Condition result;
  // `c and x or y` is x if c and x are true, and else y: c itself it never is.
  if (isOr && inner && inner->op() == TreeOp::And && (isValueSurely(inner->rhs()) || isValueSurely(tree.rhs()))) {
    Condition condition = emitCondition(inner->lhs());
    auto emitMiddle = [&]() -> Value * {
      Value *middle = emitExpr(inner->rhs(), hint);
      return middle ? emitChoice(tree.range(), middle, true, emitRight, hint) : nullptr;
    };
    result.value = condition ? emitIfExpression(tree.range(), condition, emitMiddle, emitRight, hint) : nullptr;
    return result;
  }
  Condition left;
  if (inner) {
    left = emitLogical(*inner, hint);
  } else if (tellsOnlyTruth(tree.lhs())) {
    left = emitCondition(tree.lhs());
  } else if ((left.value = emitExpr(tree.lhs()))) { // an Optional is taken as it is
    if (std::optional<IValue> known = isConstant(left.value) ? constantValue(left.value) : std::nullopt)
      if (known->isBool())
        left.known = known->toBool();
  }
  if (!left)
    return {};
  if (left.value->type()->isBool())
    return emitShortCircuitFrom(tree, left);
  result.value = emitChoice(tree.range(), left.value, isOr, emitRight, hint);
  return result;
}

Value *FunctionEmitter::emitBoolOp(const BoolOp &tree, const Type *hint) {
  return (resolver.followsPython() ? emitLogical(tree, hint) : emitCondition(&tree)).value;
}
