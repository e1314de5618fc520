//===- Operators.cpp - Arithmetic, comparison and text of values ----------===//
#include "../Emitter/Expressions/Operations.h"
#include "../SugaredValues/Values.h"
#include "Evaluator.h"
#include "tsc/Frontend/Diagnostics.h"
#include "tsc/Python/Numbers.h"
#include "tsc/Python/Text.h"
#include "tsc/Tensor/TensorHistory.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <compare>

using namespace tsc;
using namespace tsc::python;

//===-- Arithmetic ---------------------------------------------------------===//

/// Of ints; nothing where the operator makes floats of them, or is none of numbers.
static std::optional<StatusOr<int64_t>> ofInts(TreeOp op, int64_t a, int64_t b) {
  switch (op) {
  case TreeOp::Add: return add(a, b);
  case TreeOp::Sub: return subtract(a, b);
  case TreeOp::Mul: return multiply(a, b);
  case TreeOp::FloorDiv: return floorDivide(a, b);
  case TreeOp::Mod: return modulo(a, b);
  case TreeOp::BitAnd: return a & b;
  case TreeOp::BitOr: return a | b;
  case TreeOp::BitXor: return a ^ b;
  case TreeOp::ShiftLeft: return shiftLeft(a, b);
  case TreeOp::ShiftRight: return shiftRight(a, b);
  case TreeOp::Pow: return b < 0 ? std::nullopt : std::optional(power(a, b));
  default: return std::nullopt;
  }
}

static std::optional<StatusOr<double>> ofFloats(TreeOp op, double a, double b) {
  switch (op) {
  case TreeOp::Add: return a + b;
  case TreeOp::Sub: return a - b;
  case TreeOp::Mul: return a * b;
  case TreeOp::Div: return divide(a, b);
  case TreeOp::FloorDiv: return floorDivide(a, b);
  case TreeOp::Mod: return modulo(a, b);
  case TreeOp::Pow: return power(a, b);
  default: return std::nullopt;
  }
}

Result Evaluator::ofNumbers(TreeOp op, const AnyValue &lhs, const AnyValue &rhs, SourceRange range) {
  const bool areInts = lhs.isInt() && rhs.isInt();
  const bool isOfBits = op == TreeOp::BitAnd || op == TreeOp::BitOr || op == TreeOp::BitXor;
  if (areInts && isOfBits && lhs.data.isBool() && rhs.data.isBool())
    return AnyValue(IValue(**ofInts(op, lhs.data.toInt(), rhs.data.toInt()) != 0));
  if (areInts && op == TreeOp::Div)
    return valueOf(divide(lhs.data.toInt(), rhs.data.toInt()), range);
  if (areInts)
    if (std::optional<StatusOr<int64_t>> result = ofInts(op, lhs.data.toInt(), rhs.data.toInt()))
      return valueOf(*std::move(result), range);
  std::optional<StatusOr<double>> result = ofFloats(op, lhs.toDouble(), rhs.toDouble());
  return result ? valueOf(*std::move(result), range) : noOperator(op, lhs, rhs, range);
}

/// A TypeError in Python's words.
std::nullopt_t Evaluator::noOperator(TreeOp op, const AnyValue &lhs, const AnyValue &rhs, SourceRange range) {
  // Python has operators on these that are not here.
  auto isPlain = [](const AnyValue &value) {
    return value.isNumber() || value.isNone() || value.isString() || value.as<InstanceObject>() ||
           value.as<ListObject>() || value.as<TupleObject>() || value.as<DictObject>() || value.as<SetObject>();
  };
  if (!isPlain(lhs) || !isPlain(rhs))
    return refuse(range,
                  "operands of '" + treeOpSpelling(op) + "' like '" + typeName(lhs) + "' and '" + typeName(rhs) + "'");
  const bool isSequence = lhs.isString() || lhs.as<ListObject>() || lhs.as<TupleObject>();
  if (op == TreeOp::Add && isSequence)
    return raise(range, "TypeError",
                 "can only concatenate " + typeName(lhs) + " (not \"" + typeName(rhs) + "\") to " + typeName(lhs));
  const bool isOther = rhs.isString() || rhs.as<ListObject>() || rhs.as<TupleObject>();
  if (op == TreeOp::Mul && (isSequence || isOther))
    return raise(range, "TypeError",
                 "can't multiply sequence by non-int of type '" + typeName(isSequence ? rhs : lhs) + "'");
  const StringRef both = op == TreeOp::Pow ? " or pow()" : "";
  return raise(range, "TypeError",
               "unsupported operand type(s) for " + treeOpSpelling(op) + both + ": '" + typeName(lhs) + "' and '" +
                   typeName(rhs) + "'");
}

AnyValue Evaluator::withoutEnum(const AnyValue &value) const {
  if (value.object || !value.data.isEnum() || !compiler.intEnums.contains(value.data.toEnum().type))
    return value;
  return AnyValue(value.data.toEnum().value);
}

template <typename Sequence>
std::optional<Result> Evaluator::ofElements(TreeOp op, const Sequence &sequence, const AnyValue &rhs,
                                            SourceRange range) {
  const std::vector<AnyValue> &elements = sequence.elements;
  if (auto *other = rhs.as<Sequence>(); other && op == TreeOp::Add) {
    if (!countElements(static_cast<int64_t>(elements.size() + other->elements.size()), 1, range))
      return Result();
    auto *sum = make<Sequence>();
    sum->elements = elements;
    llvm::append_range(sum->elements, other->elements);
    return Result(sum);
  }
  if (op != TreeOp::Mul || !rhs.isInt())
    return std::nullopt;
  const int64_t times = rhs.data.toInt();
  if (!countElements(static_cast<int64_t>(elements.size()), times, range))
    return Result();
  auto *repeated = make<Sequence>();
  for (int64_t i = 0; i < times && !elements.empty(); ++i)
    llvm::append_range(repeated->elements, elements);
  return Result(repeated);
}

