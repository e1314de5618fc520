//===- Pass.h - What a pass is ----------------------------------*- C++ -*-===//
#ifndef TSC_TRANSFORMS_PASS_H
#define TSC_TRANSFORMS_PASS_H

#include "tsc/Analysis/Effects.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <memory>
#include <optional>
#include <string>

namespace tsc {

class ConstantEvaluator;
class Graph;

/// What a pass says of its work: whether the graph, and with it every analysis, is as before.
class PreservedAnalyses {
public:
  static PreservedAnalyses all() { return PreservedAnalyses(false); }
  static PreservedAnalyses none() { return PreservedAnalyses(true); }
  static PreservedAnalyses allUnless(bool changed) { return PreservedAnalyses(changed); }
  bool changed() const { return graphChanged; }

private:
  explicit PreservedAnalyses(bool changed) : graphChanged(changed) {}
  bool graphChanged;
};

/// Analyses of the graph under way, made on first question and dropped when a pass changes the graph.
class AnalysisManager {
public:
  explicit AnalysisManager(ConstantEvaluator *evaluator = nullptr) : evaluator(evaluator) {}
  const Effects &effects(const Graph &graph);
  /// Null when the host gave none: then nothing is folded.
  ConstantEvaluator *constantEvaluator() const { return evaluator; }
  void invalidate() { cachedEffects.reset(); }

private:
  ConstantEvaluator *evaluator;
  const Graph *analyzed = nullptr;
  std::unique_ptr<Effects> cachedEffects;
};

/// Options of one pass in a pipeline: `unroll<max-trip=8>`.
using PassOptions = llvm::StringMap<std::string>;

/// Changes one graph at a time. A pass that finds nothing leaves the graph bit-identical and says so.
class Pass {
public:
  virtual ~Pass() = default;
  virtual PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) = 0;
};

} // namespace tsc

#endif
