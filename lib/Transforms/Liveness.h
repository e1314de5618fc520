//===- Liveness.h - What a graph computes for somebody ----------*- C++ -*-===//
//
// Needs are followed backwards from the roots, value by value: an output of an If
// or a value that a Loop carries may be dead while its neighbours live.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_TRANSFORMS_LIVENESS_H
#define TSC_LIB_TRANSFORMS_LIVENESS_H

#include "tsc/IR/GraphTable.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace tsc {

class AliasAnalysis;
class AnalysisManager;
class ProgramOrder;

/// What must stay for its own sake, besides what the graph returns.
enum class Roots { ResultsAndEffects, ResultsOnly };

class Liveness {
public:
  Liveness(Graph &graph, AnalysisManager &analyses, Roots roots);
  bool isLive(const Node *node) const { return nodes.contains(node); }
  bool isLive(const Value *value) const { return values.contains(value); }

private:
  void mark(Node *node);
  void mark(Value *value);
  void markWriters(const Node &reader);
  void follow(Node &node);
  void follow(Value &value);

  const AliasAnalysis &aliases;
  const ProgramOrder &order;
  GraphSet<Node> nodes;
  GraphSet<Value> values;
  std::vector<unsigned> nextWriter; ///< Of each location, the first writer that is not live yet.
  llvm::SmallVector<Node *> pendingNodes;
  llvm::SmallVector<Value *> pendingValues;
};

} // namespace tsc

#endif
