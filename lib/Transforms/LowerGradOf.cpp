//===- LowerGradOf.cpp - Guarded gradients as branches --------------------===//
//
// Purpose: what prim::GradOf guards becomes a branch that runs when one of its
//          gradients is there; else its results are absent.
// Cost:    linear.
// Limits:  the branches are tests at run time; specialize-zero-gradients decides first what can be decided.
//
// Before:
//   graph(%g : Tensor):
//     %1 : Tensor = prim::GradOf[name="aten::neg"](%g)
//       block0():
//         %2 : Tensor = aten::neg(%g)
//         -> (%2)
//     return (%1)
// After:
//   graph(%g : Tensor):
//     %3 : bool = prim::AutogradAnyNonZero(%g)
//     %5 : Tensor = prim::If(%3)
//       block0():
//         %2 : Tensor = aten::neg(%g)
//         -> (%2)
//       block1():
//         %4 : Tensor = prim::AutogradZero()
//         -> (%4)
//     return (%5)
//
//===----------------------------------------------------------------------===//
#include "tsc/IR/Graph.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/Profiling.h"
#define DEBUG_TYPE "lower-grad-of"
using namespace tsc;

TSC_STATISTIC(NumRegions, "Guarded regions made branches");

/// Of a region that reads no gradient.
static void runAlways(Node &region) {
  while (!region.block(0).empty())
    region.block(0).nodes().front().moveBefore(&region);
  for (auto [i, output] : llvm::enumerate(region.outputs()))
    output->replaceAllUsesWith(region.block(0).returnNode().input(i));
}

static void lower(Graph &graph, Node &region) {
  InsertPointGuard guard(graph);
  graph.setInsertPoint(&region);
  Node *question = graph.insertNodeHere(graph.create(prim::AutogradAnyNonZero, region.inputVector()));
  question->output()->setType(Type::boolType());
  question->setRange(region.range());
  Node *branch = graph.insertNodeHere(graph.create(prim::If, {question->output()}, 0));
  branch->setRange(region.range());
  Block &computed = branch->addBlock(), &absent = branch->addBlock();
  while (!region.block(0).empty()) {
    Node &inner = region.block(0).nodes().front();
    inner.removeFromBlock();
    computed.append(&inner);
  }
  graph.setInsertPoint(absent);
  Value *zero = graph.insertNodeHere(graph.create(prim::AutogradZero))->output();
  for (auto [i, output] : llvm::enumerate(region.outputs())) {
    computed.addOutput(region.block(0).returnNode().input(i));
    absent.addOutput(zero);
    output->replaceAllUsesWith(branch->addOutput(output->type()));
  }
}

PreservedAnalyses LowerGradOf::run(Graph &graph, AnalysisManager &) {
  llvm::SmallVector<Node *> regions;
  graph.walk([&](Node &node) {
    if (node.kind() == prim::GradOf && node.numBlocks() == 1 && node.block(0).inputs().empty() &&
        node.block(0).numOutputs() == node.numOutputs())
      regions.push_back(&node);
  });
  for (Node *region : llvm::reverse(regions)) { // inner ones first
    region->numInputs() ? lower(graph, *region) : runAlways(*region);
    region->erase();
    ++NumRegions;
  }
  return PreservedAnalyses::allUnless(!regions.empty());
}
