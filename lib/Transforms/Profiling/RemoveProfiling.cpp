//===- RemoveProfiling.cpp - Take the observers out of a graph ------------===//
//
// Purpose: erases the nodes by which the profiling executor looks at values
//   (prim::profile, prim::profile_ivalue); the values pass directly. What they saw
//   stays in the types when the executor wrote it there.
//
// Cost:   linear.
// Limits: guards and bailouts are no observers and stay.
//
// Before:
//   graph(%x : Tensor):
//     %1 : Tensor = prim::profile[profiled_type=Float(2, 3)](%x)
//     %2 : Tensor = aten::relu(%1)
//      = prim::profile()
//     return (%2)
// After:
//   graph(%x : Tensor):
//     %2 : Tensor = aten::relu(%x)
//     return (%2)
//
//===----------------------------------------------------------------------===//
#include "tsc/IR/Graph.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/Profiling.h"
#include "llvm/ADT/STLExtras.h"
#define DEBUG_TYPE "remove-profile"
using namespace tsc;

TSC_STATISTIC(NumErased, "Profiling nodes erased");

static bool visit(Block &block) {
  bool changed = false;
  for (Node &node : llvm::make_early_inc_range(block.nodes())) {
    for (Block &inner : node.blocks())
      changed |= visit(inner);
    if ((node.kind() != prim::profile && node.kind() != prim::profile_ivalue) || node.numOutputs() > node.numInputs() ||
        !TSC_OPT_ALLOWED)
      continue;
    for (auto [output, input] : llvm::zip_first(node.outputs(), node.inputs()))
      output->replaceAllUsesWith(input);
    node.erase();
    ++NumErased;
    changed = true;
  }
  return changed;
}

PreservedAnalyses RemoveProfiling::run(Graph &graph, AnalysisManager &) {
  return PreservedAnalyses::allUnless(visit(graph.block()));
}
