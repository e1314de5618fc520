//===- MarkReused.cpp - Weights that every trip of a loop reads -----------===//
//
// Purpose: gives the weight of a product, a linear layer, a convolution or a
//          recurrent cell in a loop to tsc::reused before the loop, when it is
//          defined there and nobody writes it. While that lives, kernels keep the
//          weight as they rearranged it: the product of a recurrence packs its
//          weight once, not in each step.
// Better:  PyTorch has no such pass; its products pack in every step.
// Cost:    linear.
// Limits:  loops only: a weight that straight code reads twice is not marked. More
//          than eight views of a weight, or views that differ from trip to trip, end
//          the search for it. Kernels keep floating weights of full precision.
//
// Before:
//   graph(%h : Tensor,
//         %w : Tensor,
//         %n : int):
//     %3 : bool = prim::Constant[value=1]()
//     %4 : Tensor = prim::Loop(%n, %3, %h)
//       block0(%i : int, %6 : Tensor):
//         %7 : Tensor = aten::t(%w)
//         %8 : Tensor = aten::mm(%6, %7)
//         -> (%3, %8)
//     return (%4)
// After:
//   graph(%h : Tensor,
//         %w : Tensor,
//         %n : int):
//     %3 : bool = prim::Constant[value=1]()
//     %9 : Tensor = tsc::reused(%w)
//     %4 : Tensor = prim::Loop(%n, %3, %h)
//       block0(%i : int, %6 : Tensor):
//         %7 : Tensor = aten::t(%9)
//         %8 : Tensor = aten::mm(%6, %7)
//         -> (%3, %8)
//     return (%4)
//
//===----------------------------------------------------------------------===//
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/GraphTable.h"
#include "tsc/IR/OpRecord.h"
#include "tsc/IR/OpViews.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/Loops.h"
#include "llvm/ADT/bit.h"
#define DEBUG_TYPE "mark-reused"
using namespace tsc;

TSC_STATISTIC(NumMarked, "Weights marked as read in every trip");

namespace {
class Marker {
public:
  Marker(Graph &graph, const AliasAnalysis &aliases, const Remarks &remarks)
      : graph(graph), aliases(aliases), remarks(remarks), depthOf(graph) {}

  /// `depth` blocks are around this one.
  void visit(Block &block, unsigned depth) {
    for (Value *parameter : block.inputs())
      depthOf[parameter] = depth;
    for (Node &node : llvm::make_early_inc_range(block.nodes())) {
      if (node.kind() == prim::Loop)
        loops.emplace_back(&node, depth);
      for (Block &inner : node.blocks())
        visit(inner, depth + 1);
      if (node.kind() == prim::Loop)
        loops.pop_back();
      for (Value *output : node.outputs())
        depthOf[output] = depth;
      if (!loops.empty() && node.record() && node.record()->weights)
        markWeights(node);
    }
  }
  bool changed = false;

private:
  void markWeights(Node &node);
  bool isFixedView(const Value *operand) const;
  void mark(Node &node, unsigned operand);

  /// A loop around the place of the walk.
  struct OpenLoop {
    OpenLoop(Node *node, unsigned depth) : node(node), depth(depth) {}
    Node *node;
    unsigned depth; ///< Of the block that it stands in.
    llvm::SmallDenseMap<const Value *, Value *, 4> marked;
  };
  /// The outermost open loop before which a value is defined; the end where it is defined in the innermost.
  OpenLoop *loopBehind(const Value *value) {
    return llvm::partition_point(loops, [&](const OpenLoop &open) { return open.depth < depthOf.lookup(value); });
  }

  Graph &graph;
  const AliasAnalysis &aliases;
  const Remarks &remarks;
  GraphTable<Value, unsigned> depthOf;  ///< Blocks around the one in which a value is defined.
  llvm::SmallVector<OpenLoop, 4> loops; ///< The outermost first.
};
} // namespace

void Marker::markWeights(Node &node) {
  for (unsigned left = node.record()->weights; left != 0; left &= left - 1)
    mark(node, llvm::countr_zero(left));
}

/// An operand that is the elements of another in other places, the same places in every trip of the open loops.
bool Marker::isFixedView(const Value *operand) const {
  const Node *node = operand->node();
  auto isMadeInLoop = [&](const Value *value) { return depthOf.lookup(value) > loops.front().depth; };
  return isMadeInLoop(operand) && node->hasTrait(Trait::IndexMap) &&
         llvm::none_of(llvm::drop_begin(node->inputs()), isMadeInLoop);
}

void Marker::mark(Node &node, unsigned operand) {
  constexpr unsigned mostViews = 8; // longer chains would cost more than linear time
  Node *reader = &node;             // of the elements, through views that are in the loop
  for (unsigned views = 0; views != mostViews && isFixedView(reader->input(operand)); ++views, operand = 0) {
    Value *view = reader->input(operand);
    OpenLoop *around = loopBehind(view->node()->input(0));
    if (around == loops.end() || depthOf.lookup(view) <= around->depth)
      break; // the view stands before the loop, too
    reader = view->node();
  }
  Value *weight = reader->input(operand);
  OpenLoop *loop = loopBehind(weight);
  bool isKnown = isa<TscReusedOp>(weight->node()) || weight->node()->kind() == prim::Constant; // those are long-lived
  if (loop == loops.end() || isKnown || !isa<TensorType>(weight->type()))
    return;
  if (aliases.hasWriters(weight))
    return remarks.missed(node, "its weight is written, and cannot be kept from trip to trip");
  if (!TSC_OPT_ALLOWED)
    return;
  Value *&marked = loop->marked[weight];
  if (!marked) {
    TSC_GRAPH_UPDATE("marking %" << weight->name() << " as read in every trip");
    Node *reused = graph.create(graph.context().symbol("tsc::reused"), {weight})->insertBefore(loop->node);
    reused->setRange(node.range());
    reused->setScope(node.scope());
    marked = reused->output();
    marked->setType(weight->type());
    depthOf[marked] = loop->depth;
    remarks.done(node, "its weight may be kept from trip to trip");
    ++NumMarked;
    changed = true;
  }
  reader->setInput(operand, marked);
}

PreservedAnalyses MarkReused::run(Graph &graph, AnalysisManager &analyses) {
  Marker marker(graph, analyses.get<AliasAnalysis>(graph), analyses.remarks());
  marker.visit(graph.block(), 0);
  return PreservedAnalyses::allUnless(marker.changed);
}
