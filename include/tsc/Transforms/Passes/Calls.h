//===- Calls.h - Passes over calls and over modules as inputs ---*- C++ -*-===//
#ifndef TSC_TRANSFORMS_PASSES_CALLS_H
#define TSC_TRANSFORMS_PASSES_CALLS_H

#include "tsc/Transforms/Pass.h"

namespace tsc {

/// Option erase-unused: bodies come in without the operators that they do not use.
class Inline final : public Pass {
public:
  Status configure(const PassOptions &options) override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  bool erasesUnused = false;
};

class InlineForkWait final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

class LowerGraph final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

} // namespace tsc

#endif
