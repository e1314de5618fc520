//===- EliminateGuards.cpp - Guards that always let pass ------------------===//
//
// Purpose: erases the guards of which the rules of the operators' records show
//   that all that arrives is of their type: what an operator gives has known sizes
//   where what it takes has passed guards. The type stays, at the definition.
// Options: across-blocks=false: whether what prim::If and prim::Loop hand on is
//   followed, too: a guard of what a loop carries goes where the loop is entered
//   with that type, and keeps it.
//
// Cost:   linear, that of propagate-shapes.
// Limits: what is not known of operands that nothing guards is not known of
//   results.
//
// Before:
//   graph(%x : Tensor, %y : Tensor):
//     %2 : Float(2, 3, device=cpu) = prim::Guard(%x)
//     %3 : Float(2, 3, device=cpu) = prim::Guard(%y)
//     %4 : Tensor = aten::mul(%2, %3)
//     %5 : Float(2, 3, device=cpu) = prim::Guard(%4)
//     %6 : Tensor = aten::neg(%5)
//     return (%6)
// After:
//   graph(%x : Tensor,
//         %y : Tensor):
//     %2 : Float(2, 3, device=cpu) = prim::Guard(%x)
//     %3 : Float(2, 3, device=cpu) = prim::Guard(%y)
//     %4 : Float(2, 3, device=cpu) = aten::mul(%2, %3)
//     %6 : Tensor = aten::neg(%4)
//     return (%6)
//
//===----------------------------------------------------------------------===//
#include "Guards.h"
#include "tsc/Analysis/ShapeAnalysis.h"
#include "tsc/Analysis/ShapeRules.h"
#include "tsc/IR/Context.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/Profiling.h"
#include "tsc/Transforms/ShapeRuleCompiler.h"
#include "llvm/ADT/STLExtras.h"
#define DEBUG_TYPE "eliminate-guards"
using namespace tsc;

TSC_STATISTIC(NumEliminated, "Guards that let everything pass");

Status GuardElimination::configure(const PassOptions &options) {
  TSC_RETURN_IF_ERROR(rejectOptionsBut({"across-blocks"}, options));
  return readOption(options, "across-blocks", acrossBlocks);
}

static bool areImplied(const std::optional<llvm::SmallVector<Dimension, 4>> &asked,
                       const std::optional<SymbolicDims> &known) {
  if (!asked)
    return true;
  return known && known->size() == asked->size() && llvm::all_of(llvm::zip(*asked, *known), [](const auto &pair) {
           const auto &[dim, size] = pair;
           return !dim.isKnown() || size.isConstant(dim.value());
         });
}

/// Whether every tensor of which `known` holds passes a guard for `asked`.
static bool isImplied(const TensorFacts &asked, const AbstractTensor &known) {
  return (!asked.dtype || asked.dtype == known.dtype) && (!asked.device || asked.device == known.device) &&
         (!asked.requiresGrad || asked.requiresGrad == known.requiresGrad) && areImplied(asked.sizes, known.sizes) &&
         areImplied(asked.strides, known.strides);
}

/// Whether an operator with a rule for shapes gives the value.
static bool isOfRule(const Value *value) {
  const Node *node = value->node();
  return node->record() && !shapeColumns(node->opKind()).shape.empty();
}

/// Writes what a guard of the value has found into its type. A guard that stays checks what it checked.
static void keepFacts(Value &value, const TensorFacts &facts) {
  if (value.node()->kind() == prim::Guard)
    return;
  if (std::optional<TensorFacts> both = joinFacts(llvm::cast<TensorType>(value.type())->facts(), facts)) {
    both->inferred = false;
    value.setType(value.graph().context().tensor(*both));
  }
}

PreservedAnalyses GuardElimination::run(Graph &graph, AnalysisManager &analyses) {
  // The analysis takes all guards for granted. That is no circle: what is known of a guard's operand follows from
  // guards that have run before, in earlier trips of a loop at the latest.
  llvm::SmallVector<Node *, 0> needless;
  {
    ShapeAnalysis shapes(graph, analyses.shapeRules());
    for (Node *guard : guardsOf(graph)) {
      if (!guard->input(0)->type()->isTensor())
        continue;
      const Value *value = valueBehindGuards(guard->input(0));
      const AbstractTensor *known = shapes.of(guard->input(0)).asTensor();
      if ((acrossBlocks || isOfRule(value)) && known && isImplied(factsOfGuard(*guard), *known) && TSC_OPT_ALLOWED)
        needless.push_back(guard);
    }
  }
  for (Node *guard : needless) {
    TSC_GRAPH_UPDATE("%" << guard->output()->displayName() << " is no guard's");
    keepFacts(*guard->input(0), factsOfGuard(*guard));
    guard->output()->replaceAllUsesWith(guard->input(0));
    guard->erase();
    ++NumEliminated;
  }
  return PreservedAnalyses::allUnless(!needless.empty());
}
