//===- IntegerRefinement.cpp - Ints that a condition makes constants ------===//
//
// Purpose: where a condition has shown that an int equals a constant, uses the
//   constant: in the branch of an If, and after an If whose other branch raises.
//   What a branch shows holds behind the If, too, where the other one raises. An If
//   that gives the constant where the int equals it, and the int elsewhere, gives
//   the int. Conditions: == and != with a constant, not, and, or, and comparisons of
//   these with True and False.
//
// Options: lengths=false: also lengths of lists that nobody changes: len(x) is one
//   number wherever it is asked for.
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
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/OpFacts.h"
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

bool asksForEqual(const Node &node) { return node.kind() == aten::eq || node.kind() == aten::__is__; }
bool asksForUnequal(const Node &node) { return node.kind() == aten::ne || node.kind() == aten::__isnot__; }

/// The operand of a comparison of bools with a constant, and the value that it has when the comparison has the value
/// `holds`; null for another node.
std::pair<Value *, bool> comparedWithBool(const Node &node, bool holds) {
  if ((!asksForEqual(node) && !asksForUnequal(node)) || node.numInputs() != 2)
    return {nullptr, false};
  for (unsigned i : {0, 1}) {
    auto other = constantBool(node.input(1 - i));
    if (other && node.input(i)->type()->isBool())
      return {node.input(i), (*other == holds) == asksForEqual(node)};
  }
  return {nullptr, false};
}

/// What follows when `condition` has the value `holds`.
void collectEqualities(Value *condition, bool holds, Equalities &into, unsigned depth = 0) {
  constexpr unsigned maxDepth = 64; // of conditions joined by and, or
  Node *node = condition->definingNode();
  if (!node || condition->node() != node || depth > maxDepth)
    return;
  collectFromComparison(*node, holds, into);
  if (auto [operand, wanted] = comparedWithBool(*node, holds); operand)
    return collectEqualities(operand, wanted, into, depth + 1);
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
  /// `aliases`: who writes lists, where lengths of lists are refined; else null.
  Refiner(Graph &graph, const AliasAnalysis *aliases) : graph(graph), aliases(aliases) {}

  bool run() {
    refine(graph.block(), {});
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

  /// Refines a block in which equalities hold. Returns what holds at its end, these included.
  Equalities refine(Block &block, const Equalities &known) {
    const unsigned scope = active.size();
    Node *first = block.empty() ? &block.returnNode() : &block.nodes().front();
    assume(known, first);
    for (Node &node : llvm::make_early_inc_range(block.nodes())) {
      replaceInputs(node);
      refineBlocks(node);
    }
    replaceInputs(block.returnNode());
    Equalities atEnd;
    for (unsigned i = scope; i != active.size(); ++i)
      atEnd.push_back({active[i].value, active[i].number});
    leave(scope);
    return atEnd;
  }

  /// What facts of a value are kept under: the list for its length, where nobody changes that, else the value.
  Value *subjectOf(Value *value) const {
    const Node *node = value->node();
    if (!aliases || node->numInputs() != 1 || containerQuery(node->opKind()) != ContainerQuery::Length)
      return value;
    Value *list = node->input(0);
    return isa<ListType>(list->type()) && !aliases->hasWriters(list) ? list : value;
  }

  void assume(const Equalities &known, Node *before) {
    for (const Equality &equality : known) {
      unsigned index = active.size();
      auto [at, isNew] = factOf.try_emplace(subjectOf(equality.value), index);
      active.push_back({equality.value, equality.number, before, nullptr, isNew ? index : at->second});
      at->second = index;
    }
  }

  void leave(unsigned scope) {
    while (active.size() > scope) {
      const Fact &fact = active.back();
      if (fact.shadowed == active.size() - 1)
        factOf.erase(subjectOf(fact.value));
      else
        factOf[subjectOf(fact.value)] = fact.shadowed;
      active.pop_back();
    }
  }

  /// Replaces an output of an If that is the int whatever the condition says: `number` where both are equal, and
  /// `value` where they may not be.
  void replaceOutputs(Node &node, unsigned equalBranch, const Equalities &known) {
    for (const Equality &equality : known)
      for (unsigned i = 0; i != node.numOutputs(); ++i) {
        const Value *number = node.block(equalBranch).returnNode().input(i);
        if (node.block(1 - equalBranch).returnNode().input(i) != equality.value || !node.output(i)->hasUses() ||
            (number != equality.value && constantInt(number) != equality.number) || !TSC_OPT_ALLOWED)
          continue;
        TSC_GRAPH_UPDATE("%" << node.output(i)->displayName() << " is %" << equality.value->displayName());
        node.output(i)->replaceAllUsesWith(equality.value);
        changed = true;
      }
  }

  /// Adds what holds at the end of a branch, of values and lists from outside of it.
  void addFromOutside(const Equalities &atEnd, const Node &node, Equalities &into) const {
    for (const Equality &equality : atEnd) {
      const Node *outer = subjectOf(equality.value)->node();
      while (outer && outer->block() != node.block())
        outer = outer->parentNode();
      if (outer != &node)
        into.push_back(equality);
    }
  }

  void refineBlocks(Node &node) {
    if (node.kind() != prim::If) {
      for (Block &block : node.blocks())
        refine(block, {});
      return;
    }
    Equalities known[2];
    for (unsigned i : {0, 1}) {
      collectEqualities(node.input(), /*holds=*/i == 0, known[i]);
      replaceOutputs(node, i, known[i]);
    }
    Equalities atEnd[2] = {refine(node.block(0), known[0]), refine(node.block(1), known[1])};
    Node *next = node.next() ? node.next() : &node.block()->returnNode();
    for (unsigned i : {0, 1})
      if (raises(node.block(1 - i))) {
        Equalities behind;
        addFromOutside(atEnd[i], node, behind);
        assume(behind, next);
        return;
      }
  }

  void replaceInputs(Node &node) {
    for (unsigned i = 0; i != node.numInputs(); ++i) {
      auto at = factOf.find(subjectOf(node.input(i)));
      if (at == factOf.end() || !node.input(i)->type()->isInt() || !TSC_OPT_ALLOWED)
        continue;
      Fact &fact = active[at->second];
      if (!fact.constant)
        fact.constant = makeConstant(fact);
      TSC_GRAPH_UPDATE("%" << node.input(i)->displayName() << " is " << fact.number);
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
  const AliasAnalysis *aliases;
  llvm::SmallVector<Fact, 8> active;
  llvm::DenseMap<const Value *, unsigned> factOf; ///< Into `active`, by subject.
  bool changed = false;
};

} // namespace

Status IntegerRefinement::configure(const PassOptions &options) {
  TSC_RETURN_IF_ERROR(rejectOptionsBut({"lengths"}, options));
  return readOption(options, "lengths", refinesLengths);
}

PreservedAnalyses IntegerRefinement::run(Graph &graph, AnalysisManager &analyses) {
  return PreservedAnalyses::allUnless(
      Refiner(graph, refinesLengths ? &analyses.get<AliasAnalysis>(graph) : nullptr).run());
}
