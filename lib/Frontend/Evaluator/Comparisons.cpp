//===- Comparisons.cpp - Which values are equal, in order, true, in another ===//
#include "../Emitter/Expressions/Operations.h"
#include "../SugaredValues/Values.h"
#include "Evaluator.h"
#include "tsc/Python/Numbers.h"
#include "tsc/Python/Text.h"
#include <compare>

using namespace tsc;
using namespace tsc::python;

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
