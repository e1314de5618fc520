//===- Passes.h - The passes by their classes -------------------*- C++ -*-===//
#ifndef TSC_TRANSFORMS_PASSES_H
#define TSC_TRANSFORMS_PASSES_H

#include "tsc/Transforms/Pass.h"

namespace tsc {

class ShapeRuleSource;

#define GRAPH_PASS(NAME, PYTORCH_NAME, CLASS, DESCRIPTION)                                                                           \
  class CLASS final : public Pass {                                                                                    \
  public:                                                                                                              \
    PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;                                           \
  };
#define GRAPH_PASS_WITH_OPTIONS(NAME, PYTORCH_NAME, CLASS, DESCRIPTION)
#include "tsc/Transforms/Passes.def"

class LoopUnrolling final : public Pass {
public:
  Status configure(const PassOptions &options) override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  int64_t maxTrip = 8, maxSize = 32; // PyTorch's
};

class LoopPeeling final : public Pass {
public:
  Status configure(const PassOptions &options) override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  int64_t trips = 1, maxSize = 512;
};

/// Keeps the rules it has compiled from one graph to the next.
class ShapePropagation final : public Pass {
public:
  ShapePropagation();
  ~ShapePropagation() override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  std::unique_ptr<ShapeRuleSource> rules;
};

class PrintAnalyses final : public Pass {
public:
  Status configure(const PassOptions &options) override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  bool aliases = false;
};

class RequireAnalyses final : public Pass {
public:
  Status configure(const PassOptions &options) override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  bool aliases = false;
};

/// Option disable-shapes: do not rely on sizes, dtypes and devices in types.
class Peephole final : public Pass {
public:
  Status configure(const PassOptions &options) override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  bool disableShapes = false;
};

/// Option max-nodes: how many nodes a branch may have.
class IfConversion final : public Pass {
public:
  Status configure(const PassOptions &options) override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  int64_t maxNodes = 4;
};

class AutodiffSubgraphCreation final : public Pass {
public:
  Status configure(const PassOptions &options) override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  int64_t threshold = 2;
};

class AutodiffSubgraphInlining final : public Pass {
public:
  Status configure(const PassOptions &options) override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  int64_t threshold = 5;
};

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

} // namespace tsc

#endif
