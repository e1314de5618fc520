//===- FailureAnalysis.h - Which nodes may raise ----------------*- C++ -*-===//
//
// A node that may raise may only be erased, or moved past something that somebody
// observes, where the program does not tell the difference. Whether a node may is
// asked of what is known of its operands: rank, dtype and sizes up to symbols.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_ANALYSIS_FAILUREANALYSIS_H
#define TSC_ANALYSIS_FAILUREANALYSIS_H

#include "tsc/Analysis/ShapeAnalysis.h"
#include <optional>

namespace tsc {

/// Of a graph as it is when the first question is asked; later nodes count as ones that may fail.
class FailureAnalysis {
public:
  /// Costs nothing until a question needs shapes.
  FailureAnalysis(Graph &graph, ShapeRuleSource &rules) : graph(graph), rules(rules) {}
  /// Whether running the node may raise; what its blocks hold is not looked at.
  bool mayFail(const Node &node);
  /// The same of the node and all in its blocks.
  bool mayFailWithin(const Node &node);

private:
  Graph &graph;
  ShapeRuleSource &rules;
  std::optional<ShapeAnalysis> shapes;
};

} // namespace tsc

#endif
