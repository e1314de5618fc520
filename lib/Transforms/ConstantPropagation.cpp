//===- ConstantPropagation.cpp - Compute what is known --------------------===//
//
// Purpose: runs pure nodes whose operands are constants, through the host's
//   evaluator, and puts the results in their place; an If with a known condition
//   becomes its taken block; a Loop that runs zero times becomes its initial
//   values.
//
// Cost:   linear, and what the folded nodes cost to run once.
// Limits: mutable results (lists, dicts) fold only when nobody writes them and
//   the caller cannot see them. Operands that are left without a use are left to
//   dce.
//
// Before:
//   graph(%x : Tensor):
//     %1 : int = prim::Constant[value=2]()
//     %2 : int = prim::Constant[value=3]()
//     %3 : int = aten::mul(%1, %2)
//     %4 : bool = aten::lt(%3, %1)
//     %5 : Tensor = prim::If(%4)
//       block0():
//         %6 : Tensor = aten::neg(%x)
//         -> (%6)
//       block1():
//         %7 : Tensor = aten::add(%x, %3, %1)
//         -> (%7)
//     return (%5)
// After:
//   graph(%x : Tensor):
//     %1 : int = prim::Constant[value=2]()
//     %2 : int = prim::Constant[value=3]()
//     %8 : int = prim::Constant[value=6]()
//     %9 : bool = prim::Constant[value=0]()
//     %7 : Tensor = aten::add(%x, %8, %1)
//     return (%7)
//
//===----------------------------------------------------------------------===//
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/IR/Graph.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/ConstantEvaluator.h"
#include "tsc/Transforms/Passes.h"
#include "llvm/ADT/STLExtras.h"
#define DEBUG_TYPE "constprop"
using namespace tsc;

TSC_STATISTIC(NumFolded, "Nodes computed while compiling");
TSC_STATISTIC(NumBranches, "Branches taken while compiling");

namespace {

class Folder {
public:
  Folder(Graph &graph, const AliasAnalysis &aliases, ConstantEvaluator *evaluator)
      : graph(graph), aliases(aliases), evaluator(evaluator) {}

  bool visit(Block &block) {
    bool changed = false;
    for (Node *node = block.empty() ? nullptr : &block.nodes().front(); node;) {
      Node *next = node->next();
      if (node->kind() == prim::If && takeBranch(*node, next))
        changed = true; // `next` is now the first node of the taken block
      else if (node->kind() == prim::Loop && dropEmptyLoop(*node))
        changed = true;
      else if (node->numBlocks())
        for (Block &inner : node->blocks())
          changed |= visit(inner);
      else
        changed |= fold(*node);
      node = next;
    }
    return changed;
  }

private:
  bool fold(Node &node) {
    if (!evaluator || node.numOutputs() == 0 || node.kind() == prim::Constant || !node.record() ||
        !node.record()->has(Trait::Pure) || !llvm::all_of(node.inputs(), isConstant))
      return false;
    for (Value *output : node.outputs())
      if (aliases.hasWriters(output) || (output->type()->isMutable() && aliases.escapes(output)))
        return false;
    if (aliases.hasInputWriters(node)) // a constant tensor or list may be written, too
      return false;
    std::vector<IValue> operands;
    for (Value *input : node.inputs()) {
      std::optional<IValue> operand = constantValue(input);
      if (!operand) // a constant whose value the text lost
        return false;
      operands.push_back(std::move(*operand));
    }
    auto results = evaluator->evaluate(node, operands);
    if (!results || results->size() != node.numOutputs() || !llvm::all_of(*results, Graph::canBeConstant) || !TSC_OPT_ALLOWED)
      return false;
    TSC_GRAPH_UPDATE("folding a " << node.kind().qualified() << " node");
    InsertPointGuard guard(graph);
    graph.setInsertPoint(&node);
    for (auto [output, result] : llvm::zip(node.outputs(), *results)) {
      Value *constant = graph.insertConstant(result, node.range());
      if (output->hasName())
        constant->setName(output->name());
      output->replaceAllUsesWith(constant);
    }
    node.erase();
    ++NumFolded;
    return true;
  }

  /// Moves the nodes of the known branch before the If; `next` becomes the first of them.
  bool takeBranch(Node &node, Node *&next) {
    auto condition = constantValue(node.input());
    if (!condition || !condition->isBool() || !TSC_OPT_ALLOWED)
      return false;
    Block &taken = node.block(condition->toBool() ? 0 : 1);
    Node *first = nullptr;
    for (Node &inner : llvm::make_early_inc_range(taken.nodes())) {
      inner.moveBefore(&node);
      if (!first)
        first = &inner;
    }
    for (unsigned i = 0; i < node.numOutputs(); ++i)
      node.output(i)->replaceAllUsesWith(taken.returnNode().input(i));
    node.erase();
    if (first)
      next = first;
    ++NumBranches;
    return true;
  }

  bool dropEmptyLoop(Node &node) {
    auto trips = constantValue(node.input(0)), condition = constantValue(node.input(1));
    bool neverRuns = (trips && trips->isInt() && trips->toInt() <= 0) || (condition && condition->isBool() && !condition->toBool());
    if (!neverRuns || !TSC_OPT_ALLOWED)
      return false;
    for (unsigned i = 0; i < node.numOutputs(); ++i)
      node.output(i)->replaceAllUsesWith(node.input(i + 2));
    node.erase();
    ++NumBranches;
    return true;
  }

  Graph &graph;
  const AliasAnalysis &aliases;
  ConstantEvaluator *evaluator;
};

} // namespace

PreservedAnalyses ConstantPropagation::run(Graph &graph, AnalysisManager &analyses) {
  return PreservedAnalyses::allUnless(Folder(graph, analyses.get<AliasAnalysis>(graph), analyses.constantEvaluator()).visit(graph.block()));
}
