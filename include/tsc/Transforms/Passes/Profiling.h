//===- Profiling.h - Passes over what profiling and differentiation leave -*- C++ -*-===//
#ifndef TSC_TRANSFORMS_PASSES_PROFILING_H
#define TSC_TRANSFORMS_PASSES_PROFILING_H

#include "tsc/Transforms/Pass.h"

namespace tsc {

class RemoveProfiling final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

class SpecializeZeroGradients final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

class LowerGradOf final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

class ClearUndefinedness final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

class AutodiffSubgraphCreation final : public Pass {
public:
  Status configure(const PassOptions &options) override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  int64_t threshold = 2;
  bool inOrder = false;
};

class AutodiffSubgraphInlining final : public Pass {
public:
  Status configure(const PassOptions &options) override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  int64_t threshold = 5;
};

} // namespace tsc

#endif
