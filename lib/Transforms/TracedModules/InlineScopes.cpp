//===- InlineScopes.cpp - Traced calls as their nodes ---------------------===//
//
// Purpose: puts the nodes of a traced call in the place of the call, for a trace of a function, whose calls can become
//   no methods, or where a flat graph is wanted. Each node keeps its scope, which says which call it ran in.
//
// Cost:   linear.
// Limits: a call that lambda-lift has made a graph of stays; what create-method-calls makes of it, `inline` inlines.
//
// Before:
//   graph(%x : Tensor):
//      = prim::TracedModuleForward[scope="__module.a"](), scope: __module.a
//       block0():
//         %1 : Tensor = aten::relu(%x), scope: __module.a
//         -> ()
//     %2 : Tensor = aten::neg(%1)
//     return (%2)
// After:
//   graph(%x : Tensor):
//     %1 : Tensor = aten::relu(%x), scope: __module.a
//     %2 : Tensor = aten::neg(%1)
//     return (%2)
//
//===----------------------------------------------------------------------===//
#include "Traces.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/TracedModules.h"
#include "llvm/ADT/STLExtras.h"
#define DEBUG_TYPE "inline-scopes"
using namespace tsc;

TSC_STATISTIC(NumInlined, "Traced calls inlined");

static void inlineCall(Node &call) {
  Block &body = call.block(0);
  for (auto [parameter, argument] : llvm::zip_equal(body.inputs(), call.inputs()))
    parameter->replaceAllUsesWith(argument);
  for (Node &node : llvm::make_early_inc_range(body.nodes()))
    node.moveBefore(&call);
  for (auto [result, value] : llvm::zip_equal(call.outputs(), body.outputs()))
    result->replaceAllUsesWith(value);
  call.erase();
}

bool tsc::inlineScopes(Block &block) {
  bool changed = false;
  for (Node &node : llvm::make_early_inc_range(block.nodes())) {
    for (Block &inner : node.blocks())
      changed |= inlineScopes(inner);
    if (!isTracedCall(node) || !hasTracedBlock(node))
      continue;
    TSC_GRAPH_UPDATE("inlining the traced call of " << node.get<std::string>(attr::scope));
    inlineCall(node);
    ++NumInlined;
    changed = true;
  }
  return changed;
}

PreservedAnalyses InlineScopes::run(Graph &graph, AnalysisManager &) {
  if (!isTrace(graph) || !TSC_OPT_ALLOWED)
    return PreservedAnalyses::all();
  return PreservedAnalyses::allUnless(inlineScopes(graph.block()));
}
