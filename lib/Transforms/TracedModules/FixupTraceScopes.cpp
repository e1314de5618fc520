//===- FixupTraceScopes.cpp - From a trace to methods ---------------------===//
//
// Purpose: turns what the tracer recorded of a module into its method and the methods of the modules in it, by
//   convert-traced-attrs, defs-dominate-uses, returns-to-tuples, lambda-lift and create-method-calls, and then
//   lower-simple-tuples and dce in the graph and in each method. A trace whose first input is no object has its calls
//   inlined (inline-scopes). tsc-opt prints the methods behind the graph. Where modules share a class that the text
//   does not define, the first keeps it, and the others get classes of their own (`___torch_mangle_0`).
//
// Cost:   that of these passes.
// Limits: those of these passes.
//
// Before:
//   graph(%self : __torch__.Net, %x : Tensor):
//     %2 : __torch__.Layer = prim::TracedAttr[scope="__module.layer"]()
//     %3 : Tensor = prim::TracedAttr[scope="__module.layer.weight"]()
//     %4 : bool = prim::TracedAttr[scope="__module.layer.training"]()
//      = prim::TracedModuleForward[scope="__module.layer"](), scope: __module.layer
//       block0():
//         %5 : Tensor = aten::matmul(%x, %3), scope: __module.layer
//         -> ()
//     return (%5)
// After:
//   graph(%self : __torch__.Net,
//         %x : Tensor):
//     %layer : __torch__.Layer = prim::GetAttr[name="layer"](%self)
//     %10 : Tensor = prim::CallMethod[name="forward"](%layer, %x)
//     return (%10)
//   graph @__torch__.Layer.forward(%self.1 : __torch__.Layer,
//         %x : Tensor):
//     %weight : Tensor = prim::GetAttr[name="weight"](%self.1)
//     %3 : Tensor = aten::matmul(%x, %weight), scope: __module.layer
//     return (%3)
//
//===----------------------------------------------------------------------===//
#include "Traces.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Function.h"
#include "tsc/Support/Logging.h"
#include "tsc/Transforms/Passes/Redundancy.h"
#include "tsc/Transforms/Passes/Simplification.h"
#include "tsc/Transforms/Passes/TracedModules.h"
#include "tsc/Transforms/Subgraph.h"
#include "tsc/Transforms/TracedModules.h"
#define DEBUG_TYPE "fixup-trace-scopes"
using namespace tsc;

/// Erases what the steps leave unused, also in forks.
static void cleanUp(Graph &graph) {
  AnalysisManager analyses;
  LowerSimpleTuples().run(graph, analyses);
  analyses.invalidate();
  DeadCodeElimination().run(graph, analyses);
  graph.walk([](Node &node) {
    if (Graph *subgraph = node.kind() == prim::fork ? subgraphOf(node) : nullptr)
      cleanUp(*subgraph);
  });
}

Status tsc::fixupTraceScopes(Graph &trace, CompilationUnit &unit) {
  TSC_RETURN_IF_ERROR(checkTracedAttrs(trace));
  const bool hasModule = !trace.inputs().empty() && isa<ClassType>(trace.inputs()[0]->type());
  if (hasModule)
    separateOpaqueClasses(trace);
  convertTracedAttrs(trace);
  makeDefsDominateUses(trace);
  convertReturnsToTuples(trace.block());
  if (!hasModule)
    inlineScopes(trace.block());
  lambdaLift(trace.block());
  for (Function *method : createMethodCalls(trace, unit))
    cleanUp(*method->graph());
  cleanUp(trace);
  return okStatus();
}

StatusOr<Function *> tsc::addTracedMethod(const ObjectValue &module, llvm::StringRef name, std::unique_ptr<Graph> trace,
                                          CompilationUnit &unit) {
  // Types are constant once a program runs, and its owner, who traces it, adds methods to its classes.
  auto &type = const_cast<ClassType &>(*module.type);
  if (trace->inputs().empty() || trace->inputs()[0]->type() != &type)
    return invalidArgument("the first input of the trace is no object of the class '" + type.name() + "'");
  if (trace->block().numOutputs() != 1)
    return invalidArgument("the trace returns " + llvm::Twine(trace->block().numOutputs()) + " values instead of one");
  if (type.findMethod(name) || unit.find((type.name() + "." + name).str()))
    return invalidArgument("the class '" + type.name() + "' has a method '" + name + "'");
  TSC_RETURN_IF_ERROR(fixupTraceScopes(*trace, unit));
  return defineMethod(unit, type, name, std::move(trace));
}

PreservedAnalyses FixupTraceScopes::run(Graph &graph, AnalysisManager &analyses) {
  if (Status status = checkTracedAttrs(graph); !status.ok())
    return PreservedAnalyses::failure(status);
  if (!isTrace(graph) || !TSC_OPT_ALLOWED)
    return PreservedAnalyses::all();
  TSC_GRAPH_UPDATE("making methods of traced calls");
  analyses.invalidate();
  Status status = fixupTraceScopes(graph, graph.context().extension<TracedMethods>().unit);
  assert(status.ok() && "the attributes were checked");
  (void)status;
  return PreservedAnalyses::none();
}
