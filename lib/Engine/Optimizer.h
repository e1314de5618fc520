//===- Optimizer.h - What runs over a function before it is compiled ------===//
#ifndef TSC_LIB_ENGINE_OPTIMIZER_H
#define TSC_LIB_ENGINE_OPTIMIZER_H

#include "tsc/Support/Status.h"
#include <functional>
#include <memory>
#include <mutex>

namespace tsc {

class Context;
class DiagnosticEngine;
class Graph;
class IValue;
class TranslationValidator;
struct EngineOptions;
struct PassHost;

/// Runs the pipeline of a level over graphs, and tells of them as the options ask. Threads take turns.
class Optimizer {
public:
  /// `remarks` hears what passes remark. All outlive it.
  Optimizer(Context &context, const EngineOptions &options, DiagnosticEngine &remarks);
  ~Optimizer();
  /// Compares what each graph does before and after each pass, as the options ask; graphs that take `object`, or one in
  /// it, are given that. Before the first run().
  void validateWith(const IValue &object);
  /// Looks for calls that ask for gradients, and puts gradients in their place, where `mayAsk` says that there may be
  /// some; it is asked for each graph.
  void differentiateWhere(std::function<bool()> mayAsk) { mayAskForGradients = std::move(mayAsk); }
  /// Takes the pipeline for frozen modules from now on.
  void useFrozenPipeline();
  /// Runs the pipeline over a graph, gradients first. Many threads may call it; one graph is optimized at a time. Fails
  /// where a pass does, or where validation finds a difference.
  Status run(Graph &graph);
  /// Prepares a graph for calls that have a tape: puts what that may take for one operator into groups, unless the
  /// graph leaves calls to others, or may ask for gradients of gradients.
  Status prepareForTape(Graph &graph);

private:
  Status prepare();
  Status differentiate(Graph &graph, const PassHost &host);
  struct Passes;
  std::recursive_mutex mutex; ///< A constant's computation may compile another function.
  Context &context;
  const EngineOptions &options;
  DiagnosticEngine &remarks;
  bool isFrozen = false;
  std::function<bool()> mayAskForGradients;
  std::unique_ptr<TranslationValidator> validator; ///< Null unless it was asked for.
  std::unique_ptr<Passes> passes;                  ///< Null until the first graph arrives.
};

} // namespace tsc

#endif
