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

/// Puts a prim::profile before every use of a tensor. Each has the attribute `index`: its number among them, from 0, in
/// the order in which they run.
class ProfileInstrumentation final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Replaces each prim::profile whose attribute `profiled_type` holds what it has seen by a prim::Guard for that type,
/// and erases all others.
class GuardInsertion final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Moves guards to the definitions of what they look at, or to the heads of their blocks.
class GuardMotion final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Makes one guard of those that stand side by side and look at one tensor.
class GuardCoalescing final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Erases guards that let everything pass, as rules for shapes show. Option across-blocks: whether what prim::If and
/// prim::Loop hand on is followed, too.
class GuardElimination final : public Pass {
public:
  Status configure(const PassOptions &options) override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  bool acrossBlocks = false;
};

/// Replaces each prim::Guard by a prim::BailOut, which holds what is left to do where the guard fails. Option max-size:
/// how many nodes the graphs of all of them may have. Fails, and leaves the graph as it was, where they have more.
class BailOutInsertion final : public Pass {
public:
  Status configure(const PassOptions &options) override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  int64_t maxSize = 65536;
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
