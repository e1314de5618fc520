//===- NodeNames.cpp - What PyTorch calls the nodes of a tape -------------===//
//
// `grad_fn=<AddmmBackward0>` in the text of a tensor. Names stand in the records (column
// `backwardNode`); where an operator is several of PyTorch's, a rule here tells by sizes
// and by what the node has captured which of them would have come last.
//
//===----------------------------------------------------------------------===//
#include "GradientNode.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/OpRecord.h"
#include "tsc/IR/Type.h"
#include "tsc/Runtime/Tape/TapedCode.h"
#include "tsc/Tensor/Tensor.h"
#include "llvm/ADT/StringExtras.h"
using namespace tsc;

namespace {

/// The names of an operator's node and of its in-place form's; empty where they aren't known.
struct Names {
  llvm::StringRef functional, inPlace;
};
Names namesOf(OpKind op) {
  switch (op) {
#define BACKWARD_NODE(OP, NAME, IN_PLACE)                                                                              \
  case OpKind::OP: return {NAME, IN_PLACE};
#include "tsc/IR/OpFacts.inc"
  default: return {};
  }
}

/// A tensor and what made it: a node of the tape, or one of a graph that the tape took for one; neither where that was
/// a definition.
struct Made {
  const Tensor &tensor;
  const GradientNode *node;
  const Node *site;

