//===- AffineLayer.cpp - Convolutions and linear layers, seen alike -------===//
#include "AffineLayer.h"
#include "tsc/IR/OpViews.h"
#include "llvm/ADT/STLExtras.h"
using namespace tsc;

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

namespace {
enum class LayerKind : uint8_t { None, Linear, Convolution, Transposed };
} // namespace

static LayerKind layerKind(const Node &node) {
  if (!node.hasTrait(Trait::AffineLayer))
    return LayerKind::None;
  if (node.hasTrait(Trait::TransposedConvolution))
    return LayerKind::Transposed;
  if (!node.hasTrait(Trait::Convolution))
    return LayerKind::Linear;
  const Value *transposed = node.namedInput("transposed");
  std::optional<bool> isTransposed = transposed ? constantBool(transposed) : false;
  return !isTransposed ? LayerKind::None : *isTransposed ? LayerKind::Transposed : LayerKind::Convolution;
}

std::optional<AffineLayer> tsc::matchAffineLayer(Node &node) {
  LayerKind kind = layerKind(node);
  if (kind == LayerKind::None || node.numInputs() < 3)
    return std::nullopt;
  std::optional<FrozenTensor> weight = frozenTensor(node.input(1));
  if (!weight || !isFloating(weight->dtype) || weight->sizes.size() < 2)
    return std::nullopt;
  AffineLayer layer;
  layer.node = &node;
  layer.weight = std::move(*weight);
  if (!isNoneConstant(node.input(2)) && !(layer.bias = frozenTensor(node.input(2))))
    return std::nullopt;
  layer.outAxis = kind == LayerKind::Transposed ? 1 : 0;
  if (layer.bias && ArrayRef<int64_t>(layer.bias->sizes) != ArrayRef<int64_t>(layer.channels()))
    return std::nullopt; // one that is broadcast, or that the operator refuses
  if (kind == LayerKind::Linear)
    return layer.weight.sizes.size() == 2 ? std::optional(std::move(layer)) : std::nullopt;
  layer.spatialDims = layer.weight.sizes.size() - 2;
  if (layer.spatialDims == 0)
    return std::nullopt;
  if (kind == LayerKind::Transposed) {
    Value *groups = node.namedInput("groups");
    std::optional<IValue> number = groups ? constantValue(groups) : std::nullopt;
    if (!number || !number->isInt() || number->toInt() != 1)
      return std::nullopt;
  }
  return layer;
}

std::optional<unsigned> AffineLayer::knownRank() const {
  const auto *type = dyn_cast<TensorType>(node->input(0)->type());
  if (!type || !type->facts().sizes)
    return std::nullopt;
  return type->facts().sizes->size();
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

static Tensor doubles(const std::vector<double> &values, ArrayRef<int64_t> sizes) {
  StatusOr<Tensor> tensor = Tensor::fromSpan<double>(values, sizes);
  return tensor.ok() ? *tensor : Tensor();
}

/// weight * scale along its axis of output channels.
static Tensor scaledWeight(const AffineLayer &layer, const std::vector<double> &scale, WeightArithmetic &arithmetic) {
  Dims sizes(layer.weight.sizes.size(), 1);
  sizes[layer.outAxis] = static_cast<int64_t>(scale.size());
  Tensor weight = arithmetic.toDType(layer.weight.elements, DType::Double), factor = doubles(scale, sizes);
  if (!weight.defined() || !factor.defined())
    return Tensor();
  return arithmetic.toDType(arithmetic.apply(aten::mul, {weight, factor}), layer.weight.dtype);
}

/// bias * scale + shift, one element a channel; no bias counts as zeros.
static Tensor mappedBias(const AffineLayer &layer, const ChannelMap &map, WeightArithmetic &arithmetic) {
  std::vector<double> bias(layer.channels(), 0.0);
  auto at = [](const std::vector<double> &values, size_t i) { return values[values.size() == 1 ? 0 : i]; };
  for (size_t i = 0; i != bias.size(); ++i) {
    if (layer.bias)
      bias[i] = layer.bias->elements.at(static_cast<int64_t>(i)).toDouble();
    if (!map.scale.empty())
      bias[i] *= at(map.scale, i);
    if (!map.shift.empty())
      bias[i] += at(map.shift, i);
  }
  return arithmetic.toDType(doubles(bias, {layer.channels()}), layer.bias ? layer.bias->dtype : layer.weight.dtype);
}

static void replaceOperand(Node &node, unsigned index, const FrozenTensor &tensor, llvm::StringRef suffix) {
  InsertPointGuard guard(node.graph());
  node.graph().setInsertPoint(&node);
  Value *old = node.input(index);
  node.setInput(index, insertFrozen(node.graph(), tensor, *old, suffix));
  eraseIfUnused(old);
}

bool tsc::foldIntoWeights(AffineLayer &layer, const ChannelMap &map, llvm::StringRef suffix,
                          ConstantEvaluator *evaluator) {
  assert(layer.node && "a layer is a node of the graph");
  FrozenTensor weight{Tensor(), layer.weight.dtype, layer.weight.sizes};
  FrozenTensor bias{Tensor(), layer.bias ? layer.bias->dtype : layer.weight.dtype, {layer.channels()}};
  bool scales = !map.scale.empty(), shifts = !map.shift.empty();
  if (map.isKnown && layer.weight.elements.defined() && (!layer.bias || layer.bias->elements.defined())) {
    WeightArithmetic arithmetic(layer.node->graph().context(), evaluator);
    bias.elements = mappedBias(layer, map, arithmetic);
    weight.elements = scales ? scaledWeight(layer, map.scale, arithmetic) : layer.weight.elements;
    if (!bias.elements.defined() || !weight.elements.defined())
      return false;
  }
  if (scales)
    replaceOperand(*layer.node, 1, weight, suffix);
  if (layer.bias || shifts) // a product leaves no bias where there was none
    replaceOperand(*layer.node, 2, bias, suffix);
  return true;
}
