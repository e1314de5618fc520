//===- BlockConvolutions.cpp - Chains of convolutions in blocked layout ---===//
//
// Purpose: a convolution of images, the normalization, the sum and the clamp that
//          follow it become one operator, whose result keeps its channels in blocks:
//          what reads it in blocks, too, has no other layout in between. Maximum
//          pooling and concatenation along the channels work on blocks as well;
//          everything else reads a plain tensor.
// Better:  NaN stays NaN through a relu, as it does not in oneDNN's; PyTorch converts
//          frozen graphs to oneDNN's layout only where it is asked to.
// Cost:    linear; of the nodes between a convolution and what follows it 64 are
//          looked at.
// Limits:  weights have to be constants of the processor, as frozen modules have them, or
//          attributes whose types a plan knows, and no input may require a gradient.
//          What is written, or used elsewhere, stays outside. Sizes decide when the
//          program runs: small convolutions run on planes. Activations other than
//          clamps are not taken along.
//
// Before:
//   graph(%x : Float(*, *, *, *)):
//     %1 : Float(64, 64, 3, 3, strides=[576, 9, 3, 1], requires_grad=0, device=cpu) = prim::Constant[value=<Tensor>]()
//     %2 : NoneType = prim::Constant()
//     %3 : int = prim::Constant[value=1]()
//     %4 : int[] = prim::ListConstruct(%3, %3)
//     %5 : FloatTensor = aten::conv2d(%x, %1, %2, %4, %4, %4, %3)
//     %6 : FloatTensor = aten::relu(%5)
//     %7 : FloatTensor = aten::conv2d(%6, %1, %2, %4, %4, %4, %3)
//     %8 : FloatTensor = aten::add(%7, %x, %3)
//     return (%8)
// After:
//   graph(%x : Float(*, *, *, *)):
//     %1 : Float(64, 64, 3, 3, strides=[576, 9, 3, 1], requires_grad=0, device=cpu) = prim::Constant[value=<Tensor>]()
//     %2 : NoneType = prim::Constant()
//     %3 : int = prim::Constant[value=1]()
//     %4 : int[] = prim::ListConstruct(%3, %3)
//     %9 : NoneType = prim::Constant()
//     %10 : float = prim::Constant[value=0.]()
//     %11 : int = prim::Constant[value=0]()
//     %12 : int = prim::Constant[value=0]()
//     %20 : Tensor = tsc::to_blocked(%x)
//     %13 : Tensor = tsc::blocked_conv2d(%20, %1, %2, %4, %4, %4, %3, %9, %9, %9, %9, %10, %9, %11, %12, %9)
//     %15 : NoneType = prim::Constant()
//     %16 : float = prim::Constant[value=0.]()
//     %17 : int = prim::Constant[value=0]()
//     %18 : Tensor = tsc::blocked_conv2d(%13, %1, %2, %4, %4, %4, %3, %15, %15, %15, %15, %16, %20, %17, %15, %15)
//     %19 : FloatTensor = tsc::from_blocked(%18)
//     return (%19)
//
//===----------------------------------------------------------------------===//
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/OpFacts.h"
#include "tsc/IR/OpViews.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/Kernels.h"
#include "llvm/ADT/MapVector.h"
#include <cmath>
#define DEBUG_TYPE "block-convolutions"
using namespace tsc;

TSC_STATISTIC(NumConvolutions, "Convolutions whose results keep their channels in blocks");
TSC_STATISTIC(NumFollowers, "Operators that became part of a convolution");

namespace {

/// A convolution of images and what follows it, each null where there is none.
struct Layer {
  Node *convolution = nullptr, *norm = nullptr;
  Value *summand = nullptr;
  int64_t summed = 0; ///< Where the sum is written, as tsc::blocked_conv2d has it.
  std::optional<IValue> low, high;
  llvm::SmallVector<Node *, 4> parts; ///< The convolution first; the result of the last one is the layer's.
  Node &last() const { return *parts.back(); }
};

class Blocker {
public:
  Blocker(Graph &graph, const AliasAnalysis &aliases, const Remarks &remarks)
      : graph(graph), aliases(aliases), remarks(remarks) {}
  bool run(llvm::ArrayRef<Node *> candidates);

private:
  std::optional<Layer> layerAt(Node &node) const;
  Node *follower(const Layer &layer) const;
  bool absorbNorm(Layer &layer, Node &node) const;
  bool absorbSum(Layer &layer, Node &node) const;
  bool absorbWritten(Layer &layer, Node &node) const;
  Node *sumInPlace(const Layer &layer) const;
  bool isMovable(const Layer &layer, const Node &user) const;
  bool absorbClamp(Layer &layer, Node &node) const;
  bool isWorthBlocks(const Layer &layer) const;
  void rewrite(const Layer &layer);
  void rewritePool(Node &node);
  void rewriteConcat(CatOp &cat);
  void replace(Node &node, OpKind op, llvm::ArrayRef<Value *> operands);
  void finish();

