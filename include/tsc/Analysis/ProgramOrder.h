//===- ProgramOrder.h - What may run before what ----------------*- C++ -*-===//
//
// Numbers the nodes in the order of the text and knows the loops around each, so
// that a pass can ask in constant time whether a write can come before a read.
// Holds while nodes are only erased. Linear to make.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_ANALYSIS_PROGRAMORDER_H
#define TSC_ANALYSIS_PROGRAMORDER_H

#include "tsc/IR/GraphTable.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace tsc {

class ProgramOrder {
public:
  explicit ProgramOrder(const Graph &graph);
  /// Position in the text; 0 for a node that is newer.
  unsigned position(const Node &node) const { return places.lookup(&node).position; }
  /// Nodes at smaller positions than this may run before `node` does, in an earlier turn of a loop around it if not
  /// before it in the text.
  unsigned latestBefore(const Node &node) const;
  /// Whether one of `nodes`, which are in the order of the text, may run after `first` and before `second` does, where
  /// `first` has run in the same turn of all loops that hold both.
  bool anyBetween(llvm::ArrayRef<Node *> nodes, const Node &first, const Node &second) const;

private:
  struct Place {
    unsigned position = 0;
    unsigned loop = 0; ///< Innermost loop around it; 0 is none.
  };
  struct Loop {
    unsigned outer, begin, end; ///< The loop around it, and the positions it spans.
  };
  void visit(const Block &block, unsigned loop);
  GraphTable<Node, Place> places;
  unsigned numPlaces = 0;
  std::vector<Loop> loops{{0, 0, ~0u}};
  std::vector<unsigned> outermost{0}; ///< By loop.
};

} // namespace tsc

#endif
