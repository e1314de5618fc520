//===- IfConversion.cpp - Selects in the place of short branches ----------===//
//
// Purpose: an If whose branches only do cheap things that cannot fail runs both
//   and selects its outputs by the condition (prim::IfThenElse; and, or for bools),
//   so that straight code stays in one piece for the passes and fusers after it.
//
// Better: PyTorch selects in its fuser's kernels only.
// Cost:   linear.
// Limits: at most max-nodes (2) nodes in both branches, since the interpreter pays for
//   each, all of operators marked speculatable; tensor arithmetic stays in its branch.
//
// Before:
//   graph(%a : int, %b : int):
//     %2 : bool = aten::lt(%a, %b)
//     %3 : int = prim::If(%2)
//       block0():
//         %4 : int = aten::sub(%b, %a)
//         -> (%4)
//       block1():
//         -> (%a)
//     return (%3)
// After:
//   graph(%a : int,
//         %b : int):
//     %2 : bool = aten::lt(%a, %b)
//     %4 : int = aten::sub(%b, %a)
//     %5 : int = prim::IfThenElse(%2, %4, %a)
//     return (%5)
//
//===----------------------------------------------------------------------===//
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/Simplification.h"
#include "llvm/ADT/STLExtras.h"
#define DEBUG_TYPE "if-conversion"
using namespace tsc;

TSC_STATISTIC(NumConverted, "Ifs converted");

Status IfConversion::configure(const PassOptions &options) {
  TSC_RETURN_IF_ERROR(rejectOptionsBut({"max-nodes"}, options));
  return readOption(options, "max-nodes", 0, maxNodes);
}

/// Constants cost nothing and are not counted.
static bool areCheap(llvm::ArrayRef<Block *> branches, int64_t maxNodes) {
  int64_t count = 0;
  for (Block *branch : branches)
    for (Node &node : branch->nodes()) {
      if (node.kind() == prim::Constant)
        continue;
      if (!node.hasTrait(Trait::Speculatable) || !node.hasTrait(Trait::Pure) || ++count > maxNodes)
        return false;
    }
  return true;
}

/// What a branch leaves undefined cannot be selected, and one optional type may hide another.
static bool canSelect(const Node &node, unsigned index) {
  auto isDefined = [&](const Block &block) {
    const Value *value = block.returnNode().input(index);
    return value->node()->kind() != prim::Uninitialized;
  };
  return isDefined(node.block(0)) && isDefined(node.block(1));
}

namespace {

class Converter {
public:
  Converter(Graph &graph, int64_t maxNodes) : graph(graph), maxNodes(maxNodes) {}

  /// Inner Ifs first: what they become may be cheap enough for the outer one.
  bool visit(Block &block) {
    bool changed = false;
    for (Node &node : llvm::make_early_inc_range(block.nodes())) {
      for (Block &inner : node.blocks())
        changed |= visit(inner);
      if (node.kind() == prim::If && node.numBlocks() == 2)
        changed |= convert(node);
    }
    return changed;
  }

private:
  bool convert(Node &node) {
    for (unsigned i = 0; i != node.numOutputs(); ++i)
      if (!canSelect(node, i))
        return false;
    if (!areCheap({&node.block(0), &node.block(1)}, maxNodes) || !TSC_OPT_ALLOWED)
      return false;
    TSC_GRAPH_UPDATE("running both branches of an If");
    for (Block &block : node.blocks())
      for (Node &inner : llvm::make_early_inc_range(block.nodes()))
        inner.moveBefore(&node);
    for (unsigned i = 0; i != node.numOutputs(); ++i) {
      Value *output = node.output(i);
      Value *selected =
          selectValue(node, node.block(0).returnNode().input(i), node.block(1).returnNode().input(i), output->type());
      output->replaceAllUsesWith(selected);
    }
    node.erase();
    ++NumConverted;
    return true;
  }

  Value *selectValue(Node &node, Value *first, Value *second, const Type *type) {
    if (first == second)
      return first;
    Value *condition = node.input(0);
    auto is = [](const Value *value, bool wanted) {
      auto constant = constantValue(value);
      return constant && constant->isBool() && constant->toBool() == wanted;
    };
    if (type->isBool() && is(first, true) && is(second, false))
      return condition;
    if (type->isBool() && is(first, false) && is(second, true))
      return insert(node, aten::__not__, {condition}, type);
    if (type->isBool() && is(first, true))
      return insert(node, aten::__or__, {condition, second}, type);
    if (type->isBool() && is(second, false))
      return insert(node, aten::__and__, {condition, first}, type);
    return insert(node, prim::IfThenElse, {condition, first, second}, type);
  }

  Value *insert(Node &before, Symbol kind, llvm::ArrayRef<Value *> inputs, const Type *type) {
    Node *node = graph.create(kind, inputs);
    node->setRange(before.range());
    node->setScope(before.scope());
    node->insertBefore(&before);
    return node->output()->setType(type);
  }

  Graph &graph;
  int64_t maxNodes;
};

} // namespace

PreservedAnalyses IfConversion::run(Graph &graph, AnalysisManager &) {
  return PreservedAnalyses::allUnless(Converter(graph, maxNodes).visit(graph.block()));
}
