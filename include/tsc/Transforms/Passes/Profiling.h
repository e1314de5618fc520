//===- Profiling.h - Passes over what profiling and differentiation leave -*- C++ -*-===//
#ifndef TSC_TRANSFORMS_PASSES_PROFILING_H
#define TSC_TRANSFORMS_PASSES_PROFILING_H

#include "tsc/Transforms/Pass.h"

namespace tsc {

/// Erases the nodes by which the profiling executor observes values; the values pass directly.
class RemoveProfiling final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Leaves out arithmetic on gradients that are surely absent.
class SpecializeZeroGradients final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Turns what prim::GradOf guards into a branch that runs when one of its gradients is there.
class LowerGradOf final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Takes out of tensor types that a tensor is surely undefined.
class ClearUndefinedness final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Groups differentiable nodes into prim::DifferentiableGraph nodes. Options threshold: how many nodes a group has at
/// least; in-order: whether a group is nodes that follow one another, as a tape needs it.
class AutodiffSubgraphCreation final : public Pass {
public:
  Status configure(const PassOptions &options) override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  int64_t threshold = 2;
  bool inOrder = false;
};

/// Puts differentiable graphs of fewer than `threshold` nodes back.
class AutodiffSubgraphInlining final : public Pass {
public:
  Status configure(const PassOptions &options) override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  int64_t threshold = 5;
};

} // namespace tsc

#endif
