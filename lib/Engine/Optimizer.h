//===- Optimizer.h - What runs over a function before it is compiled ------===//
#ifndef TSC_LIB_ENGINE_OPTIMIZER_H
#define TSC_LIB_ENGINE_OPTIMIZER_H

#include "tsc/Support/Status.h"
#include <memory>

namespace tsc {

class Context;
class DiagnosticEngine;
class Graph;
class IValue;
class TranslationValidator;
struct EngineOptions;

/// Runs the pipeline of a level over graphs, and tells of them as the options ask. For one thread at a time.
class Optimizer {
public:
  /// `remarks` hears what passes remark. All outlive it.
  Optimizer(Context &context, const EngineOptions &options, DiagnosticEngine &remarks);
  ~Optimizer();
  /// Compares what each graph does before and after each pass, as the options ask; graphs that take `object`, or one in
  /// it, are given that. Before the first run().
  void validateWith(const IValue &object);
  /// Takes the pipeline for frozen modules from now on.
  void useFrozenPipeline();
  Status run(Graph &graph);

private:
  Status prepare();
  struct Passes;
  Context &context;
  const EngineOptions &options;
  DiagnosticEngine &remarks;
  bool isFrozen = false;
  std::unique_ptr<TranslationValidator> validator; ///< Null unless it was asked for.
  std::unique_ptr<Passes> passes;                  ///< Null until the first graph arrives.
};

} // namespace tsc

#endif
