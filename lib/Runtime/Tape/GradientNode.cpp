//===- GradientNode.cpp - One operator on a tape --------------------------===//
#include "GradientNode.h"
#include "llvm/ADT/STLExtras.h"
using namespace tsc;

/// The tensor is gone, and nobody can read its gradient any more. A gradient that can be differentiated may own the
/// node that holds it, so that both would stay for ever.
History::~History() {
  if (retained)
    retained->gradient = Tensor();
  if (isOfLeaf && made.node && made.node->kind == GradientNode::Kind::Leaf) {
    made.node->gradient = Tensor();
    made.node->isForgotten = true;
  }
}

void History::setMade(GradientEdge edge) {
  if (retained && made.node)
    llvm::erase_if(made.node->retained, [&](const auto &entry) { return entry.second.get() == retained.get(); });
  if (retained && edge.node)
    edge.node->retained.emplace_back(edge.result, retained);
  made = std::move(edge);
  isOfLeaf = false;
}

void History::takeRetained(History *before) {
  if (!before || !before->retained)
    return;
  GradientEdge now = made;
  made = before->made;
  retained = std::exchange(before->retained, Ref<RetainedGradient>());
  setMade(std::move(now));
}

bool GradientNode::readsElements() const {
  return llvm::any_of(tensors, [](const CapturedTensor &one) { return one.tensor.defined() && !one.isOnlyMeasured; });
}

void GradientNode::dropCaptures() {
  captured.clear();
  tensors.clear();
  isReleased = true;
}

/// A chain of nodes may be as long as a program ran: it is taken apart in a loop, not by destructors that call each
/// other.
GradientNode::~GradientNode() {
  std::vector<Ref<GradientNode>> pending;
  auto postpone = [&](Ref<GradientNode> &node) {
    try {
      if (node)
        pending.push_back(std::move(node));
    } catch (const std::bad_alloc &) {
      (void)node.take(); // never released: the chain behind it may be as long as memory is
    }
  };
  auto take = [&](GradientNode &node) {
    for (Operand &operand : node.operands)
      for (GradientEdge &edge : operand.edges)
        postpone(edge.node);
    for (CapturedTensor &tensor : node.tensors)
      postpone(tensor.history.node);
    node.operands.clear();
  };
  take(*this);
  while (!pending.empty()) {
    Ref<GradientNode> node = std::move(pending.back());
    pending.pop_back();
    if (node->useCount() == 1)
      take(*node);
  }
}
