//===- UnprintedTensors.cpp - Stand-ins for <Tensor> ----------------------===//
#include "tsc/Transforms/UnprintedTensors.h"
#include "tsc/IR/Graph.h"
#include <random>
using namespace tsc;

static constexpr int64_t MaxElements = 1 << 22;

/// A tensor of the shape that the type tells, and undefined when it does not tell it all.
static Tensor allocate(const TensorFacts &facts) {
  if (!facts.dtype || !facts.sizes)
    return {};
  Dims sizes, strides;
  for (Dimension size : *facts.sizes)
    if (size.isKnown())
      sizes.push_back(size.value());
  if (facts.strides)
    for (Dimension stride : *facts.strides)
      if (stride.isKnown())
        strides.push_back(stride.value());
  StatusOr<int64_t> count = elementCount(sizes);
  if (sizes.size() != facts.sizes->size() || !count.ok() || *count > MaxElements)
    return {};
  std::optional<int64_t> span = strides.size() == sizes.size() ? requiredElements(sizes, strides, 0) : std::nullopt;
  bool useStrides = span && *span <= MaxElements;
  StatusOr<Tensor> tensor = useStrides ? Tensor::emptyStrided(sizes, strides, *facts.dtype) : Tensor::empty(sizes, *facts.dtype);
  return tensor.ok() ? *tensor : Tensor();
}

static void fill(const Tensor &tensor, std::mt19937_64 &random) {
  DType dtype = tensor.dtype();
  bool isFloating = dtype == DType::Float || dtype == DType::Double || dtype == DType::Half || dtype == DType::BFloat16;
  std::uniform_real_distribution<double> number(0.5, 1.5);
  for (int64_t i = 0; i != tensor.numel(); ++i)
    tensor.set(i, isFloating ? Scalar(number(random)) : Scalar(static_cast<int64_t>(random() % 2)));
}

static void fillIn(Graph &graph, std::mt19937_64 &random) {
  graph.walk([&](Node &node) {
    for (const NamedAttribute &attribute : node.attributes())
      if (const auto *inner = std::get_if<std::shared_ptr<Graph>>(&attribute.value))
        fillIn(**inner, random);
    const AttributeValue *value = node.kind() == prim::Constant && node.numOutputs() == 1 ? node.attribute(attr::value) : nullptr;
    const auto *held = value ? std::get_if<Tensor>(value) : nullptr;
    const auto *type = dyn_cast<TensorType>(node.numOutputs() == 1 ? node.output()->type() : Type::tensorType());
    if (!held || held->defined() || !type)
      return;
    if (Tensor tensor = allocate(type->facts())) {
      fill(tensor, random);
      node.setAttribute(attr::value, tensor);
    }
  });
}

void tsc::fillUnprintedTensors(Graph &graph) {
  std::mt19937_64 random(1);
  fillIn(graph, random);
}
