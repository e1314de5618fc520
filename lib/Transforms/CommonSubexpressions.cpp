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
#define DEBUG_TYPE "cse"
using namespace tsc;

TSC_STATISTIC(NumMerged, "Nodes replaced by an earlier equal one");
TSC_STATISTIC(NumHoisted, "Nodes of both branches moved before their If");
TSC_STATISTIC(NumOutputs, "Outputs that the branches of an If return alike");

namespace {

class Eliminator {
public:
  Eliminator(const Graph &graph, const AliasAnalysis &aliases, const ProgramOrder &order)
      : aliases(aliases), order(order) {
    expressions.reserve(graph.numIds<Node>());
  }

  bool visit(Block &block) {
    Scope scope;
    return visit(block, scope, nullptr, nullptr);
  }

private:
  using Expressions = llvm::DenseSet<Expression, ExpressionInfo>;
  /// What a DenseSet is inside, which does not tell where its buckets are.
  using ExpressionTable =
      llvm::DenseMap<Expression, llvm::detail::DenseSetEmpty, ExpressionInfo, llvm::detail::DenseSetPair<Expression>>;
  /// The expressions that a block adds to the table; not those of the outermost one, after which nobody looks.
  struct Scope {
    llvm::SmallVector<Expression> added;
    bool hasEffects = false; ///< Some node so far does more than compute its results.
    unsigned numMovable = 0; ///< How many were added before the first effect.
    ArrayRef<Expression> movable() const { return ArrayRef(added).take_front(numMovable); }
  };

  /// `sibling` holds the expressions of the first branch while the second one is visited; `around` is the scope of
  /// their If.
  bool visit(Block &block, Scope &scope, Expressions *sibling, Scope *around) {
    bool changed = false;
    auto ahead = block.nodes().begin(), end = block.nodes().end();
    for (unsigned i = 0; i != lookAhead && ahead != end; ++i)
      ++ahead;
    for (Node &node : llvm::make_early_inc_range(block.nodes())) {
      if (ahead != end)
        prefetch(*ahead++);
      if (node.numBlocks())
        changed |= visitBlocks(node, scope);
      else if (isExpression(node))
        changed |= merge(node, scope, scope.hasEffects ? nullptr : sibling, around);
      else
        scope.hasEffects |= node.hasSideEffects() || aliases.mayWrite(node);
    }
    for (const Expression &expression : scope.added)
      expressions.erase(expression);
    return changed;
  }

  /// A table larger than the caches is asked for places all over it: they are fetched while earlier nodes are looked
  /// at. Only the node that is visited is ever erased, so that one further on is there.
  void prefetch(Node &node) const {
    static_assert(sizeof(ExpressionTable::value_type) == sizeof(Expression));
    constexpr size_t cached = size_t{1} << 20; // bytes
    size_t size = expressions.getMemorySize();
    if (size < cached || !isExpression(node))
      return;
    size_t buckets = size / sizeof(Expression), place = ExpressionInfo::getHashValue(Expression(node)) & (buckets - 1);
    __builtin_prefetch(static_cast<const Expression *>(expressions.getPointerIntoBucketsArray()) + place);
  }
  static constexpr unsigned lookAhead = 8; ///< Nodes.

  bool visitBlocks(Node &node, Scope &scope) {
    bool changed = false;
    if (node.kind() == prim::If && node.numBlocks() == 2) {
      Scope first, second;
      changed |= visit(node.block(0), first, nullptr, nullptr);
      Expressions sibling(first.movable().begin(), first.movable().end());
      changed |= visit(node.block(1), second, &sibling, &scope);
      changed |= mergeOutputs(node);
      scope.hasEffects |= first.hasEffects || second.hasEffects;
      return changed;
    }
    scope.hasEffects |= node.hasSideEffects();
    for (Block &inner : node.blocks()) {
      Scope innerScope;
      changed |= visit(inner, innerScope, nullptr, nullptr);
      scope.hasEffects |= innerScope.hasEffects;
    }
    return changed;
  }

