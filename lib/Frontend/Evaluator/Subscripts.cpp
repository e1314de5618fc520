//===- Subscripts.cpp - x[i], x[a:b] and what is written there, while loading -===//
#include "../SugaredValues/Values.h"
#include "Evaluator.h"
#include "tsc/Frontend/Diagnostics.h"
#include "tsc/Python/Slices.h"
#include "tsc/Python/Text.h"

using namespace tsc;
using namespace tsc::python;

Result Evaluator::slice(const AnyValue &object, const Slice &tree, const FramePtr &frame, SourceRange range) {
  std::optional<int64_t> bounds[3];
  const Expr *parts[] = {tree.start(), tree.stop(), tree.step()};
  for (auto [i, part] : llvm::enumerate(parts)) {
    Result value = part ? eval(part, frame) : Result(AnyValue());
    if (!value)
      return std::nullopt;
    const AnyValue bound = withoutEnum(*value);
    if (bound.isInt())
      bounds[i] = bound.data.toInt();
    else if (bound.isTensor() || bound.as<InstanceObject>())
      return refuse(range, "slices whose bounds are objects");
    else if (!bound.isNone())
      return raise(range, "TypeError", "slice indices must be integers or None or have an __index__ method");
  }
  if (bounds[2] == 0)
    return raise(range, "ValueError", "slice step cannot be zero");
  auto take = [&](size_t size) {
    return sliceElements(bounds[0], bounds[1], bounds[2].value_or(1), static_cast<int64_t>(size));
  };
  auto pick = [&](const std::vector<AnyValue> &from, std::vector<AnyValue> &to) {
    const SliceElements taken = take(from.size());
    for (int64_t i = 0; i != taken.count; ++i)
      to.push_back(from[taken[i]]);
  };
  if (auto *list = object.as<ListObject>()) {
    auto *result = make<ListObject>();
    pick(list->elements, result->elements);
    return AnyValue(result);
  }
  if (auto *tuple = object.as<TupleObject>()) {
    auto *result = make<TupleObject>();
    pick(tuple->elements, result->elements);
    result->isSize = tuple->isSize;
    return AnyValue(result);
  }
  if (object.as<RangeObject>())
    return refuse(range, "slices of ranges");
  if (object.isString())
    return valueOf(python::slice(object.data.toString(), bounds[0], bounds[1], bounds[2].value_or(1)), range);
  if (object.isTensor()) {
    Arguments arguments;
    arguments.positional = {IValue(0)};
    for (auto &bound : bounds)
      arguments.positional.push_back(bound ? IValue(*bound) : IValue());
    if (!bounds[2])
      arguments.positional.back() = IValue(1);
    return callTensorMethod(object, "slice", arguments, range);
  }
  if (auto *instance = object.as<InstanceObject>(); instance && instance->type->isModule) {
    std::vector<AnyValue> all, some;
    if (!elements(object, range, all))
      return std::nullopt;
    pick(all, some);
    Arguments arguments;
    auto *list = make<ListObject>();
    list->elements = some;
    arguments.positional = instance->type->derivesFrom("Sequential") ? some : std::vector<AnyValue>{list};
    return construct(*instance->type, arguments, range);
  }
  return refuse(range, "slices of '" + typeName(object) + "'");
}

Result Evaluator::evalSubscript(const Subscript &tree, const FramePtr &frame) {
  Result object = eval(tree.value(), frame);
  if (!object)
    return std::nullopt;
  if (auto *type = object->as<ClassObject>(); type && type->members && tree.indices().size() == 1) { // Color["RED"]
    Result name = eval(tree.indices()[0], frame);
    if (!name)
      return std::nullopt;
    AnyValue *member = name->isString() ? type->find(name->data.toString()) : nullptr;
    return member ? Result(*member) : raiseKeyError(tree.range(), *name);
  }
  if (object->as<LibraryObject>() || object->as<ClassObject>() || object->as<NativeObject>())
    return object; // a type of something: List[int]
  if (tree.indices().size() == 1 && llvm::isa<Slice>(tree.indices()[0]))
    return slice(*object, *llvm::cast<Slice>(tree.indices()[0]), frame, tree.range());
  if (object->isTensor())
    return tensorSubscript(*object, tree, frame);
  std::vector<AnyValue> indices;
  if (!evalElements(tree.indices(), frame, indices))
    return std::nullopt;
  if (indices.size() == 1)
    return subscript(*object, indices[0], tree.range());
  auto *tuple = make<TupleObject>();
  tuple->elements = indices;
  return subscript(*object, tuple, tree.range());
}

