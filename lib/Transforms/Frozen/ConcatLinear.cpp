//===- ConcatLinear.cpp - One product for layers of one input -------------===//
//
// Purpose: linear layers with constant weights that read the same value (queries,
//   keys and values of an attention) become one layer with the weights joined,
//   and each result a slice of its result.
//
// Cost:   linear in the number of nodes, and in the elements of joined weights.
// Limits: layers of one block; all with a bias, or all without. Where the input,
//   a weight or a result is written, nothing is joined. The slices are not
//   contiguous, so this pays where one large product beats several: it is in no
//   pipeline.
//
// Before (concat-linear):
//   graph(%x : Tensor):
//     %1 : Float(8, 4, strides=[4, 1], requires_grad=0, device=cpu) = prim::Constant[value=<Tensor>]()
//     %2 : Float(2, 4, strides=[4, 1], requires_grad=0, device=cpu) = prim::Constant[value=<Tensor>]()
//     %3 : NoneType = prim::Constant()
//     %4 : Tensor = aten::linear(%x, %1, %3)
//     %5 : Tensor = aten::linear(%x, %2, %3)
//     return (%4, %5)
// After:
//   graph(%x : Tensor):
//     %3 : NoneType = prim::Constant()
//     %6 : Float(10, 4, strides=[4, 1], requires_grad=0, device=cpu) = prim::Constant[value=<Tensor>]()
//     %7 : Tensor = aten::linear(%x, %6, %3)
//     %8 : int = prim::Constant[value=-1]()
//     %9 : int = prim::Constant[value=0]()
//     %10 : int = prim::Constant[value=8]()
//     %11 : int = prim::Constant[value=1]()
//     %12 : Tensor = aten::slice(%7, %8, %9, %10, %11)
//     %13 : int = prim::Constant[value=-1]()
//     %14 : int = prim::Constant[value=8]()
//     %15 : int = prim::Constant[value=10]()
//     %16 : int = prim::Constant[value=1]()
//     %17 : Tensor = aten::slice(%7, %13, %14, %15, %16)
//     return (%12, %17)
//
//===----------------------------------------------------------------------===//
#include "AffineLayer.h"
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/FrozenModules.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#define DEBUG_TYPE "concat-linear"
using namespace tsc;

TSC_STATISTIC(NumJoined, "Linear layers joined with another");

namespace {

/// Layers that can be joined agree in these.
struct JoinKey {
  Value *input;
  Block *block;
  DType dtype;
  bool hasBias;
  bool operator==(const JoinKey &) const = default;
};

} // namespace

template <> struct llvm::DenseMapInfo<JoinKey> {
  static JoinKey getEmptyKey() { return {DenseMapInfo<Value *>::getEmptyKey(), nullptr, DType::Float, false}; }
  static JoinKey getTombstoneKey() { return {DenseMapInfo<Value *>::getTombstoneKey(), nullptr, DType::Float, false}; }
  static unsigned getHashValue(const JoinKey &key) {
    return DenseMapInfo<std::pair<Value *, Block *>>::getHashValue({key.input, key.block});
  }
  static bool isEqual(const JoinKey &a, const JoinKey &b) { return a == b; }
};

using JoinGroups = llvm::MapVector<JoinKey, std::vector<AffineLayer>>;

static JoinGroups findGroups(Graph &graph, const AliasAnalysis &aliases) {
  JoinGroups groups;
  graph.walk([&](Node &node) {
    std::optional<AffineLayer> layer = matchAffineLayer(node);
    if (layer && layer->isLinear() && !aliases.hasInputWriters(node) && !aliases.hasOutputWriters(node) &&
        (!layer->bias || layer->bias->dtype == layer->weight.dtype))
      groups[{node.input(0), node.block(), layer->weight.dtype, layer->bias.has_value()}].push_back(*layer);
  });
  return groups;
}

/// The weights (or the biases) of all layers, one below the other. Without elements when one of them has none; nullopt
/// when the evaluator fails.
static std::optional<FrozenTensor> joined(ArrayRef<AffineLayer> layers, bool biases, WeightArithmetic &arithmetic) {
  FrozenTensor result = biases ? *layers[0].bias : layers[0].weight;
  std::vector<Tensor> parts;
  bool isKnown = true;
  result.sizes[0] = 0;
  for (const AffineLayer &layer : layers) {
    const FrozenTensor &part = biases ? *layer.bias : layer.weight;
    isKnown &= part.elements.defined();
    parts.push_back(part.elements);
    result.sizes[0] += part.sizes[0];
  }
  result.elements = isKnown ? arithmetic.apply(aten::cat, {parts, int64_t{0}}) : Tensor();
  return isKnown && !result.elements.defined() ? std::nullopt : std::optional(std::move(result));
}

/// Puts one layer before the first, and slices of its result in the place of each.
static bool join(ArrayRef<AffineLayer> layers, ConstantEvaluator *evaluator) {
  Node &first = *layers[0].node;
  Graph &graph = first.graph();
  WeightArithmetic arithmetic(graph.context(), evaluator);
  std::optional<FrozenTensor> weight = joined(layers, false, arithmetic), bias;
  if (layers[0].bias)
    bias = joined(layers, true, arithmetic);
  if (!weight || (layers[0].bias && !bias) || !TSC_OPT_ALLOWED)
    return false;
  TSC_GRAPH_UPDATE("joining " << layers.size() << " linear layers");
  InsertPointGuard guard(graph);
  graph.setInsertPoint(&first);
  Value *weights = insertFrozen(graph, *weight, *first.input(1), "_concat");
  Value *biases = bias ? insertFrozen(graph, *bias, *first.input(2), "_concat") : first.input(2);

  Value *product = graph.insert(aten::linear, {first.input(0), weights, biases}, {}, first.range());
  int64_t begin = 0;
  for (const AffineLayer &layer : layers) {
    int64_t end = begin + layer.channels();
    graph.setInsertPoint(layer.node);
    Value *slice = graph.insert(aten::slice, {product, int64_t{-1}, begin, end, int64_t{1}}, {}, layer.node->range());
    slice->setType(layer.node->output()->type());
    layer.node->output()->replaceAllUsesWith(slice);
    Value *oldWeight = layer.node->input(1), *oldBias = layer.node->input(2);
    layer.node->erase();
    eraseIfUnused(oldWeight);
    if (oldBias != oldWeight)
      eraseIfUnused(oldBias);
    begin = end;
    ++NumJoined;
  }
  return true;
}

PreservedAnalyses ConcatLinear::run(Graph &graph, AnalysisManager &analyses) {
  bool changed = false;
  for (auto &[key, layers] : findGroups(graph, analyses.get<AliasAnalysis>(graph)))
    // Layers of other widths would not take this input: one of them fails, and must be the one that does.
    if (layers.size() > 1 &&
        llvm::all_of(layers, [&](const AffineLayer &l) { return l.weight.sizes[1] == layers[0].weight.sizes[1]; }))
      changed |= join(layers, analyses.constantEvaluator());
  return PreservedAnalyses::allUnless(changed);
}