  bool merge(Node &node, Scope &scope, Expressions *sibling, Scope *around) {
    Expression expression(node);
    auto [at, isNew] = expressions.try_emplace(expression);
    if (!isNew) {
      Node &earlier = at->getFirst().node();
      if (mayReplace(earlier, node, earlier))
        return replace(node, earlier);
      if (earlier.block() == node.block()) // what comes later is nearer to this one
        at->getFirst() = expression;
      return false;
    }
    if (sibling)
      if (auto same = sibling->find(expression); same != sibling->end() && mayMoveOut(same->node(), node)) {
        Expression first = *same;
        sibling->erase(same);
        expressions.erase(at);
        return moveOut(first, node, *around);
      }
    remember(expression, scope);
    return false;
  }

  /// Whether `first`, of the first branch, can be computed before the If and stand for `second`, of the other branch.
  bool mayMoveOut(const Node &first, const Node &second) const {
    const Node &branch = *second.parentNode();
    return isDefinedOutside(first, branch) && mayReplace(first, second, branch) && TSC_OPT_ALLOWED;
  }

  bool moveOut(const Expression &first, Node &second, Scope &around) {
    TSC_GRAPH_UPDATE("moving a " << second.kind().qualified() << " node of both branches before its If");
    first.node().moveBefore(second.parentNode());
    expressions.try_emplace(first);
    remember(first, around);
    takeOver(second, first.node());
    second.erase();
    ++NumHoisted;
    return true;
  }

  static void remember(const Expression &expression, Scope &scope) {
    if (!expression.node().block()->owner())
      return;
    scope.added.push_back(expression);
    scope.numMovable += !scope.hasEffects;
  }

  bool replace(Node &node, Node &earlier) {
    if (!TSC_OPT_ALLOWED)
      return false;
    TSC_GRAPH_UPDATE("merging a " << node.kind().qualified() << " node into an earlier one");
    takeOver(node, earlier);
    node.erase();
    ++NumMerged;
    return true;
  }

  /// What both branches return alike stands before the If; two outputs of the same two values are one.
  bool mergeOutputs(Node &node) {
    llvm::SmallDenseMap<std::pair<Value *, Value *>, Value *, 8> known;
    bool changed = false;
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
    return changed;
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
  static bool isComparedByIdentity(const Node &node) {
    return llvm::any_of(node.outputs(), [](const Value *output) {
      return output->type()->isMutable() && llvm::any_of(output->uses(), [](const Use &use) {
               Symbol user = use.user()->kind();
               return user == aten::__is__ || user == aten::__isnot__;
             });
    });
  }

  /// Whether the results of `first`, which is equal to `second` and computed at `since`, can be used instead.
  bool mayReplace(const Node &first, const Node &second, const Node &since) const {
    auto isWritten = [&](const Node &node) {
      return llvm::any_of(node.outputs(), [&](Value *v) { return aliases.hasWriters(v); });
    };
    if (!handsOn(second) && ((isFreshAndVisible(first) && isFreshAndVisible(second)) || isComparedByIdentity(second) ||
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
  void takeOver(Node &second, Node &first) {
    if (isFreshAndVisible(second))
      visible.insert(&first);
    second.replaceAllUsesWith(&first);
  }
  /// The caller would see that two things became one.
  bool isFreshAndVisible(const Node &node) const {
    if (visible.contains(&node))
      return true;
    if (node.kind() == prim::Constant)
      return node.output(0)->type()->isMutable() && !isOnlyRead(node.output(0));
    return llvm::any_of(node.outputs(), [&](Value *v) { return aliases.escapes(v); });
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
  ExpressionTable expressions;
  llvm::DenseSet<const Node *> visible; ///< They stand for others that the caller sees; the analysis was before that.
};

} // namespace

PreservedAnalyses CommonSubexpressionElimination::run(Graph &graph, AnalysisManager &analyses) {
  return PreservedAnalyses::allUnless(
      Eliminator(graph, analyses.get<AliasAnalysis>(graph), analyses.get<ProgramOrder>(graph)).visit(graph.block()));
}
