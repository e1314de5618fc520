//===- PythonCalls.cpp - What Python's operators and builtins take ---------===//
//
// Calls and comparisons that no operator of PyTorch has an overload for: orders of
// lists and tuples, equality of dicts, `sorted` with a key, `any` of a generator,
// `int` with a base. Most are templates of Prelude/python.py.
//
//===----------------------------------------------------------------------===//
#include "../SugaredValues/Values.h"
#include "FunctionEmitter.h"
#include "Refinement.h"
#include "TypeExpressions.h"

using namespace tsc;

static bool isSequence(const Type *type) { return llvm::isa<ListType, TupleType>(type); }

static bool isPlainNumber(const Type *type) { return type->isInt() || type->isFloat() || type->isBool(); }

//===-- Operators -----------------------------------------------------------===//

/// Tuples, element by element: whether the first pair that differs is in order, or all are equal.
Value *FunctionEmitter::compareTuples(TreeOp op, Value *lhs, Value *rhs, size_t first, SourceRange range) {
  auto a = llvm::cast<TupleType>(lhs->type())->elements(), b = llvm::cast<TupleType>(rhs->type())->elements();
  const bool isEquality = op == TreeOp::Eq || op == TreeOp::Ne;
  const bool isStrict = op == TreeOp::Lt || op == TreeOp::Gt;
  if (isEquality && a.size() != b.size())
    return constant(op == TreeOp::Ne, range);
  if (first == a.size() || first == b.size()) {
    bool isLess = op == TreeOp::Lt || op == TreeOp::Le;
    bool result = isEquality ? op == TreeOp::Eq : a.size() == b.size() ? !isStrict : (a.size() < b.size()) == isLess;
    return constant(result, range);
  }
  Value *left = tupleIndex(lhs, a[first], static_cast<int64_t>(first), range);
  Value *right = tupleIndex(rhs, b[first], static_cast<int64_t>(first), range);
  Condition differs;
  differs.value = emitBinaryOn(TreeOp::Ne, left, right, range);
  differs.value = differs.value ? toBool(differs.value, range) : nullptr;
  if (!differs.value)
    return nullptr;
  return emitIfExpression(
      range, differs,
      [&]() -> Value * {
        Value *inOrder = isEquality ? constant(op == TreeOp::Ne, range) : emitBinaryOn(op, left, right, range);
        return inOrder ? toBool(inOrder, range) : nullptr;
      },
      [&] { return compareTuples(op, lhs, rhs, first + 1, range); });
}

/// `==` and `!=` where one side may be None, which equals nothing but None. Null after a report.
Value *FunctionEmitter::compareOptionals(TreeOp op, Value *lhs, Value *rhs, SourceRange range) {
  const bool isLeft = llvm::isa<OptionalType>(lhs->type());
  Value *tested = isLeft ? lhs : rhs, *other = isLeft ? rhs : lhs;
  const bool otherMayBeNone = llvm::isa<OptionalType>(other->type());
  Condition isPresent;
  isPresent.value = callBuiltin(range, aten::__isnot__, {tested, none(range)});
  return emitIfExpression(
      range, isPresent,
      [&]() -> Value * {
        Value *present = castTo(tested, withoutNone(context, tested->type()), range);
        Value *result = isLeft ? emitBinaryOn(op, present, other, range) : emitBinaryOn(op, other, present, range);
        return result ? toBool(result, range) : nullptr;
      },
      [&]() -> Value * {
        if (!otherMayBeNone)
          return constant(op == TreeOp::Ne, range);
        return callBuiltin(range, op == TreeOp::Eq ? aten::__is__ : aten::__isnot__, {other, none(range)});
      });
}

/// Whether a container has members of an enumeration in it.
static bool holdsMembers(Compiler::Impl &compiler, const Type *container, const Type *member) {
  if (auto *list = llvm::dyn_cast<ListType>(container))
    return list->element() == member;
  if (auto *dict = llvm::dyn_cast<DictType>(container))
    return dict->key() == member;
  if (auto *tuple = llvm::dyn_cast<TupleType>(container))
    return llvm::is_contained(tuple->elements(), member);
  return compiler.elementOf(ContainerKind::Set, container) == member && llvm::isa<EnumType>(member);
}