std::optional<Result> Evaluator::ofSequences(TreeOp op, const AnyValue &lhs, const AnyValue &rhs, SourceRange range) {
  if (op == TreeOp::Add && lhs.isString() && rhs.isString()) {
    const std::string &first = lhs.data.toString(), &second = rhs.data.toString();
    if (!countElements(static_cast<int64_t>(first.size() + second.size()) / 8, 1, range))
      return Result();
    return Result(IValue(first + second));
  }
  if (op == TreeOp::Mul && lhs.isString() && rhs.isInt()) {
    const std::string &text = lhs.data.toString();
    if (!countElements(static_cast<int64_t>(text.size()), rhs.data.toInt(), range))
      return Result();
    return valueOf(python::repeat(text, rhs.data.toInt()), range);
  }
  if (op == TreeOp::Mod && lhs.isString())
    return percentFormatted(lhs.data.toString(), rhs, range);
  if (auto *list = lhs.as<ListObject>())
    return ofElements(op, *list, rhs, range);
  if (auto *tuple = lhs.as<TupleObject>())
    return ofElements(op, *tuple, rhs, range);
  if (op == TreeOp::Mul && lhs.isInt() && (rhs.isString() || rhs.as<ListObject>() || rhs.as<TupleObject>()))
    return binary(op, rhs, lhs, range);
  return std::nullopt;
}

Result Evaluator::unionOfTypes(const AnyValue &lhs, const AnyValue &rhs) {
  auto *types = make<TupleObject>();
  for (const AnyValue &one : {lhs, rhs})
    if (auto *several = one.as<TupleObject>())
      llvm::append_range(types->elements, several->elements);
    else
      types->elements.push_back(one.isNone() ? native("NoneType") : one);
  types->isUnion = true;
  return AnyValue(types);
}

Result Evaluator::merged(const DictObject &left, const DictObject &right, SourceRange range) {
  auto *result = make<DictObject>();
  result->entries = left.entries;
  for (auto &[key, value] : right.entries)
    if (!setItem(result, key, value, range))
      return std::nullopt;
  return AnyValue(result);
}

Result Evaluator::binary(TreeOp op, const AnyValue &first, const AnyValue &second, SourceRange range) {
  const AnyValue lhs = withoutEnum(first), rhs = withoutEnum(second);
  if (std::optional<Result> own = callEither(treeOpMethod(op), reflectedMethod(op), lhs, rhs, range))
    return *own;
  if (lhs.isNumber() && rhs.isNumber())
    return ofNumbers(op, lhs, rhs, range);
  if (std::optional<Result> sequence = ofSequences(op, lhs, rhs, range))
    return *sequence;
  auto *left = lhs.as<DictObject>(), *right = rhs.as<DictObject>();
  if ((left && left->flavor != DictObject::Flavor::Plain) || (right && right->flavor != DictObject::Flavor::Plain) ||
      lhs.as<DequeObject>() || rhs.as<DequeObject>())
    return refuse(range,
                  "operands of '" + treeOpSpelling(op) + "' like '" + typeName(lhs) + "' and '" + typeName(rhs) + "'");
  if (op == TreeOp::BitOr && isType(lhs) && (isType(rhs) || rhs.isNone()))
    return unionOfTypes(lhs, rhs);
  if (op == TreeOp::BitOr && left && right)
    return merged(*left, *right, range);
  if (op == TreeOp::MatMul && !lhs.object && !rhs.object && !(lhs.isTensor() && rhs.isTensor()))
    return raise(range, "TypeError",
                 "unsupported operand type(s) for @: '" + typeName(lhs) + "' and '" + typeName(rhs) + "'");
  if (!lhs.object && !rhs.object &&
      (lhs.isTensor() || rhs.isTensor() || lhs.data.isComplex() || rhs.data.isComplex())) {
    Arguments arguments;
    arguments.positional = {lhs, rhs};
    return runCompiled(treeOpSpelling(op), arguments, range,
                       [&](FunctionContext &e, ArrayRef<NamedValue> args, ArrayRef<NamedValue>) {
                         return e.simple(emitBinaryOn(e, op, args[0].value, args[1].value, range));
                       });
  }
  auto *some = lhs.as<SetObject>(), *others = rhs.as<SetObject>();
  if (some && others)
    if (std::optional<Result> result = ofSets(op, *some, *others))
      return *result;
  return noOperator(op, lhs, rhs, range);
}

/// Whether a value is a class, a type of Python's, or a union of such.
bool Evaluator::isType(const AnyValue &value) {
  auto *native = value.as<NativeObject>();
  auto *types = value.as<TupleObject>();
  auto *type = value.as<ClassObject>();
  return (type && !type->members) || (native && isTypeName(native->name)) || (types && types->isUnion);
}

/// Union, intersection and differences; nothing for another operator.
std::optional<Result> Evaluator::ofSets(TreeOp op, const SetObject &a, const SetObject &b) {
  auto *result = make<SetObject>();
  result->isFrozen = a.isFrozen;
  auto take = [&](const SetObject &from, const SetObject &other, bool isIn) {
    for (const AnyValue &value : from.elements)
      if (hasKey(other.elements, value) == isIn)
        result->elements.push_back(value);
  };
  switch (op) {
  case TreeOp::BitOr:
    result->elements = a.elements;
    take(b, a, false);
    break;
  case TreeOp::BitAnd: take(a, b, true); break;
  case TreeOp::Sub: take(a, b, false); break;
  case TreeOp::BitXor:
    take(a, b, false);
    take(b, a, false);
    break;
  default: return std::nullopt;
  }
  return AnyValue(result);
}

//===-- Comparison ---------------------------------------------------------===//

