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

/// The result of a pass: whether it left the graph, and with it every analysis, as it was, and whether the pipeline can
/// go on.
class PreservedAnalyses {
public:
  /// The graph is as it was.
  static PreservedAnalyses all() { return PreservedAnalyses(false); }
  /// The graph was changed.
  static PreservedAnalyses none() { return PreservedAnalyses(true); }
  /// The graph is as it was unless `changed`.
  static PreservedAnalyses allUnless(bool changed) { return PreservedAnalyses(changed); }
  /// Ends the pipeline with this status. The pass has left the graph as it was.
  static PreservedAnalyses failure(Status why) {
    PreservedAnalyses result(false);
    result.why = std::move(why);
    return result;
  }
  bool changed() const { return graphChanged; }
  /// Returns OK, or why the pipeline ends.
  const Status &status() const { return why; }

private:
  explicit PreservedAnalyses(bool changed) : graphChanged(changed) {}
  bool graphChanged;
  Status why = okStatus();
};

/// Makes the analyses of a graph when a pass first asks for them, and drops them when a pass changes the graph.
class AnalysisManager {
public:
  /// Borrows its arguments, each of which may be null. `*rules`, made on demand, lets several managers share the
  /// compiled rules for shapes.
  explicit AnalysisManager(ConstantEvaluator *evaluator = nullptr, const Remarks *remarks = nullptr,
                           std::shared_ptr<ShapeRuleCompiler> *rules = nullptr)
      : evaluator(evaluator), listener(remarks), rules(rules ? rules : &ownRules) {}
  /// Returns the analysis T(graph), made on the first call. It is valid until the pass that asks changes the graph in a
  /// way that T would notice: such a pass takes what it needs before that, or calls invalidate().
  template <typename T> const T &get(const Graph &graph) {
    if (analyzed != &graph)
      invalidate();
    analyzed = &graph;
    std::shared_ptr<const void> &entry = cached[&keyOf<T>];
    if (!entry)
      entry = std::make_shared<const T>(graph);
    return *static_cast<const T *>(entry.get());
  }
  /// Returns what computes constants, or null when the host gave nothing: then nothing is folded.
  ConstantEvaluator *constantEvaluator() const { return evaluator; }
  /// Returns where a pass reports what it did, and what it did not do and why.
  const Remarks &remarks() const { return listener ? *listener : silence; }
  /// Returns the rules for shapes, made on the first call.
  ShapeRuleCompiler &shapeRules();
  /// Drops all analyses.
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

/// The options of one pass in a pipeline by name, as in `unroll<max-trip=8>`. An option without a value is "true".
using PassOptions = llvm::StringMap<std::string>;

/// Transforms one graph at a time. A pass that finds nothing to do leaves the graph bit-identical and says so.
class Pass {
public:
  virtual ~Pass() = default;
  /// Takes the options from the pipeline. Returns InvalidArgument, with what is wrong and which options there are. A
  /// pass that does not override it takes none.
  virtual Status configure(const PassOptions &options);
  /// Transforms the graph.
  virtual PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) = 0;
  /// Whether the graph can still run afterwards. A graph for an exporter may give operators operands that no overload
  /// takes.
  virtual bool leavesProgram() const { return true; }
};

/// Sets `value` to the option `name`, if it is there. Returns InvalidArgument unless it is a whole number of at least
/// `least`.
Status readOption(const PassOptions &options, llvm::StringRef name, int64_t least, int64_t &value);
/// Sets `value` to the option `name`, if it is there. Returns InvalidArgument unless it is true or false.
Status readOption(const PassOptions &options, llvm::StringRef name, bool &value);
/// Returns InvalidArgument when there is an option that is not in `known`.
Status rejectOptionsBut(llvm::ArrayRef<llvm::StringRef> known, const PassOptions &options);

} // namespace tsc

#endif
