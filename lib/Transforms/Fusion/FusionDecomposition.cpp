//===- FusionDecomposition.cpp - Composites inside fusion groups ----------===//
//
// Purpose: softmax, log_softmax, layer_norm, batch_norm, losses, variances, norms, and
//   extrema along a dimension as the reductions and point-wise operators that they are
//   made of, so that a kernel can hold them with what stands before and behind. A
//   group keeps the composites, and runs their own kernels where no machine code is;
//   the fuser decomposes a copy.
// Options: none.
// Cost:    linear in nodes.
// Limits:  for floats and doubles, row-major where the result's layout shows it:
//   what must hold at run time is told to the fuser.
//
// Before:
//   graph(%x : Tensor):
//     %1 : int = prim::Constant[value=-1]()
//     %2 : NoneType = prim::Constant()
//     %3 : Tensor = aten::softmax(%x, %1, %2)
//     return (%3)
// After:
//   graph(%x : Tensor):
//     %1 : int = prim::Constant[value=-1]()
//     %2 : NoneType = prim::Constant()
//     %4 : int = prim::Constant[value=0]()
//     %5 : Tensor = aten::contiguous(%x, %4)
//     %6 : int[] = prim::Constant[value=[-1]]()
//     %7 : bool = prim::Constant[value=1]()
//     %8 : Tensor = aten::amax(%5, %6, %7)
//     %9 : int = prim::Constant[value=1]()
//     %10 : Tensor = aten::sub(%5, %8, %9)
//     %11 : Tensor = aten::exp(%10)
//     %13 : int[] = prim::Constant[value=[-1]]()
//     %14 : bool = prim::Constant[value=1]()
//     %15 : NoneType = prim::Constant()
//     %16 : Tensor = aten::sum(%11, %13, %14, %15)
//     %17 : Tensor = aten::reciprocal(%16)
//     %18 : Tensor = aten::mul(%11, %17)
//     return (%18)
//
//===----------------------------------------------------------------------===//
#include "CompositeRules.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Type.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/Kernels.h"
#define DEBUG_TYPE "decompose-for-fusion"
using namespace tsc;

TSC_STATISTIC(NumDecomposed, "Composites replaced by what a kernel can hold");

using Ints = std::vector<int64_t>;

static std::optional<Ints> constantInts(const Value *value) {
  auto constant = constantValue(value);
  if (!constant || !constant->isIntList() || constant->toIntList().elements.empty())
    return std::nullopt;
  return constant->toIntList().elements;
}

static bool isSoftmax(OpKind kind) { return kind == OpKind::Aten_softmax_int || kind == OpKind::Aten__softmax; }

/// softmax(self, dim, dtype) and _softmax(self, dim, half_to_float): the result has self's dtype.
static bool keepsDType(const Node &softmax) {
  auto wanted = constantValue(softmax.input(2));
  return wanted && (wanted->isNone() || (wanted->isBool() && !wanted->toBool()));
}

static bool isSoftmaxRule(const Node &node) { return constantInt(node.input(1)) && keepsDType(node); }

/// Of layer_norm: the shape's length, from the shape itself or from what must have it.
static size_t numNormalizedDims(const Node &node) {
  if (auto shape = constantInts(node.input(1)))
    return shape->size();
  for (unsigned affine : {2u, 3u})
    if (const auto *type = dyn_cast<TensorType>(node.input(affine)->type()); type && type->facts().sizes)
      return type->facts().sizes->size();
  return 0;
}

static bool isLayerNormRule(const Node &node) {
  return numNormalizedDims(node) != 0 && isTensorOrNone(node.input(2)) && isTensorOrNone(node.input(3));
}

static bool isPairLossRule(const Node &node) { return constantInt(node.input(2)).has_value(); }

