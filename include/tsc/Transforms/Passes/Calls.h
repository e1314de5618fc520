//===- Calls.h - Passes over calls and over modules as inputs ---*- C++ -*-===//
#ifndef TSC_TRANSFORMS_PASSES_CALLS_H
#define TSC_TRANSFORMS_PASSES_CALLS_H

#include "tsc/Transforms/Pass.h"

namespace tsc {

/// Replaces calls of known functions and methods by their bodies. Option erase-unused: whether bodies come in without
/// the operators that they do not use.
class Inline final : public Pass {
public:
  Status configure(const PassOptions &options) override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  bool erasesUnused = false;
};

/// Puts forked graphs in the place of their forks; the waits take their results.
class InlineForkWait final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Makes inputs of the tensors that a method reads from attributes of its module.
class LowerGraph final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

} // namespace tsc

#endif
