//===- RemoveExpands.cpp - Let operators broadcast by themselves ----------===//
//
// Purpose: a tracer writes down the broadcasts of point-wise operators as
//          aten::expand with implicit=True. The operators broadcast anyway, and
//          without the expands a fuser sees them side by side, whatever the sizes.
// Better:  PyTorch removes every implicit expand; here only where all users are
//          point-wise and nobody writes through the view.
// Cost:    linear.
// Limits:  an expand that the program asked for stays where types do not tell that an
//          operator broadcasts as far by another operand.
//
// Before:
//   graph(%x : Tensor, %y : Tensor):
//     %2 : bool = prim::Constant[value=1]()
//     %3 : int[] = prim::Constant[value=[2, 3]]()
//     %4 : Tensor = aten::expand(%x, %3, %2)
//     %5 : Tensor = aten::mul(%4, %y)
//     return (%5)
// After:
//   graph(%x : Tensor,
//         %y : Tensor):
//     %2 : bool = prim::Constant[value=1]()
//     %3 : int[] = prim::Constant[value=[2, 3]]()
//     %5 : Tensor = aten::mul(%x, %y)
//     return (%5)
//
//===----------------------------------------------------------------------===//
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/IR/OpViews.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/Simplification.h"
#define DEBUG_TYPE "remove-expands"
using namespace tsc;

TSC_STATISTIC(NumRemoved, "Implicit expands removed");

/// Whether the operator reads another tensor of these sizes, so that it broadcasts to them.
static bool readsAnotherOf(const Node &node, const Value *expanded) {
  const auto &facts = cast<TensorType>(expanded->type())->facts();
  if (!facts.sizes || llvm::any_of(*facts.sizes, [](Dimension dimension) { return dimension.isUnknown(); }))
    return false;
  return llvm::any_of(node.inputs(), [&](const Value *input) {
    bool mayGo = input->node()->opKind() == OpKind::Aten_expand; // as this one
    const auto *other = mayGo ? nullptr : dyn_cast<TensorType>(input->type());
    return other && other->facts().sizes == facts.sizes;
  });
}

static bool isRemovable(const Node &node, const AliasAnalysis &aliases) {
  const auto *expand = dyn_cast<ExpandOp>(&node);
  if (!expand || aliases.hasWriters(node))
    return false;
  const bool isImplicit = constantBool(expand->implicit()) == true;
  return llvm::all_of(node.output()->uses(), [&](const Use &use) {
    const Node &user = *use.user();
    return user.hasTrait(Trait::Pointwise) && !user.hasTrait(Trait::Writes) && user.numInputs() > 1 &&
           (isImplicit || readsAnotherOf(user, node.output()));
  });
}

PreservedAnalyses RemoveExpands::run(Graph &graph, AnalysisManager &analyses) {
  const auto &aliases = analyses.get<AliasAnalysis>(graph);
  llvm::SmallVector<Node *> expands;
  graph.walk([&](Node &node) {
    if (isRemovable(node, aliases) && TSC_OPT_ALLOWED)
      expands.push_back(&node);
  });
  for (Node *node : expands) {
    TSC_GRAPH_UPDATE("removing an implicit expand");
    node->output()->replaceAllUsesWith(node->input(0));
    node->erase();
    ++NumRemoved;
  }
  return PreservedAnalyses::allUnless(!expands.empty());
}
