//===- AutodiffRuns.h - Differentiable nodes in a row -----------*- C++ -*-===//
#ifndef TSC_LIB_TRANSFORMS_AUTODIFFRUNS_H
#define TSC_LIB_TRANSFORMS_AUTODIFFRUNS_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tsc {

class Graph;
class Node;

/// Puts at least `threshold` differentiable nodes that follow one another into a prim::DifferentiableGraph; numbers and
/// constants between them go ahead. Returns how many groups there are.
unsigned createAutodiffRuns(Graph &graph, llvm::function_ref<bool(const Node &)> hasDerivative, unsigned threshold);

} // namespace tsc

#endif
