//===- Guards.cpp - What passes over guards share -------------------------===//
#include "Guards.h"
#include "llvm/ADT/STLExtras.h"
using namespace tsc;

const TensorFacts &tsc::factsOfGuard(const Node &guard) {
  assert(guard.kind() == prim::Guard && "a guard");
  return llvm::cast<TensorType>(guard.output()->type())->facts();
}

llvm::SmallVector<Node *, 0> tsc::guardsOf(Graph &graph) {
  llvm::SmallVector<Node *, 0> guards;
  graph.walk([&](Node &node) {
    if (node.kind() == prim::Guard && llvm::isa<TensorType>(node.output()->type()))
      guards.push_back(&node);
  });
  return guards;
}

Value *tsc::valueBehindGuards(Value *value) {
  while (value->node()->kind() == prim::Guard)
    value = value->node()->input(0);
  return value;
}

void tsc::eraseGuards(Graph &graph) {
  for (Node *guard : guardsOf(graph)) {
    guard->output()->replaceAllUsesWith(guard->input(0));
    guard->erase();
  }
}

/// Takes over what `more` says. Returns false where the two say different things.
template <typename T> static bool joinFact(std::optional<T> &into, const std::optional<T> &more) {
  if (into && more && *into != *more)
    return false;
  if (!into)
    into = more;
  return true;
}

/// Takes over what `more` says of sizes or strides, each dimension by itself. Returns false where the two say different
/// things.
static bool joinDims(std::optional<llvm::SmallVector<Dimension, 4>> &into,
                     const std::optional<llvm::SmallVector<Dimension, 4>> &more) {
  if (!into || !more)
    return joinFact(into, more);
  if (into->size() != more->size())
    return false;
  for (auto [dim, other] : llvm::zip(*into, *more)) {
    if (dim.isKnown() && other.isKnown() && dim != other)
      return false;
    if (!dim.isKnown())
      dim = other;
  }
  return true;
}

std::optional<TensorFacts> tsc::joinFacts(TensorFacts a, const TensorFacts &b) {
  if (joinFact(a.dtype, b.dtype) && joinFact(a.device, b.device) && joinFact(a.requiresGrad, b.requiresGrad) &&
      joinDims(a.sizes, b.sizes) && joinDims(a.strides, b.strides))
    return a;
  return std::nullopt;
}
