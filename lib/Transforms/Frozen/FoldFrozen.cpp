//===- FoldFrozen.cpp - Fold what follows a layer into its weights --------===//
//
// Purpose: a convolution or linear layer with constant weights, followed by a
//   batch normalization in evaluation mode, or by + - * / with a constant that
//   is the same all over a channel, becomes the layer alone with other weights.
//   The weights are computed in double and rounded once to their dtype.
//   fold-frozen does all of it, as often as one layer is followed by another
//   such operation; the other passes do one kind each.
//
// Better: transposed convolutions, padding by name, linear layers under + - * /,
//   constants on the left, in-place forms and factors of add (alpha) fold too;
//   an operand that would add a dimension to an unbatched result does not.
//
// Cost:   linear in the number of nodes, and in the elements of folded weights.
// Limits: the layer's result may have no other use, and the operation must stand
//   in the same block. Written weights stay. A constant whose elements the text
//   lost (`<Tensor>`) folds by its type, into another such constant; one whose
//   type says nothing counts as one number, as it does under -validate.
//
// Before (fold-conv-bn):
//   graph(%x : Tensor):
//     %2 : Float(8, 3, 3, 3, strides=[27, 9, 3, 1], requires_grad=0, device=cpu) = prim::Constant[value=<Tensor>]()
//     %3 : Float(8, strides=[1], requires_grad=0, device=cpu) = prim::Constant[value=<Tensor>]()
//     %4 : NoneType = prim::Constant()
//     %5 : int[] = prim::Constant[value=[1, 1]]()
//     %6 : int = prim::Constant[value=1]()
//     %7 : bool = prim::Constant[value=0]()
//     %8 : float = prim::Constant[value=0.10000000000000001]()
//     %9 : Tensor = aten::conv2d(%x, %2, %4, %5, %5, %5, %6)
//     %10 : Tensor = aten::batch_norm(%9, %3, %3, %3, %3, %7, %8, %8, %7)
//     return (%10)
// After:
//   graph(%x : Tensor):
//     %4 : int[] = prim::Constant[value=[1, 1]]()
//     %5 : int = prim::Constant[value=1]()
//     %10 : Float(8, 3, 3, 3, strides=[27, 9, 3, 1], requires_grad=0, device=cpu) = prim::Constant[value=<Tensor>]()
//     %11 : Float(8, strides=[1], requires_grad=0, device=cpu) = prim::Constant[value=<Tensor>]()
//     %8 : Tensor = aten::conv2d(%x, %10, %11, %4, %4, %4, %5)
//     return (%8)
//
// Before (fold-conv-mul):
//   graph(%x : Tensor):
//     %1 : Float(8, 3, 3, strides=[9, 3, 1], requires_grad=0, device=cpu) = prim::Constant[value=<Tensor>]()
//     %2 : NoneType = prim::Constant()
//     %3 : int[] = prim::Constant[value=[1]]()
//     %4 : int = prim::Constant[value=1]()
//     %5 : float = prim::Constant[value=2.]()
//     %6 : Tensor = aten::conv1d(%x, %1, %2, %3, %3, %3, %4)
//     %7 : Tensor = aten::mul(%6, %5)
//     return (%7)
// After:
//   graph(%x : Tensor):
//     %2 : NoneType = prim::Constant()
//     %3 : int[] = prim::Constant[value=[1]]()
//     %4 : int = prim::Constant[value=1]()
//     %8 : Float(8, 3, 3, strides=[9, 3, 1], requires_grad=0, device=cpu) = prim::Constant[value=<Tensor>]()
//     %6 : Tensor = aten::conv1d(%x, %8, %2, %3, %3, %3, %4)
//     return (%6)
//
// Before (fold-conv-add):
//   graph(%x : Tensor):
//     %1 : Float(8, 3, 3, strides=[9, 3, 1], requires_grad=0, device=cpu) = prim::Constant[value=<Tensor>]()
//     %2 : Float(8, strides=[1], requires_grad=0, device=cpu) = prim::Constant[value=<Tensor>]()
//     %3 : int[] = prim::Constant[value=[1]]()
//     %4 : int = prim::Constant[value=1]()
//     %5 : float = prim::Constant[value=2.]()
//     %6 : Tensor = aten::conv1d(%x, %1, %2, %3, %3, %3, %4)
//     %7 : Tensor = aten::sub(%6, %5, %4)
//     return (%7)
// After:
//   graph(%x : Tensor):
//     %1 : Float(8, 3, 3, strides=[9, 3, 1], requires_grad=0, device=cpu) = prim::Constant[value=<Tensor>]()
//     %3 : int[] = prim::Constant[value=[1]]()
//     %4 : int = prim::Constant[value=1]()
//     %8 : Float(8, strides=[1], requires_grad=0, device=cpu) = prim::Constant[value=<Tensor>]()
//     %6 : Tensor = aten::conv1d(%x, %1, %8, %3, %3, %3, %4)
//     return (%6)
//
// Before (fold-linear-bn):
//   graph(%x : Float(*, 4)):
//     %1 : Float(8, 4, strides=[4, 1], requires_grad=0, device=cpu) = prim::Constant[value=<Tensor>]()
//     %2 : Float(8, strides=[1], requires_grad=0, device=cpu) = prim::Constant[value=<Tensor>]()
//     %3 : bool = prim::Constant[value=0]()
//     %4 : float = prim::Constant[value=0.10000000000000001]()
//     %5 : Tensor = aten::linear(%x, %1, %2)
//     %6 : Tensor = aten::batch_norm(%5, %2, %2, %2, %2, %3, %4, %4, %3)
//     return (%6)
// After:
//   graph(%x : Float(*, 4)):
//     %7 : Float(8, 4, strides=[4, 1], requires_grad=0, device=cpu) = prim::Constant[value=<Tensor>]()
//     %8 : Float(8, strides=[1], requires_grad=0, device=cpu) = prim::Constant[value=<Tensor>]()
//     %5 : Tensor = aten::linear(%x, %7, %8)
//     return (%5)
//
// Before (fold-frozen):
//   graph(%x : Tensor):
//     %1 : Float(8, 4, strides=[4, 1], requires_grad=0, device=cpu) = prim::Constant[value=<Tensor>]()
//     %2 : Float(8, strides=[1], requires_grad=0, device=cpu) = prim::Constant[value=<Tensor>]()
//     %3 : float = prim::Constant[value=2.]()
//     %4 : int = prim::Constant[value=1]()
//     %5 : Tensor = aten::linear(%x, %1, %2)
//     %6 : Tensor = aten::mul(%5, %3)
//     %7 : Tensor = aten::add(%6, %2, %4)
//     return (%7)
// After:
//   graph(%x : Tensor):
//     %8 : Float(8, 4, strides=[4, 1], requires_grad=0, device=cpu) = prim::Constant[value=<Tensor>]()
//     %10 : Float(8, strides=[1], requires_grad=0, device=cpu) = prim::Constant[value=<Tensor>]()
//     %5 : Tensor = aten::linear(%x, %8, %10)
//     return (%5)
//
//===----------------------------------------------------------------------===//
#include "AffineLayer.h"
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/IR/OpFacts.h"
#include "tsc/IR/OpViews.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/FrozenModules.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#define DEBUG_TYPE "fold-frozen"
using namespace tsc;