static std::partial_ordering order(const AnyValue &a, const AnyValue &b) {
  if (a.isInt() && b.isInt())
    return a.data.toInt() <=> b.data.toInt();
  if (a.isInt())
    return compare(a.data.toInt(), b.toDouble());
  if (b.isInt())
    return 0 <=> compare(b.data.toInt(), a.toDouble());
  return a.toDouble() <=> b.toDouble();
}

bool Evaluator::isNotImplemented(const AnyValue &value) {
  auto *native = value.as<NativeObject>();
  return native && native->name == "NotImplemented";
}

/// `==` of what containers hold: the same thing is equal to itself. False after a report, which `isRaisedInside` tells.
bool Evaluator::equal(const AnyValue &first, const AnyValue &second) {
  if (isRaisedInside)
    return false;
  // Two members of one class are the same or not; beside another value a member is its value.
  const bool areMembers = !first.object && !second.object && first.data.isEnum() && second.data.isEnum() &&
                          first.data.toEnum().type == second.data.toEnum().type;
  const AnyValue a = areMembers ? first : withoutEnum(first), b = areMembers ? second : withoutEnum(second);
  if (a.isNumber() && b.isNumber())
    return order(a, b) == 0;
  if (a.object == b.object && a.object)
    return true;
  if (std::optional<Result> own = callEither("__eq__", "__eq__", a, b, lastStep)) {
    std::optional<bool> holds = *own ? truth(**own, lastStep) : std::nullopt;
    isRaisedInside |= !holds;
    return holds.value_or(false);
  }
  if ((a.isTensor() && (b.isTensor() || b.isNumber())) || (b.isTensor() && a.isNumber())) {
    if (isSameThing(a, b))
      return true;
    Result areEqual = compare(TreeOp::Eq, a, b, lastStep);
    std::optional<bool> holds = areEqual ? truth(*areEqual, lastStep) : std::nullopt;
    isRaisedInside |= !holds;
    return holds.value_or(false);
  }
  if (!a.object && !b.object)
    return a.isDType == b.isDType && a.constantName == b.constantName && valuesEqual(a.data, b.data);
  if (a.as<StateObject>() || b.as<StateObject>()) {
    refuseLater("comparisons of states of optimizers");
    return false;
  }
  if (!a.object || !b.object || a.object->kind != b.object->kind)
    return false;
  Nesting nesting(*this);
  if (!nesting.isAllowed())
    return false;
  auto areEqual = [&](const std::vector<AnyValue> &x, const std::vector<AnyValue> &y) {
    return x.size() == y.size() &&
           llvm::all_of(llvm::zip(x, y), [&](auto pair) { return equal(std::get<0>(pair), std::get<1>(pair)); });
  };
  if (auto *list = a.as<ListObject>())
    return areEqual(list->elements, b.as<ListObject>()->elements);
  if (auto *tuple = a.as<TupleObject>())
    return areEqual(tuple->elements, b.as<TupleObject>()->elements);
  if (auto *set = a.as<SetObject>()) {
    const std::vector<AnyValue> &others = b.as<SetObject>()->elements;
    return set->elements.size() == others.size() &&
           llvm::all_of(set->elements, [&](const AnyValue &one) { return hasKey(others, one); });
  }
  if (auto *dict = a.as<DictObject>();
      dict && dict->flavor != DictObject::Flavor::Plain && dict->flavor == b.as<DictObject>()->flavor) {
    if (dict->flavor == DictObject::Flavor::Counter) {
      refuseLater("comparisons of Counters");
      return false;
    }
    if (dict->flavor == DictObject::Flavor::Ordered) // in their order
      return dict->entries.size() == b.as<DictObject>()->entries.size() &&
             llvm::all_of(llvm::zip(dict->entries, b.as<DictObject>()->entries), [&](auto pair) {
               auto &[one, other] = pair;
               return isSameKey(one.first, other.first) && equal(one.second, other.second);
             });
  }
  if (auto *deque = a.as<DequeObject>())
    return areEqual(deque->elements, b.as<DequeObject>()->elements);
  if (auto *slice = a.as<SliceObject>()) {
    auto *other = b.as<SliceObject>();
    return equal(slice->start, other->start) && equal(slice->stop, other->stop) && equal(slice->step, other->step);
  }
  if (auto *dict = a.as<DictObject>()) {
    const auto &others = b.as<DictObject>()->entries;
    return dict->entries.size() == others.size() && llvm::all_of(dict->entries, [&](const auto &one) {
             return llvm::any_of(others, [&](const auto &other) {
               return isSameKey(one.first, other.first) && equal(one.second, other.second);
             });
           });
  }
  if (auto *range = a.as<RangeObject>()) { // as the sequences of their numbers
    auto *other = b.as<RangeObject>();
    const uint64_t size = range->size();
    return size == other->size() && (size == 0 || range->start == other->start) &&
           (size < 2 || range->step == other->step);
  }
  if (a.as<ViewObject>()) {
    refuseLater("comparisons of views of dicts");
    return false;
  }
  auto *one = a.as<InstanceObject>(), *other = b.as<InstanceObject>();
  if (one && other && one->type == other->type && one->type->isDataclass)
    return llvm::all_of(one->slots, [&](auto &entry) {
      const Slot *slot = other->slots.find(entry.first);
      return slot && equal(entry.second.value, slot->value);
    });
  return isSameThing(a, b);
}

/// Whether dicts and sets take two keys as one.
bool Evaluator::isSameKey(const AnyValue &a, const AnyValue &b) {
  if (a.isTensor() || b.isTensor()) // their hash is their identity
    return isSameThing(a, b);
  auto *one = a.as<InstanceObject>(), *other = b.as<InstanceObject>();
  if (one && other && one != other)
    if (std::optional<Result> x = callOwn("__hash__", a, {}, lastStep), y = callOwn("__hash__", b, {}, lastStep);
        x && y) {
      isRaisedInside |= !*x || !*y;
      if (isRaisedInside || !equal(**x, **y))
        return false;
    }
  return equal(a, b);
}

