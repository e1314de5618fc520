//===- PruneLoopValues.cpp - Carry only what changes ----------------------===//
//
// Purpose: takes out of a loop the values it carries without need: one that the
//   body hands on as it came is the initial value throughout, and of two that
//   begin alike and go on alike one is enough. Inner loops come first, so that a
//   value which only passes through a nest leaves all of it.
//
// Better: PyTorch only drops values that nobody uses at all, which dce does here.
// Cost:   linear in the number of carried values and their uses.
// Limits: finds equal values only where the body returns the very same one; run
//   cse first.
//
// Before:
//   graph(%x : Tensor, %n : int, %s : float):
//     %3 : bool = prim::Constant[value=1]()
//     %4 : Tensor, %5 : float, %6 : Tensor = prim::Loop(%n, %3, %x, %s, %x)
//       block0(%7 : int, %8 : Tensor, %9 : float, %10 : Tensor):
//         %11 : Tensor = aten::mul(%8, %9)
//         -> (%3, %11, %9, %11)
//     %12 : Tensor = aten::add(%4, %6, %n)
//     return (%12, %5)
// After:
//   graph(%x : Tensor,
//         %n : int,
//         %s : float):
//     %3 : bool = prim::Constant[value=1]()
//     %4 : Tensor = prim::Loop(%n, %3, %x)
//       block0(%7 : int, %8 : Tensor):
//         %11 : Tensor = aten::mul(%8, %s)
//         -> (%3, %11)
//     %12 : Tensor = aten::add(%4, %4, %n)
//     return (%12, %s)
//
//===----------------------------------------------------------------------===//
#include "tsc/IR/Graph.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/Loops.h"
#include "llvm/ADT/DenseMap.h"
#define DEBUG_TYPE "prune-loop-values"
using namespace tsc;

TSC_STATISTIC(NumInvariant, "Carried values that never change");
TSC_STATISTIC(NumEqual, "Carried values equal to another");

/// Drops place `index`: `inside` and `outside` stand for it in the body and after the loop.
static void drop(Node &loop, unsigned index, Value *inside, Value *outside) {
  Block &body = loop.block(0);
  body.inputs()[index + 1]->replaceAllUsesWith(inside);
  loop.output(index)->replaceAllUsesWith(outside);
  body.eraseOutput(index + 1);
  loop.eraseInput(index + 2);
  body.eraseInput(index + 1);
  loop.eraseOutput(index);
}

static bool dropInvariant(Node &loop) {
  Block &body = loop.block(0);
  bool changed = false;
  for (unsigned i = loop.numOutputs(); i-- > 0;) {
    Value *initial = loop.input(i + 2), *next = body.returnNode().input(i + 1), *parameter = body.inputs()[i + 1];
    if ((next != parameter && next != initial) || parameter->type() != initial->type() ||
        loop.output(i)->type() != initial->type() || !TSC_OPT_ALLOWED)
      continue;
    TSC_GRAPH_UPDATE("%" << initial->displayName() << " does not change in its loop");
    drop(loop, i, initial, initial);
    ++NumInvariant;
    changed = true;
  }
  return changed;
}

static bool dropEqual(Node &loop) {
  Block &body = loop.block(0);
  llvm::DenseMap<std::pair<Value *, Value *>, unsigned> places; // initial and next value -> first place
  bool changed = false;
  for (unsigned i = 0; i < loop.numOutputs();) {
    auto [at, isNew] = places.try_emplace({loop.input(i + 2), body.returnNode().input(i + 1)}, i);
    unsigned first = at->second;
    if (isNew || loop.output(i)->type() != loop.output(first)->type() || !TSC_OPT_ALLOWED) {
      ++i;
      continue;
    }
    drop(loop, i, body.inputs()[first + 1], loop.output(first));
    ++NumEqual;
    changed = true;
  }
  return changed;
}

static bool visit(Block &block) {
  bool changed = false;
  for (Node &node : block.nodes()) {
    for (Block &inner : node.blocks())
      changed |= visit(inner);
    if (node.kind() == prim::Loop) {
      changed |= dropInvariant(node);
      changed |= dropEqual(node);
    }
  }
  return changed;
}

PreservedAnalyses PruneLoopValues::run(Graph &graph, AnalysisManager &) {
  return PreservedAnalyses::allUnless(visit(graph.block()));
}
