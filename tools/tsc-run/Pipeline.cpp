//===- Pipeline.cpp - What -O0 … -O3 mean ---------------------------------===//
#include "Program.h"
#include "tsc/IR/Graph.h"
#include "tsc/Runtime/KernelEvaluator.h"
#include "tsc/Transforms/PassManager.h"

using namespace tsc;

/// -O0 runs the graph as it is; every other level folds what is known and drops what nobody needs. (The levels above 1
/// are for the executors that generate code.)
Status run::optimize(Graph &graph, unsigned level, DiagnosticEngine &) {
  if (level == 0)
    return okStatus();
  static const PassRegistry registry = [] {
    PassRegistry r;
    registerTransformsPasses(r);
    return r;
  }();
  PassManager passes(registry);
  TSC_RETURN_IF_ERROR(passes.parsePipeline("constprop,cse,dce"));
  KernelEvaluator evaluator(graph.context());
  return passes.run(graph, &evaluator);
}
