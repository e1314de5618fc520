//===- Kernels.h - Passes that choose what operators compute with -*- C++ -*-===//
#ifndef TSC_TRANSFORMS_PASSES_KERNELS_H
#define TSC_TRANSFORMS_PASSES_KERNELS_H

#include "tsc/Transforms/Pass.h"

namespace tsc {

/// Options max-nodes: how many operators a group may have; reductions: whether it may have any.
class Fusion final : public Pass {
public:
  Status configure(const PassOptions &options) override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  int64_t maxNodes = 128;
  bool reductions = true;
};

class BatchMM final : public Pass {
public:
  Status configure(const PassOptions &options) override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  int64_t minTree = 4, minSide = 8;
};

/// Option hoist: whether an operator that runs on every part is run on the whole instead.
class ConcatOptimization final : public Pass {
public:
  Status configure(const PassOptions &options) override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  bool hoists = true;
};

class BlockConvolutions final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

class CanonicalizeGraphFuserOps final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

class DecomposeForFusion final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

class Decompose final : public Pass {
public:
  Status configure(const PassOptions &options) override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  std::string only; ///< Empty: every operator that has a definition.
};

class RewriteByFile final : public Pass {
public:
  Status configure(const PassOptions &options) override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  std::string file, text;
};

class LinearFusion final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

class AddmmFusion final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

class AddReluFusion final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

class QuantizedAddReluFusion final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

} // namespace tsc

#endif