/// `a op b` as Python has it; nothing where PyTorch's operators are asked, null after a report.
std::optional<Value *> FunctionEmitter::emitPythonBinary(TreeOp op, Value *lhs, Value *rhs, SourceRange range) {
  const Type *a = lhs->type(), *b = rhs->type();
  // A member of an IntEnum is its number, but for the question whether two members of one are the same.
  const bool isAmongMembers = (op == TreeOp::In || op == TreeOp::NotIn) && holdsMembers(compiler, b, a);
  if ((a != b && !isAmongMembers) ||
      (a == b && op != TreeOp::Eq && op != TreeOp::Ne && op != TreeOp::In && op != TreeOp::NotIn))
    for (Value **side : {&lhs, &rhs})
      if (auto *type = llvm::dyn_cast<EnumType>((*side)->type()); type && compiler.intEnums.contains(type)) {
        *side = insertValue(prim::EnumValue, {*side}, type->valueType(), range);
        return emitBinaryOn(op, lhs, rhs, range);
      }
  // A bool is a number beside another one, and beside a bool where the result is one.
  const bool isArithmetic = op == TreeOp::Add || op == TreeOp::Sub || op == TreeOp::Mul || op == TreeOp::Div ||
                            op == TreeOp::FloorDiv || op == TreeOp::Mod || op == TreeOp::Pow;
  const bool isComparison = op == TreeOp::Eq || op == TreeOp::Ne || op == TreeOp::Lt || op == TreeOp::Le ||
                            op == TreeOp::Gt || op == TreeOp::Ge;
  const bool isOrder = op == TreeOp::Lt || op == TreeOp::Le || op == TreeOp::Gt || op == TreeOp::Ge;
  const bool isOnInts = op == TreeOp::ShiftLeft || op == TreeOp::ShiftRight;
  const bool isBitwise = op == TreeOp::BitAnd || op == TreeOp::BitOr || op == TreeOp::BitXor;
  if ((a->isBool() && (b->isInt() || b->isFloat())) || (b->isBool() && (a->isInt() || a->isFloat()))
          ? isArithmetic || isComparison || isOnInts || (isBitwise && !a->isFloat() && !b->isFloat())
          : a->isBool() && b->isBool() && (isArithmetic || isOnInts || isOrder)) {
    for (Value **side : {&lhs, &rhs})
      if ((*side)->type()->isBool())
        *side = callBuiltin(range, aten::Int, {*side});
    return emitBinaryOn(op, lhs, rhs, range);
  }
  // Beside a tensor it is a bool all the same, as a tensor of one is.
  if (((a->isTensor() && b->isBool()) || (a->isBool() && b->isTensor())) &&
      (isArithmetic || isComparison || isBitwise)) {
    for (Value **side : {&lhs, &rhs})
      if ((*side)->type()->isBool())
        *side = callBuiltin(range, aten::tensor, {*side});
    return lhs && rhs ? emitBinaryOn(op, lhs, rhs, range) : nullptr;
  }
  const bool isEquality = op == TreeOp::Eq || op == TreeOp::Ne;
  if (isEquality && (llvm::isa<OptionalType>(a) || llvm::isa<OptionalType>(b)) && !a->isNone() && !b->isNone() &&
      !withoutNone(context, a)->isTensor() && !withoutNone(context, b)->isTensor())
    return compareOptionals(op, lhs, rhs, range);
  if (op == TreeOp::Mul && ((a->isString() && b->isInt()) || (a->isInt() && b->isString())))
    return callTemplate(range, "repeat_text", {a->isString() ? lhs : rhs, a->isString() ? rhs : lhs});
  if (op == TreeOp::Pow && a->isComplex() && b->isInt())
    return callTemplate(range, "complex_power", {lhs, rhs});
  const bool hasComplex = (a->isComplex() || b->isComplex()) && (a->isComplex() || isPlainNumber(a)) &&
                          (b->isComplex() || isPlainNumber(b));
  if (hasComplex && (isOrder || op == TreeOp::Mod || op == TreeOp::FloorDiv)) // PyTorch leaves out the imaginary part
    return error(range, diag::NoOperator, treeOpSpelling(op), a->annotation(), b->annotation());
  if ((op == TreeOp::Div || op == TreeOp::Pow) && hasComplex && a != b) {
    for (Value **side : {&lhs, &rhs})
      if (!(*side)->type()->isComplex())
        *side = callBuiltin(range, aten::Complex, {*side});
    return lhs && rhs ? emitBinaryOn(op, lhs, rhs, range) : nullptr;
  }
  if (llvm::isa<TupleType>(a) && llvm::isa<TupleType>(b) && (isEquality || isOrder))
    return compareTuples(op, lhs, rhs, 0, range);
  if (llvm::isa<ListType>(a) && llvm::isa<ListType>(b) && (isEquality || isOrder)) {
    const Type *element = llvm::cast<ListType>(a)->element();
    if (element->isTensor())
      return std::nullopt;
    const bool hasOperator =
        isEquality && (element->isInt() || element->isFloat() || element->isBool() || element->isString());
    if (hasOperator)
      return std::nullopt;
    if (isEquality) {
      Value *equal = callTemplate(range, "equal_lists", {lhs, rhs});
      return equal && op == TreeOp::Ne ? callBuiltin(range, aten::__not__, {equal}) : equal;
    }
    if (op == TreeOp::Gt || op == TreeOp::Ge)
      std::swap(lhs, rhs);
    return callTemplate(range, op == TreeOp::Lt || op == TreeOp::Gt ? "less" : "less_equal", {lhs, rhs});
  }
  if (llvm::isa<DictType>(a) && a == b && op == TreeOp::BitOr)
    return callTemplate(range, "united_dicts", {lhs, rhs});
  if (llvm::isa<DictType>(a) && a == b && isEquality) {
    Value *equal = callTemplate(range, "equal_dicts", {lhs, rhs});
    return equal && op == TreeOp::Ne ? callBuiltin(range, aten::__not__, {equal}) : equal;
  }
  auto *type = llvm::dyn_cast<ClassType>(a);
  if (type && isEquality && !type->isModule() && !type->findMethod(op == TreeOp::Eq ? "__eq__" : "__ne__")) {
    if (op == TreeOp::Ne && type->findMethod("__eq__")) {
      Value *equal = emitBinaryOn(TreeOp::Eq, lhs, rhs, range);
      equal = equal ? toBool(equal, range) : nullptr;
      return equal ? callBuiltin(range, aten::__not__, {equal}) : nullptr;
    }
    if (llvm::isa<ClassType>(b) || b->isNone() || llvm::isa<OptionalType>(b))
      return callBuiltin(range, op == TreeOp::Eq ? aten::__is__ : aten::__isnot__, {lhs, rhs});
  }
  auto *holder = llvm::dyn_cast<ClassType>(b);
  if (isOrder && holder && !(type && type->findMethod(treeOpMethod(op)))) { // a > b is b < a
    if (Function *method = holder->findMethod(treeOpMethod(mirroredOp(op))))
      return callMethod(range, rhs, method, {NamedValue(lhs)}, {});
  }
  if (StringRef reflected = reflectedMethod(op); holder && !reflected.empty())
    if (Function *method = holder->findMethod(reflected); method && !(type && type->findMethod(treeOpMethod(op))))
      return callMethod(range, rhs, method, {NamedValue(lhs)}, {});
  const bool isMembership = op == TreeOp::In || op == TreeOp::NotIn;
  const bool isSearched = (holder && !holder->findMethod("__contains__") &&
                           (holder->findMethod("__iter__") || holder->findMethod("__getitem__"))) ||
                          (llvm::isa<ListType>(b) && (isSequence(a) || llvm::isa<EnumType>(a) ||
                                                      (type && llvm::cast<ListType>(b)->element() == a)));
  if (isMembership && llvm::isa<TupleType>(b)) {
    Value *found = constant(false, range);
    for (auto [i, element] : llvm::enumerate(llvm::cast<TupleType>(b)->elements())) {
      if (context.unify(a, element) == nullptr)
        continue; // of another type: never equal
      Condition isFound;
      isFound.value = found;
      found = emitIfExpression(
          range, isFound, [&] { return constant(true, range); },
          [&]() -> Value * {
            Value *same =
                emitBinaryOn(TreeOp::Eq, lhs, tupleIndex(rhs, element, static_cast<int64_t>(i), range), range);
            return same ? toBool(same, range) : nullptr;
          });
      if (!found)
        return nullptr;
    }
    return op == TreeOp::NotIn ? callBuiltin(range, aten::__not__, {found}) : found;
  }
  if (isMembership && b->isTensor() && (isPlainNumber(a) || a->isTensor())) { // whether an element equals it
    Value *equal = emitBinaryOn(TreeOp::Eq, rhs, lhs, range);
    Value *found = equal ? callBuiltin(range, context.symbol("aten::any"), {equal}) : nullptr;
    found = found ? toBool(found, range) : nullptr;
    return found && op == TreeOp::NotIn ? callBuiltin(range, aten::__not__, {found}) : found;
  }
  if (isMembership && isSearched) {
    Value *found = callTemplate(range, "contains", {rhs, lhs});
    return found && op == TreeOp::NotIn ? callBuiltin(range, aten::__not__, {found}) : found;
  }
  return std::nullopt;
}

