//===- Loop.h - A prim::Loop seen as a loop ---------------------*- C++ -*-===//
//
// Loop(max trips, condition, carried…) with block(trip, carried…) -> (condition, carried…):
// names for these places, and copies of the body for the passes that change loops.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_TRANSFORMS_LOOPS_LOOP_H
#define TSC_LIB_TRANSFORMS_LOOPS_LOOP_H

#include "tsc/IR/Graph.h"

namespace tsc {

/// Values of a loop, in the order in which it carries them.
using ValueList = llvm::SmallVector<Value *, 8>;

/// Borrows the node, a prim::Loop with its body and with an initial value for each of its outputs.
class Loop {
public:
  explicit Loop(Node &node) : loop(node) {
    assert(node.kind() == prim::Loop && "only a loop is seen as one");
    assert(node.numBlocks() == 1 && node.numInputs() == node.numOutputs() + 2 &&
           "a loop has a body, and takes an initial value for each result");
  }
  Node &node() const { return loop; }
  Block &body() const { return loop.block(0); }
  Value *maxTrips() const { return loop.input(0); }
  Value *condition() const { return loop.input(1); } ///< Returns the condition before the first trip.
  Value *trip() const { return body().inputs()[0]; } ///< Counts trips from 0.
  Value *nextCondition() const { return body().returnNode().input(0); }
  unsigned numCarried() const { return loop.numOutputs(); }
  ValueList initialValues() const;
  /// Whether only the trip count ends it: both conditions are the constant True.
  bool isCounted() const;
  /// The trip count, where it is a constant; never negative.
  std::optional<int64_t> constantMaxTrips() const;
  /// Whether the first trip surely takes place.
  bool runsAtLeastOnce() const;

private:
  Node &loop;
};

/// Nodes in the block and in all blocks inside, up to `limit`.
unsigned countNodes(const Block &block, unsigned limit);

/// What one trip computes: whether there is a next one, and the carried values.
struct Trip {
  Value *condition;
  ValueList carried;
};
/// Copies the body to the insertion point of its graph, as the trip of that number, which may be null when the body
/// does not use it. `carried`: one value for each that the loop carries.
Trip copyTrip(const Loop &loop, Value *number, ArrayRef<Value *> carried);
/// The numbers of the trips start at `first` from here on.
void startTripsAt(const Loop &loop, Value *first);
/// Inserts an operation on two integers at the insertion point.
Value *insertIntOp(Graph &graph, Symbol op, Value *a, Value *b, SourceRange range);

} // namespace tsc

#endif
