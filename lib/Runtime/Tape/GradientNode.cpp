//===- GradientNode.cpp - One operator on a tape --------------------------===//
#include "GradientNode.h"
#include "llvm/ADT/STLExtras.h"
using namespace tsc;

Tensor GradientSlot::get() const {
  std::lock_guard lock(mutex);
  return gradient;
}

void GradientSlot::set(Tensor other) {
  std::lock_guard lock(mutex);
  std::swap(gradient, other); // what was there goes with the parameter, after the lock
}

std::optional<Tensor> GradientSlot::take() {
  std::lock_guard lock(mutex);
  if (isForgotten)
    return std::nullopt;
  return std::exchange(gradient, Tensor());
}

Tensor GradientSlot::put(Tensor &sum) {
  std::lock_guard lock(mutex);
  if (isForgotten || gradient.defined())
    return std::exchange(gradient, Tensor());
  gradient = std::exchange(sum, Tensor());
  return Tensor();
}

void GradientSlot::forget() {
  Tensor last;
  std::lock_guard lock(mutex);
  std::swap(gradient, last);
  isForgotten = true;
}

void GradientSlot::listen(std::weak_ptr<GradientListener> listener, size_t leaf) {
  std::lock_guard lock(mutex);
  std::swap(heardBy, listener);
  heardAs = leaf;
}

std::pair<std::shared_ptr<GradientListener>, size_t> GradientSlot::listener() const {
  std::lock_guard lock(mutex);
  return {heardBy.lock(), heardAs};
}

/// The tensor is gone, and nobody can read its gradient any more. A gradient that can be differentiated may own the
/// node that holds it, so that both would stay for ever.
History::~History() {
  if (retained)
    retained->gradient.forget();
  if (isOfLeaf)
    made.node->gradient->forget();
}

Tensor History::gradient() const {
  return retained ? retained->gradient.get() : isOfLeaf ? made.node->gradient->get() : assigned;
}

bool History::isLeaf(const Tensor &tensor) const {
  // A view whose base was written to gets its node when it is used next.
  const History *ofBase = base.defined() ? historyOf(base) : nullptr;
  if (ofBase && base.requiresGrad() && (ofBase->rewrites != rewrites || (tensor.requiresGrad() && !made.node)))
    return false;
  return !made.node || made.node->kind == GradientNode::Kind::Leaf;
}

void History::setGradient(Tensor gradient) {
  if (retained)
    retained->gradient.set(std::move(gradient));
  else if (isOfLeaf)
    made.node->gradient->set(std::move(gradient));
  else
    assigned = std::move(gradient);
}

void History::setMade(GradientEdge edge) {
  if (retained && made.node)
    llvm::erase_if(made.node->retained, [&](const auto &entry) { return entry.second.get() == retained.get(); });
  if (retained && edge.node)
    edge.node->retained.emplace_back(edge.result, retained);
  made = std::move(edge);
  isOfLeaf = false;
}

void History::takeGradient(History *before) {
  if (!before)
    return;
  if (!before->retained) {
    if (Tensor known = before->gradient(); known.defined())
      setGradient(std::move(known));
    return;
  }
  GradientEdge now = made;
  made = before->made;
  retained = std::exchange(before->retained, Ref<RetainedGradient>());
  setMade(std::move(now));
}

bool GradientNode::readsElements() const {
  return llvm::any_of(tensors, [](const CapturedTensor &one) { return one.tensor.defined() && !one.isOnlyMeasured; });
}

void GradientNode::dropCaptures() {
  std::vector<Captured> values; // released after the lock: tensors have histories, and these have nodes
  std::vector<CapturedTensor> operands;
  std::lock_guard lock(releasing);
  captured.swap(values);
  tensors.swap(operands);
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
