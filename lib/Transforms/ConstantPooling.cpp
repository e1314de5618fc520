//===- ConstantPooling.cpp - One node for each constant -------------------===//
//
// Purpose: gathers the constants of all blocks at the head of the graph, each of
//   them once. Tensors and lists are compared by what they hold; two that the
//   graph writes, or that the caller could tell apart, stay two.
//
// Cost:   linear in nodes and in the bytes of tensor constants.
// Limits: constants of subgraphs (attributes) stay where they are.
//
// Before:
//   graph(%x : int, %c : bool):
//     %2 : int = prim::Constant[value=2]()
//     %3 : int = aten::add(%x, %2)
//     %4 : int = prim::If(%c)
//       block0():
//         %5 : int = prim::Constant[value=2]()
//         %6 : int = aten::mul(%3, %5)
//         -> (%6)
//       block1():
//         %7 : int = prim::Constant[value=7]()
//         -> (%7)
//     return (%4)
// After:
//   graph(%x : int,
//         %c : bool):
//     %2 : int = prim::Constant[value=2]()
//     %7 : int = prim::Constant[value=7]()
//     %3 : int = aten::add(%x, %2)
//     %4 : int = prim::If(%c)
//       block0():
//         %6 : int = aten::mul(%3, %2)
//         -> (%6)
//       block1():
//         -> (%7)
//     return (%4)
//
//===----------------------------------------------------------------------===//
#include "NodeEquality.h"
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/Redundancy.h"
#include "llvm/ADT/DenseSet.h"
#define DEBUG_TYPE "constant-pooling"
using namespace tsc;

TSC_STATISTIC(NumMerged, "Constants merged");
TSC_STATISTIC(NumMoved, "Constants moved to the head of the graph");

namespace {

class Pool {
public:
  Pool(Graph &graph, const AliasAnalysis &aliases) : graph(graph), aliases(aliases) {}

  bool visit(Block &block) {
    bool changed = false;
    for (Node &node : llvm::make_early_inc_range(block.nodes())) {
      for (Block &inner : node.blocks())
        changed |= visit(inner);
      if (node.kind() == prim::Constant && node.numOutputs() == 1)
        changed |= pool(node);
    }
    return changed;
  }

private:
  bool pool(Node &node) {
    Value *value = node.output();
    // A constant in a loop is one object wherever it stands, so moving one is always right; merging two may not be.
    if (!aliases.hasWriters(value)) {
      auto [at, isNew] = constants.insert(Expression(node));
      Value *first = at->node().output();
      if (!isNew && (!value->type()->isMutable() || isOnlyRead(value) || isOnlyRead(first))) {
        if (!TSC_OPT_ALLOWED)
          return false;
        TSC_GRAPH_UPDATE("merging constant %" << value->displayName() << " into %" << first->displayName());
        value->replaceAllUsesWith(first);
        node.erase();
        ++NumMerged;
        return true;
      }
    }
    bool isInPlace = node.block() == &graph.block() && node.previous() == last;
    if (!isInPlace) {
      node.removeFromBlock();
      if (last)
        node.insertAfter(last);
      else
        graph.block().prepend(&node);
      ++NumMoved;
    }
    last = &node;
    return !isInPlace;
  }

  Graph &graph;
  const AliasAnalysis &aliases;
  llvm::DenseSet<Expression, ExpressionInfo> constants;
  Node *last = nullptr; ///< The last one pooled so far.
};

} // namespace

PreservedAnalyses ConstantPooling::run(Graph &graph, AnalysisManager &analyses) {
  return PreservedAnalyses::allUnless(Pool(graph, analyses.get<AliasAnalysis>(graph)).visit(graph.block()));
}
