//===- StatisticsRules.cpp - Variances, norms, batch_norm as folds --------===//
//
// Step by step what the kernels in lib/Kernels compute (ReduceMoments, Norms,
// Normalization). Counts of elements are computed from shapes, by operators on
// numbers that the fuser evaluates when it plans.
//
//===----------------------------------------------------------------------===//
#include "CompositeRules.h"
#include <cmath>
using namespace tsc;

/// Dimensions that all folds take as an operand: numbers, or nothing at all.
static bool areDims(const Value *dims) {
  auto constant = constantValue(dims);
  if (constant)
    return constant->isNone() || constant->isIntList();
  const auto *list = dyn_cast<ListType>(dims->type());
  return list && list->element()->isInt();
}
/// None as the empty list, which means the same and which every fold takes.
static SymbolicVariable dimsOrAll(Graph &graph, Value *dims) {
  return dims && !isNone(dims) ? SymbolicVariable(dims)
                               : SymbolicVariable::constant(graph, IValue(std::vector<int64_t>()));
}
static SymbolicVariable flagOr(Graph &graph, Value *flag, bool otherwise) {
  return flag ? SymbolicVariable(flag) : SymbolicVariable::constant(graph, IValue(otherwise));
}

//===----------------------------------------------------------------------===//
// var and std
//===----------------------------------------------------------------------===//

/// Of the first name that the schema has; null where it has none.
static Value *operandNamed(const Node &node, std::initializer_list<llvm::StringRef> names) {
  for (llvm::StringRef name : names)
    if (Value *operand = node.namedInput(name))
      return operand;
  return nullptr;
}

/// How many elements the divisor is short of the count. Only of 0 and 1: that is never more than there are.
static std::optional<int64_t> correctionOf(const Node &node) {
  auto constant = constantValue(operandNamed(node, {"correction", "unbiased"}));
  if (!constant || !(constant->isNone() || constant->isInt() || constant->isBool()))
    return std::nullopt;
  int64_t correction = constant->isNone() ? 1 : constant->isBool() ? constant->toBool() : constant->toInt();
  return correction == 0 || correction == 1 ? std::optional(correction) : std::nullopt;
}

static bool isMomentRule(const Node &node) {
  const Value *dims = node.namedInput("dim");
  return correctionOf(node) && (!dims || areDims(dims));
}

/// sum((x - mean)^2) / (count - correction), or its root.
static SymbolicVariable moment(Node &node, Requirements &requirements) {
  Graph &graph = node.graph();
  SymbolicVariable x = node.input(0);
  requirements.push_back({x.value()});
  SymbolicVariable dims = dimsOrAll(graph, node.namedInput("dim"));
  SymbolicVariable mean = x.call(aten::mean, {dims.value(), true});
  SymbolicVariable centered = x - mean, squares = centered * centered;
  SymbolicVariable sum =
      squares.call(aten::sum, {dims.value(), flagOr(graph, node.namedInput("keepdim"), false).value()});
  SymbolicVariable count = x.call(aten::numel).call(aten::floordiv, {mean.call(aten::numel).value()});
  SymbolicVariable variance = sum / (count - *correctionOf(node));
  return node.kind().name() == "std" ? variance.sqrt() : variance;
}

//===----------------------------------------------------------------------===//
// logsumexp and norms
//===----------------------------------------------------------------------===//

static bool isLogSumExpRule(const Node &node) { return areDims(node.input(1)); }

/// log(sum(exp(x - m))) + m, where m is the maximum unless that is infinite.
static SymbolicVariable logSumExp(Node &node, Requirements &requirements) {
  SymbolicVariable x = node.input(0);
  requirements.push_back({x.value()});
  auto shift = [&](NamedValue keepDim) {
    SymbolicVariable most = x.call(aten::amax, {node.input(1), keepDim});
    return most.call(aten::masked_fill, {most.call(aten::isinf).value(), 0});
  };
  SymbolicVariable sum = (x - shift(true)).exp().call(aten::sum, {node.input(1), node.input(2)});
  return sum.log() + shift(node.input(2));
}

static bool isNormRule(const Node &node) {
  auto order = constantValue(node.input(1));
  if (!order || !(order->isNone() || order->isInt() || order->isDouble()))
    return false;
  if (node.opKind() == OpKind::Aten_linalg_vector_norm && !isNone(node.input(4)))
    return false;
  return node.opKind() == OpKind::Aten_norm_Scalar || areDims(node.input(2));
}

/// Of order p: the root of the sum of the p-th powers of sizes; the extrema of sizes; how many are not zero.
static SymbolicVariable norm(Node &node, Requirements &requirements) {
  SymbolicVariable x = node.input(0);
  requirements.push_back({x.value()});
  auto order = *constantValue(node.input(1));
  double p = order.isNone() ? 2 : order.isInt() ? static_cast<double>(order.toInt()) : order.toDouble();
  bool hasDims = node.opKind() != OpKind::Aten_norm_Scalar;
  SymbolicVariable dims = dimsOrAll(node.graph(), hasDims ? node.input(2) : nullptr);
  SymbolicVariable keepDim = flagOr(node.graph(), hasDims ? node.input(3) : nullptr, false);
  auto fold = [&](Symbol op, SymbolicVariable v) { return v.call(op, {dims.value(), keepDim.value()}); };
  if (std::isinf(p))
    return fold(p > 0 ? aten::amax : aten::amin, x.abs());
  if (p == 0)
    return fold(aten::sum, (x != 0).typeAs(x));
  if (p == 1)
    return fold(aten::sum, x.abs());
  if (p == 2)
    return fold(aten::sum, x * x).sqrt();
  return fold(aten::sum, x.abs().pow(p)).pow(1 / p);
}

