//===- OptDriver.h - Textual IR in, pipeline, textual IR out ----*- C++ -*-===//
#ifndef TSC_TRANSFORMS_OPTDRIVER_H
#define TSC_TRANSFORMS_OPTDRIVER_H

#include "tsc/Transforms/PassManager.h"

namespace tsc {

class ConstantEvaluator;
class Context;
class SourceBuffer;

/// What tsc-opt does with its input besides running passes.
struct OptDriverOptions {
  std::string passes; ///< The pipeline (PassManager::parsePipeline).
  PassInstrumentation instrumentation;
  unsigned validationRuns = 0; ///< How often a graph is run before and after each pass; 0 for no validation.
  bool splitInputFile = false; ///< Whether parts between lines `# -----` are files of their own.
  /// Whether comments like `# expected-error {{…}}` say what has to be reported, while nothing else may be (but notes).
  bool verifyDiagnostics = false;
  /// Whether constants whose numbers the text lacks (`<Tensor>`) get some; validation implies it.
  bool fillConstants = false;
  bool printRanges = false; ///< Whether `# file:line:col` follows each node; PyTorch's canonical text is without.
  std::string reproducer;   ///< The file that a crash or a broken graph is repeated from; empty for none.
};

/// What the libraries above Transforms and the tool contribute. The functions are called for each input file, or part
/// of one; each may be null.
struct OptDriverHost {
  /// Makes what constant folding runs operators with.
  std::function<std::unique_ptr<ConstantEvaluator>(Context &)> makeEvaluator;
  /// Makes what runs graphs to validate passes.
  std::function<std::unique_ptr<GraphValidator>(Context &, unsigned runs)> makeValidator;
  /// Prints a graph in another form than its text, when the pipeline has run.
  std::function<Status(llvm::raw_ostream &, const Graph &, bool withRanges)> print;
  /// Called with the graphs when the pipeline has run.
  std::function<void(llvm::ArrayRef<std::unique_ptr<Graph>>)> view;
};

/// Runs the pipeline over every graph of the input and prints the graphs to `out`, and diagnostics and logs to `err`.
/// Returns the exit code: 0; 1 when a pass broke a graph or changed its meaning, when `print` failed, or when
/// diagnostics were not as expected; 2 for text that does not parse or verify, or a wrong pipeline. With
/// verifyDiagnostics, errors that are expected do not count.
int runOptDriver(const SourceBuffer &input, const OptDriverOptions &options, const PassRegistry &registry,
                 const OptDriverHost &host, llvm::raw_ostream &out, llvm::raw_ostream &err);

} // namespace tsc

#endif
