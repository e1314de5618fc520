//===- LoopInvariantCodeMotion.cpp - Compute once what every trip computes ===//
//
// Purpose: moves a pure node whose operands come from around the loop to before
//          the loop, from inner loops outwards as far as it can go. A node that
//          may fail, or costs something, moves only out of a loop that surely makes
//          a trip, from a place that every trip reaches, and before anything else
//          can be seen to happen; in a graph where something can, also before
//          anything else that may fail. A view of known rank that only operators
//          read, and an attribute that nobody sets, move out of any loop.
// Better:  PyTorch has no such pass.
// Cost:    linear in the nodes, and in each node's depth for those that move.
// Limits:  nodes with blocks stay; so do nodes that touch memory which somebody
//          writes.
//
// Before:
//   graph(%x : Tensor,
//         %n : int,
//         %a : int,
//         %b : int):
//     %4 : bool = prim::Constant[value=1]()
//     %5 : Tensor = prim::Loop(%n, %4, %x)
//       block0(%i : int, %7 : Tensor):
//         %8 : int = aten::mul(%a, %b)
//         %9 : Tensor = aten::mul(%7, %8)
//         -> (%4, %9)
//     return (%5)
// After:
//   graph(%x : Tensor,
//         %n : int,
//         %a : int,
//         %b : int):
//     %4 : bool = prim::Constant[value=1]()
//     %8 : int = aten::mul(%a, %b)
//     %5 : Tensor = prim::Loop(%n, %4, %x)
//       block0(%i : int, %7 : Tensor):
//         %9 : Tensor = aten::mul(%7, %8)
//         -> (%4, %9)
//     return (%5)
//
//===----------------------------------------------------------------------===//
#include "Loop.h"
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/Analysis/FailureAnalysis.h"
#include "tsc/IR/GraphTable.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/Loops.h"
#include "tsc/Transforms/ShapeRuleCompiler.h"
#define DEBUG_TYPE "licm"
using namespace tsc;

TSC_STATISTIC(NumMoved, "Nodes moved out of a loop");

namespace {

class Mover {
public:
  Mover(const Graph &graph, const AliasAnalysis &aliases, FailureAnalysis &failures, const Remarks &remarks)
      : aliases(aliases), failures(failures), ordersFailures(aliases.hasObservableEffects()), remarks(remarks),
        observable(graph), depthOf(graph) {}

  /// Inner loops first: what leaves them may leave this one too. Returns whether something in the block is observable.
  bool visit(Block &block, unsigned depth) {
    bool anyObservable = false;
    for (Value *parameter : block.inputs())
      depthOf[parameter] = depth;
    for (Node &node : block.nodes()) {
      bool isObservable = !node.numBlocks() && (aliases.hasSideEffects(node) || aliases.mayWrite(node));
      for (Block &inner : node.blocks())
        isObservable |= visit(inner, depth + 1);
      if (node.kind() == prim::Loop)
        moveOutOf(Loop(node), depth);
      for (Value *output : node.outputs())
        depthOf[output] = depth;
      if (isObservable)
        observable.insert(&node);
      anyObservable |= isObservable;
    }
    return anyObservable;
  }
  bool changed = false;

private:
  void moveOutOf(const Loop &loop, unsigned depth);
  bool isInvariant(const Node &node, unsigned depth) const;
  bool isSafeView(const Node &node, unsigned depth) const;
  bool isFixedAttribute(const Node &node, unsigned depth) const;
  bool hasOuterOperands(const Node &node, unsigned depth) const {
    return llvm::all_of(node.inputs(), [&](const Value *input) { return depthOf.lookup(input) <= depth; });
  }
  void explainStay(const Node &node, unsigned depth) const;

  /// Whether it shows that the node comes later than what stands behind it.
  bool keepsOrder(const Node &node) const {
    return observable.contains(&node) || (ordersFailures && failures.mayFailWithin(node));
  }

  const AliasAnalysis &aliases;
  FailureAnalysis &failures;
  const bool ordersFailures; ///< A call that fails cannot always be repeated as written.
  const Remarks &remarks;
  GraphSet<Node> observable;           ///< Somebody could tell that it ran: later nodes must then not fail before it.
  GraphTable<Value, unsigned> depthOf; ///< Blocks around the one in which a value is defined.
};

} // namespace

