//===- FrozenModules.h - Passes over layers with constant weights -*- C++ -*-===//
#ifndef TSC_TRANSFORMS_PASSES_FROZENMODULES_H
#define TSC_TRANSFORMS_PASSES_FROZENMODULES_H

#include "tsc/Transforms/Pass.h"

namespace tsc {

class FoldFrozen final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

class FoldConvBatchNorm final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

class FoldConvAdd final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

class FoldConvMul final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

class FoldLinearBatchNorm final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

class ConcatLinear final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

class TransposeLinear final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

class RemoveDropout final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

} // namespace tsc

#endif
