//===- TransposeLinear.cpp - Linear layers as plain products --------------===//
//
// Purpose: a linear layer with a constant weight becomes a product with the
//   weight transposed beforehand, and a sum with the bias. For targets whose
//   product wants its right side row-major.
//
// Cost:   linear in the number of nodes, and in the elements of weights.
// Limits: our own kernels keep a weight packed where linear has it: it is in no pipeline.
//
// Before (transpose-linear):
//   graph(%x : Tensor):
//     %1 : Float(8, 4, strides=[4, 1], requires_grad=0, device=cpu) = prim::Constant[value=<Tensor>]()
//     %2 : Float(8, strides=[1], requires_grad=0, device=cpu) = prim::Constant[value=<Tensor>]()
//     %3 : Tensor = aten::linear(%x, %1, %2)
//     return (%3)
// After:
//   graph(%x : Tensor):
//     %2 : Float(8, strides=[1], requires_grad=0, device=cpu) = prim::Constant[value=<Tensor>]()
//     %4 : Float(4, 8, strides=[8, 1], requires_grad=0, device=cpu) = prim::Constant[value=<Tensor>]()
//     %5 : Tensor = aten::matmul(%x, %4)
//     %10 : Scalar = aten::ScalarImplicit(%2)
//     %11 : int = prim::Constant[value=1]()
//     %12 : Tensor = aten::add(%5, %10, %11)
//     return (%12)
//
//===----------------------------------------------------------------------===//
#include "AffineLayer.h"
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/IR/Context.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/FrozenModules.h"
#define DEBUG_TYPE "transpose-linear"
using namespace tsc;

TSC_STATISTIC(NumTransposed, "Weights of linear layers transposed");

/// The weight with rows and columns exchanged, row-major; nullopt when the evaluator fails.
static std::optional<FrozenTensor> transposed(const FrozenTensor &weight, Context &context,
                                              ConstantEvaluator *evaluator) {
  FrozenTensor result{Tensor(), weight.dtype, {weight.sizes[1], weight.sizes[0]}};
  if (!weight.elements.defined())
    return result;
  WeightArithmetic arithmetic(context, evaluator);
  Tensor view = arithmetic.apply(aten::t, {weight.elements});
  result.elements =
      view.defined() ? arithmetic.apply(context.symbol(opRecord(OpKind::Aten_contiguous).qualified), {view}) : Tensor();
  return result.elements.defined() ? std::optional(std::move(result)) : std::nullopt;
}

static bool rewrite(const AffineLayer &layer, ConstantEvaluator *evaluator) {
  Node &node = *layer.node;
  Graph &graph = node.graph();
  std::optional<FrozenTensor> weight = transposed(layer.weight, graph.context(), evaluator);
  if (!weight || !TSC_OPT_ALLOWED)
    return false;
  TSC_GRAPH_UPDATE("transposing the weight of a linear layer");
  InsertPointGuard guard(graph);
  graph.setInsertPoint(&node);
  Value *oldWeight = node.input(1), *result = insertFrozen(graph, *weight, *oldWeight, "_transposed");
  result = graph.insert(aten::matmul, {node.input(0), result}, {}, node.range());
  if (layer.bias)
    result = graph.insert(aten::add, {result, node.input(2), int64_t{1}}, {}, node.range());
  result->setType(node.output()->type());
  node.output()->replaceAllUsesWith(result);
  node.erase();
  eraseIfUnused(oldWeight);
  ++NumTransposed;
  return true;
}

PreservedAnalyses TransposeLinear::run(Graph &graph, AnalysisManager &analyses) {
  const auto &aliases = analyses.get<AliasAnalysis>(graph);
  std::vector<AffineLayer> layers;
  graph.walk([&](Node &node) {
    std::optional<AffineLayer> layer = matchAffineLayer(node);
    if (layer && layer->isLinear() && !aliases.hasWriters(node.input(1)))
      layers.push_back(std::move(*layer));
  });
  bool changed = false;
  for (const AffineLayer &layer : layers)
    changed |= rewrite(layer, analyses.constantEvaluator());
  return PreservedAnalyses::allUnless(changed);
}