bool Evaluator::hasKey(const std::vector<AnyValue> &keys, const AnyValue &key) {
  return llvm::any_of(keys, [&](const AnyValue &known) { return isSameKey(known, key); });
}

/// Whether a value can be a key; false after a TypeError.
bool Evaluator::isHashable(const AnyValue &key, SourceRange range) {
  bool can = !key.as<ListObject>() && !key.as<DictObject>() && !key.as<DequeObject>() && !key.as<SliceObject>() &&
             !(key.as<SetObject>() && !key.as<SetObject>()->isFrozen);
  if (auto *view = key.as<ViewObject>())
    can = view->part == ViewObject::Part::Values;
  if (auto *tuple = key.as<TupleObject>())
    for (const AnyValue &part : tuple->elements)
      if (!isHashable(part, range))
        return false;
  if (auto *instance = key.as<InstanceObject>(); instance && !instance->type->find("__hash__"))
    can = !instance->type->find("__eq__") && (!instance->type->isDataclass || instance->type->isFrozen);
  if (!can)
    raise(range, "TypeError", "unhashable type: '" + typeName(key) + "'");
  return can;
}

bool Evaluator::isSameThing(const AnyValue &a, const AnyValue &b) {
  if (!a.object || !b.object)
    return !a.object && !b.object && a.isDType == b.isDType && a.constantName == b.constantName &&
           a.data.isSameAs(b.data);
  auto *first = a.as<LibraryObject>(), *second = b.as<LibraryObject>();
  if (first && second)
    return first->path == second->path;
  auto *one = a.as<NativeObject>(), *other = b.as<NativeObject>();
  if (one && other)
    return one->name == other->name && one->name.find('.') == std::string::npos;
  return a.object == b.object;
}

std::optional<Result> Evaluator::callOwn(StringRef method, const AnyValue &self, std::vector<AnyValue> operands,
                                         SourceRange range) {
  auto *instance = self.as<InstanceObject>();
  AnyValue *found = instance && !method.empty() ? instance->type->find(method) : nullptr;
  if (!found || !found->as<FunctionObject>())
    return std::nullopt;
  Result bound = bindAttribute(*found, instance, instance->type, range);
  Arguments arguments;
  arguments.positional = std::move(operands);
  return bound ? call(*bound, arguments, range) : std::nullopt;
}

std::optional<Result> Evaluator::callEither(StringRef method, StringRef reflected, const AnyValue &lhs,
                                            const AnyValue &rhs, SourceRange range) {
  auto *left = lhs.as<InstanceObject>(), *right = rhs.as<InstanceObject>();
  if (!left && !right)
    return std::nullopt;
  AnyValue *own = left ? left->type->find(method) : nullptr, *other = right ? right->type->find(reflected) : nullptr;
  // What derives from the other's class, and defines its own method, is asked first.
  const bool isRightFirst =
      own && other && left->type != right->type && right->type->derivesFrom(left->type) &&
      other->object != (left->type->find(reflected) ? left->type->find(reflected)->object : nullptr);
  const bool isComparison = llvm::is_contained({"__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"}, method);
  const bool mayAskRight = other && (!left || left->type != right->type || isComparison);
  for (bool isRight : {isRightFirst, !isRightFirst}) {
    if (isRight && !mayAskRight)
      continue;
    std::optional<Result> result = isRight ? callOwn(reflected, rhs, {lhs}, range) : callOwn(method, lhs, {rhs}, range);
    if (result && (!*result || !isNotImplemented(**result)))
      return result;
  }
  return std::nullopt;
}