static bool isDivergenceRule(const Node &node) { return isPairLossRule(node) && constantBool(node.input(3)); }
static bool isLogitsLossRule(const Node &node) {
  return constantInt(node.input(4)) && isTensorOrNone(node.input(2)) && isTensorOrNone(node.input(3));
}

/// The limit between squares and lines.
static std::optional<double> bentLossLimit(const Node &node) {
  auto limit = constantValue(node.input(3));
  return limit && limit->isDouble() && limit->toDouble() > 0 ? std::optional(limit->toDouble()) : std::nullopt;
}
static bool isBentLossRule(const Node &node) { return isPairLossRule(node) && bentLossLimit(node); }

/// The first operand as these operators lay out their result.
static SymbolicVariable rowMajor(Node &node, Requirements &requirements) {
  requirements.push_back({node.input(0)});
  Symbol contiguous = node.graph().context().symbol("aten::contiguous");
  return SymbolicVariable(node.input(0)).call(contiguous);
}

/// exp(x - amax(x)) * (1 / its sum); its logarithm: x - amax(x) - log(sum).
static SymbolicVariable softmax(Node &node, Requirements &requirements) {
  SymbolicVariable x = rowMajor(node, requirements);
  Ints dim{*constantInt(node.input(1))};
  SymbolicVariable moved = x - x.call(aten::amax, {dim, true}), powers = moved.exp();
  SymbolicVariable sum = powers.sum(dim, true);
  return isSoftmax(node.opKind()) ? powers * sum.call(aten::reciprocal) : moved - sum.log();
}

/// (x - mean) * rsqrt(mean of its squares + eps) * weight + bias.
static SymbolicVariable layerNorm(Node &node, Requirements &requirements) {
  SymbolicVariable x = rowMajor(node, requirements);
  Ints dims;
  for (size_t k = numNormalizedDims(node); k != 0; --k)
    dims.push_back(-static_cast<int64_t>(k));
  FusionRequirement row{x.value()};
  if (auto shape = constantInts(node.input(1)))
    row.trailing.assign(shape->begin(), shape->end());
  else
    row.trailingList = node.input(1), row.trailingCount = dims.size();
  requirements.push_back(row);
  auto mean = [&](SymbolicVariable v) { return v.call(aten::mean, {dims, true}); };
  SymbolicVariable centered = x - mean(x);
  SymbolicVariable result = centered * (mean(centered * centered) + node.input(4)).rsqrt();
  auto require = [&](Value *affine) {
    FusionRequirement same = row;
    same.value = affine, same.sameDTypeAs = x.value(), same.hasOnlyTrailing = true;
    requirements.push_back(same);
    return SymbolicVariable(affine);
  };
  if (!isNone(node.input(2)))
    result = result * require(node.input(2));
  if (!isNone(node.input(3)))
    result = result + require(node.input(3));
  return result;
}

/// The operand, which has to be of floats or doubles.
static SymbolicVariable real(Node &node, unsigned operand, Requirements &requirements) {
  requirements.push_back({node.input(operand)});
  return node.input(operand);
}
static SymbolicVariable difference(Node &node, Requirements &requirements) {
  SymbolicVariable self = real(node, 0, requirements);
  return self - real(node, 1, requirements);
}

/// Its mean (1), its sum (2), or as it is (0).
static SymbolicVariable reduced(Node &node, SymbolicVariable loss, unsigned operand = 2) {
  int64_t reduction = *constantInt(node.input(operand));
  return reduction == 1 ? loss.mean() : reduction == 2 ? loss.sum() : loss;
}

/// The difference's square or size.
static SymbolicVariable pairLoss(Node &node, Requirements &requirements) {
  SymbolicVariable d = difference(node, requirements);
  return reduced(node, node.opKind() == OpKind::Aten_mse_loss ? d * d : d.abs());
}

