//===- Optimizer.cpp - What runs over a function before it is compiled ----===//
//
// Functions are optimized one by one, when they are first called: what a program
// does not use costs nothing. What -O0 … -O3 run is in Transforms/Pipelines.def.
//
//===----------------------------------------------------------------------===//
#include "Optimizer.h"
#include "tsc/Autodiff/Passes.h"
#include "tsc/Engine/EngineOptions.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/Runtime/KernelEvaluator.h"
#include "tsc/Runtime/TranslationValidator.h"
#include "tsc/Transforms/Subgraph.h"
#include "tsc/Transforms/UnusedOperators.h"

using namespace tsc;

struct Optimizer::Passes {
  Passes(Context &context, const PassInstrumentation &instrumentation)
      : manager(registry, instrumentation), evaluator(context) {
    registerTransformsPasses(registry);
    registerAutodiffPasses(registry);
  }
  PassRegistry registry;
  PassManager manager;
  std::optional<PassManager> inlining, simplification, groups; ///< For graphs whose operators a tape takes down.
  std::optional<PassManager> gradients; ///< For graphs that ask for gradients, made when the first of them arrives.
  KernelEvaluator evaluator;
};

Optimizer::Optimizer(Context &context, const EngineOptions &options, DiagnosticEngine &remarks)
    : context(context), options(options), remarks(remarks) {}
Optimizer::~Optimizer() = default;

void Optimizer::validateWith(const IValue &object) {
  if (options.validationRuns == 0)
    return;
  validator = std::make_unique<TranslationValidator>(context, options.validationRuns);
  validator->compareErrors();
  validator->useObjects(object);
}

void Optimizer::useFrozenPipeline() {
  isFrozen = true;
  passes.reset();
}

/// Makes the passes when the first function arrives.
Status Optimizer::prepare() {
  if (passes)
    return okStatus();
  auto made = std::make_unique<Passes>(context, options.passes);
  const bool makesPlans = options.optimization >= 2;
  TSC_RETURN_IF_ERROR(made->manager.parsePipeline("O" + std::to_string(options.optimization) +
                                                  (isFrozen && makesPlans ? "-frozen" : "")));
  passes = std::move(made);
  return okStatus();
}

/// In plans, whose types tell ranks and dtypes.
Status Optimizer::differentiate(Graph &graph, const PassHost &host) {
  if (options.optimization < 2 || !mayAskForGradients || !mayAskForGradients() || !asksForGradients(graph))
    return okStatus();
  if (!passes->gradients) {
    passes->gradients.emplace(passes->registry, options.passes);
    TSC_RETURN_IF_ERROR(passes->gradients->parsePipeline("gradients"));
  }
  return passes->gradients->run(graph, host);
}

Status Optimizer::run(Graph &graph) {
  std::lock_guard lock(mutex);
  if (options.beforeOptimizing)
    options.beforeOptimizing(graph);
  TSC_RETURN_IF_ERROR(prepare());
  if (validator)
    eraseUnusedOperators(graph); // as each level begins: what does not run is not compared
  const PassHost host{&passes->evaluator, validator.get(), &remarks, nullptr, options.trace};
  TSC_RETURN_IF_ERROR(differentiate(graph, host));
  TSC_RETURN_IF_ERROR(passes->manager.run(graph, host));
  if (options.afterOptimizing)
    options.afterOptimizing(graph);
  return okStatus();
}

/// Whether the graph asks for gradients by itself, and for none that are differentiated in turn.
static bool asksForFirstOrder(Graph &graph) {
  bool asks = false, isFirst = true;
  walkWithSubgraphs(graph, [&](Node &node) {
    const bool isCall =
        node.kind() == prim::CallFunction || node.kind() == prim::CallMethod || node.kind() == prim::InterfaceCall;
    asks |= asksForGradients(node);
    isFirst &= !isCall && !mayCreateGraph(node);
  });
  return asks && isFirst;
}

Status Optimizer::prepareForTape(Graph &graph) {
  std::lock_guard lock(mutex);
  TSC_RETURN_IF_ERROR(prepare());
  if (!passes->inlining) {
    passes->inlining.emplace(passes->registry, options.passes);
    passes->groups.emplace(passes->registry, options.passes);
    passes->simplification.emplace(passes->registry, options.passes);
    TSC_RETURN_IF_ERROR(passes->inlining->parsePipeline("inline-for-tape"));
    TSC_RETURN_IF_ERROR(passes->simplification->parsePipeline("simplify-for-tape"));
    TSC_RETURN_IF_ERROR(passes->groups->parsePipeline("group-for-tape"));
  }
  if (validator)
    eraseUnusedOperators(graph);
  const PassHost host{&passes->evaluator, validator.get(), &remarks, nullptr, options.trace};
  TSC_RETURN_IF_ERROR(passes->inlining->run(graph, host));
  TSC_RETURN_IF_ERROR(passes->simplification->run(graph, host));
  if (asksForFirstOrder(graph)) {
    TSC_RETURN_IF_ERROR(passes->groups->run(graph, host));
  }
  if (options.afterOptimizing)
    options.afterOptimizing(graph);
  return okStatus();
}
