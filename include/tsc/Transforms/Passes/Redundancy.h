//===- Redundancy.h - Passes that remove and order what is there -*- C++ -*-===//
#ifndef TSC_TRANSFORMS_PASSES_REDUNDANCY_H
#define TSC_TRANSFORMS_PASSES_REDUNDANCY_H

#include "tsc/Transforms/Pass.h"

namespace tsc {

/// Option keep-failing: what may raise stays.
class DeadCodeElimination final : public Pass {
public:
  explicit DeadCodeElimination(bool keepsFailing = false) : keepsFailing(keepsFailing) {}
  Status configure(const PassOptions &options) override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  bool keepsFailing;
};

class UnusedOperatorElimination final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

class DeadEffectElimination final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

class CommonSubexpressionElimination final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

class ConstantPooling final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

class Canonicalize final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

} // namespace tsc

#endif
