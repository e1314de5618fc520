//===- InlineForkWait.cpp - Run what was forked at once -------------------===//
//
// Purpose: puts the graph of a prim::fork in the place of the fork and lets the
//   waits take its result, for whoever cannot run tasks (exporters), or where a
//   task is not worth its cost.
//
// Cost:   linear in the nodes that come in.
// Limits: a future that is stored, returned or passed on keeps its fork. So does a
//   graph with a prim::BailOut, which ends it.
//
// Before:
//   graph(%x : Tensor):
//     %1 : Future(Tensor) = prim::fork_0(%x)
//     %2 : Tensor = aten::neg(%x)
//     %3 : Tensor = aten::wait(%1)
//     %4 : Tensor = aten::mul(%2, %3)
//     return (%4)
//   with prim::fork_0 = graph(%x : Tensor):
//     %1 : Tensor = aten::relu(%x)
//     return (%1)
// After:
//   graph(%x : Tensor):
//     %5 : Tensor = aten::relu(%x)
//     %2 : Tensor = aten::neg(%x)
//     %4 : Tensor = aten::mul(%2, %5)
//     return (%4)
//
//===----------------------------------------------------------------------===//
#include "tsc/IR/Graph.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/Calls.h"
#include "tsc/Transforms/Subgraph.h"
#include "llvm/ADT/STLExtras.h"
#define DEBUG_TYPE "inline-fork-wait"
using namespace tsc;

TSC_STATISTIC(NumInlined, "Forks inlined");

/// The graph a fork runs, when its future is only waited for.
static const Graph *forkedGraph(const Node &fork) {
  const AttributeValue *attribute = fork.attribute(attr::Subgraph);
  const auto *graph = attribute ? std::get_if<std::shared_ptr<Graph>>(attribute) : nullptr;
  if (!graph || !*graph || fork.numOutputs() != 1 || (*graph)->block().numOutputs() != 1 ||
      (*graph)->inputs().size() != fork.numInputs() || hasBailOuts(**graph))
    return nullptr;
  auto isWait = [](const Use &use) { return use.user()->kind() == aten::wait && use.user()->numOutputs() == 1; };
  return llvm::all_of(fork.output()->uses(), isWait) ? graph->get() : nullptr;
}

static void inlineFork(Graph &graph, Node &fork, const Graph &body) {
  InsertPointGuard guard(graph);
  graph.setInsertPoint(&fork);
  llvm::SmallVector<Value *, 4> arguments = fork.inputVector();
  Value *result = body.inlineInto(graph, arguments).front();
  while (fork.output()->hasUses()) {
    Node *wait = fork.output()->uses().begin()->user();
    wait->output()->replaceAllUsesWith(result);
    wait->erase();
  }
  fork.erase();
}

static bool visit(Graph &graph, Block &block) {
  bool changed = false;
  for (Node *node = block.empty() ? nullptr : &block.nodes().front(); node;) {
    for (Block &inner : node->blocks())
      changed |= visit(graph, inner);
    const Graph *body = node->kind() == prim::fork ? forkedGraph(*node) : nullptr;
    if (!body || !TSC_OPT_ALLOWED) {
      node = node->next();
      continue;
    }
    Node *before = node->previous();
    inlineFork(graph, *node, *body); // which may hold forks in turn
    ++NumInlined;
    changed = true;
    node = before ? before->next() : block.empty() ? nullptr : &block.nodes().front();
  }
  return changed;
}

PreservedAnalyses InlineForkWait::run(Graph &graph, AnalysisManager &) {
  return PreservedAnalyses::allUnless(visit(graph, graph.block()));
}
