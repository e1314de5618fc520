//===- AbstractValue.cpp - What is known of a value before it exists ------===//
#include "tsc/Analysis/AbstractValue.h"
#include "tsc/IR/IValue.h"
#include "tsc/IR/MeetFacts.h"
#include "llvm/ADT/STLExtras.h"

using namespace tsc;

SymbolicInt AbstractValue::asInt() const {
  if (is<SymbolicInt>())
    return as<SymbolicInt>();
  return is<bool>() ? SymbolicInt(as<bool>()) : SymbolicInt();
}

std::optional<SymbolicDims> AbstractValue::asDims() const {
  const List *list = asList();
  if (!list)
    return std::nullopt;
  SymbolicDims dims;
  for (const AbstractValue &element : list->elements)
    dims.push_back(element.asInt());
  return dims;
}

bool AbstractValue::operator==(const AbstractValue &other) const {
  if (content.index() != other.content.index())
    return false;
  if (is<ListRef>()) {
    const List &a = *as<ListRef>(), &b = *other.as<ListRef>();
    return &a == &b || (a.isKnown == b.isKnown && a.elements == b.elements);
  }
  if (is<TupleRef>())
    return as<TupleRef>() == other.as<TupleRef>() || as<TupleRef>()->elements == other.as<TupleRef>()->elements;
  if (is<TensorRef>())
    return as<TensorRef>() == other.as<TensorRef>() || *as<TensorRef>() == *other.as<TensorRef>();
  return content == other.content;
}

static std::vector<AbstractValue> joinElements(const std::vector<AbstractValue> &a,
                                               const std::vector<AbstractValue> &b) {
  std::vector<AbstractValue> both;
  for (auto [x, y] : llvm::zip(a, b))
    both.push_back(join(x, y));
  return both;
}

AbstractValue tsc::join(const AbstractValue &a, const AbstractValue &b) {
  if (a.isNothing() || a == b)
    return b;
  if (b.isNothing())
    return a;
  if (a.asTensor() && b.asTensor())
    return meetFacts(*a.asTensor(), *b.asTensor());
  if (a.asList() && b.asList() && a.asList()->elements.size() == b.asList()->elements.size())
    return AbstractValue::list(joinElements(a.asList()->elements, b.asList()->elements));
  if (a.asTuple() && b.asTuple() && a.asTuple()->elements.size() == b.asTuple()->elements.size())
    return AbstractValue::tuple(joinElements(a.asTuple()->elements, b.asTuple()->elements));
  return {};
}

AbstractTensor tsc::abstractTensorOf(const TensorFacts &facts, SymbolTable &symbols) {
  AbstractTensor tensor;
  tensor.dtype = facts.dtype;
  tensor.device = facts.device;
  tensor.requiresGrad = facts.requiresGrad;
  tensor.undefined = facts.undefined;
  // Symbols of the text are told apart from those that propagation makes by having no owner.
  auto convert = [&](llvm::ArrayRef<Dimension> from) {
    SymbolicDims dims;
    for (const Dimension &d : from)
      dims.push_back(d.isKnown() ? SymbolicInt(d.value())
                     : d.isSymbolic()
                         ? symbols.symbolFor(nullptr, static_cast<uint64_t>(d.value()), SymbolRange::NonNegative)
                         : SymbolicInt());
    return dims;
  };
  if (facts.sizes)
    tensor.sizes = convert(*facts.sizes);
  if (facts.strides)
    tensor.strides = convert(*facts.strides);
  return tensor;
}

static AbstractValue abstractTensor(const Tensor &t) {
  AbstractTensor tensor;
  if (t.dtype() == DType::Opaque) // sparse and nested: the rules are of strided ones
    return tensor;
  tensor.dtype = t.dtype();
  tensor.device = t.device();
  tensor.requiresGrad = t.requiresGrad();
  tensor.sizes.emplace(t.sizes().begin(), t.sizes().end());
  tensor.strides.emplace(t.strides().begin(), t.strides().end());
  return tensor;
}

AbstractValue tsc::abstractConstant(const IValue &value) {
  switch (value.getTag()) {
  case IValue::Tag::None: return AbstractValue::none();
  case IValue::Tag::Bool: return AbstractValue(value.toBool());
  case IValue::Tag::Int: return AbstractValue(value.toInt());
  case IValue::Tag::Double: return AbstractValue(value.toDouble());
  case IValue::Tag::Device: return AbstractValue(value.toDevice());
  case IValue::Tag::String: return AbstractValue(value.toString());
  case IValue::Tag::Function: return AbstractValue(value.toFunction());
  case IValue::Tag::Tensor: return abstractTensor(value.asTensor());
  case IValue::Tag::Tuple: {
    std::vector<AbstractValue> elements;
    for (const IValue &element : value.toTuple().elements)
      elements.push_back(abstractConstant(element));
    return AbstractValue::tuple(std::move(elements));
  }
  default: break;
  }
  if (!value.isList())
    return {};
  std::vector<AbstractValue> elements;
  for (size_t i = 0; i != value.listSize(); ++i)
    elements.push_back(abstractConstant(value.listElement(i)));
  return AbstractValue::list(std::move(elements));
}
