//===- Passes.h - Passes that differentiate ---------------------*- C++ -*-===//
#ifndef TSC_AUTODIFF_PASSES_H
#define TSC_AUTODIFF_PASSES_H

#include "tsc/Transforms/Pass.h"

namespace tsc {

class Node;
class PassRegistry;

/// Replaces calls of torch.autograd.grad by what computes the gradients, where all that leads from the inputs to the
/// outputs is in sight. The others stay, for a tape.
class DifferentiateCalls final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Makes of a graph f the pair (f, df), each a prim::DifferentiableGraph: the graph takes the gradients of its results
/// as well, and gives those of its inputs behind its results. Option may-be-absent: the former may be undefined.
class Differentiate final : public Pass {
public:
  Status configure(const PassOptions &options) override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  bool mayBeAbsent = false;
};

/// `differentiate-calls`, and the pipeline `gradients`, which brings a graph into the form that it wants and runs it.
void registerAutodiffPasses(PassRegistry &registry);

/// Whether the operator asks for gradients, or whether a tensor has a history: it needs a tape when it runs.
bool asksForGradients(const Node &node);
/// Whether it may make a tensor require a gradient. Where somebody asks which do, that needs a tape, too: a write to
/// one view makes its base and the other views require it.
bool mayMakeLeaf(const Node &node);
/// Whether it writes to such a tensor, or to a view of it, as far as the graph shows: a leaf refuses that.
bool writesToLeaf(const Node &node);
/// Whether it makes text of values, which tells what made a tensor that requires a gradient.
bool showsValues(const Node &node);
/// Whether it may ask for gradients that can be differentiated in turn.
bool mayCreateGraph(const Node &node);
/// Whether an operator in the graph does, or in a function that it is seen to call.
bool asksForGradients(const Graph &graph);

} // namespace tsc

#endif