TSC_STATISTIC(NumNorms, "Batch normalizations folded into weights");
TSC_STATISTIC(NumArithmetic, "Point-wise operations folded into weights");

namespace {

/// What one of the passes folds, and into what.
struct FoldKinds {
  bool norms = false, shifts = false, scales = false;
  bool intoConvolutions = false, intoLinear = false;
};

/// Arithmetic on the layer's result: which, and with which constant.
struct Arithmetic {
  ArithmeticKind kind;
  Value *operand;
  Value *alpha; ///< What multiplies the second operand of a sum or a difference; null where nothing does.

  bool isShift() const { return kind == ArithmeticKind::Add || kind == ArithmeticKind::Subtract; }
};

/// result -> result * scale + shift, and the name of it for new constants.
struct NamedMap {
  ChannelMap map;
  StringRef suffix;
};

} // namespace

//===----------------------------------------------------------------------===//
// Batch normalization
//===----------------------------------------------------------------------===//

/// The elements of a statistic; `absent` all over for None. Nullopt when it does not have one element a channel, or is
/// not constant.
static std::optional<std::vector<double>> channelElements(const Value *value, int64_t channels, double absent,
                                                          bool &isKnown) {
  std::vector<double> elements(channels, absent);
  if (std::optional<IValue> constant = constantValue(value);
      constant && constant->isNone() && !value->type()->isTensor())
    return elements;
  std::optional<FrozenTensor> tensor = frozenTensor(value);
  if (!tensor || tensor->sizes.size() != 1 || tensor->sizes[0] != channels)
    return std::nullopt;
  isKnown &= tensor->elements.defined();
  for (int64_t i = 0; i != channels && tensor->elements.defined(); ++i)
    elements[i] = tensor->elements.at(i).toDouble();
  return elements;
}

