//===- Subscripts.cpp - x[i], x[a:b] and what is written there, while loading -===//
#include "../SugaredValues/Values.h"
#include "Evaluator.h"
#include "tsc/Frontend/Diagnostics.h"
#include "tsc/Python/Slices.h"
#include "tsc/Python/Text.h"
#include "tsc/Tensor/Quantizer.h"

using namespace tsc;
using namespace tsc::python;

/// An index in the place of a subscript: a slice, a value, or a tuple of such.
Result Evaluator::evalIndex(const Subscript &tree, const FramePtr &frame) {
  auto one = [&](const Tree *part) -> Result {
    auto *written = llvm::dyn_cast<Slice>(part);
    if (!written)
      return eval(part, frame);
    auto *slice = make<SliceObject>();
    for (auto [bound, value] : {std::pair<const Tree *, AnyValue *>(written->start(), &slice->start),
                                {written->stop(), &slice->stop},
                                {written->step(), &slice->step}}) {
      Result evaluated = bound ? eval(bound, frame) : Result(AnyValue());
      if (!evaluated)
        return std::nullopt;
      *value = *evaluated;
    }
    return AnyValue(slice);
  };
  if (tree.indices().size() == 1 && !llvm::isa<Starred>(tree.indices()[0]))
    return one(tree.indices()[0]);
  auto *tuple = make<TupleObject>();
  for (const Tree *part : tree.indices()) {
    if (llvm::isa<Starred>(part)) {
      return evalElements(tree.indices(), frame, tuple->elements) ? Result(tuple) : std::nullopt;
    }
    Result value = one(part);
    if (!value)
      return std::nullopt;
    tuple->elements.push_back(*value);
  }
  return AnyValue(tuple);
}

/// The places that a slice takes of `size` elements; absent after a report.
std::optional<std::vector<int64_t>> Evaluator::placesOf(const SliceObject &slice, size_t size, SourceRange range) {
  std::optional<int64_t> bounds[3];
  const AnyValue *parts[] = {&slice.start, &slice.stop, &slice.step};
  for (auto [i, part] : llvm::enumerate(parts)) {
    const AnyValue bound = withoutEnum(*part);
    if (std::optional<Result> own = callOwn("__index__", bound, {}, range)) {
      if (!*own)
        return std::nullopt;
      bounds[i] = (*own)->isInt() ? (*own)->data.toInt() : 0;
    } else if (bound.isInt()) {
      bounds[i] = bound.data.toInt();
    } else if (bound.isTensor()) {
      return refuse(range, "slices whose bounds are tensors");
    } else if (!bound.isNone()) {
      return raise(range, "TypeError", "slice indices must be integers or None or have an __index__ method");
    }
  }
  if (bounds[2] == 0)
    return raise(range, "ValueError", "slice step cannot be zero");
  const SliceElements taken = sliceElements(bounds[0], bounds[1], bounds[2].value_or(1), static_cast<int64_t>(size));
  std::vector<int64_t> places;
  for (int64_t i = 0; i != taken.count; ++i)
    places.push_back(taken[i]);
  return places;
}