Result Evaluator::compare(TreeOp op, const AnyValue &first, const AnyValue &second, SourceRange range) {
  const bool isOrder = op == TreeOp::Lt || op == TreeOp::Le || op == TreeOp::Gt || op == TreeOp::Ge;
  const AnyValue lhs = isOrder ? withoutEnum(first) : first, rhs = isOrder ? withoutEnum(second) : second;
  if (op == TreeOp::Is || op == TreeOp::IsNot)
    return AnyValue(IValue(isSameThing(lhs, rhs) == (op == TreeOp::Is)));
  if (op == TreeOp::In || op == TreeOp::NotIn) {
    std::optional<bool> found = contains(rhs, lhs, range);
    return found ? Result(IValue(*found == (op == TreeOp::In))) : std::nullopt;
  }
  // a > b is b < a
  if (std::optional<Result> own =
          callEither(treeOpMethod(op), treeOpMethod(isOrder ? mirroredOp(op) : op), lhs, rhs, range))
    return *own;
  if (op == TreeOp::Ne)
    if (std::optional<Result> areSame = callEither("__eq__", "__eq__", lhs, rhs, range)) {
      std::optional<bool> isTrue = *areSame ? truth(**areSame, range) : std::nullopt;
      return isTrue ? Result(IValue(!*isTrue)) : std::nullopt;
    }
  if (!lhs.object && !rhs.object && (lhs.isTensor() || rhs.isTensor()) && !lhs.isNone() && !rhs.isNone()) {
    Arguments arguments;
    arguments.positional = {lhs, rhs};
    return runCompiled(treeOpSpelling(op), arguments, range,
                       [&](FunctionContext &e, ArrayRef<NamedValue> args, ArrayRef<NamedValue>) {
                         return e.simple(emitBinaryOn(e, op, args[0].value, args[1].value, range));
                       });
  }
  if (op == TreeOp::Eq || op == TreeOp::Ne) {
    lastStep = range;
    const bool areSame = equal(lhs, rhs);
    return isRefused || isRaisedInside ? std::nullopt : Result(IValue(areSame == (op == TreeOp::Eq)));
  }
  auto holds = [&](auto ordered) {
    return AnyValue(IValue(op == TreeOp::Lt   ? ordered < 0
                           : op == TreeOp::Le ? ordered <= 0
                           : op == TreeOp::Gt ? ordered > 0
                                              : ordered >= 0));
  };
  if (lhs.isNumber() && rhs.isNumber())
    return holds(order(lhs, rhs));
  if (lhs.isString() && rhs.isString()) // UTF-8 orders as its code points
    return holds(StringRef(lhs.data.toString()).compare(rhs.data.toString()));
  auto byElements = [&](const auto *a, const auto *b) { // the first difference decides
    for (auto [x, y] : llvm::zip(a->elements, b->elements))
      if (!equal(x, y))
        return isRefused || isRaisedInside ? Result() : compare(op, x, y, range);
    return Result(holds(a->elements.size() <=> b->elements.size()));
  };
  if (auto *a = lhs.as<TupleObject>(), *b = rhs.as<TupleObject>(); a && b)
    return byElements(a, b);
  if (auto *a = lhs.as<ListObject>(), *b = rhs.as<ListObject>(); a && b)
    return byElements(a, b);
  if (auto *a = lhs.as<SetObject>(), *b = rhs.as<SetObject>(); a && b) { // subsets
    const bool isBelow = op == TreeOp::Lt || op == TreeOp::Le;
    const auto &part = isBelow ? a->elements : b->elements, &all = isBelow ? b->elements : a->elements;
    const bool isStrict = op == TreeOp::Lt || op == TreeOp::Gt;
    const bool isIn = llvm::all_of(part, [&](const AnyValue &value) { return hasKey(all, value); });
    return AnyValue(IValue(isIn && (!isStrict || part.size() < all.size())));
  }
  auto *record = lhs.as<InstanceObject>(), *other = rhs.as<InstanceObject>();
  if (record && other && record->type == other->type && record->type->isOrdered) { // as tuples of their fields
    TupleObject one, two;
    for (const std::string &field : fieldsOf(*record->type)) {
      one.elements.push_back(record->slots[field].value);
      two.elements.push_back(other->slots[field].value);
    }
    return byElements(&one, &two);
  }
  if ((lhs.object && !lhs.as<InstanceObject>() && !lhs.as<ListObject>() && !lhs.as<TupleObject>() &&
       !lhs.as<DictObject>()) ||
      (record && record->type->isDataclass && !record->type->isOrdered))
    return refuse(range, "comparisons of '" + typeName(lhs) + "' by '" + treeOpSpelling(op) + "'");
  return raise(range, "TypeError",
               "'" + treeOpSpelling(op) + "' not supported between instances of '" + typeName(lhs) + "' and '" +
                   typeName(rhs) + "'");
}

std::optional<bool> Evaluator::truth(const AnyValue &value, SourceRange range) {
  if (auto *list = value.as<ListObject>())
    return !list->elements.empty();
  if (auto *tuple = value.as<TupleObject>())
    return !tuple->elements.empty();
  if (auto *dict = value.as<DictObject>())
    return !dict->entries.empty();
  if (auto *set = value.as<SetObject>())
    return !set->elements.empty();
  if (auto *deque = value.as<DequeObject>())
    return !deque->elements.empty();
  if (auto *numbers = value.as<RangeObject>())
    return numbers->size() != 0;
  if (auto *view = value.as<ViewObject>())
    return !view->dict->entries.empty();
  if (isNotImplemented(value))
    return refuse(range, "truth values of NotImplemented"), std::nullopt;
  if (value.as<StateObject>())
    return refuse(range, "truth values of states of optimizers"), std::nullopt;
  if (std::optional<Result> own = callOwn("__bool__", value, {}, range))
    return *own ? truth(**own, range) : std::nullopt;
  if (auto *instance = value.as<InstanceObject>(); instance && instance->type->find("__len__")) {
    NativeObject length;
    length.name = "len";
    Arguments arguments;
    arguments.positional = {value};
    Result size = callNative(length, arguments, range);
    return size ? std::optional(size->isInt() && size->data.toInt() != 0) : std::nullopt;
  }
  if (value.object)
    return true;
  if (value.isNone())
    return false;
  if (value.isNumber())
    return value.toDouble() != 0;
  if (value.isString())
    return !value.data.toString().empty();
  if (value.isTensor()) {
    Result item = callTensorMethod(value, "item", {}, range);
    return item ? truth(*item, range) : std::nullopt;
  }
  return true;
}

std::optional<bool> Evaluator::contains(const AnyValue &container, const AnyValue &element, SourceRange range) {
  lastStep = range;
  auto told = [&](bool found) { return isRefused || isRaisedInside ? std::nullopt : std::optional(found); };
  if (container.isString()) {
    if (element.isString())
      return container.data.toString().find(element.data.toString()) != std::string::npos;
    return raise(range, "TypeError", "'in <string>' requires string as left operand, not " + typeName(element));
  }
  auto *instance = container.as<InstanceObject>();
  if (std::optional<Result> own = callOwn("__contains__", container, {element}, range))
    return *own ? truth(**own, range) : std::nullopt;
  if (instance && (instance->type->derivesFrom("ModuleDict") || instance->type->derivesFrom("ParameterDict")) &&
      element.isString()) {
    Slot *slot = instance->slots.find(element.data.toString());
    return slot && slot->kind != SlotKind::Regular;
  }
  auto *dict = container.as<DictObject>();
  if (auto *view = container.as<ViewObject>(); view && view->part == ViewObject::Part::Keys)
    dict = view->dict;
  if (dict || container.as<SetObject>()) {
    if (!isHashable(element, range))
      return std::nullopt;
    return told(dict ? llvm::any_of(dict->entries, [&](auto &entry) { return isSameKey(entry.first, element); })
                     : hasKey(container.as<SetObject>()->elements, element));
  }
  if (auto *numbers = container.as<RangeObject>(); numbers && element.isInt()) {
    const int64_t at = element.data.toInt();
    const __int128 distance = static_cast<__int128>(at) - numbers->start;
    return distance % numbers->step == 0 && distance / numbers->step >= 0 &&
           distance / numbers->step < static_cast<__int128>(numbers->size());
  }
  if (container.isTensor())
    return refuse(range, "'in' of tensors"), std::nullopt;
  std::vector<AnyValue> values;
  if (container.isNumber() || container.isNone())
    return raise(range, "TypeError", "argument of type '" + typeName(container) + "' is not iterable");
  IteratorObject *iterator = iterate(container, range);
  if (!iterator)
    return std::nullopt;
  for (;;) { // no further than the element
    std::optional<AnyValue> next;
    if (!advance(*iterator, range, next))
      return std::nullopt;
    if (!next)
      return told(false);
    if (equal(*next, element))
      return true;
    if (isRefused || isRaisedInside)
      return std::nullopt;
  }
}

