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

/// The nodes and values of a graph that something needs: roots, what they read, and who writes that.
class Liveness {
public:
  Liveness(Graph &graph, AnalysisManager &analyses, Roots roots);
  /// Asks no analyses: every effect is a root, and so is every write, whoever sees it.
  explicit Liveness(const Graph &graph);
  /// Makes the node a root, too.
  void keep(const Node &node);
  bool isLive(const Node *node) const { return nodes.contains(node); }
  bool isLive(const Value *value) const { return values.contains(value); }

private:
  void mark(const Node *node);
  void mark(const Value *value);
  void propagate();
  void markWriters(const Node &reader);
  void follow(const Node &node);
  void follow(const Value &value);

  const AliasAnalysis *aliases = nullptr; ///< Null where all writers are roots.
  const ProgramOrder *order = nullptr;
  GraphSet<Node> nodes;
  GraphSet<Value> values;
  std::vector<unsigned> nextWriter; ///< The first writer of each location that is not live yet.
  llvm::SmallVector<const Node *> pendingNodes;
  llvm::SmallVector<const Value *> pendingValues;
};

} // namespace tsc

#endif
