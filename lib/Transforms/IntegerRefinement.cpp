//===- IntegerRefinement.cpp - Ints that a condition makes constants ------===//
//
// Purpose: where a condition has shown that an int equals a constant, uses the
//   constant: in the branch of an If, and after an If whose other branch raises.
//   Conditions: == and != with a constant, not, and, or.
//
// Cost:   linear.
// Limits: equalities only; an order like n < 5 tells nothing.
//
// Before:
//   graph(%n : int, %message : str):
//     %none : str = prim::Constant[value=""]()
//     %four : int = prim::Constant[value=4]()
//     %wrong : bool = aten::ne(%n, %four)
//      = prim::If(%wrong)
//       block0():
//          = prim::RaiseException(%message, %none)
//         -> ()
//       block1():
//         -> ()
//     %double : int = aten::add(%n, %n)
//     return (%double)
// After:
//   graph(%n : int,
//         %message : str):
//     %2 : str = prim::Constant[value=""]()
//     %3 : int = prim::Constant[value=4]()
//     %4 : bool = aten::ne(%n, %3)
//      = prim::If(%4)
//       block0():
//          = prim::RaiseException(%message, %2)
//         -> ()
//       block1():
//         -> ()
//     %6 : int = prim::Constant[value=4]()
//     %5 : int = aten::add(%6, %6)
//     return (%5)
//
//===----------------------------------------------------------------------===//
#include "tsc/IR/Graph.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/Simplification.h"
#include "llvm/ADT/STLExtras.h"
#define DEBUG_TYPE "refine-ints"
using namespace tsc;

TSC_STATISTIC(NumUses, "Uses of ints that a condition made constants");

namespace {

/// An int that equals a constant from some point on.
struct Equality {
  Value *value;
  int64_t number;
};
using Equalities = llvm::SmallVector<Equality, 2>;

/// What follows when a comparison has the value `holds`: that two ints are equal, or nothing. Other nodes say nothing.
void collectFromComparison(const Node &node, bool holds, Equalities &into) {
  if (node.kind() != (holds ? aten::eq : aten::ne) || node.numInputs() != 2)
    return;
  for (unsigned i : {0, 1}) {
    auto number = constantValue(node.input(1 - i));
    if (node.input(i)->type()->isInt() && !isConstant(node.input(i)) && number && number->isInt())
      into.push_back({node.input(i), number->toInt()});
  }
}

/// What follows when `condition` has the value `holds`.
void collectEqualities(Value *condition, bool holds, Equalities &into, unsigned depth = 0) {
  constexpr unsigned maxDepth = 64; // of conditions joined by and, or
  Node *node = condition->definingNode();
  if (!node || condition->node() != node || depth > maxDepth)
    return;
  collectFromComparison(*node, holds, into);
  switch (node->kind().id()) {
  case SymbolId::aten___not__: return collectEqualities(node->input(), !holds, into, depth + 1);
  case SymbolId::prim_If: {
    // `a or b` is If(a): True, else b; `a and b` is If(a): b, else False. Only one branch can have given the value.
    if (node->numOutputs() != 1)
      return;
    Value *results[] = {node->block(0).returnNode().input(0), node->block(1).returnNode().input(0)};
    for (unsigned i : {0, 1}) {
      if (constantBool(results[i]) != !holds)
        continue;
      collectEqualities(node->input(), /*holds=*/i == 1, into, depth + 1);
      collectEqualities(results[1 - i], holds, into, depth + 1);
      return;
    }
    return;
  }
  default: return;
  }
}

bool raises(Block &block) {
  return llvm::any_of(block.nodes(), [](const Node &node) { return node.kind() == prim::RaiseException; });
}

class Refiner {
public:
  explicit Refiner(Graph &graph) : graph(graph) {}

  bool refine(Block &block, const Equalities &known) {
    unsigned scope = active.size();
    Node *first = block.empty() ? &block.returnNode() : &block.nodes().front();
    assume(known, first);
    for (Node &node : llvm::make_early_inc_range(block.nodes())) {
      replaceInputs(node);
      refineBlocks(node);
    }
    replaceInputs(block.returnNode());
    leave(scope);
    return changed;
  }

private:
  /// An equality that holds here, and its constant once somebody needs it.
  struct Fact {
    Value *value;
    int64_t number;
    Node *before; ///< The constant goes before this node.
    Value *constant = nullptr;
    unsigned shadowed; ///< The fact of the same value that this one hides; itself when there is none.
  };

  void assume(const Equalities &known, Node *before) {
    for (const Equality &equality : known) {
      unsigned index = active.size();
      auto [at, isNew] = factOf.try_emplace(equality.value, index);
      active.push_back({equality.value, equality.number, before, nullptr, isNew ? index : at->second});
      at->second = index;
    }
  }

  void leave(unsigned scope) {
    while (active.size() > scope) {
      const Fact &fact = active.back();
      if (fact.shadowed == active.size() - 1)
        factOf.erase(fact.value);
      else
        factOf[fact.value] = fact.shadowed;
      active.pop_back();
    }
  }

  void refineBlocks(Node &node) {
    Equalities whenTrue, whenFalse;
    if (node.kind() == prim::If) {
      collectEqualities(node.input(), true, whenTrue);
      collectEqualities(node.input(), false, whenFalse);
      refine(node.block(0), whenTrue);
      refine(node.block(1), whenFalse);
      Node *next = node.next() ? node.next() : &node.block()->returnNode();
      if (raises(node.block(0)))
        assume(whenFalse, next);
      else if (raises(node.block(1)))
        assume(whenTrue, next);
      return;
    }
    for (Block &block : node.blocks())
      refine(block, {});
  }

  void replaceInputs(Node &node) {
    for (unsigned i = 0; i != node.numInputs(); ++i) {
      auto at = factOf.find(node.input(i));
      if (at == factOf.end() || !TSC_OPT_ALLOWED)
        continue;
      Fact &fact = active[at->second];
      if (!fact.constant)
        fact.constant = makeConstant(fact);
      TSC_GRAPH_UPDATE("%" << fact.value->displayName() << " is " << fact.number);
      node.setInput(i, fact.constant);
      ++NumUses;
      changed = true;
    }
  }

  Value *makeConstant(const Fact &fact) {
    InsertPointGuard guard(graph);
    if (fact.before->kind() == prim::Return)
      graph.setInsertPoint(*fact.before->block());
    else
      graph.setInsertPoint(fact.before);
    return graph.insertConstant(IValue(fact.number));
  }

  Graph &graph;
  llvm::SmallVector<Fact, 8> active;
  llvm::DenseMap<Value *, unsigned> factOf; ///< Into `active`.
  bool changed = false;
};

} // namespace

PreservedAnalyses IntegerRefinement::run(Graph &graph, AnalysisManager &) {
  return PreservedAnalyses::allUnless(Refiner(graph).refine(graph.block(), {}));
}
