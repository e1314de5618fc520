//===- Simplification.h - Passes that compute ahead of time and simplify -*- C++ -*-===//
#ifndef TSC_TRANSFORMS_PASSES_SIMPLIFICATION_H
#define TSC_TRANSFORMS_PASSES_SIMPLIFICATION_H

#include "tsc/Transforms/Pass.h"

namespace tsc {

/// Computes what depends on constants alone, and takes branches whose condition is known. Options keep-failing: whether
/// what has become unused stays where it may raise; share-results: whether a tensor, list or dict that the caller gets
/// is computed, too: all calls then give one and the same.
class ConstantPropagation final : public Pass {
public:
  Status configure(const PassOptions &options) override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  bool keepsFailing = false, sharesResults = false;
};

/// Does what ConstantPropagation does, but leaves tensors, lists and dicts alone.
class ConstantPropagationImmutableTypes final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Simplifies what a node and its operands show. Options disable-shapes: whether sizes, dtypes and devices in types are
/// left out of account; keep-failing: whether what has become unused stays where it may raise; keep-operators: whether
/// operators on tensors stay, for what differentiates them.
class Peephole final : public Pass {
public:
  Status configure(const PassOptions &options) override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  bool disableShapes = false, keepsFailing = false, keepsOperators = false;
};

/// Uses in a branch what is known of its condition, and merges, turns and drops Ifs.
class SimplifyConditionals final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Runs both branches of an If and selects between their results. Option max-nodes: how many nodes both branches may
/// have together.
class IfConversion final : public Pass {
public:
  Status configure(const PassOptions &options) override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  int64_t maxNodes = 2;
};

/// Replaces ints by the constants that a condition has shown them to equal. Option lengths: whether lengths of lists
/// that nobody changes are replaced, too.
class IntegerRefinement final : public Pass {
public:
  Status configure(const PassOptions &options) override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  bool refinesLengths = false;
};

/// Takes elements of tuples from where the tuple was made.
class LowerSimpleTuples final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Passes elements instead of tuples across blocks and through the graph's inputs and outputs.
class LowerTuples final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Removes implicit expands before point-wise operators, which broadcast by themselves.
class RemoveExpands final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

} // namespace tsc

#endif