/// An integer tensor without dimensions as the number that it holds, as which it indexes; everything else as it is.
static AnyValue withoutTensor(const AnyValue &index) {
  if (!index.isTensor() || index.data.toTensor().dim() != 0)
    return index;
  const Tensor &tensor = index.data.toTensor();
  const bool isNumber = isIntegral(tensor.dtype()) && tensor.dtype() != DType::UInt8;
  return isNumber ? AnyValue(IValue(tensor.at(0).toInt())) : index;
}

/// Dimension by dimension: slices, numbers and None give views; tensors and lists of numbers select at the end.
Result Evaluator::tensorSubscript(const AnyValue &object, const Subscript &tree, const FramePtr &frame, bool asView) {
  AnyValue result = object;
  std::vector<const Tree *> parts(tree.indices().begin(), tree.indices().end());
  if (parts.size() == 1 && llvm::isa<TupleLiteral>(parts[0]))
    parts.assign(parts[0]->children().begin(), parts[0]->children().end());
  auto *selected = make<ListObject>();
  bool selects = false;
  int64_t dim = 0;
  for (auto [i, part] : llvm::enumerate(parts)) {
    Arguments arguments;
    StringRef method = "slice";
    if (llvm::isa<Dots>(part)) {
      int64_t behind =
          llvm::count_if(llvm::drop_begin(parts, i + 1), [](const Tree *t) { return !llvm::isa<NoneLiteral>(t); });
      int64_t rank = static_cast<int64_t>(result.data.toTensor().sizes().size());
      for (; dim < rank - behind; ++dim)
        selected->elements.push_back(AnyValue());
      continue;
    }
    arguments.positional.push_back(IValue(dim));
    if (auto *slice = llvm::dyn_cast<Slice>(part)) {
      for (const Tree *bound : {slice->start(), slice->stop(), slice->step()}) {
        Result value = bound ? eval(bound, frame) : Result(AnyValue());
        if (!value)
          return std::nullopt;
        arguments.positional.push_back(*value);
      }
      if (!slice->step())
        arguments.positional.back() = IValue(1);
    } else {
      Result value = eval(part, frame);
      if (!value)
        return std::nullopt;
      if (asView && (withoutTensor(*value).isTensor() || value->as<ListObject>()))
        return refuse(part->range(), "assignments to elements that a tensor or list selects");
      if (value->as<ListObject>()) {
        Arguments one;
        one.positional = {*value};
        LibraryObject tensor;
        tensor.path = "torch.tensor";
        value = callLibrary(tensor, one, part->range());
        if (!value)
          return std::nullopt;
      }
      value = withoutTensor(*value);
      if (value->isTensor()) {
        selects = true;
        selected->elements.push_back(*value);
        ++dim;
        continue;
      }
      if (value->isInt() && dim < static_cast<int64_t>(result.data.toTensor().sizes().size())) {
        const int64_t size = result.data.toTensor().sizes()[dim], at = value->data.toInt();
        if (at >= size || at < -size)
          return raise(tree.range(), "IndexError",
                       "index " + llvm::Twine(at) + " is out of bounds for dimension " + llvm::Twine(dim) +
                           " with size " + llvm::Twine(size));
      }
      method = value->isNone() ? "unsqueeze" : "select";
      if (!value->isNone())
        arguments.positional.push_back(*value);
    }
    Result next = callTensorMethod(result, method, arguments, tree.range());
    if (!next)
      return std::nullopt;
    result = *next;
    if (method != "select") {
      selected->elements.push_back(AnyValue());
      ++dim;
    }
  }
  if (!selects)
    return result;
  Arguments arguments;
  arguments.positional = {selected};
  return callTensorMethod(result, "index", arguments, tree.range());
}

