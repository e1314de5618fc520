//===- DeadCodeElimination.cpp - Erase nodes nobody needs -----------------===//
//
// Purpose: erases nodes whose outputs and effects nobody needs. Marks backwards
//   from the roots (what is returned, side effects, and writes that somebody
//   outside can see) and sweeps the rest, users before what they use. A write to
//   memory of the graph's own is needed when a needed node may read it later.
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
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/Analysis/ProgramOrder.h"
#include "tsc/IR/Graph.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#define DEBUG_TYPE "dce"
using namespace tsc;

TSC_STATISTIC(NumErased, "Nodes erased");
using NodeSet = llvm::SmallSetVector<Node *, 32>;

/// Grows `live` by all that it needs: inputs, writes that may come before a read, what inner blocks return, and the node
/// around each one.
static void closeOverNeeds(NodeSet &live, const AliasAnalysis &aliases, const ProgramOrder &order) {
  std::vector<unsigned> nextWriter(aliases.numLocations()); // the first writer of a location that is not live yet
  auto need = [&](Node *node) {
    if (node)
      live.insert(node);
  };
  auto needWriters = [&](const Node &reader) {
    unsigned latest = order.latestBefore(reader);
    for (Location location : aliases.effects(reader).reads) {
      llvm::ArrayRef<Node *> writers = aliases.writersOf(location);
      unsigned &next = nextWriter[static_cast<unsigned>(location)];
      while (next != writers.size() && order.position(*writers[next]) < latest)
        need(writers[next++]);
    }
  };
  for (size_t i = 0; i != live.size(); ++i) { // the set grows as we walk it
    Node *node = live[i];
    for (Value *input : node->inputs())
      need(input->definingNode());
    for (Block &block : node->blocks())
      need(&block.returnNode());
    need(node->parentNode());
    if (!node->numBlocks())
      needWriters(*node);
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
  const auto &aliases = analyses.get<AliasAnalysis>(graph);
  NodeSet live;
  live.insert(&graph.block().returnNode());
  graph.walk([&](Node &node) {
    if (aliases.hasSideEffects(node) || aliases.isWriteObservable(node))
      live.insert(&node);
  });
  closeOverNeeds(live, aliases, analyses.get<ProgramOrder>(graph));
  return PreservedAnalyses::allUnless(sweep(graph.block(), live));
}
