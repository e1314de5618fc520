//===- MoveGuards.cpp - Guards where tensors are defined ------------------===//
//
// Purpose: moves each guard up to the definition of the tensor that it looks at,
//   or, where another block has that, to the head of its own block. Guards of one
//   tensor follow one another then, in the order in which they stood, and
//   coalesce-guards makes one of them.
//
// Cost:   linear.
// Limits: a guard does not leave its block: a branch or a trip that does not run
//   relies on nothing.
//
// Before:
//   graph(%x : Tensor, %y : Tensor):
//     %2 : Float(2, 3) = prim::Guard(%x)
//     %3 : Tensor = aten::neg(%2)
//     %4 : Float(2, 3) = prim::Guard(%y)
//     %5 : Tensor = aten::abs(%4)
//     %6 : Float(2, 3) = prim::Guard(%3)
//     %7 : Tensor = aten::mul(%6, %5)
//     return (%7)
// After:
//   graph(%x : Tensor,
//         %y : Tensor):
//     %2 : Float(2, 3) = prim::Guard(%x)
//     %4 : Float(2, 3) = prim::Guard(%y)
//     %3 : Tensor = aten::neg(%2)
//     %6 : Float(2, 3) = prim::Guard(%3)
//     %5 : Tensor = aten::abs(%4)
//     %7 : Tensor = aten::mul(%6, %5)
//     return (%7)
//
//===----------------------------------------------------------------------===//
#include "Guards.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/Profiling.h"
#include "llvm/ADT/DenseMap.h"
#define DEBUG_TYPE "move-guards-to-defs"
using namespace tsc;

TSC_STATISTIC(NumGuardsMoved, "Guards moved");

PreservedAnalyses GuardMotion::run(Graph &graph, AnalysisManager &) {
  // The last of the guards that stand right behind a node, a block's paramNode() being that before its first.
  llvm::DenseMap<Node *, Node *> lastBehind;
  bool changed = false;
  for (Node *guard : guardsOf(graph)) {
    Node *definition = guard->input(0)->node();
    if (definition->block() != guard->block())
      definition = &guard->block()->paramNode();
    Node *&last = lastBehind.try_emplace(definition, definition).first->second;
    Node *before = guard->previous() ? guard->previous() : &guard->block()->paramNode();
    if (before != last) {
      if (!TSC_OPT_ALLOWED)
        continue;
      guard->moveAfter(last);
      ++NumGuardsMoved;
      changed = true;
    }
    last = guard;
  }
  return PreservedAnalyses::allUnless(changed);
}
