//===- Iteration.cpp - What loops go over, while loading ------------------===//
//
// Whatever goes over elements asks an iterator for one after the other, so that a
// loop sees what its body changed, and what one has taken is gone for the next.
//
//===----------------------------------------------------------------------===//
#include "Evaluator.h"
#include "tsc/Frontend/Diagnostics.h"
#include "tsc/Python/Text.h"
#include "tsc/Support/IntegerArithmetic.h"
#include "llvm/ADT/bit.h"

using namespace tsc;
using namespace tsc::python;

uint64_t RangeObject::size() const { return static_cast<uint64_t>(arithmetic::rangeLength(start, stop, step)); }

/// The elements in the order in which CPython goes over them; false where only CPython knows that. It orders by hash:
/// ints that are smaller than the table are their own places, and what hashes by a secret or an address has any order.
bool Evaluator::orderedElements(const SetObject &set, std::vector<AnyValue> &ordered) {
  ordered = set.elements;
  if (ordered.size() < 2)
    return true;
  auto hasAnyOrder = [](const AnyValue &value) {
    return value.isString() || value.isTensor() || value.as<ClassObject>() || value.as<FunctionObject>() ||
           (value.as<InstanceObject>() && !value.as<InstanceObject>()->type->find("__hash__"));
  };
  if (llvm::all_of(ordered, hasAnyOrder))
    return true;
  const auto smallest = static_cast<int64_t>(std::max<uint64_t>(8, llvm::bit_ceil(ordered.size() + 1)));
  for (const AnyValue &value : ordered)
    if (!value.isInt() || value.data.toInt() < 0 || value.data.toInt() >= smallest)
      return false;
  llvm::sort(ordered, [](const AnyValue &a, const AnyValue &b) { return a.data.toInt() < b.data.toInt(); });
  return true;
}

std::vector<AnyValue> Evaluator::viewed(const ViewObject &view) {
  std::vector<AnyValue> values;
  for (auto &[key, value] : view.dict->entries)
    values.push_back(entryOf(view.part, key, value));
  return values;
}

AnyValue Evaluator::entryOf(ViewObject::Part part, const AnyValue &key, const AnyValue &value) {
  if (part != ViewObject::Part::Items)
    return part == ViewObject::Part::Keys ? key : value;
  auto *pair = make<TupleObject>();
  pair->elements = {key, value};
  return pair;
}

IteratorObject *Evaluator::iterate(const AnyValue &given, SourceRange range) {
  using Step = IteratorObject::Step;
  const AnyValue iterable = withoutEnum(given);
  if (auto *iterator = iterable.as<IteratorObject>())
    return iterator;
  auto over = [&](Step step, StringRef name) {
    auto *iterator = make<IteratorObject>();
    iterator->step = step;
    iterator->name = name.str();
    iterator->source = iterable;
    return iterator;
  };
  auto overElements = [&](std::vector<AnyValue> elements, StringRef name) {
    IteratorObject *iterator = over(Step::Elements, name);
    iterator->elements = std::move(elements);
    return iterator;
  };
  if (iterable.as<ListObject>())
    return over(Step::Living, "list_iterator");
  if (auto *type = iterable.as<ClassObject>(); type && type->members) {
    std::vector<AnyValue> members;
    for (auto &[name, value] : type->members->members())
      members.push_back(*type->find(name));
    return overElements(std::move(members), "generator");
  }
  if (auto *tuple = iterable.as<TupleObject>())
    return overElements(tuple->elements, "tuple_iterator");
  if (auto *set = iterable.as<SetObject>()) {
    std::vector<AnyValue> ordered;
    if (orderedElements(*set, ordered))
      return overElements(std::move(ordered), "set_iterator");
    refuse(range, "loops over sets of numbers in an order that only CPython knows (sorted(…) gives one)");
    return nullptr;
  }
  auto *view = iterable.as<ViewObject>();
  auto *dict = view ? view->dict : iterable.as<DictObject>();
  if (dict) {
    IteratorObject *iterator = over(Step::Entries, "dict_keyiterator");
    iterator->start = static_cast<int64_t>(dict->entries.size());
    return iterator;
  }
  if (auto *deque = iterable.as<DequeObject>())
    return overElements(deque->elements, "_collections._deque_iterator");
  if (iterable.as<RangeObject>())
    return over(Step::Numbers, "range_iterator");
  if (iterable.isString()) {
    std::vector<AnyValue> points;
    for (StringRef point : lettersOf(iterable.data.toString()))
      points.push_back(IValue(point));
    return overElements(std::move(points), "str_iterator");
  }
  if (iterable.isTensor()) {
    if (iterable.data.toTensor().sizes().empty()) {
      raise(range, "TypeError", "iteration over a 0-d tensor");
      return nullptr;
    }
    Result parts = callTensorMethod(iterable, "unbind", {}, range);
    if (!parts)
      return nullptr;
    auto *rows = parts->as<ListObject>();
    return overElements(rows ? rows->elements : parts->as<TupleObject>()->elements, "generator");
  }
  if (auto *instance = iterable.as<InstanceObject>()) {
    if (AnyValue *method = instance->type->find("__iter__")) {
      Result bound = bindAttribute(*method, instance, instance->type, range);
      Result values = bound ? call(*bound, {}, range) : std::nullopt;
      if (!values)
        return nullptr;
      auto *own = values->as<InstanceObject>();
      if (!own || !own->type->find("__next__"))
        return iterate(*values, range);
      IteratorObject *iterator = over(Step::Own, own->type->name);
      iterator->source = *values;
      return iterator;
    }
    const bool isDict = instance->type->derivesFrom("ModuleDict") || instance->type->derivesFrom("ParameterDict");
    const bool isList = instance->type->derivesFrom("ModuleList") || instance->type->derivesFrom("Sequential") ||
                        instance->type->derivesFrom("ParameterList");
    if (isDict || isList) {
      std::vector<AnyValue> parts;
      for (auto &[name, slot] : instance->slots)
        if (slot.kind != SlotKind::Regular)
          parts.push_back(isDict ? AnyValue(IValue(name)) : slot.value);
      return overElements(std::move(parts), isDict ? "odict_iterator" : "generator");
    }
    if (instance->type->find("__getitem__") && !instance->type->isLibrary)
      return over(Step::Items, "iterator");
  }
  if (iterable.as<StateObject>())
    refuse(range, "elements of states of optimizers");
  else
    raise(range, "TypeError", "'" + typeName(iterable) + "' object is not iterable");
  return nullptr;
}