  /// The operand of that number as the derivative has captured it; null where it has not.
  const GradientNode::Captured *captured(unsigned operand) const {
    if (!node || !node->derivative || node->isReleased)
      return nullptr;
    size_t next = 0;
    for (const Derivative::Capture &capture : node->derivative->captures) {
      if (capture.kind == Derivative::Capture::Gradient)
        continue;
      if (capture.kind == Derivative::Capture::Operand && capture.index == operand)
        return next < node->captured.size() ? &node->captured[next] : nullptr;
      ++next;
    }
    return nullptr;
  }
  const Tensor *capturedTensor(unsigned operand) const {
    const GradientNode::Captured *one = captured(operand);
    return one && one->first >= 0 && one->count == 1 ? &node->tensors[one->first].tensor : nullptr;
  }
  /// Where the gradient of an operand goes; null where none does.
  const GradientNode::Operand *differentiated(unsigned operand) const {
    if (node && node->derivative)
      for (auto [i, number] : llvm::enumerate(node->derivative->operands))
        if (number == operand && i < node->operands.size())
          return &node->operands[i];
    return nullptr;
  }
  /// Whether an operand is surely a tensor, and no None.
  bool hasTensor(unsigned operand) const {
    return site ? operand < site->numInputs() && llvm::isa<TensorType>(site->input(operand)->type())
                : differentiated(operand) || capturedTensor(operand);
  }
  std::optional<size_t> rankOf(unsigned operand) const {
    if (const GradientNode::Operand *known = differentiated(operand); known && !known->shapes.empty())
      return known->shapes[0].sizes.size();
    if (const Tensor *known = capturedTensor(operand))
      return known->sizes().size();
    auto *type =
        site && operand < site->numInputs() ? llvm::dyn_cast<TensorType>(site->input(operand)->type()) : nullptr;
    return type && type->facts().sizes ? std::optional(type->facts().sizes->size()) : std::nullopt;
  }
};

llvm::StringRef ofReshape(const Made &made) {
  const auto *history = historyOf(made.tensor);
  if (!history || !history->base.defined())
    return "UnsafeViewBackward0"; // of a copy
  return made.tensor.isContiguous() ? "ViewBackward0" : "ReshapeAliasBackward0";
}

llvm::StringRef ofLinear(const Made &made) {
  if (!made.hasTensor(2))
    return "";
  if (made.tensor.dim() == 2)
    return "AddmmBackward0";
  const Tensor *input = made.capturedTensor(0);
  return input && input->isContiguous() ? "ViewBackward0" : "";
}

llvm::StringRef ofMatmul(const Made &made) {
  const auto first = made.rankOf(0), second = made.rankOf(1);
  const int64_t rank = made.tensor.dim();
  if (rank >= 3)
    return first && *first >= 3 ? "UnsafeViewBackward0" : "";
  if (rank == 2)
    return (first && *first == 2) || (second && *second == 2) ? "MmBackward0" : "";
  if (rank == 0)
    return "DotBackward0";
  return (first && *first == 2) || (second && *second == 1) ? "MvBackward0" : "";
}

/// Of a batch; what has none gets one, and loses it again.
llvm::StringRef ofConvolution(const Made &made, int64_t dimensions) {
  return made.tensor.dim() == dimensions + 2 ? "ConvolutionBackward0" : "";
}

llvm::StringRef ofAveragePool(const Made &made) {
  const auto sizes = made.tensor.sizes();
  return sizes.size() >= 2 && sizes.back() == 1 && sizes[sizes.size() - 2] == 1 ? "MeanBackward1"
                                                                                : "AdaptiveAvgPool2DBackward0";
}

llvm::StringRef ofNegativeLogLikelihood(const Made &made) {
  const auto rank = made.rankOf(0);
  return !rank ? "" : *rank <= 2 ? "NllLossBackward0" : *rank == 4 ? "NllLoss2DBackward0" : "";
}

llvm::StringRef ofCrossEntropy(const Made &made) {
  const Tensor *target = made.capturedTensor(1);
  const GradientNode::Captured *smoothing = made.captured(5);
  const bool isOfClasses = target && target->dtype() == DType::Int64 && smoothing && smoothing->value.isDouble();
  return isOfClasses && smoothing->value.toDouble() == 0 ? ofNegativeLogLikelihood(made) : "";
}

std::string nameOf(OpKind op, bool isInPlace, const Made &made) {
  const Names names = namesOf(op);
  llvm::StringRef name = isInPlace ? names.inPlace : names.functional;
  if (name.empty() || llvm::isUpper(name[0]))
    return name.str();
  if (name == "reshape")
    return ofReshape(made).str();
  if (name == "linear")
    return ofLinear(made).str();
  if (name == "matmul")
    return ofMatmul(made).str();
  if (name.consume_front("convolution"))
    return ofConvolution(made, name[0] - '0').str();
  if (name == "adaptiveAveragePool")
    return ofAveragePool(made).str();
  if (name == "negativeLogLikelihood")
    return ofNegativeLogLikelihood(made).str();
  assert(name == "crossEntropy" && "a rule that nobody wrote");
  return ofCrossEntropy(made).str();
}

} // namespace

std::optional<std::string> History::nodeName(const Tensor &tensor) const {
  auto known = [](std::string name) { return name.empty() ? std::nullopt : std::optional(std::move(name)); };
  const History *ofBase = base.defined() ? historyOf(base) : nullptr;
  if (ofBase && base.requiresGrad() && ofBase->rewrites != rewrites)
    return std::nullopt; // the node is made when the view is used next
  if (write == Write::Part)
    return "CopySlices";
  if (!made.node || made.node->kind == GradientNode::Kind::Leaf)
    return "";
  if (madeBy != OpKind::Unknown)
    return known(nameOf(madeBy, write == Write::Whole, {tensor, nullptr, nullptr}));
  if (made.node->kind != GradientNode::Kind::Operator)
    return std::nullopt;
  if (made.node->host)
    return made.node->name;
  std::lock_guard lock(made.node->releasing); // another thread's gradients may go through it
  if (!made.node->graph)
    return known(nameOf(made.node->op, /*isInPlace=*/false, {tensor, made.node.get(), nullptr}));
  const Node *site = made.node->graph->graph().forward().block().returnNode().input(made.result)->definingNode();
  return site ? known(nameOf(site->opKind(), /*isInPlace=*/false, {tensor, nullptr, site})) : std::nullopt;
}
