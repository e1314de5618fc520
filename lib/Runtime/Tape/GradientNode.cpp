//===- GradientNode.cpp - One operator on a tape --------------------------===//
#include "GradientNode.h"
using namespace tsc;

void GradientNode::dropCaptures() {
  captured.clear();
  tensors.clear();
  isReleased = true;
}

/// A chain of nodes may be as long as a program ran: it is taken apart in a loop, not by destructors that call each
/// other.
GradientNode::~GradientNode() {
  std::vector<Ref<GradientNode>> pending;
  auto take = [&](GradientNode &node) {
    for (Operand &operand : node.operands)
      for (GradientEdge &edge : operand.edges)
        if (edge.node)
          pending.push_back(std::move(edge.node));
    for (CapturedTensor &tensor : node.tensors)
      if (tensor.history.node)
        pending.push_back(std::move(tensor.history.node));
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
