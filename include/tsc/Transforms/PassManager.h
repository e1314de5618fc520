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

struct PassInfo {
  llvm::StringRef name; ///< Ours.
  llvm::StringRef
      pytorchName; ///< What PyTorch calls it after `_jit_pass_`; a pipeline may use it too. Empty when there is none.
  llvm::StringRef description;
  std::unique_ptr<Pass> (*create)();
  llvm::StringRef className = ""; ///< By which logging may ask for it, as for a file.
};

/// Steps under one name (Pipelines.def).
struct PipelineInfo {
  llvm::StringRef name;
  llvm::StringRef pytorchName; ///< As a pass's.
  std::string steps;           ///< The text it stands for; may name other pipelines.
  llvm::StringRef description;
};

/// The passes and pipelines a pipeline may name. Filled by registerTransformsPasses() and its like; no global holds
/// one.
class PassRegistry {
public:
  void add(PassInfo info) { passes.push_back(info); }
  void addPipeline(PipelineInfo info) { named.push_back(std::move(info)); }
  /// By either name; null when there is none.
  const PassInfo *find(llvm::StringRef name) const;
  const PipelineInfo *findPipeline(llvm::StringRef name) const;
  llvm::ArrayRef<PassInfo> all() const { return passes; }
  llvm::ArrayRef<PipelineInfo> pipelines() const { return named; }

private:
  std::vector<PassInfo> passes;
  std::vector<PipelineInfo> named;
};
void registerTransformsPasses(PassRegistry &registry);

/// How a pass that changed the graph shows it.
enum class ChangePrinting { None, Graph, Diff };

/// What happens around passes. Names in the lists are pass names; "*" stands for every pass.
struct PassInstrumentation {
  bool verifyEach = false; ///< Verify after each pass, and check that one that reports no change made none.
  bool timePasses = false;
  std::vector<std::string> printBefore, printAfter;
  ChangePrinting printChanged = ChangePrinting::None;
  int64_t bisectLimit = -1;           ///< Number of passes to run; -1: all.
  std::string remarks, missedRemarks; ///< Regular expressions: the passes whose remarks are shown.
  bool verbose = false;               ///< Also log what was not validated, and why.
};

/// What the host of a pass manager lends to one run; each may be null.
struct PassHost {
  ConstantEvaluator *evaluator = nullptr;
  GraphValidator *validator = nullptr;     ///< Compares the graph before and after each pass.
  DiagnosticEngine *diagnostics = nullptr; ///< Receives remarks.
  CrashReproducer *reproducer = nullptr;   ///< Is told which pass runs.
  TraceRecorder *trace = nullptr;          ///< Receives a span for each pass.
};

/// Runs a pipeline over graphs: `dce,cse,(constprop,dce)` with options in angle brackets.
class PassManager {
public:
  explicit PassManager(const PassRegistry &registry, PassInstrumentation instrumentation = {},
                       llvm::raw_ostream *log = nullptr);
  ~PassManager();
  /// InvalidArgument names what is wrong with the text, and where.
  Status parsePipeline(llvm::StringRef text);
  /// Internal when -verify-each finds a broken graph, or the validator a difference: the message names the pass.
  Status run(Graph &graph, const PassHost &host);
  Status run(Graph &graph, ConstantEvaluator *evaluator = nullptr) {
    return run(graph, PassHost{evaluator, nullptr, nullptr, nullptr});
  }
  /// Slowest first; steps of one name together.
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
  std::shared_ptr<ShapeRuleCompiler> shapeRules; ///< Null until a pass asks for it. Shared with AnalysisManagers.
  int64_t passesRun = 0;
};

} // namespace tsc

#endif
