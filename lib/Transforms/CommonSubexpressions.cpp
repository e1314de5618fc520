//===- CommonSubexpressions.cpp - Compute equal expressions once ----------===//
//
// Purpose: a node equal to an earlier one takes its results. Walks the blocks in
//   order with a table of the expressions computed so far in this block and those
//   around it. Pure nodes take part, and attributes that are read twice; two fresh
//   tensors or lists that the caller can see stay two.
//
// Better: an operand that somebody writes does not keep two nodes apart when no
//   write comes between them; an expression of both branches of an If moves before
//   it; and what both branches return alike needs no branch.
// Cost:   linear.
// Limits: a + b and b + a are two expressions. An expression that fails or draws
//   random numbers never moves over a side effect.
//
// Before:
//   graph(%x : Tensor, %n : int, %c : bool):
//     %3 : int = aten::mul(%n, %n)
//     %4 : int = aten::mul(%n, %n)
//     %5 : Tensor = prim::If(%c)
//       block0():
//         %6 : Tensor = aten::neg(%x)
//         %7 : Tensor = aten::add(%6, %6, %3)
//         -> (%7)
//       block1():
//         %8 : Tensor = aten::neg(%x)
//         %9 : Tensor = aten::mul(%8, %4)
//         -> (%9)
//     return (%5)
// After:
//   graph(%x : Tensor,
//         %n : int,
//         %c : bool):
//     %3 : int = aten::mul(%n, %n)
//     %6 : Tensor = aten::neg(%x)
//     %5 : Tensor = prim::If(%c)
//       block0():
//         %7 : Tensor = aten::add(%6, %6, %3)
//         -> (%7)
//       block1():
//         %9 : Tensor = aten::mul(%6, %3)
//         -> (%9)
//     return (%5)
//
//===----------------------------------------------------------------------===//
#include "NodeEquality.h"
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/Analysis/ProgramOrder.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/Redundancy.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#define DEBUG_TYPE "cse"
using namespace tsc;

TSC_STATISTIC(NumMerged, "Nodes replaced by an earlier equal one");
TSC_STATISTIC(NumHoisted, "Nodes of both branches moved before their If");
TSC_STATISTIC(NumOutputs, "Outputs that the branches of an If return alike");

namespace {

class Eliminator {
public:
  Eliminator(const AliasAnalysis &aliases, const ProgramOrder &order) : aliases(aliases), order(order) {}

  bool run(Block &block) {
    visit(block, nullptr);
    return changed;
  }

private:
  static constexpr unsigned none = ~0u;
  /// A block of an If, of which expressions may move out that come before its first effect.
  struct Branch {
    const Block *block;
    unsigned firstEffect; ///< Position of the node that first does more than compute its results; or None.
  };

  /// `sibling` is the first branch while the second one is visited.
  Branch visit(Block &block, const Branch *sibling) {
    open.insert(&block);
    unsigned firstEffect = none;
    for (Node &node : llvm::make_early_inc_range(block.nodes())) {
      bool hasEffects = false;
      if (node.numBlocks())
        hasEffects = visitBlocks(node);
      else if (isExpression(node))
        merge(node, firstEffect == none ? sibling : nullptr);
      else
        hasEffects = node.hasSideEffects() || aliases.mayWrite(node);
      if (hasEffects && firstEffect == none)
        firstEffect = order.position(node);
    }
    open.erase(&block);
    return {&block, firstEffect};
  }

  /// Whether the node, or one in it, does more than compute its results.
  bool visitBlocks(Node &node) {
    if (node.kind() == prim::If && node.numBlocks() == 2) {
      Branch first = visit(node.block(0), nullptr), second = visit(node.block(1), &first);
      mergeOutputs(node);
      return first.firstEffect != none || second.firstEffect != none;
    }
    bool hasEffects = node.hasSideEffects();
    for (Block &inner : node.blocks())
      hasEffects |= visit(inner, nullptr).firstEffect != none;
    return hasEffects;
  }

  void merge(Node &node, const Branch *sibling) {
    if (isAlone(node))
      return;
    Expression expression(node);
    auto [known, isNew] = expressions.insert(expression);
    if (isNew)
      return;
    Node &earlier = known->node();
    if (open.contains(earlier.block())) {
      if (mayReplace(earlier, node, earlier))
        replace(node, earlier);
      else if (earlier.block() == node.block()) // what comes later is nearer to this one
        know(expression);
      return;
    }
    if (sibling && earlier.block() == sibling->block && order.position(earlier) < sibling->firstEffect &&
        mayMoveOut(earlier, node))
      return moveOut(earlier, node);
    know(expression); // nobody asks for what is in a block that is done
  }

  /// Whether no other node can be equal, because one of the operands is used here only. Most nodes are: they need no
  /// place in the table, which is larger than the caches in a large graph.
  static bool isAlone(const Node &node) {
    return llvm::any_of(node.inputs(), [](const Value *operand) { return operand->hasOneUse(); });
  }

  /// Puts the expression in the place of an equal one.
  void know(const Expression &expression) {
    expressions.erase(expression);
    expressions.insert(expression);
  }

  /// Whether `first`, of the first branch, can be computed before the If and stand for `second`, of the other branch.
  bool mayMoveOut(const Node &first, const Node &second) const {
    const Node &branch = *second.parentNode();
    return isDefinedOutside(first, branch) && mayReplace(first, second, branch) && TSC_OPT_ALLOWED;
  }

  void moveOut(Node &first, Node &second) {
    TSC_GRAPH_UPDATE("moving a " << second.kindName() << " node of both branches before its If");
    first.moveBefore(second.parentNode());
    takeOver(second, first);
    second.erase();
    ++NumHoisted;
  }

