//===- ReverseScope.h - Where gradients are computed, and of what -*- C++ -*-===//
//
// What the parts of ReverseMode share: the blocks that are gone through, and what they
// ask of values and nodes.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_AUTODIFF_REVERSESCOPE_H
#define TSC_LIB_AUTODIFF_REVERSESCOPE_H

#include "ReverseMode.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/NodeFacts.h"
#include "tsc/IR/OpFacts.h"
#include "llvm/ADT/STLExtras.h"

namespace tsc {

/// A block that is gone through backwards, and where that happens.
struct ReverseMode::Scope {
  Scope *parent = nullptr;
  Node *owner = nullptr;                  ///< The If or Loop; null: the nodes before the request's.
  Block *forward = nullptr;               ///< Null as `owner`.
  Node *reverse = nullptr;                ///< What stands for the owner.
  Block *emitted;                         ///< The block into which gradients go,
  Node *before = nullptr;                 ///< The node before which they go; null for the end.
  Node *lastPop = nullptr;                ///< The last pop from a list at the head of `emitted`.
  Value *trips = nullptr;                 ///< How often a loop ran, in the parent.
  llvm::DenseMap<Value *, Value *> local; ///< Values of `forward` here.
  llvm::MapVector<Value *, Value *> gradients, lists;
  llvm::MapVector<Value *, Value *> buffers; ///< Gradients that are written in parts.
  llvm::SmallVector<Value *, 4> carried;     ///< Outer values whose gradients a loop hands on.
};

/// Returns what the type of a tensor says; null for other values.
inline const TensorFacts *factsOf(const Value *value) {
  const auto *tensor = dyn_cast<TensorType>(value->type());
  return tensor ? &tensor->facts() : nullptr;
}

/// What is known of the gradient of a value.
const Type *gradientType(const Value *value);

/// Whether a gradient of the value may be asked for.
bool mayRequireGradient(const Value *value);

/// Whether the type is List[Tensor].
inline bool isTensorList(const Type *type) {
  const auto *list = dyn_cast<ListType>(type);
  return list && list->element()->isTensor();
}

/// Whether the node takes one tensor from a list.
inline bool takesTensor(const Node &node) {
  return containerQuery(node.opKind()) == ContainerQuery::Element && isTensorList(node.input(0)->type());
}
/// Whether the node gives a list of its own with the elements of another.
inline bool copiesList(const Node &node) {
  return containerQuery(node.opKind()) == ContainerQuery::Copy && isa<ListType>(node.input(0)->type());
}

/// One tensor of a list that nobody edits.
bool isElement(const Node &node);

inline bool isAppend(const Node &node) { return listEdit(node.opKind()) == ListEdit::Append; }

/// Marks a list of which all is popped that is pushed.
inline void markStack(Node &list) { list.setAttribute(attr::name, std::string("stack")); }
inline bool isStack(const Value &list) { return list.node()->hasAttribute(attr::name); }

/// Whether the node pops a tensor from a list that an earlier differentiation has made.
bool isPop(const Node &node);

/// Whether the operator gives views of parts of a tensor, or a list of such.
inline bool isPart(OpKind kind) { return viewKind(kind) == ViewKind::Part; }

/// Whether the node's only result is its only operand, unchanged.
inline bool passesThrough(const Node &node) {
  return hasFact(node.kind(), NodeFact::PassesThrough) && node.numInputs() == 1 && node.numOutputs() == 1;
}

/// Moves permutations of dimensions of what is outside of a loop ahead of it: their gradients are summed as they come,
/// and permuted once. They fail for no tensor of a rank that is known.
void hoistTranspositions(Node &loop);

inline bool isOne(Dimension dimension) { return dimension.isKnown() && dimension.value() == 1; }
/// Whether all sizes are known numbers; false for null.
bool areSizesKnown(const TensorFacts *facts);

} // namespace tsc

#endif
