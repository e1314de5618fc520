//===- PythonOperators.cpp - Operators with Python's meaning --------------===//
//
// Operations and comparisons that no operator of PyTorch has an overload for: orders
// of lists and tuples, equality of dicts, bools as numbers. Most are templates of
// Prelude/python.py.
//
//===----------------------------------------------------------------------===//
#include "PythonOperators.h"
#include "../../SugaredValues/Values.h"
#include "../Calls.h"
#include "../Calls/FunctionCalls.h"
#include "../Calls/Instances.h"
#include "../Conversions.h"
#include "../FunctionContext.h"
#include "../Refinement.h"
#include "../Statements/Branches.h"
#include "Conditions.h"
#include "Operations.h"

using namespace tsc;

/// Tuples, element by element: whether the first pair that differs is in order, or all are equal.
static Value *compareTuples(FunctionContext &fn, TreeOp op, Value *lhs, Value *rhs, size_t first, SourceRange range) {
  auto a = llvm::cast<TupleType>(lhs->type())->elements(), b = llvm::cast<TupleType>(rhs->type())->elements();
  const bool isEquality = op == TreeOp::Eq || op == TreeOp::Ne;
  const bool isStrict = op == TreeOp::Lt || op == TreeOp::Gt;
  if (isEquality && a.size() != b.size())
    return fn.constant(op == TreeOp::Ne, range);
  if (first == a.size() || first == b.size()) {
    bool isLess = op == TreeOp::Lt || op == TreeOp::Le;
    bool result = isEquality ? op == TreeOp::Eq : a.size() == b.size() ? !isStrict : (a.size() < b.size()) == isLess;
    return fn.constant(result, range);
  }
  Value *left = tupleIndex(fn, lhs, a[first], static_cast<int64_t>(first), range);
  Value *right = tupleIndex(fn, rhs, b[first], static_cast<int64_t>(first), range);
  Condition differs;
  differs.value = emitBinaryOn(fn, TreeOp::Ne, left, right, range);
  differs.value = differs.value ? toBool(fn, differs.value, range) : nullptr;
  if (!differs.value)
    return nullptr;
  return emitIfExpression(
      fn, range, differs,
      [&]() -> Value * {
        Value *inOrder = isEquality ? fn.constant(op == TreeOp::Ne, range) : emitBinaryOn(fn, op, left, right, range);
        return inOrder ? toBool(fn, inOrder, range) : nullptr;
      },
      [&] { return compareTuples(fn, op, lhs, rhs, first + 1, range); });
}

