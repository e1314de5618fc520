//===- TracedModules.h - Passes over traces of modules ----------*- C++ -*-===//
#ifndef TSC_TRANSFORMS_PASSES_TRACEDMODULES_H
#define TSC_TRANSFORMS_PASSES_TRACEDMODULES_H

#include "tsc/Transforms/Pass.h"

namespace tsc {

/// Gives each traced call of a module that module as its input, and reads attributes where the calls use them. Fails
/// with InvalidArgument where the trace does not say what a module on the way to an attribute is.
class ConvertTracedAttrs final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Makes a result of each value that the block of a traced call computes and a node behind the call uses.
class DefsDominateUses final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Lets each traced call return one value: None where it has no results, and a tuple where it has several.
class ReturnsToTuples final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Replaces traced calls by the nodes in their blocks.
class InlineScopes final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Makes subgraphs of the blocks of traced calls and forks, with inputs for what they use from around them. Fails with
/// FailedPrecondition where a value of such a block is used outside of it.
class LambdaLift final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Makes methods of the subgraphs of traced calls, which the Context's TracedMethods owns, and calls these. Fails with
/// FailedPrecondition where a call has no subgraph, no module, or not one result.
class CreateMethodCalls final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Runs all of these on a trace, and erases what they leave unused. Fails as they do, before it changes the graph.
class FixupTraceScopes final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

} // namespace tsc

#endif