bool Evaluator::elements(const AnyValue &iterable, SourceRange range, std::vector<AnyValue> &result) {
  IteratorObject *iterator = iterate(iterable, range);
  if (!iterator)
    return false;
  for (;;) {
    std::optional<AnyValue> next;
    if (!advance(*iterator, range, next))
      return false;
    if (!next)
      return true;
    if (!countElements(1, 1, range))
      return false;
    result.push_back(std::move(*next));
  }
}

//===-- Text ---------------------------------------------------------------===//

std::string Evaluator::typeName(const AnyValue &value) {
  if (!value.object) {
    if (value.isParameter)
      return "Parameter";
    if (value.isDType)
      return "dtype";
    if (!value.constantName.empty())
      return value.constantName == "strided" || value.constantName.starts_with("sparse_") ? "layout" : "memory_format";
    if (value.data.isDevice())
      return "device";
    const Type *type = value.data.dynamicType(compiler.context);
    return value.isNone() ? "NoneType" : type ? type->annotation() : "object";
  }
  switch (value.object->kind) {
  case ObjectKind::List: return "list";
  case ObjectKind::Tuple: {
    auto *tuple = llvm::cast<TupleObject>(value.object);
    return tuple->type ? tuple->type->name : tuple->isSize ? "Size" : tuple->isUnion ? "types.UnionType" : "tuple";
  }
  case ObjectKind::Dict:
    switch (llvm::cast<DictObject>(value.object)->flavor) {
    case DictObject::Flavor::Plain: return "dict";
    case DictObject::Flavor::Ordered: return "OrderedDict";
    case DictObject::Flavor::Default: return "defaultdict";
    case DictObject::Flavor::Counter: return "Counter";
    }
    break;
  case ObjectKind::Set: return llvm::cast<SetObject>(value.object)->isFrozen ? "frozenset" : "set";
  case ObjectKind::Slice: return "slice";
  case ObjectKind::Deque: return "deque";
  case ObjectKind::Cached: return "functools._lru_cache_wrapper";
  case ObjectKind::Range: return "range";
  case ObjectKind::View: {
    const ViewObject::Part part = llvm::cast<ViewObject>(value.object)->part;
    return part == ViewObject::Part::Keys     ? "dict_keys"
           : part == ViewObject::Part::Values ? "dict_values"
                                              : "dict_items";
  }
  case ObjectKind::Iterator: return llvm::cast<IteratorObject>(value.object)->name;
  case ObjectKind::Function: return "function";
  case ObjectKind::Bound: return "method";
  case ObjectKind::Native:
    return isTypeName(llvm::cast<NativeObject>(value.object)->name) ? "type" : "builtin_function_or_method";
  case ObjectKind::TensorMethod: return "builtin_function_or_method";
  case ObjectKind::Partial: return "functools.partial";
  case ObjectKind::Library: return llvm::cast<LibraryObject>(value.object)->path;
  case ObjectKind::File: return "module";
  case ObjectKind::Class: return "type";
  case ObjectKind::Instance: return llvm::cast<InstanceObject>(value.object)->type->name;
  case ObjectKind::Super: return "super";
  case ObjectKind::State: return "dict";
  }
  return "object";
}

/// Whether a name among the natives is a type of Python's or of torch's.
bool Evaluator::isTypeName(StringRef name) {
  static constexpr StringRef names[] = {"int",           "float",
                                        "bool",          "str",
                                        "list",          "tuple",
                                        "dict",          "set",
                                        "frozenset",     "slice",
                                        "property",      "object",
                                        "type",          "range",
                                        "zip",           "enumerate",
                                        "map",           "filter",
                                        "reversed",      "complex",
                                        "NoneType",      "super",
                                        "dict_keys",     "dict_values",
                                        "dict_items",    "function",
                                        "method",        "Tensor",
                                        "Parameter",     "dtype",
                                        "device",        "Size",
                                        "list_iterator", "builtin_function_or_method",
                                        "module"};
  return llvm::is_contained(names, name);
}

/// `<class '__main__.Net'>`
std::string Evaluator::reprType(StringRef name) {
  StringRef module = llvm::StringSwitch<StringRef>(name)
                         .Cases("Tensor", "dtype", "device", "Size", "torch.")
                         .Case("Parameter", "torch.nn.parameter.")
                         .Default("");
  return ("<class '" + module + name + "'>").str();
}

