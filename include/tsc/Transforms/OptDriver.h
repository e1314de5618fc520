//===- OptDriver.h - Textual IR in, pipeline, textual IR out ----*- C++ -*-===//
#ifndef TSC_TRANSFORMS_OPTDRIVER_H
#define TSC_TRANSFORMS_OPTDRIVER_H

#include "tsc/Transforms/PassManager.h"

namespace tsc {

class ConstantEvaluator;
class Context;
class SourceBuffer;

struct OptDriverOptions {
  std::string passes;
  PassInstrumentation instrumentation;
  unsigned validationRuns = 0; ///< Runs of a graph before and after each pass; 0: no validation.
  bool splitInputFile = false; ///< Parts between lines `# -----` are files of their own.
  bool verifyDiagnostics =
      false;                  ///< `# expected-error {{…}}` comments say what must be reported, and nothing else may be.
  bool fillConstants = false; ///< Give constants whose numbers the text lacks (`<Tensor>`) some; validation implies it.
  bool printRanges = false;   ///< `# file:line:col` after each node; PyTorch's canonical text is without.
  std::string reproducer;     ///< Where a crash or a broken graph leaves what repeats it; empty: nowhere.
};

/// What the libraries above Transforms and the tool contribute, for the graphs of each file; each may be null.
struct OptDriverHost {
  std::function<std::unique_ptr<ConstantEvaluator>(Context &)> makeEvaluator;
  std::function<std::unique_ptr<GraphValidator>(Context &, unsigned runs)> makeValidator;
  std::function<void(llvm::ArrayRef<std::unique_ptr<Graph>>)>
      view; ///< Is shown the graphs of each file when the pipeline has run.
};

/// Runs the pipeline over every graph of the buffer and prints the graphs to `out`, diagnostics and logs to `err`.
/// Returns the exit code: 0; 1 when a pass broke a graph or changed its meaning, or diagnostics were not as expected; 2
/// for text that does not parse or verify, or a wrong pipeline.
int runOptDriver(const SourceBuffer &input, const OptDriverOptions &options, const PassRegistry &registry,
                 const OptDriverHost &host, llvm::raw_ostream &out, llvm::raw_ostream &err);

} // namespace tsc

#endif