Result Evaluator::subscript(const AnyValue &object, const AnyValue &index, SourceRange range) {
  if (auto *type = object.as<ClassObject>(); type && type->members && index.isString()) { // Color["RED"]
    AnyValue *member = type->members->find(index.data.toString()) ? type->find(index.data.toString()) : nullptr;
    return member ? Result(*member) : Result(raiseKeyError(range, index));
  }
  const std::vector<AnyValue> *sequence = nullptr;
  if (auto *list = object.as<ListObject>())
    sequence = &list->elements;
  else if (auto *tuple = object.as<TupleObject>())
    sequence = &tuple->elements;
  std::vector<AnyValue> modules;
  auto *instance = object.as<InstanceObject>();
  if (instance && instance->type->isModule && index.isInt() && !instance->type->find("__getitem__")) {
    if (!elements(object, range, modules))
      return std::nullopt;
    sequence = &modules;
  }
  if (auto *numbers = object.as<RangeObject>(); numbers && index.isInt()) {
    const std::optional<int64_t> at = elementPlace(index.data.toInt(), static_cast<int64_t>(numbers->size()));
    if (!at)
      return raise(range, "IndexError", "range object index out of range");
    return AnyValue(IValue(numbers->at(static_cast<uint64_t>(*at))));
  }
  if (sequence && (index.isString() || index.isNone() || (!index.object && index.data.isDouble())))
    return raise(range, "TypeError", typeName(object) + " indices must be integers or slices, not " + typeName(index));
  if (sequence && index.isInt()) {
    const std::optional<int64_t> at = elementPlace(index.data.toInt(), static_cast<int64_t>(sequence->size()));
    return at ? Result((*sequence)[*at]) : raise(range, "IndexError", typeName(object) + " index out of range");
  }
  if (auto *dict = object.as<DictObject>()) {
    if (!isHashable(index, range))
      return std::nullopt;
    for (auto &[key, value] : dict->entries)
      if (isSameKey(key, index))
        return value;
    return isRefused || isRaisedInside ? std::nullopt : raiseKeyError(range, index);
  }
  if (object.isString() && index.isInt())
    return valueOf(letterAt(object.data.toString(), index.data.toInt()), range);
  if (instance) {
    if (instance->type->isModule && index.isString()) {
      if (Slot *slot = instance->slots.find(index.data.toString()))
        return slot->value;
      return raiseKeyError(range, index);
    }
    if (!instance->type->find("__getitem__"))
      return raise(range, "TypeError", "'" + typeName(object) + "' object is not subscriptable");
    Arguments arguments;
    arguments.positional = {index};
    Result method = instanceAttribute(*instance, "__getitem__", range);
    return method ? call(*method, arguments, range) : std::nullopt;
  }
  if (object.isTensor() && withoutTensor(index).isInt()) {
    Arguments arguments;
    arguments.positional = {IValue(0), withoutTensor(index)};
    return callTensorMethod(object, "select", arguments, range);
  }
  if (object.isTensor() && (index.isTensor() || index.as<ListObject>())) {
    Arguments arguments;
    auto *list = make<ListObject>();
    list->elements = {index};
    arguments.positional = {list};
    return callTensorMethod(object, "index", arguments, range);
  }
  if (object.isNumber() || object.isNone() || object.as<SetObject>() || object.as<FunctionObject>())
    return raise(range, "TypeError", "'" + typeName(object) + "' object is not subscriptable");
  return refuse(range, "elements of '" + typeName(object) + "' by '" + typeName(index) + "'");
}

/// Writes through a view.
bool Evaluator::setTensorPart(const AnyValue &part, const AnyValue &value, SourceRange range) {
  Arguments arguments;
  arguments.positional = {value};
  return callTensorMethod(part, value.isTensor() ? "copy_" : "fill_", arguments, range).has_value();
}

bool Evaluator::setItem(const AnyValue &object, const AnyValue &index, const AnyValue &value, SourceRange range) {
  ++changes;
  if (std::optional<Result> own = callOwn("__setitem__", object, {index, value}, range))
    return own->has_value();
  if (auto *dict = object.as<DictObject>()) {
    if (!isHashable(index, range))
      return false;
    for (auto &[key, entry] : dict->entries)
      if (isSameKey(key, index)) {
        entry = value;
        return true;
      }
    if (isRefused || isRaisedInside)
      return false;
    dict->entries.emplace_back(index, value);
    return true;
  }
  if (auto *list = object.as<ListObject>(); list && index.isInt()) {
    if (std::optional<int64_t> at = elementPlace(index.data.toInt(), static_cast<int64_t>(list->elements.size()))) {
      list->elements[*at] = value;
      return true;
    }
    raise(range, "IndexError", "list assignment index out of range");
    return false;
  }
  if (auto *instance = object.as<InstanceObject>(); instance && instance->type->isModule && !index.object) {
    std::string name = str(index);
    if (index.isInt() && index.data.toInt() < 0)
      name = std::to_string(index.data.toInt() + static_cast<int64_t>(instance->slots.size()) - 1); // but `training`
    return setAttribute(object, name, value, range);
  }
  if (object.isTensor() && (value.isTensor() || value.isNumber())) {
    Result part = subscript(object, index, range);
    return part && setTensorPart(*part, value, range);
  }
  raise(range, "TypeError", "'" + typeName(object) + "' object does not support item assignment");
  return false;
}