/// What a method of the value's own class says of it; nothing where it has no such method.
std::optional<std::string> Evaluator::ownText(StringRef method, const AnyValue &value) {
  auto *tuple = value.as<TupleObject>();
  auto *instance = value.as<InstanceObject>();
  ClassObject *type = instance ? instance->type : tuple ? tuple->type : nullptr;
  AnyValue *found = type ? type->find(method) : nullptr;
  if (!found || !found->as<FunctionObject>())
    return std::nullopt;
  if (isRaisedInside)
    return "";
  Result bound = bindAttribute(*found, value, type, lastStep), text = bound ? call(*bound, {}, lastStep) : std::nullopt;
  if (text && !text->isString())
    text = raise(lastStep, "TypeError", method + " returned non-string (type " + typeName(*text) + ")");
  isRaisedInside |= !text;
  return text ? text->data.toString() : std::string();
}

std::string Evaluator::repr(const AnyValue &value) {
  Nesting nesting(*this);
  if (value.object && !nesting.isAllowed())
    return "...";
  if (std::optional<std::string> own = ownText("__repr__", value))
    return *own;
  return value.object ? reprObject(value) : reprData(value);
}

std::string Evaluator::reprElements(llvm::ArrayRef<AnyValue> values, StringRef open, StringRef close) {
  std::string text = open.str();
  for (auto [i, element] : llvm::enumerate(values))
    text += (i ? ", " : "") + repr(element);
  return text += close;
}

std::string Evaluator::reprFields(llvm::ArrayRef<std::string> names, llvm::ArrayRef<AnyValue> values,
                                  StringRef between) {
  std::string text;
  for (auto [i, name] : llvm::enumerate(names))
    text += (i ? between.str() : "") + name + "=" + repr(values[i]);
  return text;
}

std::string Evaluator::reprTuple(const TupleObject &tuple) {
  if (tuple.isUnion) {
    refuseLater("texts of unions of types");
    return "";
  }
  if (tuple.isSize)
    return reprElements(tuple.elements, "torch.Size([", "])");
  if (!tuple.resultNames.empty()) {
    if (const TupleType *type = tuple.compiledType)
      return type->name().rsplit('.').second.str() + "(" + reprFields(tuple.resultNames, tuple.elements, ", ") + ")";
    return "torch.return_types." + tuple.operatorName + "(\n" + reprFields(tuple.resultNames, tuple.elements, ",\n") +
           ")";
  }
  if (!tuple.type)
    return reprElements(tuple.elements, "(", tuple.elements.size() == 1 ? ",)" : ")");
  const bool areAllEmpty = llvm::all_of(tuple.elements, [](const AnyValue &each) {
    auto *list = each.as<ListObject>();
    return list && list->elements.empty();
  });
  if (tuple.type->isLibrary && areAllEmpty)
    return "<All keys matched successfully>";
  return tuple.type->name + "(" + reprFields(fieldsOf(*tuple.type), tuple.elements, ", ") + ")";
}

std::string Evaluator::reprSet(const SetObject &set) {
  std::vector<AnyValue> ordered;
  if (!orderedElements(set, ordered))
    refuseLater("texts of sets of numbers in an order that only CPython knows");
  if (ordered.empty())
    return set.isFrozen ? "frozenset()" : "set()";
  return set.isFrozen ? reprElements(ordered, "frozenset({", "})") : reprElements(ordered, "{", "}");
}

std::string Evaluator::reprInstance(InstanceObject &instance, const AnyValue &value) {
  const ClassObject &type = *instance.type;
  if (type.isModule)
    return reprModule(instance);
  if (!type.exceptionBase.empty()) {
    Slot *args = instance.slots.find("args");
    std::string given = args ? repr(args->value) : "()";
    if (StringRef(given).ends_with(",)"))
      given.erase(given.size() - 2, 1);
    return type.name + given;
  }
  if (!type.isDataclass)
    return addressed(llvm::Twine("__main__.") + type.name + " object", value);
  std::string text = type.name + "(";
  for (auto [i, field] : llvm::enumerate(fieldsOf(type)))
    if (Slot *slot = instance.slots.find(field))
      text += (i ? ", " : "") + field + "=" + repr(slot->value);
  return text + ")";
}

std::string Evaluator::reprClass(const ClassObject &type) {
  if (type.isLibrary || type.name.find('.') != std::string::npos)
    refuseLater("texts of classes of libraries");
  const bool isOfPython = !type.file;
  return reprType((isOfPython ? "" : type.file->name + ".") + type.name);
}

std::string Evaluator::reprNative(const NativeObject &native) {
  if (native.name == "NotImplemented")
    return native.name;
  if (isTypeName(native.name))
    return reprType(native.name);
  return "<built-in function " + native.name + ">";
}

std::string Evaluator::reprObject(const AnyValue &value) {
  if (auto *list = value.as<ListObject>())
    return reprElements(list->elements, "[", "]");
  if (auto *tuple = value.as<TupleObject>())
    return reprTuple(*tuple);
  if (auto *deque = value.as<DequeObject>())
    return reprElements(deque->elements, "deque([",
                        deque->limit ? "], maxlen=" + std::to_string(*deque->limit) + ")" : "])");
  if (auto *slice = value.as<SliceObject>())
    return "slice(" + repr(slice->start) + ", " + repr(slice->stop) + ", " + repr(slice->step) + ")";
  if (auto *set = value.as<SetObject>())
    return reprSet(*set);
  if (auto *dict = value.as<DictObject>())
    return reprDict(*dict);
  if (auto *numbers = value.as<RangeObject>())
    return "range(" + std::to_string(numbers->start) + ", " + std::to_string(numbers->stop) +
           (numbers->step == 1 ? ")" : ", " + std::to_string(numbers->step) + ")");
  if (auto *view = value.as<ViewObject>())
    return reprElements(viewed(*view), typeName(value) + "([", "])");
  if (auto *instance = value.as<InstanceObject>())
    return reprInstance(*instance, value);
  if (auto *function = value.as<FunctionObject>()) {
    auto *def = llvm::dyn_cast<Def>(function->tree);
    return addressed("function " + (def ? def->name().str() : "<lambda>"), value);
  }
  if (auto *type = value.as<ClassObject>())
    return reprClass(*type);
  if (auto *native = value.as<NativeObject>())
    return reprNative(*native);
  if (auto *library = value.as<LibraryObject>()) {
    StringRef path = library->path;
    if (path.consume_front("builtins."))
      return reprType(path);
    refuseLater("texts of names of libraries");
    return "";
  }
  if (value.as<StateObject>()) {
    refuseLater("texts of optimizers, of schedulers and of their states");
    return "";
  }
  return addressed(typeName(value) + " object", value);
}

