//===- Passes.h - Passes that differentiate ---------------------*- C++ -*-===//
#ifndef TSC_AUTODIFF_PASSES_H
#define TSC_AUTODIFF_PASSES_H

#include "tsc/Analysis/GradientFlow.h"
#include "tsc/Transforms/Pass.h"

namespace tsc {

class Node;
class PassRegistry;

/// Replaces calls of torch.autograd.grad by the nodes that compute the gradients, where the graph shows all that leads
/// from the inputs to the outputs. Other calls stay, and need a tape when they run.
class DifferentiateCalls final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Replaces the body of a graph by two prim::DifferentiableGraph nodes: one computes its results, the other the
/// gradients of its inputs (see differentiate()). The graph then also takes the gradients of its results, and returns
/// those of its inputs behind its results. With the option may-be-absent, gradients of results may be undefined.
class Differentiate final : public Pass {
public:
  Status configure(const PassOptions &options) override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  bool mayBeAbsent = false;
};

/// Registers the passes of Passes.def, and the pipeline `gradients`, which prepares a graph for `differentiate-calls`
/// and runs it.
void registerAutodiffPasses(PassRegistry &registry);

/// Whether asksForGradients() holds for a node of the graph, of a subgraph, or of a function that it is seen to call.
/// Compiles these functions.
bool asksForGradients(const Graph &graph);

} // namespace tsc

#endif
