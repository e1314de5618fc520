//===- Pass.h - What a pass is ----------------------------------*- C++ -*-===//
#ifndef TSC_TRANSFORMS_PASS_H
#define TSC_TRANSFORMS_PASS_H

#include "tsc/Support/Status.h"
#include "tsc/Transforms/Remarks.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <memory>
#include <string>

namespace tsc {

class ConstantEvaluator;
class Graph;
class ShapeRuleCompiler;

/// What a pass says of its work: whether the graph, and with it every analysis, is as before.
class PreservedAnalyses {
public:
  static PreservedAnalyses all() { return PreservedAnalyses(false); }
  static PreservedAnalyses none() { return PreservedAnalyses(true); }
  static PreservedAnalyses allUnless(bool changed) { return PreservedAnalyses(changed); }
  /// The graph is not one that may go on, and is as it was: the pipeline ends with this status.
  static PreservedAnalyses failure(Status why) {
    PreservedAnalyses result(false);
    result.why = std::move(why);
    return result;
  }
  bool changed() const { return graphChanged; }
  const Status &status() const { return why; }

private:
  explicit PreservedAnalyses(bool changed) : graphChanged(changed) {}
  bool graphChanged;
  Status why = okStatus();
};

/// Analyses of the graph under way, made on first question and dropped when a pass changes the graph.
class AnalysisManager {
public:
  /// `rules` keeps the rules for shapes that were compiled from one manager to the next.
  explicit AnalysisManager(ConstantEvaluator *evaluator = nullptr, const Remarks *remarks = nullptr,
                           std::shared_ptr<ShapeRuleCompiler> *rules = nullptr)
      : evaluator(evaluator), listener(remarks), rules(rules ? rules : &ownRules) {}
  /// The analysis T of `graph`, made by T(graph). Valid until the pass that asks changes the graph in a way that T
  /// would notice: whoever does takes what it needs first, or calls invalidate().
  template <typename T> const T &get(const Graph &graph) {
    if (analyzed != &graph)
      invalidate();
    analyzed = &graph;
    std::shared_ptr<const void> &entry = cached[&keyOf<T>];
    if (!entry)
      entry = std::make_shared<const T>(graph);
    return *static_cast<const T *>(entry.get());
  }
  /// Null when the host gave none: then nothing is folded.
  ConstantEvaluator *constantEvaluator() const { return evaluator; }
  /// Where a pass says what it did, and what it did not and why.
  const Remarks &remarks() const { return listener ? *listener : silence; }
  /// Made when it is first asked for.
  ShapeRuleCompiler &shapeRules();
  void invalidate() { cached.clear(); }

private:
  template <typename T> static inline const char keyOf = 0; ///< Its address stands for T.
  ConstantEvaluator *evaluator;
  const Remarks *listener;
  Remarks silence;
  std::shared_ptr<ShapeRuleCompiler> ownRules, *rules; // shared: as `cached`
  const Graph *analyzed = nullptr;
  llvm::SmallDenseMap<const void *, std::shared_ptr<const void>, 4> cached; // shared: it remembers how to destroy a T
};

/// Options of one pass in a pipeline: `unroll<max-trip=8>`. An option without a value is "true".
using PassOptions = llvm::StringMap<std::string>;

/// Changes one graph at a time. A pass that finds nothing leaves the graph bit-identical and says so.
class Pass {
public:
  virtual ~Pass() = default;
  /// Takes the options of the pipeline. InvalidArgument says what is wrong with one, and which there are.
  virtual Status configure(const PassOptions &options);
  virtual PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) = 0;
  /// Whether what it leaves can run. What is made for an exporter may give operators operands that no overload takes.
  virtual bool leavesProgram() const { return true; }
};

/// Reads a whole number of at least `least` out of `options` if it is there.
Status readOption(const PassOptions &options, llvm::StringRef name, int64_t least, int64_t &value);
Status readOption(const PassOptions &options, llvm::StringRef name, bool &value);
/// InvalidArgument when there is an option that is not in `known`.
Status rejectOptionsBut(llvm::ArrayRef<llvm::StringRef> known, const PassOptions &options);

} // namespace tsc

#endif
