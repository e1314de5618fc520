//===- FrozenModules.h - Passes over layers with constant weights -*- C++ -*-===//
#ifndef TSC_TRANSFORMS_PASSES_FROZENMODULES_H
#define TSC_TRANSFORMS_PASSES_FROZENMODULES_H

#include "tsc/Transforms/Pass.h"

namespace tsc {

/// Folds normalization and arithmetic with constants into the constant weights of the layer before, as often as they
/// follow.
class FoldFrozen final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Folds batch normalization into the weights of the convolution before.
class FoldConvBatchNorm final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Folds + and - of a constant into the bias of the convolution before.
class FoldConvAdd final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Folds * and / by a constant into the weights of the convolution before.
class FoldConvMul final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Folds batch normalization into the weights of the linear layer before.
class FoldLinearBatchNorm final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Joins linear layers with constant weights that read the same value into one.
class ConcatLinear final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Turns linear layers with constant weights into products with the transposed weight.
class TransposeLinear final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Removes dropout whose `train` is the constant False.
class RemoveDropout final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

} // namespace tsc

#endif