//===-- Calls -----------------------------------------------------------------===//

static const Tree *keywordOf(const Apply &tree, StringRef name) {
  for (const Tree *keyword : tree.keywords())
    if (auto *named = llvm::dyn_cast<Keyword>(keyword); named && named->name() == name)
      return named->value();
  return nullptr;
}

/// any(…) and all(…) of a generator, which stop where the answer is known.
Value *FunctionEmitter::emitQuantifier(const GeneratorExpr &generator, bool isAny, SourceRange range) {
  return callInline(range, isAny ? "any" : "all", [&](FunctionEmitter &e) {
    bool ok = e.emitComprehensionLoops(generator.loops(), [&] {
      Condition condition = e.emitCondition(generator.element());
      auto answer = [&] {
        e.mergedReturn = Type::boolType();
        return e.finishReturn(e.constant(isAny, range), range);
      };
      auto goOn = [] { return true; };
      if (!condition)
        return false;
      condition.known.reset();
      return isAny ? e.emitIfBlocks(range, condition, answer, goOn) : e.emitIfBlocks(range, condition, goOn, answer);
    });
    e.mergedReturn = Type::boolType();
    if (ok && !e.exitBlocks.contains(&e.graph.insertPointBlock()))
      ok = e.finishReturn(e.constant(!isAny, range), range);
    return ok;
  });
}

