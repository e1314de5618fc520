//===- SpecializeZeroGradients.cpp - No arithmetic on absent gradients ----===//
//
// Purpose: follows through a backward graph which gradients are surely absent
//   (prim::AutogradZero, inputs whose type is undefined) and which surely there. A
//   sum with an absent one is the other one, a sum of two present ones an ordinary
//   add; a region guarded by prim::GradOf runs or goes; questions about presence
//   are answered.
//
// Cost:   linear.
// Limits: what a loop carries, and what only some branches compute, is unknown.
//
// Before:
//   graph(%g : Tensor):
//     %1 : Tensor = prim::AutogradZero()
//     %2 : Tensor = prim::AutogradAdd(%1, %g)
//     %3 : Tensor = aten::neg(%2)
//     return (%3)
// After:
//   graph(%g : Tensor):
//     %1 : Tensor = prim::AutogradZero()
//     %3 : Tensor = aten::neg(%g)
//     return (%3)
//
//===----------------------------------------------------------------------===//
#include "tsc/IR/GraphTable.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/Profiling.h"
#include "llvm/ADT/STLExtras.h"
#define DEBUG_TYPE "specialize-zero-gradients"
using namespace tsc;

TSC_STATISTIC(NumSums, "Sums of gradients simplified");
TSC_STATISTIC(NumRegions, "Guarded regions decided");
TSC_STATISTIC(NumQuestions, "Questions answered");

namespace {

enum class Presence : uint8_t { Unknown, Absent, Present };

class Specializer {
public:
  explicit Specializer(Graph &graph) : graph(graph) {
    for (Value *input : graph.inputs())
      if (const auto *type = dyn_cast<TensorType>(input->type()); type && type->facts().undefined)
        known[input] = Presence::Absent;
  }

  bool visit(Block &block) {
    bool changed = false;
    for (Node *node = block.empty() ? nullptr : &block.nodes().front(), *next; node; node = next) {
      next = node->next();
      changed |= visit(*node, next);
    }
    return changed;
  }

private:
  Presence presence(const Value *value) const { return known.lookup(value); }
  bool all(const Node &node, Presence wanted) const {
    return llvm::all_of(node.inputs(), [&](const Value *v) { return presence(v) == wanted; });
  }
  bool any(const Node &node, Presence wanted) const {
    return llvm::any_of(node.inputs(), [&](const Value *v) { return presence(v) == wanted; });
  }

  /// `next` is where to go on: the body of a region that runs comes before it.
  bool visit(Node &node, Node *&next) {
    switch (node.kind().id()) {
    case SymbolId::prim_AutogradZero: known[node.output()] = Presence::Absent; return false;
    case SymbolId::prim_AutogradAdd: return simplifySum(node);
    case SymbolId::prim_GradOf: return decideRegion(node, next);
    case SymbolId::prim_AutogradAnyNonZero:
      return answer(node, any(node, Presence::Present), all(node, Presence::Absent));
    case SymbolId::prim_AutogradAllNonZero:
      return answer(node, all(node, Presence::Present), any(node, Presence::Absent));
    case SymbolId::prim_AutogradAllZero: return answer(node, all(node, Presence::Absent), any(node, Presence::Present));
    default: break;
    }
    bool changed = false;
    for (Block &inner : node.blocks())
      changed |= visit(inner);
    if (node.kind() == prim::If && node.numBlocks() == 2)
      joinBranches(node);
    else if (node.record() && node.numBlocks() == 0) // what an operator computes is there
      for (Value *output : node.outputs())
        if (output->type()->isTensor())
          known[output] = Presence::Present;
    return changed;
  }

  bool simplifySum(Node &node) {
    if (node.numInputs() != 2)
      return false;
    Value *a = node.input(0), *b = node.input(1);
    if (presence(a) == Presence::Absent || presence(b) == Presence::Absent) {
      if (!TSC_OPT_ALLOWED)
        return false;
      node.output()->replaceAllUsesWith(presence(a) == Presence::Absent ? b : a);
      node.erase();
      ++NumSums;
      return true;
    }
    if (presence(a) == Presence::Unknown && presence(b) == Presence::Unknown)
      return false;
    known[node.output()] = Presence::Present;
    if (presence(a) == Presence::Unknown || presence(b) == Presence::Unknown || !TSC_OPT_ALLOWED)
      return false;
    InsertPointGuard guard(graph);
    graph.setInsertPoint(&node);
    Value *one = graph.insertConstant(1, node.range());
    node.setKind(aten::add);
    node.addInput(one);
    ++NumSums;
    return true;
  }

  bool decideRegion(Node &node, Node *&next) {
    if (node.numBlocks() != 1 || node.block(0).inputs().size() != 0 || node.block(0).numOutputs() != node.numOutputs())
      return false;
    if (node.numInputs() && all(node, Presence::Absent) && TSC_OPT_ALLOWED) {
      InsertPointGuard guard(graph);
      graph.setInsertPoint(&node);
      Node *zero = graph.insertNodeHere(graph.create(prim::AutogradZero));
      zero->setRange(node.range());
      known[zero->output()] = Presence::Absent;
      for (Value *output : node.outputs())
        output->replaceAllUsesWith(zero->output());
    } else if (all(node, Presence::Present) && TSC_OPT_ALLOWED) {
      Block &body = node.block(0);
      if (!body.empty())
        next = &body.nodes().front();
      for (Node &inner : llvm::make_early_inc_range(body.nodes()))
        inner.moveBefore(&node);
      for (unsigned i = 0; i != node.numOutputs(); ++i)
        node.output(i)->replaceAllUsesWith(body.returnNode().input(i));
    } else {
      return visit(node.block(0)); // what it computes is absent when it does not run
    }
    node.erase();
    ++NumRegions;
    return true;
  }

  bool answer(Node &node, bool isTrue, bool isFalse) {
    if ((!isTrue && !isFalse) || !TSC_OPT_ALLOWED)
      return false;
    InsertPointGuard guard(graph);
    graph.setInsertPoint(&node);
    node.output()->replaceAllUsesWith(graph.insertConstant(isTrue, node.range()));
    node.erase();
    ++NumQuestions;
    return true;
  }

  void joinBranches(Node &node) {
    for (unsigned i = 0; i != node.numOutputs(); ++i) {
      Presence first = presence(node.block(0).returnNode().input(i));
      if (first == presence(node.block(1).returnNode().input(i)))
        known[node.output(i)] = first;
    }
  }

  Graph &graph;
  GraphTable<Value, Presence> known{graph};
};

} // namespace

PreservedAnalyses SpecializeZeroGradients::run(Graph &graph, AnalysisManager &) {
  return PreservedAnalyses::allUnless(Specializer(graph).visit(graph.block()));
}
