//===- Redundancy.h - Passes that remove and order what is there -*- C++ -*-===//
#ifndef TSC_TRANSFORMS_PASSES_REDUNDANCY_H
#define TSC_TRANSFORMS_PASSES_REDUNDANCY_H

#include "tsc/Transforms/Pass.h"

namespace tsc {

/// Erases nodes whose outputs and effects nobody needs. Option keep-failing: whether operators that may raise stay.
class DeadCodeElimination final : public Pass {
public:
  explicit DeadCodeElimination(bool keepsFailing = false) : keepsFailing(keepsFailing) {}
  Status configure(const PassOptions &options) override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  bool keepsFailing;
};

/// Erases the operators without effects whose results the program as written does not use (UnusedOperators.h).
class UnusedOperatorElimination final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Erases all that the graph's results do not need, effects included.
class DeadEffectElimination final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Lets a node that is equal to an earlier one take its results.
class CommonSubexpressionElimination final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Moves constants of all blocks to the head of the graph, each once.
class ConstantPooling final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Orders outputs by use and numbers values anew, so that equal graphs have equal text.
class Canonicalize final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

} // namespace tsc

#endif
