//===- UnusedOperators.h - What a program does not use of itself -*- C++ -*-===//
#ifndef TSC_TRANSFORMS_UNUSEDOPERATORS_H
#define TSC_TRANSFORMS_UNUSEDOPERATORS_H

namespace tsc {

class Graph;

/// Whether the graph has operators without effects whose results it does not use.
bool hasUnusedOperators(const Graph &graph);
/// Erases the operators without effects whose results the graph does not use, and what serves only them; a write counts
/// as an effect, whoever sees it. Programs do not run such operators at any level, nor see them fail, so this comes
/// before all other passes. Returns whether there were any.
bool eraseUnusedOperators(Graph &graph);

} // namespace tsc

#endif