/// `==` and `!=` where one side may be None, which equals nothing but None. Null after a report.
static Value *compareOptionals(FunctionContext &fn, TreeOp op, Value *lhs, Value *rhs, SourceRange range) {
  const bool isLeft = llvm::isa<OptionalType>(lhs->type());
  Value *tested = isLeft ? lhs : rhs, *other = isLeft ? rhs : lhs;
  const bool otherMayBeNone = llvm::isa<OptionalType>(other->type());
  Condition isPresent;
  isPresent.value = callBuiltin(fn, range, aten::__isnot__, {tested, fn.none(range)});
  return emitIfExpression(
      fn, range, isPresent,
      [&]() -> Value * {
        Value *present = fn.castTo(tested, withoutNone(fn.context(), tested->type()), range);
        Value *result =
            isLeft ? emitBinaryOn(fn, op, present, other, range) : emitBinaryOn(fn, op, other, present, range);
        return result ? toBool(fn, result, range) : nullptr;
      },
      [&]() -> Value * {
        if (!otherMayBeNone)
          return fn.constant(op == TreeOp::Ne, range);
        return callBuiltin(fn, range, op == TreeOp::Eq ? aten::__is__ : aten::__isnot__, {other, fn.none(range)});
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

static bool isEquality(TreeOp op) { return op == TreeOp::Eq || op == TreeOp::Ne; }
static bool isOrder(TreeOp op) { return op == TreeOp::Lt || op == TreeOp::Le || op == TreeOp::Gt || op == TreeOp::Ge; }
static bool isMembership(TreeOp op) { return op == TreeOp::In || op == TreeOp::NotIn; }
static bool isShift(TreeOp op) { return op == TreeOp::ShiftLeft || op == TreeOp::ShiftRight; }
static bool isBitwise(TreeOp op) { return op == TreeOp::BitAnd || op == TreeOp::BitOr || op == TreeOp::BitXor; }
static bool isArithmetic(TreeOp op) {
  return op == TreeOp::Add || op == TreeOp::Sub || op == TreeOp::Mul || op == TreeOp::Div || op == TreeOp::FloorDiv ||
         op == TreeOp::Mod || op == TreeOp::Pow;
}

namespace {
/// One operation on two values. Each of its parts looks at operands of some types, and gives nothing for others, null
/// after a report.
class PythonOperation {
public:
  using Result = std::optional<Value *>;
  PythonOperation(FunctionContext &fn, TreeOp op, Value *lhs, Value *rhs, SourceRange range)
      : fn(fn), op(op), lhs(lhs), rhs(rhs), range(range), a(lhs->type()), b(rhs->type()) {}

  Result emit() {
    for (Result (PythonOperation::*part)() :
         {&PythonOperation::onMembers, &PythonOperation::onBools, &PythonOperation::onBoolAndTensor,
          &PythonOperation::onOptionals, &PythonOperation::onText, &PythonOperation::onComplex,
          &PythonOperation::onTuples, &PythonOperation::onLists, &PythonOperation::onDicts,
          &PythonOperation::onEqualObjects, &PythonOperation::byMethodOfRight, &PythonOperation::inTuple,
          &PythonOperation::inTensor, &PythonOperation::inSearched})
      if (Result result = (this->*part)())
        return result;
    return std::nullopt;
  }

private:
  /// The same operation on what the operands have become.
  Value *again() { return lhs && rhs ? emitBinaryOn(fn, op, lhs, rhs, range) : nullptr; }
  /// Hands the operands whose types `isSuch` to an operator.
  void convert(bool (*isSuch)(const Type *), Symbol conversion) {
    for (Value **side : {&lhs, &rhs})
      if (isSuch((*side)->type()))
        *side = callBuiltin(fn, range, conversion, {*side});
  }
  /// The answer to the question that `op` is, or is the negation of. Null of null.
  Value *answer(Value *found) {
    const bool isNegated = op == TreeOp::Ne || op == TreeOp::NotIn;
    return found && isNegated ? callBuiltin(fn, range, aten::__not__, {found}) : found;
  }

  /// A member of an IntEnum is its number, but for the question whether two members of one are the same.
  Result onMembers() {
    const bool isAmongMembers = isMembership(op) && holdsMembers(fn.compiler, b, a);
    if (a == b ? isEquality(op) || isMembership(op) : isAmongMembers)
      return std::nullopt;
    for (Value **side : {&lhs, &rhs})
      if (auto *type = llvm::dyn_cast<EnumType>((*side)->type()); type && fn.compiler.intEnums.contains(type)) {
        *side = fn.insertValue(prim::EnumValue, {*side}, type->valueType(), range);
        return again();
      }
    return std::nullopt;
  }

  /// A bool is a number beside another one, and beside a bool where the result is one.
  Result onBools() {
    const bool isBesideNumber =
        (a->isBool() && (b->isInt() || b->isFloat())) || (b->isBool() && (a->isInt() || a->isFloat()));
    const bool isOfNumbers = isBesideNumber
                                 ? isArithmetic(op) || isEquality(op) || isOrder(op) || isShift(op) ||
                                       (isBitwise(op) && !a->isFloat() && !b->isFloat())
                                 : a->isBool() && b->isBool() && (isArithmetic(op) || isShift(op) || isOrder(op));
    if (!isOfNumbers)
      return std::nullopt;
    convert([](const Type *type) { return type->isBool(); }, aten::Int);
    return again();
  }

  /// Beside a tensor it is a bool all the same, as a tensor of one is.
  Result onBoolAndTensor() {
    if (!((a->isTensor() && b->isBool()) || (a->isBool() && b->isTensor())) ||
        !(isArithmetic(op) || isEquality(op) || isOrder(op) || isBitwise(op)))
      return std::nullopt;
    convert([](const Type *type) { return type->isBool(); }, aten::tensor);
    return again();
  }

  Result onOptionals() {
    if (isEquality(op) && (llvm::isa<OptionalType>(a) || llvm::isa<OptionalType>(b)) && !a->isNone() && !b->isNone() &&
        !withoutNone(fn.context(), a)->isTensor() && !withoutNone(fn.context(), b)->isTensor())
      return compareOptionals(fn, op, lhs, rhs, range);
    return std::nullopt;
  }

  Result onText() {
    if (op == TreeOp::Mul && ((a->isString() && b->isInt()) || (a->isInt() && b->isString())))
      return callTemplate(fn, range, "repeat_text", {a->isString() ? lhs : rhs, a->isString() ? rhs : lhs});
    return std::nullopt;
  }

  Result onComplex() {
    if (op == TreeOp::Pow && a->isComplex() && b->isInt())
      return callTemplate(fn, range, "complex_power", {lhs, rhs});
    const bool hasComplex = (a->isComplex() || b->isComplex()) && (a->isComplex() || isPlainNumber(a)) &&
                            (b->isComplex() || isPlainNumber(b));
    if (!hasComplex)
      return std::nullopt;
    if (isOrder(op) || op == TreeOp::Mod || op == TreeOp::FloorDiv) // PyTorch leaves out the imaginary part
      return fn.error(range, diag::NoOperator, treeOpSpelling(op), a->annotation(), b->annotation());
    if ((op != TreeOp::Div && op != TreeOp::Pow) || a == b)
      return std::nullopt;
    convert([](const Type *type) { return !type->isComplex(); }, aten::Complex);
    return again();
  }

  Result onTuples() {
    if (llvm::isa<TupleType>(a) && llvm::isa<TupleType>(b) && (isEquality(op) || isOrder(op)))
      return compareTuples(fn, op, lhs, rhs, 0, range);
    return std::nullopt;
  }

  Result onLists() {
    if (!llvm::isa<ListType>(a) || !llvm::isa<ListType>(b) || !(isEquality(op) || isOrder(op)))
      return std::nullopt;
    const Type *element = llvm::cast<ListType>(a)->element();
    const bool hasOperator =
        isEquality(op) && (element->isInt() || element->isFloat() || element->isBool() || element->isString());
    if (element->isTensor() || hasOperator)
      return std::nullopt;
    if (isEquality(op))
      return answer(callTemplate(fn, range, "equal_lists", {lhs, rhs}));
    if (op == TreeOp::Gt || op == TreeOp::Ge)
      std::swap(lhs, rhs);
    return callTemplate(fn, range, op == TreeOp::Lt || op == TreeOp::Gt ? "less" : "less_equal", {lhs, rhs});
  }

  Result onDicts() {
    if (!llvm::isa<DictType>(a) || a != b)
      return std::nullopt;
    if (op == TreeOp::BitOr)
      return callTemplate(fn, range, "united_dicts", {lhs, rhs});
    if (isEquality(op))
      return answer(callTemplate(fn, range, "equal_dicts", {lhs, rhs}));
    return std::nullopt;
  }

  /// Objects whose class does not say otherwise equal themselves alone.
  Result onEqualObjects() {
    auto *type = llvm::dyn_cast<ClassType>(a);
    if (!type || !isEquality(op) || type->isModule() || type->findMethod(op == TreeOp::Eq ? "__eq__" : "__ne__"))
      return std::nullopt;
    if (op == TreeOp::Ne && type->findMethod("__eq__")) {
      Value *equal = emitBinaryOn(fn, TreeOp::Eq, lhs, rhs, range);
      return answer(equal ? toBool(fn, equal, range) : nullptr);
    }
    if (llvm::isa<ClassType>(b) || b->isNone() || llvm::isa<OptionalType>(b))
      return callBuiltin(fn, range, op == TreeOp::Eq ? aten::__is__ : aten::__isnot__, {lhs, rhs});
    return std::nullopt;
  }

  /// `a > b` is `b < a`, and `a + b` is `b.__radd__(a)`, where the class of the left one does not have it.
  Result byMethodOfRight() {
    auto *type = llvm::dyn_cast<ClassType>(a), *holder = llvm::dyn_cast<ClassType>(b);
    if (!holder || (type && type->findMethod(treeOpMethod(op))))
      return std::nullopt;
    Function *method = isOrder(op) ? holder->findMethod(treeOpMethod(mirroredOp(op))) : nullptr;
    if (StringRef reflected = reflectedMethod(op); !method && !reflected.empty())
      method = holder->findMethod(reflected);
    if (!method)
      return std::nullopt;
    return callMethod(fn, range, rhs, method, {NamedValue(lhs)}, {});
  }

  Result inTuple() {
    if (!isMembership(op) || !llvm::isa<TupleType>(b))
      return std::nullopt;
    Value *found = fn.constant(false, range);
    for (auto [i, element] : llvm::enumerate(llvm::cast<TupleType>(b)->elements())) {
      if (fn.context().unify(a, element) == nullptr)
        continue; // of another type: never equal
      Condition isFound;
      isFound.value = found;
      found = emitIfExpression(
          fn, range, isFound, [&] { return fn.constant(true, range); },
          [&]() -> Value * {
            Value *same =
                emitBinaryOn(fn, TreeOp::Eq, lhs, tupleIndex(fn, rhs, element, static_cast<int64_t>(i), range), range);
            return same ? toBool(fn, same, range) : nullptr;
          });
      if (!found)
        return nullptr;
    }
    return answer(found);
  }

  /// Whether an element of a tensor equals a number.
  Result inTensor() {
    if (!isMembership(op) || !b->isTensor() || !(isPlainNumber(a) || a->isTensor()))
      return std::nullopt;
    Value *equal = emitBinaryOn(fn, TreeOp::Eq, rhs, lhs, range);
    Value *found = equal ? callBuiltin(fn, range, fn.context().symbol("aten::any"), {equal}) : nullptr;
    return answer(found ? toBool(fn, found, range) : nullptr);
  }

  /// Containers that are searched by a loop: objects that can be gone over, and lists of what has no operator.
  Result inSearched() {
    auto *type = llvm::dyn_cast<ClassType>(a), *holder = llvm::dyn_cast<ClassType>(b);
    const bool isSearched = (holder && !holder->findMethod("__contains__") &&
                             (holder->findMethod("__iter__") || holder->findMethod("__getitem__"))) ||
                            (llvm::isa<ListType>(b) && (isSequence(a) || llvm::isa<EnumType>(a) ||
                                                        (type && llvm::cast<ListType>(b)->element() == a)));
    if (!isMembership(op) || !isSearched)
      return std::nullopt;
    return answer(callTemplate(fn, range, "contains", {rhs, lhs}));
  }

  FunctionContext &fn;
  TreeOp op;
  Value *lhs, *rhs;
  SourceRange range;
  const Type *a, *b; ///< The types of the operands.
};
} // namespace

std::optional<Value *> tsc::emitPythonBinary(FunctionContext &fn, TreeOp op, Value *lhs, Value *rhs,
                                             SourceRange range) {
  return PythonOperation(fn, op, lhs, rhs, range).emit();
}