  /// Plain tensors of ours have no writers, and are newer than the analysis.
  bool hasWriters(const Value *value) const {
    return AliasAnalysis::isMutable(value) && !isFromBlocks(value) && aliases.hasWriters(value);
  }
  Node *create(OpKind op, llvm::ArrayRef<Value *> operands) const {
    return graph.create(graph.context().symbol(opRecord(op).qualified), operands);
  }
  static bool isFromBlocks(const Value *value) {
    return value->node() && value->node()->opKind() == OpKind::Tsc_from_blocked;
  }

  Graph &graph;
  const AliasAnalysis &aliases;
  const Remarks &remarks;
  llvm::SmallVector<Node *> made, planes; ///< Operators on blocks; what makes plain tensors of their results.
};

} // namespace

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

static bool isKnownFloat(const Value *value) { return knownDType(value) == DType::Float; }

/// A constant, or an attribute of which a plan knows what it is; and not of a GPU: blocks are the processor's. (An
/// example in text may leave a constant's elements out.)
static bool isOfProcessor(const Value *weight) {
  if (weight->node() && weight->node()->kind() == prim::GetAttr) {
    const auto *type = dyn_cast<TensorType>(weight->type());
    return type && type->facts().dtype == DType::Float && type->facts().device &&
           type->facts().device->kind == DeviceKind::CPU;
  }
  std::optional<IValue> constant = constantValue(weight);
  const bool isElsewhere = constant && constant->isTensor() && constant->asTensor().defined() &&
                           constant->asTensor().device().kind != DeviceKind::CPU;
  return isConstant(weight) && !isElsewhere;
}

static bool isNone(const Value *value) {
  std::optional<IValue> constant = constantValue(value);
  return constant && constant->isNone();
}

/// A number that is one for sure.
static std::optional<IValue> knownNumber(const Value *value) {
  std::optional<IValue> constant = constantValue(value);
  if (!constant || !(constant->isInt() || constant->isDouble()) ||
      (constant->isDouble() && std::isnan(constant->toDouble())))
    return std::nullopt;
  return constant;
}

/// Whether the layer may be computed where `user` is, which uses its result.
bool Blocker::isMovable(const Layer &layer, const Node &user) const {
  if (hasWriters(layer.last().output()) || user.block() != layer.last().block() || user.numOutputs() != 1)
    return false;
  unsigned left = 64;
  for (const Node *node = layer.last().next(); node != &user; node = node->next())
    if (left-- == 0 || node->numBlocks() || aliases.isObservable(*node))
      return false;
  return true;
}

/// The one node that uses the layer's result, to which the convolution may be moved; null when there is none.
Node *Blocker::follower(const Layer &layer) const {
  const Value *result = layer.last().output();
  if (!result->hasOneUse())
    return nullptr;
  Node *user = result->uses().begin()->user();
  return isMovable(layer, *user) ? user : nullptr;
}

/// The sum that is written to the layer's result, which nobody else uses: an addition and the tsc::written behind it.
Node *Blocker::sumInPlace(const Layer &layer) const {
  const Value *result = layer.last().output();
  Node *written = nullptr;
  for (const Use &use : result->uses())
    if (use.user()->opKind() == OpKind::Tsc_written && use.index() == 1)
      written = use.user();
  Node *sum = written ? written->input(0)->node() : nullptr;
  const bool areAlone = sum && sum->opKind() == OpKind::Aten_add_Tensor && sum->output()->hasOneUse() &&
                        llvm::all_of(result->uses(), [&](const Use &use) {
                          return use.user() == written || (use.user() == sum && use.index() < 2);
                        });
  return areAlone && llvm::range_size(result->uses()) == 2 && isMovable(layer, *written) ? sum : nullptr;
}

bool Blocker::absorbNorm(Layer &layer, Node &node) const {
  const auto *norm = dyn_cast<BatchNormOp>(&node);
  if (!norm || layer.parts.size() != 1 || norm->input() != layer.last().output() || isNone(node.input(3)) ||
      isNone(node.input(4)) || constantBool(node.input(5)) != false)
    return false;
  for (Value *operand : llvm::drop_begin(node.inputs()))
    if (hasWriters(operand))
      return false;
  layer.norm = &node;
  return true;
}

bool Blocker::absorbSum(Layer &layer, Node &node) const {
  if (node.opKind() != OpKind::Aten_add_Tensor || layer.summand)
    return false;
  std::optional<IValue> alpha = constantValue(node.input(2));
  Value *other = node.input(node.input(0) == layer.last().output() ? 1 : 0);
  if (!alpha || !alpha->isInt() || alpha->toInt() != 1 || !isKnownFloat(other) || hasWriters(other))
    return false;
  layer.summand = other;
  return true;
}

