//===- DeadCodeElimination.cpp - Erase nodes nobody needs -----------------===//
//
// Purpose: erases nodes whose outputs and effects nobody needs. Marks backwards
//   from the roots (what is returned, side effects, and writes that somebody can
//   still read) and sweeps the rest, users before what they use.
//
// Cost:   linear in the number of uses.
// Limits: values that a loop carries without need stay, and so do unused results
//   of a node that has a used one.
//
// Before:
//   graph(%x : Tensor):
//     %1 : Tensor = aten::relu(%x)
//     %2 : Tensor = aten::neg(%1)
//     %3 : Tensor = aten::exp(%x)
//     %4 : str = prim::Constant[value="kept"]()
//      = prim::Print(%4)
//     return (%3)
// After:
//   graph(%x : Tensor):
//     %3 : Tensor = aten::exp(%x)
//     %4 : str = prim::Constant[value="kept"]()
//      = prim::Print(%4)
//     return (%3)
//
//===----------------------------------------------------------------------===//
#include "tsc/Analysis/Effects.h"
#include "tsc/IR/Graph.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#define DEBUG_TYPE "dce"
using namespace tsc;

TSC_STATISTIC(NumErased, "Nodes erased");
using NodeSet = llvm::SmallSetVector<Node *, 32>;

/// Whether a write of the node may be read by somebody outside the graph.
static bool writesOutside(const Node &node, const Effects &effects) {
  return Effects::mayWrite(node) && llvm::any_of(node.inputs(), [&](const Value *v) { return effects.escapes(v) && effects.isWritten(v); });
}

/// Grows `live` by all that it needs: inputs, writes to them, what inner blocks return, and the node around each one.
static void closeOverNeeds(NodeSet &live, const Effects &effects) {
  llvm::SmallPtrSet<const void *, 8> groupsAsked; // values of one group have the same writers
  auto need = [&](Node *node) {
    if (node)
      live.insert(node);
  };
  auto needValue = [&](Value *value) {
    need(value->definingNode());
    llvm::ArrayRef<Node *> writers = effects.writers(value);
    if (!writers.empty() && groupsAsked.insert(writers.data()).second)
      llvm::for_each(writers, need);
  };
  for (size_t i = 0; i != live.size(); ++i) { // the set grows as we walk it
    Node *node = live[i];
    for (Value *input : node->inputs())
      needValue(input);
    for (Block &block : node->blocks())
      need(&block.returnNode());
    need(node->parentNode());
  }
}

/// Erases what is not live, last first: the users of a dead result go before it.
static bool sweep(Block &block, const NodeSet &live) {
  bool changed = false;
  for (Node &node : llvm::make_early_inc_range(llvm::reverse(block.nodes()))) {
    if (live.contains(&node)) {
      for (Block &inner : node.blocks())
        changed |= sweep(inner, live);
      continue;
    }
    TSC_GRAPH_UPDATE("erasing a " << node.kind().qualified() << " node");
    node.erase();
    ++NumErased;
    changed = true;
  }
  return changed;
}

PreservedAnalyses DeadCodeElimination::run(Graph &graph, AnalysisManager &analyses) {
  const Effects &effects = analyses.get<Effects>(graph);
  NodeSet live;
  live.insert(&graph.block().returnNode());
  graph.walk([&](Node &node) {
    if (node.hasSideEffects() || writesOutside(node, effects))
      live.insert(&node);
  });
  closeOverNeeds(live, effects);
  return PreservedAnalyses::allUnless(sweep(graph.block(), live));
}
