//===- RemoveDropout.cpp - Take dropout out of programs that do not train -===//
//
// Purpose: a dropout whose `train` is the constant false gives its operand;
//   every use of the result becomes one of the operand, and the node goes.
//
// Better: all kinds of dropout and their in-place forms; a dropout that trains
//   stays, and is no error.
//
// Cost:   linear in the number of nodes.
// Limits: `train` must be a constant: freeze or constprop make it one.
//
// Before (remove-dropout):
//   graph(%x : Tensor):
//     %1 : float = prim::Constant[value=0.5]()
//     %2 : bool = prim::Constant[value=0]()
//     %3 : Tensor = aten::dropout(%x, %1, %2)
//     %4 : Tensor = aten::relu(%3)
//     return (%4)
// After:
//   graph(%x : Tensor):
//     %1 : float = prim::Constant[value=0.5]()
//     %2 : bool = prim::Constant[value=0]()
//     %4 : Tensor = aten::relu(%x)
//     return (%4)
//
//===----------------------------------------------------------------------===//
#include "tsc/IR/Graph.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/FrozenModules.h"
#include "llvm/ADT/STLExtras.h"
#define DEBUG_TYPE "remove-dropout"
using namespace tsc;

TSC_STATISTIC(NumRemoved, "Dropouts removed");

static bool isIdle(const Node &node) {
  return node.hasTrait(Trait::Dropout) && node.numInputs() >= 3 && constantBool(node.input(2)) == false;
}

static bool removeIn(Block &block) {
  bool changed = false;
  for (Node &node : llvm::make_early_inc_range(block.nodes())) {
    for (Block &inner : node.blocks())
      changed |= removeIn(inner);
    if (!isIdle(node) || !TSC_OPT_ALLOWED)
      continue;
    TSC_GRAPH_UPDATE("removing a " << node.kind().qualified() << " node that does not train");
    node.output()->replaceAllUsesWith(node.input(0));
    node.erase();
    ++NumRemoved;
    changed = true;
  }
  return changed;
}

PreservedAnalyses RemoveDropout::run(Graph &graph, AnalysisManager &) {
  return PreservedAnalyses::allUnless(removeIn(graph.block()));
}
