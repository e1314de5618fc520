//===- UnprintedTensors.cpp - Stand-ins for <Tensor> ----------------------===//
#include "tsc/Transforms/UnprintedTensors.h"
#include "tsc/IR/Graph.h"
#include <random>
using namespace tsc;

static constexpr int64_t maxElements = 1 << 22;

/// A tensor of the shape that the type tells; undefined when that is too large, or told in part.
static Tensor allocate(const TensorFacts &facts, DType usual) {
  if (!facts.sizes) {
    StatusOr<Tensor> one = Tensor::empty({1}, facts.dtype.value_or(usual)); // fits wherever shapes broadcast
    return one.ok() ? *one : Tensor();
  }
  Dims sizes, strides;
  for (Dimension size : *facts.sizes)
    if (size.isKnown())
      sizes.push_back(size.value());
  if (facts.strides)
    for (Dimension stride : *facts.strides)
      if (stride.isKnown())
        strides.push_back(stride.value());
  StatusOr<int64_t> count = elementCount(sizes);
  if (sizes.size() != facts.sizes->size() || !count.ok() || *count > maxElements)
    return {};
  std::optional<int64_t> span = strides.size() == sizes.size() ? requiredElements(sizes, strides, 0) : std::nullopt;
  DType dtype = facts.dtype.value_or(usual);
  bool useStrides = span && *span <= maxElements;
  StatusOr<Tensor> tensor = useStrides ? Tensor::emptyStrided(sizes, strides, dtype) : Tensor::empty(sizes, dtype);
  return tensor.ok() ? *tensor : Tensor();
}

static void fill(const Tensor &tensor, std::mt19937_64 &random) {
  DType dtype = tensor.dtype();
  bool isFloating = dtype == DType::Float || dtype == DType::Double || dtype == DType::Half || dtype == DType::BFloat16;
  std::uniform_real_distribution<double> number(0.5, 1.5);
  for (int64_t i = 0; i != tensor.numel(); ++i)
    tensor.set(i, isFloating ? Scalar(number(random)) : Scalar(static_cast<int64_t>(random() % 2)));
}

namespace {
class Filler {
public:
  void visit(Graph &graph) {
    graph.walk([&](Node &node) {
      for (const NamedAttribute &attribute : node.attributes())
        if (const auto *inner = std::get_if<std::shared_ptr<Graph>>(&attribute.value))
          visit(**inner);
      if (isUnprinted(node))
        constants.push_back(&node);
    });
  }
  /// Constants whose types say nothing are of the dtype of the first one that does: the weights of one model are alike.
  void fillAll() {
    DType usual = DType::Float;
    for (Node *node : llvm::reverse(constants))
      usual = factsOf(*node).dtype.value_or(usual);
    std::mt19937_64 random(1);
    for (Node *node : constants)
      if (Tensor tensor = allocate(factsOf(*node), usual)) {
        fill(tensor, random);
        node->setAttribute(attr::value, tensor);
      }
  }

private:
  static const TensorFacts &factsOf(const Node &node) { return cast<TensorType>(node.output()->type())->facts(); }
  static bool isUnprinted(const Node &node) {
    const AttributeValue *value =
        node.kind() == prim::Constant && node.numOutputs() == 1 ? node.attribute(attr::value) : nullptr;
    const auto *held = value ? std::get_if<Tensor>(value) : nullptr;
    return held && !held->defined() && isa<TensorType>(node.output()->type());
  }
  std::vector<Node *> constants;
};
} // namespace

void tsc::fillUnprintedTensors(Graph &graph) {
  Filler filler;
  filler.visit(graph);
  filler.fillAll();
}
