//===- Simplification.h - Passes that compute ahead of time and simplify -*- C++ -*-===//
#ifndef TSC_TRANSFORMS_PASSES_SIMPLIFICATION_H
#define TSC_TRANSFORMS_PASSES_SIMPLIFICATION_H

#include "tsc/Transforms/Pass.h"

namespace tsc {

/// Option keep-failing: as dce has it.
class ConstantPropagation final : public Pass {
public:
  Status configure(const PassOptions &options) override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  bool keepsFailing = false;
};

class ConstantPropagationImmutableTypes final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Options disable-shapes: do not rely on sizes, dtypes and devices in types; keep-failing: as dce has it;
/// keep-operators: operators on tensors stay, for what differentiates them.
class Peephole final : public Pass {
public:
  Status configure(const PassOptions &options) override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  bool disableShapes = false, keepsFailing = false, keepsOperators = false;
};

class SimplifyConditionals final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Option max-nodes: how many nodes the two branches may have together.
class IfConversion final : public Pass {
public:
  Status configure(const PassOptions &options) override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  int64_t maxNodes = 2;
};

class IntegerRefinement final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

class LowerSimpleTuples final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

class LowerTuples final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

class RemoveExpands final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

} // namespace tsc

#endif
