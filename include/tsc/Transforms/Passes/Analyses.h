//===- Analyses.h - Passes that show what analyses know ---------*- C++ -*-===//
#ifndef TSC_TRANSFORMS_PASSES_ANALYSES_H
#define TSC_TRANSFORMS_PASSES_ANALYSES_H

#include "tsc/Transforms/Pass.h"

namespace tsc {

/// Prints the analyses that its options name to stderr: print<alias>.
class PrintAnalyses final : public Pass {
public:
  Status configure(const PassOptions &options) override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  bool aliases = false;
};

/// Makes the analyses that its options name and does nothing with them: require<alias>.
class RequireAnalyses final : public Pass {
public:
  Status configure(const PassOptions &options) override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  bool aliases = false;
};

} // namespace tsc

#endif
