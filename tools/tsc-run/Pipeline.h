//===- Pipeline.h - What runs over a function before it is compiled -------===//
#ifndef TSC_TOOLS_TSCRUN_PIPELINE_H
#define TSC_TOOLS_TSCRUN_PIPELINE_H

#include "Options.h"
#include <memory>

namespace tsc {
class Context;
class DiagnosticEngine;
class Graph;
class IValue;
class TraceRecorder;
class TranslationValidator;
} // namespace tsc

namespace tsc::run {

/// Runs the pipeline of a level over graphs, and tells of them and of the passes as the options ask.
class Optimizer {
public:
  /// `diags` hears remarks; `trace` of the passes, null for nobody.
  Optimizer(Context &context, const Options &options, DiagnosticEngine &diags, TraceRecorder *trace);
  ~Optimizer();
  /// Compares what each graph does before and after each pass in so many runs; graphs that take `object`, or one in it,
  /// are given that. Before the first run().
  void validate(unsigned runs, const IValue &object);
  Status run(Graph &graph);

private:
  Status prepare();
  struct Impl;
  std::unique_ptr<TranslationValidator> validator;
  const Options &options;
  Context &context;
  DiagnosticEngine &diags;
  TraceRecorder *trace;
  std::unique_ptr<Impl> impl;
};

} // namespace tsc::run

#endif
