//===- LiveRanges.h - Where values live and die ---------------------------===//
//
// Numbers the program points of a graph in emission order and computes, for
// every value, exact live ranges (with holes across the branches of an If that
// do not need it), the use at which each value dies, and where a value that dies
// on one path only must be dropped.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_RUNTIME_LOWERING_LIVERANGES_H
#define TSC_LIB_RUNTIME_LOWERING_LIVERANGES_H

#include "tsc/IR/Graph.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace tsc {

/// A half-open range of program points.
struct LiveRange {
  int begin, end;
};

/// The live ranges of a graph's values, found out when it is made. Borrows the graph.
class LiveRanges {
public:
  explicit LiveRanges(const Graph &graph);

  /// Returns the point where a node reads its inputs; for a block's return node, the end of the block.
  int position(const Node *node) const { return positions.lookup(node); }
  /// Returns the point where the results of a node with blocks begin to exist.
  int end(const Node *node) const { return ends.lookup(node); }
  /// Returns the point where a value begins to exist.
  int definition(const Value *value) const;
  /// Returns the ranges in which a value is live, sorted and disjoint.
  const llvm::SmallVector<LiveRange, 2> &ranges(const Value *value) const { return liveRanges[value->id()]; }
  /// Whether this operand is where its value dies.
  bool isLastUse(const Node *user, unsigned index) const { return lastUses.contains({user, index}); }
  /// Returns the values that die on entry to a block, since other branches alone need them.
  llvm::ArrayRef<Value *> droppedAtStart(const Block *block) const;
  /// Returns the values that die right after a node: results that nobody uses, and what a loop needs until its end.
  llvm::ArrayRef<Value *> droppedAfter(const Node *node) const;
  unsigned numValueIds() const { return liveRanges.size(); }

private:
  struct Point {
    const Node *user;
    unsigned index;
  };
  void number(const Block &block);
  void analyze(Value *value);
  void follow(Value *value, const Block *block, int begin, llvm::ArrayRef<Point> uses);

  int next = 0;
  llvm::DenseMap<const Node *, int> positions, ends;
  llvm::DenseMap<const Block *, int> starts;
  std::vector<llvm::SmallVector<LiveRange, 2>> liveRanges;
  llvm::DenseSet<std::pair<const Node *, unsigned>> lastUses;
  llvm::DenseMap<const Block *, llvm::SmallVector<Value *, 2>> atStart;
  llvm::DenseMap<const Node *, llvm::SmallVector<Value *, 1>> after;
};

} // namespace tsc

#endif