/// Pure, from operands outside the loop at this depth, and of memory that nobody writes. The trips will share one
/// result, so the caller must not see it either.
bool Mover::isInvariant(const Node &node, unsigned depth) const {
  bool isPure = node.kind() == prim::Constant || node.kind() == prim::TupleConstruct || node.hasTrait(Trait::Pure);
  auto mayBeVisible = [&](const Value *value) { return value->type()->isMutable() && aliases.escapes(value); };
  auto mayBeWritten = [&](const Value *value) { return aliases.hasWriters(value); };
  return isPure && !node.numBlocks() && !node.hasTrait(Trait::Nondeterministic) && hasOuterOperands(node, depth) &&
         llvm::none_of(node.inputs(), mayBeWritten) && llvm::none_of(node.outputs(), mayBeWritten) &&
         llvm::none_of(node.outputs(), mayBeVisible) && !aliases.makesEscaping(node);
}

/// Whether operators read the elements, there or in views of it, and nobody gets the tensor itself: it does not show
/// then that trips share it.
static bool isOnlyReadThroughViews(const Value *value, unsigned mostViews = 4) {
  return llvm::all_of(value->uses(), [&](const Use &use) {
    const Node &user = *use.user();
    if (!user.record() || !user.hasTrait(Trait::Pure))
      return false;
    return !user.hasTrait(Trait::Aliases) ||
           (user.hasTrait(Trait::IndexMap) && mostViews != 0 && isOnlyReadThroughViews(user.output(), mostViews - 1));
  });
}

/// A view that cannot fail, of memory that nobody writes, be it visible outside.
bool Mover::isSafeView(const Node &node, unsigned depth) const {
  return node.hasTrait(Trait::IndexMap) && node.hasTrait(Trait::Pure) && hasOuterOperands(node, depth) &&
         llvm::none_of(node.inputs(), [&](const Value *input) { return aliases.hasWriters(input); }) &&
         isOnlyReadThroughViews(node.output()) && !failures.mayFail(node);
}

/// An attribute that nobody sets: every trip gets the same object.
bool Mover::isFixedAttribute(const Node &node, unsigned depth) const {
  if (node.kind() != prim::GetAttr || !hasOuterOperands(node, depth) || !aliases.unknownWriters().empty())
    return false;
  const MemoryEffects effects = aliases.effects(node);
  return !effects.readsOutside &&
         llvm::all_of(effects.reads, [&](Location location) { return aliases.writersOf(location).empty(); });
}

/// Why a node with operands from outside of the loop is not moved.
void Mover::explainStay(const Node &node, unsigned depth) const {
  if (!remarks.wantsMissed() || node.numBlocks() || node.numOutputs() == 0 || !hasOuterOperands(node, depth))
    return;
  bool isWritten = llvm::any_of(node.inputs(), [&](const Value *v) { return aliases.hasWriters(v); }) ||
                   llvm::any_of(node.outputs(), [&](const Value *v) { return aliases.hasWriters(v); });
  remarks.missed(node,
                 llvm::Twine("not moved out of a loop: ") +
                     (isWritten                  ? "its operands or results are written"
                      : isInvariant(node, depth) ? "it may fail, and the loop may do something else before, or not run"
                                                 : "it has effects, or its result is one that a caller sees"));
}

void Mover::moveOutOf(const Loop &loop, unsigned depth) {
  bool mayFailEarlier = loop.runsAtLeastOnce(); // until something observable stands before
  for (Node &node : llvm::make_early_inc_range(loop.body().nodes())) {
    bool isSafe =
        node.kind() == prim::Constant || node.kind() == prim::TupleConstruct || node.hasTrait(Trait::Speculatable);
    const bool moves = ((mayFailEarlier || isSafe) && isInvariant(node, depth)) || isSafeView(node, depth) ||
                       isFixedAttribute(node, depth);
    if (moves && TSC_OPT_ALLOWED) {
      TSC_GRAPH_UPDATE("moving a " << node.kindName() << " node out of a loop");
      if (node.kind() != prim::Constant)
        remarks.done(node, "moved out of a loop");
      node.moveBefore(&loop.node());
      for (Value *output : node.outputs())
        depthOf[output] = depth;
      ++NumMoved;
      changed = true;
    } else {
      explainStay(node, depth);
      mayFailEarlier = mayFailEarlier && !keepsOrder(node);
    }
  }
}

PreservedAnalyses LoopInvariantCodeMotion::run(Graph &graph, AnalysisManager &analyses) {
  FailureAnalysis failures(graph, analyses.shapeRules());
  Mover mover(graph, analyses.get<AliasAnalysis>(graph), failures, analyses.remarks());
  mover.visit(graph.block(), 0);
  return PreservedAnalyses::allUnless(mover.changed);
}
