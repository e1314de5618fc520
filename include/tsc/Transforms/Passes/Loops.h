//===- Loops.h - Passes over loops ------------------------------*- C++ -*-===//
#ifndef TSC_TRANSFORMS_PASSES_LOOPS_H
#define TSC_TRANSFORMS_PASSES_LOOPS_H

#include "tsc/Transforms/Pass.h"

namespace tsc {

/// Makes several trips of a loop in one. Options max-trip: how many copies of the body a new trip has at most;
/// max-size: how many nodes a body may have; pointwise: only bodies of point-wise operators alone, whose copies have
/// max-size nodes together; appending: only loops of a known count that append to lists, name entries of dicts or ask
/// for gradients, and these wholly.
class LoopUnrolling final : public Pass {
public:
  Status configure(const PassOptions &options) override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  int64_t maxTrip = 8, maxSize = 32; // PyTorch's
  bool pointwise = false, appending = false;
};

/// Runs the first trips of innermost loops ahead of them. Options trips: how many (64 at most); max-size: how many
/// nodes a body may have.
class LoopPeeling final : public Pass {
public:
  Status configure(const PassOptions &options) override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  int64_t trips = 1, maxSize = 512;
};

/// Moves what is the same in every trip to before the loop.
class LoopInvariantCodeMotion final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Computes the products of all steps of a sequence with one matrix before the loop over the sequence, as one product.
class HoistProducts final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Adds products to a sum that a loop hands from trip to trip in the sum's memory.
class AccumulateProducts final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Marks the weights that every trip of a loop reads (tsc::reused), so that kernels rearrange them once.
class MarkReused final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Takes out of loops the carried values that do not change, and those that are equal to another one.
class PruneLoopValues final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

} // namespace tsc

#endif
