//===- UnusedOperators.h - What a program does not use of itself -*- C++ -*-===//
#ifndef TSC_TRANSFORMS_UNUSEDOPERATORS_H
#define TSC_TRANSFORMS_UNUSEDOPERATORS_H

namespace tsc {

class Graph;

/// Whether the graph has operators without effects whose results it does not use.
bool hasUnusedOperators(const Graph &graph);
/// Erases them, and whatever serves only them. A program as written does not run them at any level, and does not see
/// them fail; so this comes before anything else is done with it. Writes are effects, whoever sees them. Returns
/// whether there were any.
bool eraseUnusedOperators(Graph &graph);

} // namespace tsc

#endif
