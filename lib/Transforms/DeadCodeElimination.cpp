//===- DeadCodeElimination.cpp - Erase nodes nobody needs -----------------===//
//
// Purpose: erases what nobody needs: nodes, outputs of an If, and values that a
//   Loop carries. Marks backwards from the roots (what is returned, side effects,
//   and writes that somebody outside can see) value by value, and sweeps the rest,
//   users before what they use. A write to memory of the graph's own is needed when
//   a needed node may read it later. dce-all takes printing, raising and writes that
//   only the caller sees for unneeded too. erase-unused asks no analyses: it leaves
//   out what a program as it was written does not use, at every level and before
//   anything else; every write stays then.
//
// Options: keep-failing=false: whether operators that may raise stay. What a program
//   uses raises what it raises, also where its result has become known otherwise; the
//   levels ask for it. An operator goes where its operands show that it does not fail.
// Better: a value that a loop carries around for nothing but its own next value
//   goes, with all that computes it.
// Cost:   linear in the number of uses.
// Limits: unused results of a node that has a used one stay; so does a value that
//   a loop carries without changing it, which prune-loop-values takes out.
//
// Before:
//   graph(%x : Tensor, %n : int):
//     %2 : bool = prim::Constant[value=1]()
//     %3 : Tensor, %4 : int = prim::Loop(%n, %2, %x, %n)
//       block0(%5 : int, %6 : Tensor, %7 : int):
//         %8 : Tensor = aten::relu(%6)
//         %9 : int = aten::mul(%7, %5)
//         -> (%2, %8, %9)
//     %10 : Tensor = aten::exp(%x)
//      = prim::Print(%n)
//     return (%3)
// After:
//   graph(%x : Tensor,
//         %n : int):
//     %2 : bool = prim::Constant[value=1]()
//     %3 : Tensor = prim::Loop(%n, %2, %x)
//       block0(%5 : int, %6 : Tensor):
//         %8 : Tensor = aten::relu(%6)
//         -> (%2, %8)
//      = prim::Print(%n)
//     return (%3)
//
// Before (dce-all):
//   graph(%x : Tensor):
//      = prim::Print(%x)
//     return (%x)
// After:
//   graph(%x : Tensor):
//     return (%x)
//
//===----------------------------------------------------------------------===//
#include "Liveness.h"
#include "tsc/Analysis/FailureAnalysis.h"
#include "tsc/IR/Graph.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/Redundancy.h"
#include "tsc/Transforms/ShapeRuleCompiler.h"
#include "tsc/Transforms/UnusedOperators.h"
#include "llvm/ADT/STLExtras.h"
#define DEBUG_TYPE "dce"
using namespace tsc;

TSC_STATISTIC(NumErased, "Nodes erased");
TSC_STATISTIC(NumOutputs, "Outputs of If nodes erased");
TSC_STATISTIC(NumCarried, "Values taken out of loops");
TSC_STATISTIC(NumKept, "Unused nodes kept since they may raise");

static bool sweep(Block &block, const Liveness &live);

/// Whether output `index` of the loop, and with it the value carried there, is dead.
static bool isCarriedForNothing(const Node &loop, unsigned index, const Liveness &live) {
  return !live.isLive(loop.output(index)) && !live.isLive(loop.block(0).inputs()[index + 1]);
}

/// Unhooks dead carried values first, so that the body can be swept; then takes their places away.
static bool sweepLoop(Node &loop, const Liveness &live) {
  Block &body = loop.block(0);
  llvm::SmallVector<unsigned> dead;
  for (unsigned i = loop.numOutputs(); i-- > 0;)
    if (isCarriedForNothing(loop, i, live)) {
      dead.push_back(i);
      body.eraseOutput(i + 1);
      loop.eraseInput(i + 2);
    }
  bool changed = sweep(body, live);
  for (unsigned i : dead) {
    body.eraseInput(i + 1);
    loop.eraseOutput(i);
    ++NumCarried;
  }
  return changed || !dead.empty();
}

static bool sweepIf(Node &node, const Liveness &live) {
  bool changed = false;
  for (unsigned i = node.numOutputs(); i-- > 0;) {
    if (live.isLive(node.output(i)))
      continue;
    for (Block &block : node.blocks())
      block.eraseOutput(i);
    node.eraseOutput(i);
    ++NumOutputs;
    changed = true;
  }
  for (Block &block : node.blocks())
    changed |= sweep(block, live);
  return changed;
}

/// Erases what is not live, last first: the users of a dead result go before it.
static bool sweep(Block &block, const Liveness &live) {
  bool changed = false;
  for (Node &node : llvm::make_early_inc_range(llvm::reverse(block.nodes()))) {
    if (!live.isLive(&node)) {
      TSC_GRAPH_UPDATE("erasing a " << node.kindName() << " node");
      node.erase();
      ++NumErased;
      changed = true;
    } else if (node.kind() == prim::If) {
      changed |= sweepIf(node, live);
    } else if (node.kind() == prim::Loop) {
      changed |= sweepLoop(node, live);
    } else {
      for (Block &inner : node.blocks())
        changed |= sweep(inner, live);
    }
  }
  return changed;
}

/// Adds what may raise to what is live.
static void keepFailing(Graph &graph, Liveness &live, AnalysisManager &analyses) {
  FailureAnalysis failures(graph, analyses.shapeRules());
  graph.walk([&](Node &node) {
    if (live.isLive(&node) || !failures.mayFail(node))
      return;
    live.keep(node);
    ++NumKept;
    analyses.remarks().missed(node, "not erased although nobody uses its result: it may raise");
  });
}

Status DeadCodeElimination::configure(const PassOptions &options) {
  TSC_RETURN_IF_ERROR(rejectOptionsBut({"keep-failing"}, options));
  return readOption(options, "keep-failing", keepsFailing);
}

PreservedAnalyses DeadCodeElimination::run(Graph &graph, AnalysisManager &analyses) {
  Liveness live(graph, analyses, Roots::ResultsAndEffects);
  if (keepsFailing)
    keepFailing(graph, live, analyses);
  return PreservedAnalyses::allUnless(sweep(graph.block(), live));
}

PreservedAnalyses DeadEffectElimination::run(Graph &graph, AnalysisManager &analyses) {
  Liveness live(graph, analyses, Roots::ResultsOnly);
  return PreservedAnalyses::allUnless(sweep(graph.block(), live));
}

//===----------------------------------------------------------------------===//
// What a program does not use
//===----------------------------------------------------------------------===//

static bool allLive(const Block &block, const Liveness &live) {
  return llvm::all_of(block.nodes(), [&](const Node &node) {
    return live.isLive(&node) && llvm::all_of(node.blocks(), [&](const Block &inner) { return allLive(inner, live); });
  });
}

bool tsc::hasUnusedOperators(const Graph &graph) { return !allLive(graph.block(), Liveness(graph)); }

bool tsc::eraseUnusedOperators(Graph &graph) { return sweep(graph.block(), Liveness(graph)); }

PreservedAnalyses UnusedOperatorElimination::run(Graph &graph, AnalysisManager &) {
  return PreservedAnalyses::allUnless(eraseUnusedOperators(graph));
}