/// The template for a builtin of Python, or nothing: its plain overloads will do.
std::optional<SugaredValue *> FunctionEmitter::emitPythonCall(SugaredValue &callee, const Apply &tree) {
  SourceRange range = tree.range();
  auto results = [&](Value *value) { return value ? simple(value) : nullptr; };
  auto args = tree.args();
  if (llvm::any_of(args, [](const Tree *arg) { return llvm::isa<Starred>(arg); }))
    return std::nullopt;
  if (auto *cast = llvm::dyn_cast<CastFunction>(&callee)) {
    const Tree *base = args.size() == 2 ? args[1] : keywordOf(tree, "base");
    if (!cast->type->isInt() || !base)
      return std::nullopt;
    Value *text = emitExpr(args[0]), *radix = text ? emitExpr(base) : nullptr;
    return results(radix ? callTemplate(range, "int_of_text", {text, radix}) : nullptr);
  }
  if (auto *closure = llvm::dyn_cast<ClosureSugar>(&callee);
      closure && args.size() == 1 && closure->name() == "repr" && !closure->definer)
    if (auto *exception = llvm::dyn_cast_or_null<ExceptionSugar>(emitSugared(args[0]))) {
      Value *name = lookUp(exception->className, range)->asValue(*this, range);
      return results(callTemplate(range, "exception_text", {name, exception->asValue(*this, range)}));
    }
  auto isOneNumber = [](SugaredValue *value) {
    auto *plain = llvm::dyn_cast_or_null<SimpleValue>(value);
    return plain && (isPlainNumber(plain->get()->type()) || plain->get()->type()->isComplex());
  };
  auto *builtin = dynamic_cast<BuiltinFunction *>(&callee); // conversions of tensors are of the same kind
  if (!builtin)
    return std::nullopt;
  StringRef name = builtin->name.name();
  const Tree *key = keywordOf(tree, "key"), *reverse = keywordOf(tree, "reverse");
  if (builtin->self) {
    auto *list = llvm::dyn_cast<ListType>(builtin->self->type());
    if (!list || name != "sort" || !args.empty() || (!key && !llvm::isa<ListType, EnumType>(list->element())))
      return std::nullopt;
    SugaredValue *order = key ? emitSugared(key) : nullptr;
    Value *down = reverse ? emitExpr(reverse) : constant(false, range);
    if ((key && !order) || !down)
      return nullptr;
    if (key)
      return results(callTemplate(range, "sort_by", {simple(builtin->self), order, simple(down)}));
    return results(callTemplate(range, "sort_plain", {builtin->self, down}));
  }
  if ((name == "any" || name == "all") && builtin->isOfPython && args.size() == 1)
    if (auto *generator = llvm::dyn_cast<GeneratorExpr>(args[0]))
      return results(emitQuantifier(*generator, name == "any", range));
  if ((name == "any" || name == "all") && builtin->isOfPython && args.size() == 1 && tree.keywords().empty()) {
    SugaredValue *given = emitSugared(args[0]);
    if (auto *plain = llvm::dyn_cast_or_null<SimpleValue>(given);
        plain && llvm::isa<ClassType, DictType>(plain->get()->type()))
      given = listOf(given, range);
    if (isOneNumber(given))
      return given->iterable(*this, range);
    Value *values = given ? given->asValue(*this, range) : nullptr;
    if (!values)
      return nullptr;
    if (values->type()->isTensor())
      return results(callTemplate(range, name == "any" ? "any_of_rows" : "all_of_rows", {values}));
    auto *list = llvm::dyn_cast<ListType>(values->type());
    if (list && !isPlainNumber(list->element()) && !list->element()->isTensor())
      return results(callTemplate(range, name == "any" ? "any_of" : "all_of", {values}));
    return results(callBuiltin(range, builtin->name, {values}));
  }
  if (!builtin->isOfPython || args.empty())
    return std::nullopt;
  if (name == "sorted") {
    SugaredValue *values = emitSugared(args[0]);
    SugaredValue *order = values && key ? emitSugared(key) : nullptr;
    Value *down = !values || (key && !order) ? nullptr : reverse ? emitExpr(reverse) : constant(false, range);
    if (!down)
      return nullptr;
    if (key)
      return results(callTemplate(range, "sorted_by", {values, order, simple(down)}));
    auto *plain = llvm::dyn_cast<SimpleValue>(values);
    auto *list = plain ? llvm::dyn_cast<ListType>(plain->get()->type()) : nullptr;
    if (list && !llvm::isa<ListType, EnumType>(list->element()) && !reverse)
      return results(callBuiltin(range, builtin->name, {plain->get()}));
    return results(callTemplate(range, "sorted_plain", {values, simple(down)}));
  }
  if ((name == "min" || name == "max") && args.size() == 1) {
    SugaredValue *values = emitSugared(args[0]);
    SugaredValue *order = values && key ? emitSugared(key) : nullptr;
    if (!values || (key && !order))
      return nullptr;
    if (isOneNumber(values))
      return values->iterable(*this, range);
    if (auto *set = llvm::dyn_cast<SimpleValue>(values);
        set && compiler.elementOf(ContainerKind::Set, set->get()->type()))
      values = listOf(values, range);
    if (!values)
      return nullptr;
    if (key)
      return results(callTemplate(range, name == "max" ? "greatest_by" : "least_by", {values, order}));
    auto *plain = llvm::dyn_cast<SimpleValue>(values);
    auto *list = plain ? llvm::dyn_cast<ListType>(plain->get()->type()) : nullptr;
    if (list && isPlainNumber(list->element()))
      return results(callBuiltin(range, builtin->name, {plain->get()}));
    return results(callTemplate(range, name == "max" ? "greatest" : "least", {values}));
  }
  if ((name == "min" || name == "max") && args.size() >= 2 && tree.keywords().empty()) {
    llvm::SmallVector<Value *, 4> values;
    for (const Tree *arg : args)
      if (!values.emplace_back(emitExpr(arg)))
        return nullptr;
    const Type *type = values[0]->type();
    const bool isOrdered = type->isString() || isSequence(type) || llvm::isa<ClassType, EnumType>(type);
    if (isOrdered && llvm::all_of(values, [&](Value *value) { return value->type() == type; }))
      return results(callTemplate(range, name == "max" ? "greatest" : "least", {makeList(type, values, range)}));
    Value *best = values[0];
    for (Value *value : llvm::drop_begin(values))
      if (!(best = callBuiltin(range, builtin->name, {best, value})))
        return nullptr;
    return simple(best);
  }
  if (name == "sum" && (args.size() == 2 || keywordOf(tree, "start"))) {
    SugaredValue *values = emitSugared(args[0]);
    auto *plain = llvm::dyn_cast_or_null<SimpleValue>(values);
    if (!values || (plain && plain->get()->type()->isTensor()))
      return values ? std::nullopt : std::optional<SugaredValue *>(nullptr);
    auto *list = plain ? llvm::dyn_cast<ListType>(plain->get()->type()) : nullptr;
    Value *start = emitExpr(args.size() == 2 ? args[1] : keywordOf(tree, "start"), list ? list->element() : nullptr);
    return results(start ? callTemplate(range, "sum_from", {values, simple(start)}) : nullptr);
  }
  if (name == "sum" && args.size() == 1 && tree.keywords().empty()) {
    SugaredValue *values = emitSugared(args[0]);
    auto *simpleValues = llvm::dyn_cast_or_null<SimpleValue>(values);
    if (values && (llvm::isa<RangeSugar>(values) ||
                   (simpleValues && llvm::isa<ClassType, DictType>(simpleValues->get()->type()))))
      values = listOf(values, range);
    if (isOneNumber(values))
      return values->iterable(*this, range);
    Value *value = values ? values->asValue(*this, range) : nullptr;
    if (!value)
      return nullptr;
    if (value->type()->isTensor())
      return results(callTemplate(range, "sum_of_rows", {value}));
    auto *list = llvm::dyn_cast<ListType>(value->type());
    if (list && list->element()->isTensor())
      return results(callTemplate(range, "sum_of", {value}));
    return results(callBuiltin(range, builtin->name, {value}));
  }
  if (name == "pow" && args.size() == 3 && tree.keywords().empty()) {
    Value *base = emitExpr(args[0]), *exponent = base ? emitExpr(args[1]) : nullptr;
    Value *modulus = exponent ? emitExpr(args[2]) : nullptr;
    return results(modulus ? callTemplate(range, "power_modulo", {base, exponent, modulus}) : nullptr);
  }
  if (name == "round" && args.size() == 2) {
    Value *number = emitExpr(args[0]), *digits = number ? emitExpr(args[1]) : nullptr;
    if (!digits || number->type()->isTensor())
      return digits ? std::nullopt : std::optional<SugaredValue *>(nullptr);
    return results(callTemplate(range, number->type()->isInt() ? "round_int" : "round_float", {number, digits}));
  }
  return std::nullopt;
}
