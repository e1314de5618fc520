//===- frozen_graph_optimizations.h - OptimizeFrozenGraph ----- -*- C++ -*-===//
#ifndef TSC_TORCH_CSRC_JIT_PASSES_FROZEN_GRAPH_OPTIMIZATIONS_H
#define TSC_TORCH_CSRC_JIT_PASSES_FROZEN_GRAPH_OPTIMIZATIONS_H
#include <torch/csrc/jit/api/module.h>

namespace torch {
namespace jit {
inline namespace tsc_torch {

/// Has no effect: freezing has optimized the graph.
inline void OptimizeFrozenGraph(std::shared_ptr<Graph> &graph, bool optimize_numerics = true) {
  (void)graph;
  (void)optimize_numerics;
}

} // namespace tsc_torch
} // namespace jit
} // namespace torch

#endif