/// (x - mean) / sqrt(variance + eps) * weight + bias, by channel.
static std::optional<NamedMap> normalization(const AffineLayer &layer, const BatchNormOp &norm) {
  std::optional<IValue> training = constantValue(norm.training()), eps = constantValue(norm.eps());
  if (!training || !training->isBool() || training->toBool() || !eps || !eps->isDouble())
    return std::nullopt;
  // Channels are dimension 1 of what is normalized: those of a convolution with a batch, or of rows of a linear layer.
  if (layer.isLinear() && layer.knownRank() != 2u)
    return std::nullopt;
  if (!layer.isLinear() && layer.knownRank() == layer.minRank())
    return std::nullopt;
  // Without statistics, those of the batch count.
  if (!norm.running_mean()->type()->isTensor() || !norm.running_var()->type()->isTensor())
    return std::nullopt;
  NamedMap result{{}, "_fused_bn"};
  bool &isKnown = result.map.isKnown;
  int64_t channels = layer.channels();
  auto mean = channelElements(norm.running_mean(), channels, 0, isKnown),
       variance = channelElements(norm.running_var(), channels, 1, isKnown),
       weight = channelElements(norm.weight(), channels, 1, isKnown),
       bias = channelElements(norm.bias(), channels, 0, isKnown);
  if (!mean || !variance || !weight || !bias)
    return std::nullopt;
  for (int64_t i = 0; i != channels; ++i) {
    double scale = (*weight)[i] / std::sqrt((*variance)[i] + eps->toDouble());
    result.map.scale.push_back(scale);
    result.map.shift.push_back((*bias)[i] - (*mean)[i] * scale);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Point-wise arithmetic
//===----------------------------------------------------------------------===//

static std::optional<double> constantNumber(const Value *value) {
  std::optional<IValue> constant = constantValue(value);
  if (!constant || !(constant->isInt() || constant->isDouble()))
    return std::nullopt;
  return constant->isInt() ? static_cast<double>(constant->toInt()) : constant->toDouble();
}

/// Returns what `node` does to `layer`, which is one of its operands; nullopt where that is no arithmetic of which the
/// result has the place of the layer's.
static std::optional<Arithmetic> arithmeticOn(const Node &node, const Value *layer) {
  const OpRecord *record = node.record();
  if (record && record->has(Trait::InPlaceForm))
    record = functionalFormOf(*record);
  const std::optional<ArithmeticKind> kind = record ? arithmeticKind(record->kind) : std::nullopt;
  if (!kind)
    return std::nullopt;
  Value *alpha = node.numInputs() > 2 ? node.input(2) : nullptr;
  if (node.input(0) == layer)
    return Arithmetic{*kind, node.input(1), alpha};
  // The layer is the second operand, to which alpha belongs, and which nothing is written to.
  const bool commutes = *kind == ArithmeticKind::Add || *kind == ArithmeticKind::Multiply;
  if (!commutes || node.hasTrait(Trait::Writes) || (alpha && constantNumber(alpha) != 1.0))
    return std::nullopt;
  return Arithmetic{*kind, node.input(0), nullptr};
}

/// Whether a tensor of these sizes, combined with the layer's result, gives that result's shape and is one number a
/// channel.
static bool isUniformOverChannels(const AffineLayer &layer, ArrayRef<int64_t> sizes) {
  unsigned rank = sizes.size();
  if (rank > layer.knownRank().value_or(layer.minRank() + (layer.isLinear() ? 0 : 1)))
    return false;
  for (unsigned i = 0; i != rank; ++i) {
    bool isChannels = rank - i == layer.spatialDims + 1;
    if (sizes[i] != 1 && !(isChannels && sizes[i] == layer.channels()))
      return false;
  }
  return true;
}

/// Whether a value of this dtype and rank leaves the dtype of the layer's result as it is.
static bool keepsDType(const AffineLayer &layer, DType dtype, bool isDimensioned) {
  if (isComplex(dtype))
    return false;
  return !isDimensioned || !isFloating(dtype) || dtype == layer.weight.dtype;
}

/// The numbers of a constant operand: one, or one a channel.
static std::optional<std::vector<double>> uniformNumbers(const AffineLayer &layer, const Value *operand,
                                                         bool &isKnown) {
  std::optional<IValue> constant = constantValue(operand);
  if (constant && (constant->isInt() || constant->isBool()))
    return std::vector<double>{static_cast<double>(constant->toInt())};
  if (constant && constant->isDouble())
    return std::vector<double>{constant->toDouble()};
  std::optional<FrozenTensor> tensor = frozenTensor(operand);
  if (!tensor || !keepsDType(layer, tensor->dtype, !tensor->sizes.empty()) ||
      !isUniformOverChannels(layer, tensor->sizes))
    return std::nullopt;
  int64_t count = 1;
  for (int64_t size : tensor->sizes)
    count *= size;
  isKnown = tensor->elements.defined();
  std::vector<double> numbers(count, 1.0);
  for (int64_t i = 0; i != count && isKnown; ++i)
    numbers[i] = tensor->elements.at(i).toDouble();
  return numbers;
}

static std::optional<NamedMap> arithmeticMap(const AffineLayer &layer, const Arithmetic &arithmetic) {
  NamedMap result;
  auto numbers = uniformNumbers(layer, arithmetic.operand, result.map.isKnown);
  auto alpha = arithmetic.alpha ? constantNumber(arithmetic.alpha) : 1.0;
  if (!numbers || !alpha)
    return std::nullopt;
  switch (arithmetic.kind) {
  case ArithmeticKind::Add:
  case ArithmeticKind::Subtract:
    for (double &number : *numbers)
      number *= arithmetic.kind == ArithmeticKind::Add ? *alpha : -*alpha;
    result.map.shift = std::move(*numbers);
    result.suffix = arithmetic.kind == ArithmeticKind::Add ? "_fused_add" : "_fused_sub";
    return result;
  case ArithmeticKind::Divide:
    for (double &number : *numbers)
      number = 1 / number;
    [[fallthrough]];
  case ArithmeticKind::Multiply:
    result.map.scale = std::move(*numbers);
    result.suffix = arithmetic.kind == ArithmeticKind::Multiply ? "_fused_mul" : "_fused_div";
    return result;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The fold
//===----------------------------------------------------------------------===//

namespace {

class WeightFolder {
public:
  WeightFolder(FoldKinds kinds, const AliasAnalysis &aliases, const AnalysisManager &analyses)
      : kinds(kinds), aliases(aliases), evaluator(analyses.constantEvaluator()), remarks(analyses.remarks()) {}

  bool run(Graph &graph) {
    llvm::SmallVector<Node *> layers;
    graph.walk([&](Node &node) {
      if (matchAffineLayer(node))
        layers.push_back(&node);
    });
    bool changed = false;
    for (Node *layer : layers)
      while (foldUser(*layer))
        changed = true;
    return changed;
  }

private:
  /// Folds the one operation that uses the layer's result, and puts the layer in its place.
  bool foldUser(Node &node) {
    std::optional<AffineLayer> layer = matchAffineLayer(node);
    Value *result = node.output();
    if (!layer || !(layer->isLinear() ? kinds.intoLinear : kinds.intoConvolutions) || !result->hasOneUse() ||
        areWritten(node))
      return false;
    Node &user = *result->uses().begin()->user();
    if (user.block() != node.block() || user.numOutputs() != 1 || areWritten(user))
      return false;
    std::optional<NamedMap> map = mapOf(*layer, user);
    if (!map && isa<BatchNormOp>(&user))
      remarks.missed(user, "not folded into the weights of '" + node.kind().qualified() +
                               "': it trains, or a statistic is not constant or has another size");
    if (!map || !TSC_OPT_ALLOWED || !foldIntoWeights(*layer, map->map, map->suffix, evaluator))
      return false;
    remarks.done(user, "folded into the weights of '" + node.kind().qualified() + "'");
    TSC_GRAPH_UPDATE("folding a " << user.kind().qualified() << " node into the weights of a "
                                  << node.kind().qualified() << " node");
    replaceByLayer(user, node);
    return true;
  }

  std::optional<NamedMap> mapOf(const AffineLayer &layer, Node &user) {
    if (const auto *norm = dyn_cast<BatchNormOp>(&user)) {
      auto map = kinds.norms && norm->input() == layer.node->output() ? normalization(layer, *norm) : std::nullopt;
      NumNorms += map.has_value();
      return map;
    }
    if (user.numInputs() < 2)
      return std::nullopt;
    std::optional<Arithmetic> arithmetic = arithmeticOn(user, layer.node->output());
    if (!arithmetic || !(arithmetic->isShift() ? kinds.shifts : kinds.scales))
      return std::nullopt;
    auto map = arithmeticMap(layer, *arithmetic);
    NumArithmetic += map.has_value();
    return map;
  }

  /// Whether somebody writes a constant operand of the node.
  bool areWritten(const Node &node) const {
    return llvm::any_of(node.inputs(), [&](Value *input) { return isConstant(input) && aliases.hasWriters(input); });
  }

  static void replaceByLayer(Node &user, Node &layer) {
    llvm::SmallVector<Value *, 4> operands = user.inputVector();
    layer.output()->setType(user.output()->type());
    user.output()->replaceAllUsesWith(layer.output());
    user.erase();
    llvm::sort(operands);
    operands.erase(llvm::unique(operands), operands.end());
    for (Value *operand : operands)
      eraseIfUnused(operand);
  }

  FoldKinds kinds;
  const AliasAnalysis &aliases;
  ConstantEvaluator *evaluator;
  const Remarks &remarks;
};

} // namespace

static PreservedAnalyses fold(FoldKinds kinds, Graph &graph, AnalysisManager &analyses) {
  WeightFolder folder(kinds, analyses.get<AliasAnalysis>(graph), analyses);
  return PreservedAnalyses::allUnless(folder.run(graph));
}

PreservedAnalyses FoldConvBatchNorm::run(Graph &graph, AnalysisManager &analyses) {
  return fold({.norms = true, .intoConvolutions = true}, graph, analyses);
}
PreservedAnalyses FoldConvAdd::run(Graph &graph, AnalysisManager &analyses) {
  return fold({.shifts = true, .intoConvolutions = true}, graph, analyses);
}
PreservedAnalyses FoldConvMul::run(Graph &graph, AnalysisManager &analyses) {
  return fold({.scales = true, .intoConvolutions = true}, graph, analyses);
}
PreservedAnalyses FoldLinearBatchNorm::run(Graph &graph, AnalysisManager &analyses) {
  return fold({.norms = true, .intoLinear = true}, graph, analyses);
}
PreservedAnalyses FoldFrozen::run(Graph &graph, AnalysisManager &analyses) {
  return fold({.norms = true, .shifts = true, .scales = true, .intoConvolutions = true, .intoLinear = true}, graph,
              analyses);
}
