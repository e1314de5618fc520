//===- CoalesceGuards.cpp - One guard for each tensor ---------------------===//
//
// Purpose: makes one guard of all that look at one tensor and stand side by side,
//   as after move-guards-to-defs. It lets pass what passes all of them.
//
// Cost:   linear.
// Limits: guards of which no tensor passes both stay as they are.
//
// Before:
//   graph(%x : Tensor, %y : Tensor):
//     %2 : Float(2, 3) = prim::Guard(%x)
//     %3 : Float(2, 3) = prim::Guard(%y)
//     %4 : Float(2, 3, strides=[3, 1]) = prim::Guard(%x)
//     %5 : Tensor = aten::mul(%2, %3)
//     %6 : Tensor = aten::mul(%5, %4)
//     return (%6)
// After:
//   graph(%x : Tensor,
//         %y : Tensor):
//     %2 : Float(2, 3, strides=[3, 1]) = prim::Guard(%x)
//     %3 : Float(2, 3) = prim::Guard(%y)
//     %5 : Tensor = aten::mul(%2, %3)
//     %6 : Tensor = aten::mul(%5, %2)
//     return (%6)
//
//===----------------------------------------------------------------------===//
#include "Guards.h"
#include "tsc/IR/Context.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/Profiling.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#define DEBUG_TYPE "coalesce-guards"
using namespace tsc;

TSC_STATISTIC(NumCoalesced, "Guards that another one stands for");

static bool coalesce(Block &block) {
  bool changed = false;
  llvm::DenseMap<Value *, Node *> guards; // those that stand side by side here, by what they look at
  for (Node &node : llvm::make_early_inc_range(block.nodes())) {
    if (node.kind() != prim::Guard) {
      guards.clear();
      for (Block &inner : node.blocks())
        changed |= coalesce(inner);
      continue;
    }
    auto [first, isFirst] = guards.try_emplace(valueBehindGuards(node.input(0)), &node);
    if (isFirst)
      continue;
    std::optional<TensorFacts> facts = joinFacts(factsOfGuard(*first->second), factsOfGuard(node));
    if (!facts || !TSC_OPT_ALLOWED)
      continue;
    first->second->output()->setType(block.graph().context().tensor(*facts));
    node.output()->replaceAllUsesWith(first->second->output());
    node.erase();
    ++NumCoalesced;
    changed = true;
  }
  return changed;
}

PreservedAnalyses GuardCoalescing::run(Graph &graph, AnalysisManager &) {
  return PreservedAnalyses::allUnless(coalesce(graph.block()));
}
