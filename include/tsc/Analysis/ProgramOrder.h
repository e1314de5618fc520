//===- ProgramOrder.h - What may run before what ----------------*- C++ -*-===//
//
// Numbers the nodes in the order of the text and records the loops around each, so
// that a pass can ask in constant time whether a write may come before a read. The
// answers hold while nodes are only erased. Building is linear in the nodes.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_ANALYSIS_PROGRAMORDER_H
#define TSC_ANALYSIS_PROGRAMORDER_H

#include "tsc/IR/GraphTable.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace tsc {

/// The order in which the nodes of one graph may run.
class ProgramOrder {
public:
  explicit ProgramOrder(const Graph &graph);
  /// Returns the node's position in the text, from 1; 0 for a node that was inserted later.
  unsigned position(const Node &node) const { return places.lookup(&node).position; }
  /// Returns a position such that exactly the nodes at smaller positions may run before some run of `node`: its own
  /// position, or the end of the outermost loop around it, whose earlier iterations run before it.
  unsigned latestBefore(const Node &node) const;
  /// Whether one of `nodes` may run between `first` and `second`. `nodes` are in the order of the text, and `first`
  /// runs before `second` in the same iteration of all loops that hold both.
  bool anyBetween(llvm::ArrayRef<Node *> nodes, const Node &first, const Node &second) const;

private:
  struct Place {
    unsigned position = 0;
    unsigned loop = 0; ///< The innermost loop around it; 0 where there is none.
  };
  struct Loop {
    unsigned outer, begin, end; ///< The loop around it, and the positions it spans.
  };
  void visit(const Block &block, unsigned loop);
  GraphTable<Node, Place> places;
  unsigned numPlaces = 0;
  std::vector<Loop> loops{{0, 0, ~0u}};
  std::vector<unsigned> outermost{0}; ///< The outermost loop around each loop, which may be itself.
};

} // namespace tsc

#endif