/// A sum that was written to the summand.
bool Blocker::absorbWritten(Layer &layer, Node &node) const {
  if (node.opKind() != OpKind::Tsc_written || layer.last().opKind() != OpKind::Aten_add_Tensor ||
      node.input(0) != layer.last().output() || node.input(1) != layer.summand)
    return false;
  layer.summed = 2;
  return true;
}

bool Blocker::absorbClamp(Layer &layer, Node &node) const {
  const ClampSignature *clamp = clampSignature(node.opKind());
  if (!clamp)
    return false;
  for (auto [bound, limit] : {std::pair(&clamp->low, &layer.low), std::pair(&clamp->high, &layer.high)}) {
    if (const auto *number = std::get_if<int64_t>(&bound->value)) {
      *limit = IValue(*number);
    } else if (const auto *operand = std::get_if<ClampBound::Operand>(&bound->value);
               operand && !isNone(node.input(operand->position))) {
      *limit = knownNumber(node.input(operand->position));
      if (!*limit) {
        layer.low.reset();
        return false;
      }
    }
  }
  return layer.low || layer.high;
}

std::optional<Layer> Blocker::layerAt(Node &node) const {
  if (node.opKind() != OpKind::Aten_conv2d || !isKnownFloat(node.input(0)) || !isOfProcessor(node.input(1)) ||
      llvm::any_of(node.inputs(), [&](const Value *operand) { return hasWriters(operand); }))
    return std::nullopt;
  Layer layer;
  layer.convolution = &node;
  layer.parts.push_back(&node);
  while (!layer.low && !layer.high) {
    if (Node *sum = sumInPlace(layer); sum && absorbSum(layer, *sum)) {
      layer.parts.append({sum, sum->output()->uses().begin()->user()});
      layer.summed = 1;
      continue;
    }
    Node *next = follower(layer);
    if (!next || !(absorbNorm(layer, *next) || absorbSum(layer, *next) || absorbWritten(layer, *next) ||
                   absorbClamp(layer, *next)))
      break;
    layer.parts.push_back(next);
  }
  return layer;
}

/// A convolution of each channel alone runs on planes as they lie, and is worth blocks only beside others.
bool Blocker::isWorthBlocks(const Layer &layer) const {
  std::optional<IValue> groups = constantValue(layer.convolution->input(6));
  if (groups && groups->isInt() && groups->toInt() == 1)
    return true;
  return isFromBlocks(layer.convolution->input(0)) || llvm::any_of(layer.last().output()->uses(), [](const Use &use) {
           return use.user()->opKind() == OpKind::Aten_conv2d;
         });
}

//===----------------------------------------------------------------------===//
// The rewrite
//===----------------------------------------------------------------------===//

/// The operator on blocks in the place of the node, whose result others read as a plain tensor at first.
void Blocker::replace(Node &node, OpKind op, llvm::ArrayRef<Value *> operands) {
  Node *blocked = create(op, operands)->insertBefore(&node);
  Node *plain = create(OpKind::Tsc_from_blocked, {blocked->output()})->insertBefore(&node);
  for (Node *added : {blocked, plain}) {
    added->setRange(node.range());
    added->setScope(node.scope());
  }
  plain->output()->setType(node.output()->type());
  node.output()->replaceAllUsesWith(plain->output());
  made.push_back(blocked);
  planes.push_back(plain);
}

void Blocker::rewrite(const Layer &layer) {
  TSC_GRAPH_UPDATE("keeping the channels of a convolution in blocks, with " << layer.parts.size() - 1 << " operators");
  InsertPointGuard guard(graph);
  graph.setInsertPoint(&layer.last());
  Value *none = graph.insertConstant(IValue());
  auto number = [&](const std::optional<IValue> &value) { return value ? graph.insertConstant(*value) : none; };
  Node &convolution = *layer.convolution;
  llvm::SmallVector<Value *, 16> operands(convolution.inputs());
  if (layer.norm) {
    for (unsigned i : {1, 2, 3, 4, 7}) // weight, bias, mean, variance, eps
      operands.push_back(layer.norm->input(i));
  } else {
    operands.append(4, none);
    operands.push_back(graph.insertConstant(IValue(0.0)));
  }
  operands.push_back(layer.summand ? layer.summand : none);
  operands.push_back(graph.insertConstant(IValue(layer.summed)));
  operands.push_back(number(layer.low));
  operands.push_back(number(layer.high));
  replace(layer.last(), OpKind::Tsc_blocked_conv2d, operands);
  remarks.done(convolution, "keeps its channels in blocks");
  ++NumConvolutions;
  NumFollowers += layer.parts.size() - 1;
  for (Node *part : llvm::reverse(layer.parts))
    part->erase();
}

