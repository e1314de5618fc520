//===- PassManager.h - Pipelines and their instrumentation ------*- C++ -*-===//
#ifndef TSC_TRANSFORMS_PASSMANAGER_H
#define TSC_TRANSFORMS_PASSMANAGER_H

#include "tsc/Support/Status.h"
#include "tsc/Transforms/Pass.h"
#include "llvm/ADT/ArrayRef.h"
#include <functional>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace tsc {

class CrashReproducer;
class DiagnosticEngine;
class GraphValidator;
class TraceRecorder;

/// A registered pass.
struct PassInfo {
  llvm::StringRef name; ///< The name by which pipelines use it.
  /// PyTorch's name for it, after `_jit_pass_`, which pipelines may use too; empty when it has none.
  llvm::StringRef pytorchName;
  llvm::StringRef description;
  std::unique_ptr<Pass> (*create)();
  llvm::StringRef className = ""; ///< The name by which logging may select it, as it selects files.
};

/// A named sequence of steps, which stands wherever a pass may (Pipelines.def).
struct PipelineInfo {
  llvm::StringRef name;
  llvm::StringRef pytorchName; ///< PyTorch's name for it, after `_jit_pass_`; may be empty.
  std::string steps;           ///< The text of the pipeline; it may name other pipelines.
  llvm::StringRef description;
};

/// The passes and pipelines that the text of a pipeline may name. registerTransformsPasses() and its like fill it.
class PassRegistry {
public:
  /// Adds a pass, which has a name and can be created.
  void add(PassInfo info) {
    assert(info.create && !info.name.empty() && "a pass has a name and is created when a pipeline uses it");
    passes.push_back(info);
  }
  /// Adds a pipeline, which has a name.
  void addPipeline(PipelineInfo info) {
    assert(!info.name.empty() && "other pipelines use a pipeline by its name");
    named.push_back(std::move(info));
  }
  /// Returns the pass with this name, its own or PyTorch's, or null.
  const PassInfo *find(llvm::StringRef name) const;
  /// Returns the pipeline with this name, its own or PyTorch's, or null.
  const PipelineInfo *findPipeline(llvm::StringRef name) const;
  llvm::ArrayRef<PassInfo> all() const { return passes; }
  llvm::ArrayRef<PipelineInfo> pipelines() const { return named; }

private:
  std::vector<PassInfo> passes;
  std::vector<PipelineInfo> named;
};
/// Registers all passes of Passes.def and pipelines of Pipelines.def, and the levels O0 to O3, O2-frozen and O3-frozen.
void registerTransformsPasses(PassRegistry &registry);

/// What is printed after a pass that changed the graph: nothing, the graph, or the lines that differ.
enum class ChangePrinting { None, Graph, Diff };

/// What a pass manager does around passes. Lists hold names of passes, or "*" for all passes.
struct PassInstrumentation {
  /// Whether to verify after each pass, and to check that one which reports no change made none.
  bool verifyEach = false;
  bool timePasses = false;
  std::vector<std::string> printBefore, printAfter;
  ChangePrinting printChanged = ChangePrinting::None;
  int64_t bisectLimit = -1;           ///< How many passes are run before the others are skipped; -1 for all.
  std::string remarks, missedRemarks; ///< Regular expressions for the passes whose remarks are shown.
  bool verbose = false;               ///< Whether to log also what was not validated, and why.
};

/// What the caller lends to one run of a pass manager; each may be null.
struct PassHost {
  ConstantEvaluator *evaluator = nullptr;  ///< Computes constants; nothing is folded without it.
  GraphValidator *validator = nullptr;     ///< Compares the graph before and after each pass.
  DiagnosticEngine *diagnostics = nullptr; ///< Receives remarks.
  CrashReproducer *reproducer = nullptr;   ///< Gets to know which pass runs.
  TraceRecorder *trace = nullptr;          ///< Receives a span for each pass.
};

/// Runs a pipeline over graphs: passes and pipelines between commas, with options in angle brackets, perhaps in
/// parentheses: `dce,unroll<max-trip=8>,(constprop,dce)`.
///
/// Threads: one at a time.
class PassManager {
public:
  /// Borrows the registry and the log, which is stderr when null.
  explicit PassManager(const PassRegistry &registry, PassInstrumentation instrumentation = {},
                       llvm::raw_ostream *log = nullptr);
  ~PassManager();
  /// Appends the steps of a pipeline's text. Returns InvalidArgument, with what is wrong and where, for a wrong text.
  Status parsePipeline(llvm::StringRef text);
  /// Runs the steps on a graph. Returns Internal, with the name of the pass, when verifyEach finds a broken graph or
  /// the validator a difference; also the status of a pass that refuses the graph, and an error for blocks nested too
  /// deeply for the stack.
  Status run(Graph &graph, const PassHost &host);
  /// Runs the steps on a graph with nothing but an evaluator.
  Status run(Graph &graph, ConstantEvaluator *evaluator = nullptr) {
    return run(graph, PassHost{evaluator, nullptr, nullptr, nullptr});
  }
  /// Prints how long the passes took in all runs, slowest first; steps of one name are added up.
  void printTimes(llvm::raw_ostream &os) const;

private:
  struct Step {
    const PassInfo *info;
    std::unique_ptr<Pass> pass;
    double seconds = 0;
    uint64_t runs = 0;
  };
  bool bisectAllows(const Step &step);
  /// Runs one step with all that was asked for around it.
  Status runStep(Step &step, Graph &graph, AnalysisManager &analyses, const PassHost &host);
  Status checkResult(const Step &step, Graph &graph, bool changed, llvm::StringRef before) const;
  Status validate(const Step &step, Graph &graph, GraphValidator &validator) const;

  const PassRegistry &registry;
  PassInstrumentation instrumentation;
  llvm::raw_ostream *log;
  std::vector<Step> steps;
  Remarks remarks;
  std::shared_ptr<ShapeRuleCompiler> shapeRules; ///< Null until a pass asks for it. Shared with the AnalysisManagers.
  int64_t passesRun = 0;
};

} // namespace tsc

#endif