  void replace(Node &node, Node &earlier) {
    if (!TSC_OPT_ALLOWED)
      return;
    TSC_GRAPH_UPDATE("merging a " << node.kindName() << " node into an earlier one");
    takeOver(node, earlier);
    node.erase();
    ++NumMerged;
  }

  void takeOver(Node &second, Node &first) {
    if (isFreshAndVisible(second))
      visible.insert(&first);
    for (auto [replaced, output] : llvm::zip_equal(second.outputs(), first.outputs())) {
      Node *user = output->hasOneUse() ? output->uses().begin()->user() : nullptr;
      replaced->replaceAllUsesWith(output);
      if (user && order.position(*user) < order.position(second) && isExpression(*user) && !isAlone(*user))
        expressions.insert(Expression(*user)); // visited when it was alone
    }
    changed = true;
  }

  /// What both branches return alike stands before the If; two outputs of the same two values are one.
  void mergeOutputs(Node &node) {
    llvm::SmallDenseMap<std::pair<Value *, Value *>, Value *, 8> known;
    for (unsigned i = 0; i < node.numOutputs();) {
      Value *output = node.output(i), *first = node.block(0).returnNode().input(i),
            *second = node.block(1).returnNode().input(i);
      Value *same = first == second ? first : known.try_emplace({first, second}, output).first->second;
      if (same == output || same->type() != output->type() || !TSC_OPT_ALLOWED) {
        ++i;
        continue;
      }
      output->replaceAllUsesWith(same);
      for (Block &block : node.blocks())
        block.eraseOutput(i);
      node.eraseOutput(i);
      ++NumOutputs;
      changed = true;
    }
  }

  /// Whether the results are the operands, or what is in them: no memory of its own.
  static bool handsOn(const Node &node) {
    switch (node.kind().id()) {
    case SymbolId::prim_GetAttr:
    case SymbolId::prim_TupleConstruct:
    case SymbolId::prim_TupleIndex:
    case SymbolId::prim_TupleUnpack:
    case SymbolId::prim_TupleSlice:
    case SymbolId::prim_ListUnpack:
    case SymbolId::prim_unchecked_cast:
    case SymbolId::prim_unchecked_unwrap_optional: return true;
    default: return false;
    }
  }

  /// Whether the node gives the same results whenever its operands, and what it reads of memory, are the same.
  static bool isExpression(const Node &node) {
    if (node.numBlocks() || node.numOutputs() == 0)
      return false;
    return handsOn(node) || node.kind() == prim::Constant || node.kind() == prim::ListConstruct ||
           node.kind() == prim::DictConstruct || node.kind() == prim::isinstance || node.hasTrait(Trait::Pure);
  }

  /// Whether somebody asks which object a result is: two equal ones must stay two.
  static bool givesCompared(const Node &node) {
    return llvm::any_of(node.outputs(), [](const Value *output) { return isComparedByIdentity(*output); });
  }

  /// Whether the results of `first`, which is equal to `second` and computed at `since`, can be used instead.
  bool mayReplace(const Node &first, const Node &second, const Node &since) const {
    auto isWritten = [&](const Node &node) {
      return llvm::any_of(node.outputs(), [&](Value *v) { return aliases.hasWriters(v); });
    };
    if (!handsOn(second) && ((isFreshAndVisible(first) && isFreshAndVisible(second)) || givesCompared(second) ||
                             isWritten(first) || isWritten(second)))
      return false;
    MemoryEffects effects = aliases.effects(second);
    bool readsVisible = effects.readsOutside;
    for (Location location : effects.reads) {
      if (order.anyBetween(aliases.writersOf(location), since, second))
        return false;
      readsVisible |= aliases.isVisibleOutside(location);
    }
    if (readsVisible && order.anyBetween(aliases.unknownWriters(), since, second))
      return false;
    return !effects.readsOutside || llvm::none_of(second.inputs(), [&](Value *v) { return aliases.hasWriters(v); });
  }

  /// The caller would see that two things became one.
  bool isFreshAndVisible(const Node &node) const {
    if (visible.contains(&node))
      return true;
    if (node.kind() == prim::Constant)
      return node.output(0)->type()->isMutable() && !isOnlyRead(node.output(0));
    return llvm::any_of(node.outputs(), [&](Value *v) { return aliases.escapes(v); }) || aliases.makesEscaping(node);
  }

  /// Whether all operands of a node of the branch are there before it.
  static bool isDefinedOutside(const Node &node, const Node &branch) {
    return llvm::none_of(node.inputs(), [&](Value *v) {
      const Node *definition = v->node();
      return definition->block() && definition->parentNode() == &branch;
    });
  }

  const AliasAnalysis &aliases;
  const ProgramOrder &order;
  /// Those visited that are not alone; of equal ones the one that may replace a further one. Blocks that are done leave
  /// theirs behind.
  llvm::DenseSet<Expression, ExpressionInfo> expressions;
  llvm::SmallPtrSet<const Block *, 16> open; ///< Around the node that is visited.
  bool changed = false;
  llvm::DenseSet<const Node *> visible; ///< They stand for others that the caller sees; the analysis was before that.
};

} // namespace

PreservedAnalyses CommonSubexpressionElimination::run(Graph &graph, AnalysisManager &analyses) {
  return PreservedAnalyses::allUnless(
      Eliminator(analyses.get<AliasAnalysis>(graph), analyses.get<ProgramOrder>(graph)).run(graph.block()));
}