void Blocker::rewritePool(Node &node) {
  if (!isFromBlocks(node.input(0)) || hasWriters(node.output()) || !TSC_OPT_ALLOWED)
    return;
  replace(node, OpKind::Tsc_blocked_max_pool2d, llvm::SmallVector<Value *, 6>(node.inputs()));
  node.erase();
}

void Blocker::rewriteConcat(CatOp &cat) {
  Node *list = cat.input(0)->node();
  std::optional<IValue> dim = constantValue(cat.input(1));
  if (!list || list->kind() != prim::ListConstruct || list->block() != cat.block() || !dim || !dim->isInt() ||
      dim->toInt() != 1 || hasWriters(list->output()) || hasWriters(cat.output()) || list->numInputs() == 0 ||
      !list->output()->hasOneUse() ||
      !llvm::all_of(list->inputs(), [&](const Value *value) { return isFromBlocks(value); }) || !TSC_OPT_ALLOWED)
    return;
  replace(cat, OpKind::Tsc_blocked_cat, {list->output()});
  made.push_back(list);
  cat.erase();
}

/// Operators on blocks take them from one another; plain tensors that nobody reads go. What two of them read as a plain
/// tensor is arranged once.
void Blocker::finish() {
  llvm::MapVector<Value *, llvm::SmallVector<Use *, 2>> plain;
  for (Node *node : made) {
    for (unsigned i = 0; i != node->numInputs(); ++i)
      if (isFromBlocks(node->input(i)))
        node->setInput(i, node->input(i)->node()->input(0));
    if (const auto *layer = dyn_cast<TscBlockedConv2dOp>(node))
      for (unsigned i = 0; i != node->numInputs(); ++i)
        if (Value *image = node->input(i); (image == layer->input() || image == layer->summand()) && knownDType(image))
          plain[image].push_back(&node->use(i));
  }
  for (auto &[image, uses] : plain) {
    Node *first = uses.front()->user();
    if (uses.size() == 1 || llvm::any_of(uses, [&](Use *use) { return use->user()->block() != first->block(); }))
      continue;
    for (Use *use : uses)
      if (use->user()->isBefore(first))
        first = use->user();
    Node *arranged = create(OpKind::Tsc_to_blocked, {image})->insertBefore(first);
    arranged->setRange(first->range());
    arranged->setScope(first->scope());
    for (Use *use : uses)
      use->set(arranged->output());
  }
  for (Node *node : planes)
    if (!node->output()->hasUses())
      node->erase();
}

static bool requiresGradient(const Value *input) {
  const auto *type = dyn_cast<TensorType>(input->type());
  return type && type->facts().requiresGrad.value_or(false);
}

/// Convolutions of images and what may follow them on blocks; none where there is nothing to do. Weights that require
/// gradients mark the results of operators on blocks as of others; a tape has graphs of its own.
static llvm::SmallVector<Node *> candidatesIn(Graph &graph) {
  bool mayNeedGradients = llvm::any_of(graph.inputs(), requiresGradient), hasConvolutions = false;
  llvm::SmallVector<Node *> candidates;
  graph.walk([&](Node &node) {
    const bool isConvolution = node.opKind() == OpKind::Aten_conv2d;
    mayNeedGradients |= node.opKind() == OpKind::Aten_requires_grad_;
    hasConvolutions |= isConvolution;
    if (isConvolution || node.opKind() == OpKind::Aten_max_pool2d || isa<CatOp>(&node))
      candidates.push_back(&node);
  });
  if (mayNeedGradients || !hasConvolutions)
    candidates.clear();
  return candidates;
}

bool Blocker::run(llvm::ArrayRef<Node *> candidates) {
  for (Node *node : candidates) {
    if (auto *cat = dyn_cast<CatOp>(node)) {
      rewriteConcat(*cat);
    } else if (node->opKind() == OpKind::Aten_max_pool2d) {
      rewritePool(*node);
    } else if (std::optional<Layer> layer = layerAt(*node);
               layer && !hasWriters(layer->last().output()) && isWorthBlocks(*layer) && TSC_OPT_ALLOWED) {
      rewrite(*layer);
    }
  }
  finish();
  return !made.empty();
}

PreservedAnalyses BlockConvolutions::run(Graph &graph, AnalysisManager &analyses) {
  const llvm::SmallVector<Node *> candidates = candidatesIn(graph);
  if (candidates.empty())
    return PreservedAnalyses::all();
  Blocker blocker(graph, analyses.get<AliasAnalysis>(graph), analyses.remarks());
  return PreservedAnalyses::allUnless(blocker.run(candidates));
}
