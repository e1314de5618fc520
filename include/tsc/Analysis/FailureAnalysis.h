//===- FailureAnalysis.h - Which nodes may raise ----------------*- C++ -*-===//
//
// A node that may raise must not be erased, or moved past something observable,
// where the program could tell the difference. Whether it may raise follows from what
// is known of its operands: rank, dtype, and sizes up to symbols.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_ANALYSIS_FAILUREANALYSIS_H
#define TSC_ANALYSIS_FAILUREANALYSIS_H

#include "tsc/Analysis/ShapeAnalysis.h"
#include <optional>

namespace tsc {

/// Tells which nodes of a graph may raise. It looks at the graph when a question first needs shapes; nodes that are
/// inserted later count as ones that may fail unless their kind never does. Graph and rules must outlive it.
class FailureAnalysis {
public:
  /// Analyzes nothing yet: the shapes are computed when a question first needs them.
  FailureAnalysis(Graph &graph, ShapeRuleSource &rules) : graph(graph), rules(rules) {}
  /// Whether running the node may raise, without regard to the nodes in its blocks.
  bool mayFail(const Node &node);
  /// Whether the node or any node in its blocks may raise.
  bool mayFailWithin(const Node &node);

private:
  Graph &graph;
  ShapeRuleSource &rules;
  std::optional<ShapeAnalysis> shapes;
};

} // namespace tsc

#endif