Result Evaluator::slice(const AnyValue &object, const SliceObject &bounds, SourceRange range) {
  if (object.isTensor()) {
    Arguments arguments;
    arguments.positional = {IValue(0), bounds.start, bounds.stop,
                            bounds.step.isNone() ? AnyValue(IValue(1)) : bounds.step};
    return callTensorMethod(object, "slice", arguments, range);
  }
  if (auto *instance = object.as<InstanceObject>(); instance && instance->type->find("__getitem__")) {
    std::optional<Result> own = callOwn("__getitem__", object, {AnyValue(const_cast<SliceObject *>(&bounds))}, range);
    return own ? *own : refuse(range, "slices of '" + typeName(object) + "'");
  }
  std::vector<AnyValue> modules;
  auto *list = object.as<ListObject>();
  auto *tuple = object.as<TupleObject>();
  auto *layers = object.as<InstanceObject>();
  const bool isText = object.isString(), isContainer = layers && layers->type->isModule;
  if (!list && !tuple && !isText && !isContainer)
    return object.as<DictObject>() && object.as<DictObject>()->flavor == DictObject::Flavor::Plain
               ? raise(range, "TypeError", "unhashable type: 'slice'")
               : refuse(range, "slices of '" + typeName(object) + "'");
  if (isContainer && !elements(object, range, modules))
    return std::nullopt;
  const std::vector<StringRef> points = isText ? lettersOf(object.data.toString()) : std::vector<StringRef>();
  const size_t size = list     ? list->elements.size()
                      : tuple  ? tuple->elements.size()
                      : isText ? points.size()
                               : modules.size();
  auto taken = placesOf(bounds, size, range);
  if (!taken)
    return std::nullopt;
  auto pick = [&](const std::vector<AnyValue> &from, std::vector<AnyValue> &to) {
    for (int64_t i : *taken)
      to.push_back(from[i]);
  };
  if (list) {
    auto *result = make<ListObject>();
    pick(list->elements, result->elements);
    return AnyValue(result);
  }
  if (tuple) {
    auto *result = make<TupleObject>();
    pick(tuple->elements, result->elements);
    result->isSize = tuple->isSize;
    return AnyValue(result);
  }
  if (isText) {
    std::string text;
    for (int64_t i : *taken)
      text += points[i];
    return AnyValue(IValue(text));
  }
  auto *some = make<ListObject>();
  pick(modules, some->elements);
  Arguments arguments;
  arguments.positional = layers->type->derivesFrom("Sequential") ? some->elements : std::vector<AnyValue>{some};
  return construct(*layers->type, arguments, range);
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
  if (object->isTensor()) {
    AnyValue selected;
    Result part = tensorSubscript(*object, tree, frame, &selected);
    return part && selected.object ? callSelected(*part, selected, tree.range()) : part;
  }
  Result index = evalIndex(tree, frame);
  return index ? subscript(*object, *index, tree.range()) : std::nullopt;
}

/// An integer tensor without dimensions as the number that it holds, as which it indexes; everything else as it is.
static AnyValue withoutTensor(const AnyValue &index) {
  if (!index.isTensor() || index.data.toTensor().dim() != 0)
    return index;
  const Tensor &tensor = index.data.toTensor();
  const bool isNumber = isIntegral(tensor.dtype()) && tensor.dtype() != DType::UInt8;
  return isNumber ? AnyValue(IValue(tensor.at(0).toInt())) : index;
}

/// What indexes a dimension of a tensor: a number, None, a slice, or the tensor that a list of numbers stands for.
Result Evaluator::tensorIndex(const Tree *tree, const FramePtr &frame) {
  if (auto *slice = llvm::dyn_cast<Slice>(tree)) {
    auto *bounds = make<SliceObject>();
    for (auto [bound, into] : {std::pair(slice->start(), &bounds->start), std::pair(slice->stop(), &bounds->stop),
                               std::pair(slice->step(), &bounds->step)}) {
      Result value = bound ? eval(bound, frame) : Result(AnyValue());
      if (!value)
        return std::nullopt;
      *into = *value;
    }
    return AnyValue(bounds);
  }
  Result value = eval(tree, frame);
  if (value)
    if (std::optional<Result> own = callOwn("__index__", *value, {}, tree->range()))
      value = *own;
  if (!value)
    return std::nullopt;
  if (!value->object && value->data.isDouble())
    return raise(
        tree->range(), "IndexError",
        "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices (got "
        "float)");
  if (value->as<TupleObject>() || value->isString() || (!value->object && value->data.isBool()))
    return refuse(tree->range(), "elements of tensors by '" + typeName(*value) + "'");
  if (value->as<ListObject>()) {
    Arguments one;
    one.positional = {*value};
    LibraryObject tensor;
    tensor.path = "torch.tensor";
    value = callLibrary(tensor, one, tree->range());
  }
  return value ? Result(withoutTensor(*value)) : std::nullopt;
}

