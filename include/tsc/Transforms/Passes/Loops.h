//===- Loops.h - Passes over loops ------------------------------*- C++ -*-===//
#ifndef TSC_TRANSFORMS_PASSES_LOOPS_H
#define TSC_TRANSFORMS_PASSES_LOOPS_H

#include "tsc/Transforms/Pass.h"

namespace tsc {

/// Options max-trip: copies of the body at most; max-size: nodes that a body may have; pointwise: only bodies that are
/// nothing but point-wise operators, and so few copies that they have max-size nodes together.
class LoopUnrolling final : public Pass {
public:
  Status configure(const PassOptions &options) override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  int64_t maxTrip = 8, maxSize = 32; // PyTorch's
  bool pointwise = false, appending = false;
};

class LoopPeeling final : public Pass {
public:
  Status configure(const PassOptions &options) override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  int64_t trips = 1, maxSize = 512;
};

class LoopInvariantCodeMotion final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

class HoistProducts final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

class AccumulateProducts final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

class MarkReused final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

class PruneLoopValues final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

} // namespace tsc

#endif