/// Half the difference's square where it is small, a line where it is not (lib/Kernels/Loss.cpp).
static SymbolicVariable bentLoss(Node &node, Requirements &requirements) {
  SymbolicVariable size = difference(node, requirements).abs();
  double limit = *bentLossLimit(node);
  SymbolicVariable squares = size * 0.5 * size, line = size - 0.5 * limit;
  if (node.opKind() == OpKind::Aten_smooth_l1_loss)
    squares = squares / limit;
  else
    line = line * limit;
  return reduced(node, (size < limit).call(aten::where, {squares.value(), line.value()}));
}

/// log(1 + exp(-self * target)).
static SymbolicVariable softMarginLoss(Node &node, Requirements &requirements) {
  SymbolicVariable margin = -real(node, 0, requirements) * real(node, 1, requirements);
  return reduced(node, margin.exp().call(aten::log1p));
}

/// target * (log(target) - self); of logarithms of targets, exp(target) * (target - self).
static SymbolicVariable divergence(Node &node, Requirements &requirements) {
  SymbolicVariable x = real(node, 0, requirements), t = real(node, 1, requirements);
  return reduced(node, *constantBool(node.input(3)) ? t.exp() * (t - x) : t.call(aten::xlogy, {t.value()}) - t * x);
}

/// (1 - target) * self - ((pos_weight - 1) * target + 1) * log_sigmoid(self), times weight.
static SymbolicVariable logitsLoss(Node &node, Requirements &requirements) {
  SymbolicVariable x = real(node, 0, requirements), t = real(node, 1, requirements);
  auto weight = [&](unsigned operand) -> SymbolicVariable { // which has no part in the result's dtype
    requirements.push_back({node.input(operand)});
    requirements.back().sameDTypeAs = x.value();
    return node.input(operand);
  };
  SymbolicVariable linear = (1.0 - t) * x, logistic = x.call(aten::log_sigmoid);
  if (!isNone(node.input(3)))
    logistic = ((weight(3) - 1.0) * t + 1.0) * logistic;
  SymbolicVariable loss = linear - logistic;
  return reduced(node, isNone(node.input(2)) ? loss : loss * weight(2), 4);
}

constexpr CompositeRule rules::softmax{isSoftmaxRule, ::softmax};
constexpr CompositeRule rules::layerNorm{isLayerNormRule, ::layerNorm};
constexpr CompositeRule rules::pairLoss{isPairLossRule, ::pairLoss};
constexpr CompositeRule rules::bentLoss{isBentLossRule, ::bentLoss};
constexpr CompositeRule rules::softMargin{isPairLossRule, ::softMarginLoss};
constexpr CompositeRule rules::divergence{isDivergenceRule, ::divergence};
constexpr CompositeRule rules::logitsLoss{isLogitsLossRule, ::logitsLoss};

static const CompositeRule *ruleOf(const Node &node) {
  switch (node.opKind()) {
#define FUSION(OP, RULE)                                                                                               \
  case OpKind::OP: return &rules::RULE;
#include "tsc/IR/OpFacts.inc"
  default: return nullptr;
  }
}

bool tsc::hasFusionDecomposition(const Node &node) {
  const CompositeRule *rule = ruleOf(node);
  return rule && rule->applies(node);
}

Requirements tsc::decomposeForFusion(Graph &graph) {
  Requirements requirements;
  for (Node &node : llvm::make_early_inc_range(graph.block().nodes())) {
    const CompositeRule *rule = ruleOf(node);
    if (!rule || !rule->applies(node))
      continue;
    InsertPointGuard guard(graph);
    graph.setInsertPoint(&node);
    SymbolicVariable result = rule->build(node, requirements);
    result.value()->setType(node.output(0)->type());
    node.output(0)->replaceAllUsesWith(result.value());
    node.erase();
    ++NumDecomposed;
  }
  return requirements;
}

PreservedAnalyses DecomposeForFusion::run(Graph &graph, AnalysisManager &) {
  return PreservedAnalyses::allUnless(!decomposeForFusion(graph).empty());
}
