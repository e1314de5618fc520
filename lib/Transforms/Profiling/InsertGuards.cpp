//===- InsertGuards.cpp - Rely on what was observed -----------------------===//
//
// Purpose: replaces each prim::profile that has seen tensors, and holds their type
//   in `profiled_type`, by a prim::Guard, whose result has this type: what is not
//   of it does not pass. So everything after a guard may rely on the type. Nodes
//   that have seen nothing, and those that observe other values, go.
//
// Cost:   linear, but for the shapes that are propagated to see where operators
//   change the sizes of a tensor: there a guard is for its dtype and device alone.
// Limits: sizes that are symbols count as not known.
//
// Before:
//   graph(%x : Tensor, %y : Tensor):
//     %2 : Tensor = prim::profile[profiled_type=Float(2, 3, strides=[3, 1], device=cpu)](%x)
//     %3 : Tensor = prim::profile(%y)
//     %4 : Tensor = aten::mul(%2, %3)
//     return (%4)
// After:
//   graph(%x : Tensor,
//         %y : Tensor):
//     %5 : Float(2, 3, strides=[3, 1], device=cpu) = prim::Guard(%x)
//     %4 : Tensor = aten::mul(%5, %y)
//     return (%4)
//
//===----------------------------------------------------------------------===//
#include "Guards.h"
#include "tsc/Analysis/ShapeAnalysis.h"
#include "tsc/IR/Context.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/Profiling.h"
#include "tsc/Transforms/ShapeRuleCompiler.h"
#include "llvm/ADT/STLExtras.h"
#define DEBUG_TYPE "insert-guards"
using namespace tsc;

TSC_STATISTIC(NumInserted, "Guards inserted");

/// Returns the facts that a guard can look at: of sizes those that are numbers, and strides where all are.
static TensorFacts checkableFacts(TensorFacts facts) {
  auto forgetSymbols = [](auto &dims) {
    if (dims)
      for (Dimension &dim : *dims)
        if (!dim.isKnown())
          dim = Dimension();
  };
  forgetSymbols(facts.sizes);
  forgetSymbols(facts.strides);
  if (facts.strides && !llvm::all_of(*facts.strides, [](Dimension stride) { return stride.isKnown(); }))
    facts.strides = std::nullopt;
  facts.undefined = facts.inferred = false;
  return facts;
}

/// Returns the type of a guard in the place of an observer, or null where a guard has nothing to look at that is not
/// known anyway.
static const Type *typeOfGuard(const Node &profile) {
  const AttributeValue *attribute = profile.attribute(attr::profiled_type);
  const auto *type = attribute ? std::get_if<const Type *>(attribute) : nullptr;
  const auto *seen = type ? llvm::dyn_cast<TensorType>(*type) : nullptr;
  if (!seen || !profile.input(0)->type()->isTensor())
    return nullptr;
  const TensorFacts facts = checkableFacts(seen->facts());
  const Type *guarded = profile.graph().context().tensor(facts);
  return facts == TensorFacts() || guarded == profile.input(0)->type() ? nullptr : guarded;
}

/// Takes sizes and strides out of guards of tensors that some operator gives other ones: such a tensor would pass the
/// guard, and change behind it.
static void forgetWrittenGeometry(Graph &graph, ArrayRef<Node *> guards, ShapeRuleSource &rules) {
  ShapeAnalysis shapes(graph, rules);
  for (Node *guard : guards) {
    TensorFacts facts = factsOfGuard(*guard);
    const AbstractTensor *known = shapes.of(guard->output()).asTensor();
    if (!facts.sizes || !known || known->sizes)
      continue;
    facts.sizes = facts.strides = std::nullopt;
    guard->output()->setType(graph.context().tensor(facts));
  }
}

PreservedAnalyses GuardInsertion::run(Graph &graph, AnalysisManager &analyses) {
  llvm::SmallVector<Node *, 0> observers, guards;
  graph.walk([&](Node &node) {
    if (node.kind() == prim::profile || node.kind() == prim::profile_ivalue)
      observers.push_back(&node);
  });
  bool changed = false;
  for (Node *observer : observers) {
    if (!TSC_OPT_ALLOWED)
      break;
    changed = true;
    if (observer->numOutputs() == 0) {
      observer->erase();
      continue;
    }
    Value *result = observer->input(0);
    if (const Type *type = observer->kind() == prim::profile ? typeOfGuard(*observer) : nullptr) {
      Node *guard = graph.create(prim::Guard, {observer->input(0)})->insertBefore(observer);
      guard->setRange(observer->range());
      guard->setScope(observer->scope());
      result = guard->output()->setType(type);
      guards.push_back(guard);
      ++NumInserted;
    }
    observer->output()->replaceAllUsesWith(result);
    observer->erase();
  }
  if (!guards.empty())
    forgetWrittenGeometry(graph, guards, analyses.shapeRules());
  return PreservedAnalyses::allUnless(changed);
}
