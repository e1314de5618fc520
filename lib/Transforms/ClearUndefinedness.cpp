//===- ClearUndefinedness.cpp - Forget which tensors are absent -----------===//
//
// Purpose: takes the fact "surely undefined" out of tensor types, after the passes
//   that use it are through and before somebody runs the graph with gradients of
//   another pattern.
//
// Cost:   linear.
// Limits: shapes and dtypes stay. The fact has no text, so a graph that was read
//   has none.
//
// Before:
//   graph(%x : Float(2, 3)):
//     %1 : Tensor = aten::relu(%x)
//     return (%1)
// After:
//   graph(%x : Float(2, 3)):
//     %1 : Tensor = aten::relu(%x)
//     return (%1)
//
//===----------------------------------------------------------------------===//
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/Transforms/Passes/Profiling.h"
using namespace tsc;

static bool clear(Context &context, llvm::ArrayRef<Value *> values) {
  bool changed = false;
  for (Value *value : values) {
    const auto *type = dyn_cast<TensorType>(value->type());
    if (!type || !type->facts().undefined || value->node()->kind() == prim::AutogradZero)
      continue;
    TensorFacts facts = type->facts();
    facts.undefined = false;
    value->setType(context.tensor(facts));
    changed = true;
  }
  return changed;
}

static bool visit(Context &context, Block &block) {
  bool changed = clear(context, block.inputs());
  for (Node &node : block.nodes()) {
    changed |= clear(context, node.outputs());
    for (Block &inner : node.blocks())
      changed |= visit(context, inner);
  }
  return changed;
}

PreservedAnalyses ClearUndefinedness::run(Graph &graph, AnalysisManager &) {
  return PreservedAnalyses::allUnless(visit(graph.context(), graph.block()));
}