/// Dimension by dimension: slices, numbers and None give views; tensors and lists of numbers select of that, and are in
/// `selected` then, a list with None for each other dimension.
Result Evaluator::tensorSubscript(const AnyValue &object, const Subscript &tree, const FramePtr &frame,
                                  AnyValue *selection) {
  std::vector<const Tree *> parts(tree.indices().begin(), tree.indices().end());
  if (parts.size() == 1 && llvm::isa<TupleLiteral>(parts[0]))
    parts.assign(parts[0]->children().begin(), parts[0]->children().end());
  // All of them are evaluated, and counted, before the first one is applied. An ellipsis is none of them.
  std::vector<std::optional<AnyValue>> indices;
  for (const Tree *part : parts) {
    if (llvm::isa<Dots>(part)) {
      indices.emplace_back();
      continue;
    }
    Result index = tensorIndex(part, frame);
    if (!index)
      return std::nullopt;
    indices.emplace_back(*index);
  }
  auto dimsOf = [](const std::optional<AnyValue> &index) -> int64_t {
    if (!index || index->isNone())
      return 0;
    const DType dtype = index->isTensor() ? index->data.toTensor().dtype() : DType::Int64;
    const bool isMask = dtype == DType::Bool || dtype == DType::UInt8;
    return isMask ? index->data.toTensor().dim() : 1;
  };
  const int64_t rank = object.data.toTensor().dim();
  int64_t numIndexed = 0;
  for (const std::optional<AnyValue> &index : indices)
    numIndexed += dimsOf(index);
  if (rank == 0 && indices.size() == 1 && indices[0] && indices[0]->isInt())
    return raise(
        tree.range(), "IndexError",
        "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert "
        "a 0-dim tensor to a number");
  if (numIndexed > rank)
    return raise(tree.range(), "IndexError", "too many indices for tensor of dimension " + llvm::Twine(rank));

  AnyValue result = object;
  auto *selected = make<ListObject>();
  bool selects = false;
  int64_t dim = 0, dimsLeft = rank - numIndexed; // what the first ellipsis stands for
  for (const std::optional<AnyValue> &index : indices) {
    Arguments arguments;
    if (!index) {
      for (; dimsLeft != 0; --dimsLeft, ++dim)
        selected->elements.push_back(AnyValue());
      continue;
    }
    if (index->isTensor()) {
      selects = true;
      selected->elements.push_back(*index);
      dim += dimsOf(index);
      continue;
    }
    StringRef method = index->isNone() ? "unsqueeze" : "select";
    arguments.positional.push_back(IValue(dim));
    if (auto *slice = index->as<SliceObject>()) {
      method = "slice";
      const AnyValue step = slice->step.isNone() ? AnyValue(IValue(1)) : withoutTensor(slice->step);
      if (step.isInt() && step.data.toInt() <= 0)
        return raise(tree.range(), "ValueError",
                     step.data.toInt() ? "step must be greater than zero" : "slice step cannot be zero");
      for (const AnyValue &bound : {slice->start, slice->stop, step})
        arguments.positional.push_back(bound);
    } else if (index->isInt()) {
      const int64_t size = result.data.toTensor().sizes()[dim], at = index->data.toInt();
      if (at >= size || at < -size)
        return raise(tree.range(), "IndexError",
                     "index " + llvm::Twine(at) + " is out of bounds for dimension " + llvm::Twine(dim) +
                         " with size " + llvm::Twine(size));
      arguments.positional.push_back(*index);
    } else if (!index->isNone()) {
      arguments.positional.push_back(*index);
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
  if (selects)
    *selection = AnyValue(selected);
  return result;
}

/// The elements that tensors select: a copy.
Result Evaluator::callSelected(const AnyValue &part, const AnyValue &selected, SourceRange range) {
  Arguments arguments;
  arguments.positional = {selected};
  return callTensorMethod(part, "index", arguments, range);
}

/// A tensor that is written somewhere: leading ones of its shape have no meaning there, as in PyTorch.
Result Evaluator::withoutLeadingOnes(const AnyValue &tensor, SourceRange range) {
  const llvm::ArrayRef<int64_t> sizes = tensor.data.toTensor().sizes();
  const llvm::ArrayRef<int64_t> trailing = sizes.drop_while([](int64_t size) { return size == 1; });
  if (trailing.size() == sizes.size())
    return tensor;
  if (trailing.empty())
    return callTensorMethod(tensor, "squeeze", {}, range);
  Arguments shape;
  for (int64_t size : trailing)
    shape.positional.push_back(AnyValue(IValue(size)));
  return callTensorMethod(tensor, "reshape", shape, range);
}

/// Writes to the elements that tensors select.
bool Evaluator::putSelected(const AnyValue &part, const AnyValue &selected, const AnyValue &value, SourceRange range) {
  const Tensor &into = part.data.asTensor();
  AnyValue source = value;
  if (!value.isTensor()) {
    Arguments number;
    number.positional = {value};
    number.keywords = {{"dtype", IValue(static_cast<int64_t>(into.dtype()))}};
    number.keywords[0].value.isDType = true;
    LibraryObject tensor;
    tensor.path = "torch.tensor";
    Result made = callLibrary(tensor, number, range);
    if (!made)
      return false;
    source = *made;
  } else if (value.data.asTensor().dtype() != into.dtype()) {
    Arguments to;
    to.positional = {IValue(static_cast<int64_t>(into.dtype()))};
    Result converted = callTensorMethod(value, "to", to, range);
    if (!converted)
      return false;
    source = *converted;
  }
  Result trailing = withoutLeadingOnes(source, range);
  if (!trailing)
    return false;
  Arguments arguments;
  arguments.positional = {selected, *trailing};
  return callTensorMethod(part, "index_put_", arguments, range).has_value();
}

Result Evaluator::subscript(const AnyValue &object, const AnyValue &index, SourceRange range) {
  if (auto *type = object.as<ClassObject>(); type && type->members && index.isString()) { // Color["RED"]
    AnyValue *member = type->members->find(index.data.toString()) ? type->find(index.data.toString()) : nullptr;
    return member ? Result(*member) : Result(raiseKeyError(range, index));
  }
  if (auto *bounds = index.as<SliceObject>())
    return slice(object, *bounds, range);
  const std::vector<AnyValue> *sequence = nullptr;
  if (auto *list = object.as<ListObject>())
    sequence = &list->elements;
  else if (auto *tuple = object.as<TupleObject>())
    sequence = &tuple->elements;
  else if (auto *deque = object.as<DequeObject>())
    sequence = &deque->elements;
  if (std::optional<Result> own = sequence || object.isString() ? callOwn("__index__", index, {}, range) : std::nullopt)
    return *own ? subscript(object, **own, range) : std::nullopt;
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
    const std::string type = object.as<DequeObject>() ? "deque" : typeName(object);
    return at ? Result((*sequence)[*at]) : raise(range, "IndexError", type + " index out of range");
  }
  if (auto *dict = object.as<DictObject>()) {
    if (!isHashable(index, range))
      return std::nullopt;
    for (auto &[key, value] : dict->entries)
      if (isSameKey(key, index))
        return value;
    return isRefused || isRaisedInside ? std::nullopt : missing(*dict, index, range);
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

/// What a dict has of a key that it has not: a defaultdict makes it, a Counter counts none.
Result Evaluator::missing(DictObject &dict, const AnyValue &key, SourceRange range) {
  if (dict.flavor == DictObject::Flavor::Counter)
    return AnyValue(IValue(0));
  if (dict.flavor != DictObject::Flavor::Default || dict.factory.isNone())
    return raiseKeyError(range, key);
  Result made = call(dict.factory, {}, range);
  return made && setItem(&dict, key, *made, range) ? made : std::nullopt;
}

/// `xs[a:b] = values`
bool Evaluator::setSlice(ListObject &list, const SliceObject &bounds, const AnyValue &value, SourceRange range) {
  std::vector<AnyValue> values;
  auto taken = placesOf(bounds, list.elements.size(), range);
  if (!taken || !elements(value, range, values))
    return false;
  const bool hasStep = !bounds.step.isNone() && !(bounds.step.isInt() && bounds.step.data.toInt() == 1);
  if (hasStep && taken->size() != values.size()) {
    raise(range, "ValueError",
          "attempt to assign sequence of size " + llvm::Twine(values.size()) + " to extended slice of size " +
              llvm::Twine(taken->size()));
    return false;
  }
  if (hasStep) {
    for (auto [at, one] : llvm::zip(*taken, values))
      list.elements[at] = one;
    return true;
  }
  size_t at = 0;
  if (!taken->empty()) {
    at = static_cast<size_t>(taken->front());
  } else { // between two elements: where the slice begins
    SliceObject before;
    before.stop = bounds.start;
    auto ahead =
        bounds.start.isNone() ? std::optional(std::vector<int64_t>()) : placesOf(before, list.elements.size(), range);
    if (!ahead)
      return false;
    at = ahead->size();
  }
  list.elements.erase(list.elements.begin() + at, list.elements.begin() + at + taken->size());
  list.elements.insert(list.elements.begin() + at, values.begin(), values.end());
  return true;
}

/// `del layers[i]` of a Sequential: those behind it move up.
bool Evaluator::eraseLayer(InstanceObject &layers, int64_t index, SourceRange range) {
  std::vector<AnyValue> kept;
  std::vector<std::string> names;
  for (auto &[name, slot] : layers.slots)
    if (slot.kind == SlotKind::Module) {
      names.push_back(name);
      kept.push_back(slot.value);
    }
  const std::optional<int64_t> place = elementPlace(index, static_cast<int64_t>(names.size()));
  if (!place) {
    raise(range, "IndexError", "index " + llvm::Twine(index) + " is out of range");
    return false;
  }
  kept.erase(kept.begin() + *place);
  for (const std::string &name : names)
    layers.slots.erase(name);
  for (auto [i, layer] : llvm::enumerate(kept)) {
    Slot &slot = layers.slots[std::to_string(i)];
    slot.value = layer;
    slot.kind = SlotKind::Module;
  }
  ++changes;
  return true;
}

/// `tensor.data = value`: the tensor has the elements of the other one from now on, and its own gradient and history.
bool Evaluator::setData(const AnyValue &tensor, const AnyValue &value, SourceRange range) {
  const Tensor to = tensor.data.asTensor(), from = value.isTensor() ? value.data.asTensor() : Tensor();
  if (!from.defined() || to.dtype() != from.dtype() || to.sizes() != from.sizes() || from.dtype() == DType::Opaque ||
      isQuantized(from.dtype()) || from.get()->conjugate || from.get()->negative) {
    refuse(range, "assignments to '.data' of anything but a plain tensor of the same shape and dtype");
    return false;
  }
  takeElements(to, from);
  return true;
}

void Evaluator::takeElements(const Tensor &to, const Tensor &from) {
  assert(to.sizes() == from.sizes());
  to.get()->storage = from.get()->storage;
  to.get()->offset = from.get()->offset;
  to.get()->strides = from.get()->strides;
  to.get()->contiguous = from.get()->contiguous;
  to.get()->dtype = from.dtype();
  ++changes;
}

/// Writes through a view.
bool Evaluator::setTensorPart(const AnyValue &part, const AnyValue &value, SourceRange range) {
  Result written = value.isTensor() ? withoutLeadingOnes(value, range) : Result(value);
  if (!written)
    return false;
  Arguments arguments;
  arguments.positional = {*written};
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
  if (auto *list = object.as<ListObject>(); list && index.as<SliceObject>())
    return setSlice(*list, *index.as<SliceObject>(), value, range);
  auto *deque = object.as<DequeObject>();
  if (auto *list = object.as<ListObject>(); (list || deque) && index.isInt()) {
    std::vector<AnyValue> &all = list ? list->elements : deque->elements;
    if (std::optional<int64_t> at = elementPlace(index.data.toInt(), static_cast<int64_t>(all.size()))) {
      all[*at] = value;
      return true;
    }
    raise(range, "IndexError", list ? "list assignment index out of range" : "deque index out of range");
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
  if (object.as<StateObject>())
    refuse(range, "assignments to elements of states of optimizers");
  else
    raise(range, "TypeError", "'" + typeName(object) + "' object does not support item assignment");
  return false;
}