/// Appends the next element of each iterator that this one asks, which is done where one of them is; false after a
/// report. With zip(strict=True) all are to end together.
bool Evaluator::advanceAll(IteratorObject &iterator, SourceRange range, std::vector<AnyValue> &row) {
  for (auto [i, column] : llvm::enumerate(iterator.elements)) {
    std::optional<AnyValue> part;
    if (!advance(*column.as<IteratorObject>(), range, part))
      return false;
    if (part) {
      row.push_back(std::move(*part));
      continue;
    }
    iterator.isDone = true;
    if (!iterator.isStrict)
      return true;
    auto differ = [&](size_t at, StringRef how) {
      raise(range, "ValueError",
            "zip() argument " + llvm::Twine(at + 1) + " is " + how + " than argument" +
                (at == 1 ? llvm::Twine(" 1") : "s 1-" + llvm::Twine(at)));
      return false;
    };
    if (i != 0)
      return differ(i, "shorter");
    for (size_t at = 1; at != iterator.elements.size(); ++at) {
      if (!advance(*iterator.elements[at].as<IteratorObject>(), range, part))
        return false;
      if (part)
        return differ(at, "longer");
    }
    return true;
  }
  return true;
}

bool Evaluator::advance(IteratorObject &iterator, SourceRange range, std::optional<AnyValue> &next) {
  using Step = IteratorObject::Step;
  next.reset();
  if (iterator.isDone)
    return true;
  switch (iterator.step) {
  case Step::Elements:
    if (iterator.next < iterator.elements.size())
      next = iterator.elements[iterator.next++];
    break;
  case Step::Living:
    if (auto &elements = iterator.source.as<ListObject>()->elements; iterator.next < elements.size())
      next = elements[iterator.next++];
    break;
  case Step::Entries: {
    auto *view = iterator.source.as<ViewObject>();
    auto &entries = (view ? view->dict : iterator.source.as<DictObject>())->entries;
    if (entries.size() != static_cast<size_t>(iterator.start)) {
      raise(range, "RuntimeError", "dictionary changed size during iteration");
      return false;
    }
    if (iterator.next < entries.size()) {
      auto &[key, value] = entries[iterator.next++];
      next = entryOf(view ? view->part : ViewObject::Part::Keys, key, value);
    }
    break;
  }
  case Step::Numbers:
    if (auto *numbers = iterator.source.as<RangeObject>(); iterator.next < numbers->size())
      next = AnyValue(IValue(numbers->at(iterator.next++)));
    break;
  case Step::Own:
  case Step::Items: {
    bool isStopped = false;
    const bool isOwn = iterator.step == Step::Own;
    std::vector<AnyValue> index;
    if (!isOwn)
      index.push_back(IValue(static_cast<int64_t>(iterator.next++)));
    Result value = callUntil(isOwn ? "StopIteration" : "IndexError", isOwn ? "__next__" : "__getitem__",
                             iterator.source, std::move(index), range, isStopped);
    if (!value && !isStopped)
      return false;
    if (value)
      next = std::move(*value);
    break;
  }
  case Step::Enumerate:
  case Step::Zip: {
    auto *row = make<TupleObject>();
    if (iterator.step == Step::Enumerate)
      row->elements.push_back(IValue(iterator.start + static_cast<int64_t>(iterator.next++)));
    if (!advanceAll(iterator, range, row->elements))
      return false;
    if (!iterator.isDone && !iterator.elements.empty())
      next = AnyValue(row);
    break;
  }
  case Step::Map: {
    Arguments arguments;
    if (!advanceAll(iterator, range, arguments.positional))
      return false;
    if (iterator.isDone)
      return true;
    Result value = call(iterator.source, arguments, range);
    if (!value)
      return false;
    next = std::move(*value);
    break;
  }
  case Step::Filter:
    for (;;) {
      std::optional<AnyValue> part;
      if (!advance(*iterator.elements[0].as<IteratorObject>(), range, part))
        return false;
      if (!part)
        break;
      Arguments one;
      one.positional = {*part};
      Result wanted = iterator.source.isNone() ? Result(*part) : call(iterator.source, one, range);
      std::optional<bool> holds = wanted ? truth(*wanted, range) : std::nullopt;
      if (!holds)
        return false;
      if (*holds) {
        next = std::move(part);
        break;
      }
    }
    break;
  }
  iterator.isDone = !next;
  return true;
}