//===----------------------------------------------------------------------===//
// batch_norm and instance_norm
//===----------------------------------------------------------------------===//

static std::optional<int64_t> rankOf(const Value *value) {
  const auto *type = dyn_cast<TensorType>(value->type());
  return type && type->facts().sizes ? std::optional(static_cast<int64_t>(type->facts().sizes->size())) : std::nullopt;
}

/// In evaluation, or without running statistics: otherwise it writes them.
static bool isBatchNormRule(const Node &node) {
  auto training = constantBool(node.input(5));
  auto rank = rankOf(node.input(0));
  int64_t leastRank = node.opKind() == OpKind::Aten_instance_norm ? 3 : 2;
  if (!training || !rank || *rank < leastRank || !isTensorOrNone(node.input(1)) || !isTensorOrNone(node.input(2)))
    return false;
  for (unsigned running : {3u, 4u})
    if (*training ? !isNone(node.input(running)) : !node.input(running)->type()->isTensor())
      return false;
  return true;
}

/// x * scale + (bias - mean * scale), where scale = weight * rsqrt(variance + eps). instance_norm takes the statistics
/// of each sample.
static SymbolicVariable batchNorm(Node &node, Requirements &requirements) {
  SymbolicVariable x = node.input(0);
  int64_t rank = *rankOf(x);
  requirements.push_back({x.value(), /*isRowMajor=*/true});
  // One element a channel, in the place of the channels.
  auto channels = [&](Value *vector) {
    requirements.push_back({vector, false, x.value(), {}, false, /*channelsOf=*/x.value()});
    SymbolicVariable v = vector;
    for (int64_t d = 2; d < rank; ++d)
      v = v.unsqueeze(-1);
    return v;
  };
  std::vector<int64_t> others;
  for (int64_t d = node.opKind() == OpKind::Aten_instance_norm ? 2 : 0; d != rank; ++d)
    if (d != 1)
      others.push_back(d);
  auto meanOf = [&](SymbolicVariable v) { return v.call(aten::mean, {others, true}); };
  bool isTraining = *constantBool(node.input(5));
  SymbolicVariable mean = isTraining ? meanOf(x) : channels(node.input(3)), centered = x - mean;
  SymbolicVariable variance = isTraining ? meanOf(centered * centered) : channels(node.input(4));
  SymbolicVariable scale = (variance + SymbolicVariable(node.input(7))).rsqrt();
  if (!isNone(node.input(1)))
    scale = scale * channels(node.input(1));
  SymbolicVariable moved = mean * scale;
  return x * scale + (isNone(node.input(2)) ? 0 - moved : channels(node.input(2)) - moved);
}

//===----------------------------------------------------------------------===//
// group_norm
//===----------------------------------------------------------------------===//

static bool isGroupNormRule(const Node &node) {
  auto groups = constantInt(node.input(1));
  auto rank = rankOf(node.input(0));
  return groups && *groups > 0 && rank && *rank >= 2 && isTensorOrNone(node.input(2)) && isTensorOrNone(node.input(3));
}

/// (x - mean) * rsqrt(variance + eps) * weight + bias, where the channels are groups of channels; then they are one
/// dimension again.
static SymbolicVariable groupNorm(Node &node, Requirements &requirements) {
  SymbolicVariable x = node.input(0);
  int64_t groups = *constantInt(node.input(1)), rank = *rankOf(x);
  requirements.push_back({x.value(), /*isRowMajor=*/true});
  std::vector<int64_t> parts{groups, -1}, others;
  for (int64_t d = 2; d <= rank; ++d)
    others.push_back(d);
  auto meanOf = [&](SymbolicVariable v) { return v.call(aten::mean, {others, true}); };
  auto channels = [&](Value *vector) {
    requirements.push_back({vector, false, x.value(), {}, false, /*channelsOf=*/x.value()});
    SymbolicVariable v = SymbolicVariable(vector).call(aten::unflatten, {0, parts});
    for (int64_t d = 2; d < rank; ++d)
      v = v.unsqueeze(-1);
    return v;
  };
  SymbolicVariable grouped = x.call(aten::unflatten, {1, parts}), centered = grouped - meanOf(grouped);
  SymbolicVariable result = centered * (meanOf(centered * centered) + SymbolicVariable(node.input(4))).rsqrt();
  if (!isNone(node.input(2)))
    result = result * channels(node.input(2));
  if (!isNone(node.input(3)))
    result = result + channels(node.input(3));
  return result.call(aten::flatten, {1, 2});
}

//===----------------------------------------------------------------------===//
// max and min along a dimension
//===----------------------------------------------------------------------===//

/// Where nobody asks for the places.
static bool isExtremumRule(const Node &node) { return !node.output(1)->hasUses() && constantInt(node.input(1)); }

static SymbolicVariable extremum(Node &node, Requirements &requirements) {
  SymbolicVariable x = node.input(0);
  requirements.push_back({x.value()});
  std::vector<int64_t> dims{*constantInt(node.input(1))};
  return x.call(node.opKind() == OpKind::Aten_max_dim ? aten::amax : aten::amin, {dims, node.input(2)});
}

constexpr CompositeRule rules::moment{isMomentRule, ::moment};
constexpr CompositeRule rules::logSumExp{isLogSumExpRule, ::logSumExp};
constexpr CompositeRule rules::norm{isNormRule, ::norm};
constexpr CompositeRule rules::extremum{isExtremumRule, ::extremum};
constexpr CompositeRule rules::batchNorm{isBatchNormRule, ::batchNorm};
constexpr CompositeRule rules::groupNorm{isGroupNormRule, ::groupNorm};
