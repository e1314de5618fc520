//===- NodeMotion.cpp - Moving nodes past each other ----------------------===//
//
// A node moves towards a point of its block, and what stands in between is left
// where it is unless it must keep its order with the node: then it moves along.
// Forward, those are the nodes that need `node`; backward, the ones it needs.
// The cost is that of the nodes in between.
//
//===----------------------------------------------------------------------===//
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/IR/Graph.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
using namespace tsc;

namespace {

/// The nodes that move, and what they do taken together.
struct Company {
  llvm::SmallPtrSet<const Value *, 16> defined;
  MemoryEffects effects; ///< `uses` unsorted.

  void add(const Node &node, const MemoryEffects &more) {
    defined.insert(node.outputs().begin(), node.outputs().end());
    auto include = [](auto &set, const auto &added) {
      set.append(added);
      llvm::sort(set);
      set.erase(std::unique(set.begin(), set.end()), set.end());
    };
    include(effects.reads, more.reads);
    include(effects.writes, more.writes);
    include(effects.uses, more.uses);
    effects.readsOutside |= more.readsOutside;
    effects.writesOutside |= more.writesOutside;
    effects.hasSideEffects |= more.hasSideEffects;
    effects.mayLeave |= more.mayLeave;
  }
  bool defines(ArrayRef<Value *> values) const {
    return llvm::any_of(values, [&](Value *value) { return defined.contains(value); });
  }
  bool uses(const Node &node) const {
    return llvm::any_of(node.outputs(), [&](Value *value) {
      return std::binary_search(effects.uses.begin(), effects.uses.end(), value);
    });
  }
};

bool comesBefore(const Node *node, const Node *point) {
  const Block &block = *node->block();
  return point == &block.returnNode() || (point != &block.paramNode() && node->isBefore(point));
}

} // namespace

/// Finds what must move along with `node`, in order of distance from it. False when the move is not possible.
bool AliasAnalysis::planMove(const Node *node, const Node *point, Side side,
                             llvm::SmallVectorImpl<Node *> &along) const {
  assert(node->block() && "a node that is not inserted cannot be moved");
  const Block &block = *node->block();
  bool isEdge = point == &block.returnNode() || point == &block.paramNode();
  if (point->block() != &block && !isEdge)
    return false;
  if ((point == &block.returnNode() && side == Side::After) || (point == &block.paramNode() && side == Side::Before))
    return false;
  bool forward = comesBefore(node, point);
  Company all, others; // `others` are without the node itself
  MemoryEffects storage;
  all.add(*node, effectsOf(*node, storage));
  auto mustFollow = [&](const Node &candidate, const Company &company) {
    const MemoryEffects &effects = effectsOf(candidate, storage);
    return forward ? company.defines(effects.uses) || mustPrecede(company.effects, effects)
                   : company.uses(candidate) || mustPrecede(effects, company.effects);
  };
  for (Node *between = forward ? node->next() : node->previous(); between && between != point;
       between = forward ? between->next() : between->previous()) {
    if (!mustFollow(*between, all))
      continue;
    along.push_back(between);
    MemoryEffects ofBetween;
    const MemoryEffects &effects = effectsOf(*between, ofBetween);
    all.add(*between, effects);
    others.add(*between, effects);
  }
  if (isEdge)
    return along.empty();
  // Where the node stops short of the point, only the others have to pass it.
  bool nodePasses = forward == (side == Side::After);
  return !mustFollow(*point, nodePasses ? all : others);
}

bool AliasAnalysis::couldMoveAfterTopologically(const Node *node, const Node *point) const {
  llvm::SmallVector<Node *> along;
  return node == point || planMove(node, point, Side::After, along);
}
bool AliasAnalysis::couldMoveBeforeTopologically(const Node *node, const Node *point) const {
  llvm::SmallVector<Node *> along;
  return node == point || planMove(node, point, Side::Before, along);
}

bool AliasAnalysis::tryMove(Node *node, Node *point, Side side) const {
  if (node == point)
    return true;
  llvm::SmallVector<Node *> along;
  if (!planMove(node, point, side, along))
    return false;
  bool forward = comesBefore(node, point);
  if (side == Side::After)
    node->moveAfter(point);
  else
    node->moveBefore(point);
  // The others go to the far side of the point, the nearest to the node first.
  bool nodePasses = forward == (side == Side::After);
  Node *anchor = nodePasses ? node : point;
  for (Node *other : along) {
    if (forward)
      other->moveAfter(anchor);
    else
      other->moveBefore(anchor);
    anchor = other;
  }
  return true;
}

bool AliasAnalysis::moveAfterTopologicallyValid(Node *node, Node *point) const {
  return tryMove(node, point, Side::After);
}
bool AliasAnalysis::moveBeforeTopologicallyValid(Node *node, Node *point) const {
  return tryMove(node, point, Side::Before);
}