/// How Python shows what compiled code has a type for, too.
std::string Evaluator::reprData(const AnyValue &value) {
  if (isOfOptim(value)) {
    refuseLater("texts of optimizers, of schedulers and of their states");
    return "";
  }
  if (!value.constantName.empty())
    return "torch." + value.constantName.str();
  if (value.isDType && value.data.isInt())
    return "torch." + pythonName(static_cast<DType>(value.data.toInt())).str();
  if (value.data.isDevice()) {
    const std::string device = value.data.toDevice().str();
    auto [kind, index] = StringRef(device).split(':');
    return ("device(type='" + kind + "'" + (index.empty() ? "" : ", index=") + index + ")").str();
  }
  if (value.isTensor() && !hasPythonString(value.data.asTensor()))
    refuseLater("texts of tensors of which no table says what made them (grad_fn=<…>; that of a detach() is known)");
  std::string text;
  llvm::raw_string_ostream os(text);
  if (value.isParameter)
    os << "Parameter containing:\n";
  reprValue(os, value.data);
  return text;
}

std::string Evaluator::reprDict(DictObject &dict) {
  std::string text = "{";
  auto entries = dict.entries;
  if (dict.flavor == DictObject::Flavor::Counter && !entries.empty()) { // the most common ones first
    Result ordered = *callCounter(dict, "most_common", {}, lastStep);
    if (!ordered)
      return isRaisedInside = true, "";
    entries.clear();
    for (const AnyValue &pair : ordered->as<ListObject>()->elements)
      entries.emplace_back(pair.as<TupleObject>()->elements[0], pair.as<TupleObject>()->elements[1]);
  }
  const bool isOrdered = dict.flavor == DictObject::Flavor::Ordered;
  for (auto [i, entry] : llvm::enumerate(entries)) {
    text += (i ? ", " : "") + std::string(isOrdered ? "(" : "") + repr(entry.first) + (isOrdered ? ", " : ": ") +
            repr(entry.second) + (isOrdered ? ")" : "");
  }
  switch (dict.flavor) {
  case DictObject::Flavor::Plain: return text + "}";
  case DictObject::Flavor::Default: return "defaultdict(" + repr(dict.factory) + ", " + text + "})";
  case DictObject::Flavor::Counter: return entries.empty() ? "Counter()" : "Counter(" + text + "})";
  case DictObject::Flavor::Ordered: break;
  }
  return entries.empty() ? "OrderedDict()" : "OrderedDict([" + text.substr(1) + "])";
}

/// `<Point object at 0x7f…>`: another one each time, as in Python.
std::string Evaluator::addressed(const llvm::Twine &what, const AnyValue &value) {
  return ("<" + what + " at 0x" + llvm::utohexstr(reinterpret_cast<uintptr_t>(value.object), /*LowerCase=*/true) + ">")
      .str();
}

std::string Evaluator::str(const AnyValue &value) {
  if (value.isString())
    return value.data.toString();
  if (!value.object && value.data.isEnum() && compiler.shownAsValues.contains(value.data.toEnum().type))
    return str(AnyValue(value.data.toEnum().value));
  if (!value.object && value.data.isEnum())
    return (StringRef(value.data.toEnum().type->name()).rsplit('.').second + "." + value.data.toEnum().name).str();
  if (!value.object && value.data.isDevice())
    return value.data.toDevice().str();
  if (std::optional<std::string> own = ownText("__str__", value))
    return *own;
  if (auto *instance = value.as<InstanceObject>())
    if (!instance->type->exceptionBase.empty() && !instance->type->find("__repr__"))
      return exceptionText(*instance);
  return repr(value);
}

/// `print(module)`, as PyTorch lays it out.
std::string Evaluator::reprModule(InstanceObject &module) {
  Nesting nesting(*this);
  if (!nesting.isAllowed())
    return "...";
  auto indented = [](StringRef text) {
    std::string result;
    for (char c : text)
      result += c == '\n' ? std::string("\n  ") : std::string(1, c);
    return result;
  };
  std::string extra;
  if (AnyValue *method = module.type->find("extra_repr")) {
    Result bound = bindAttribute(*method, &module, module.type, {});
    Result text = bound ? call(*bound, {}, {}) : std::nullopt;
    extra = text ? str(*text) : "";
  }
  std::vector<std::string> lines;
  if (StringRef(extra).contains('\n')) {
    llvm::SmallVector<StringRef> parts;
    StringRef(extra).split(parts, '\n');
    for (StringRef part : parts)
      lines.push_back(part.str());
  }
  const bool isOneLine = lines.empty();
  bool hasChildren = false;
  for (auto &[name, slot] : module.slots)
    if (slot.kind == SlotKind::Module && slot.value.as<InstanceObject>()) {
      lines.push_back("(" + name + "): " + indented(repr(slot.value)));
      hasChildren = true;
    }
  std::string text = module.type->name + "(";
  if (lines.empty())
    return text + extra + ")";
  if (isOneLine && !extra.empty() && !hasChildren)
    return text + extra + ")";
  if (isOneLine && !extra.empty())
    lines.insert(lines.begin(), extra);
  for (const std::string &line : lines)
    text += "\n  " + line;
  return text + "\n)";
}
