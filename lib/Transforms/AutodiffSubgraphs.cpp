//===- AutodiffSubgraphs.cpp - Put differentiable nodes together ----------===//
//
// Purpose: groups nodes whose derivatives are known into prim::DifferentiableGraph
//          nodes, each of which gets one backward graph, and puts groups that are
//          not worth it back. The outputs of a group are tensors of their own: a
//          view that shares memory with another output or with an input stays
//          outside, with all that uses it.
// Options: threshold=2: nodes that a group has at least (create);
//          in-order=false: groups are nodes that follow one another, for a tape, which
//          adds gradients in the order of the program;
//          threshold=5: nodes below which a group is put back (inline).
// Better:  groups are as large as the order of effects allows, found at once for
//          the whole block and not by merging one producer after another.
// Cost:    linear in nodes and uses.
// Limits:  nodes with blocks are in no group; their blocks have groups of their own.
//
// Before (create-autodiff-subgraphs):
//   graph(%x : Tensor, %y : Tensor):
//     %2 : Tensor = aten::mul(%x, %y)
//     %3 : Tensor = aten::relu(%2)
//     %4 : Tensor = aten::nonzero(%3)
//     %5 : Tensor = aten::tanh(%3)
//     return (%4, %5)
// After:
//   graph(%x : Tensor,
//         %y : Tensor):
//     %6 : Tensor, %7 : Tensor = prim::DifferentiableGraph_0(%x, %y)
//     %4 : Tensor = aten::nonzero(%6)
//     return (%4, %7)
//   with prim::DifferentiableGraph_0 = graph(%x : Tensor,
//         %y : Tensor):
//     %2 : Tensor = aten::mul(%x, %y)
//     %3 : Tensor = aten::relu(%2)
//     %4 : Tensor = aten::tanh(%3)
//     return (%3, %4)
//
// Before (inline-autodiff-subgraphs):
//   graph(%x : Tensor, %y : Tensor):
//     %2 : Tensor = prim::DifferentiableGraph_0(%x, %y)
//     return (%2)
//   with prim::DifferentiableGraph_0 = graph(%x : Tensor, %y : Tensor):
//     %2 : Tensor = aten::mul(%x, %y)
//     return (%2)
// After:
//   graph(%x : Tensor,
//         %y : Tensor):
//     %3 : Tensor = aten::mul(%x, %y)
//     return (%3)
//
//===----------------------------------------------------------------------===//
#include "AutodiffRuns.h"
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/Profiling.h"
#include "tsc/Transforms/Subgraph.h"
#include "llvm/ADT/SetVector.h"
#define DEBUG_TYPE "create-autodiff-subgraphs"
using namespace tsc;

TSC_STATISTIC(NumGroups, "Differentiable graphs made");
TSC_STATISTIC(NumLifted, "Nodes left out because their outputs would alias others");

/// Whether the operator's record says its derivative.
static bool hasDerivative(OpKind kind) {
  switch (kind) {
#define OP(KIND, SOURCE) case OpKind::KIND:
#include "tsc/IR/OpDerivatives.inc"
#undef OP
    return true;
  default: return false;
  }
}

/// Whether the gradient of a result may be asked for and its derivative is known.
static bool isDifferentiable(const Node &node) {
  if (node.numBlocks() || !(hasDerivative(node.opKind()) || node.kind() == prim::ConstantChunk))
    return false;
  return llvm::any_of(node.outputs(), [](const Value *output) {
    const auto *type = dyn_cast<TensorType>(output->type());
    return type && type->facts().requiresGrad.value_or(true);
  });
}

namespace {

/// Finds the nodes of a group whose outputs must not come out of it, because they would share memory with an operand of
/// the group or another output.
class AliasedOutputs {
public:
  AliasedOutputs(ArrayRef<Node *> group, const AliasAnalysis &aliases)
      : aliases(aliases), members(group.begin(), group.end()) {
    for (Node *node : group)
      for (Value *input : node->inputs())
        if (!members.contains(input->node()))
          see(input);
    for (Node *node : group)
      for (Value *output : node->outputs())
        if (llvm::any_of(output->uses(), [&](const Use &use) { return !members.contains(use.user()); }))
          see(output);
  }
  bool contains(Node *node) const { return lifted.contains(node); }
  size_t size() const { return lifted.size(); }

private:
  /// The value is an operand or a result of the group.
  void see(Value *value) {
    if (!seen.insert(value).second)
      return;
    for (Location location : aliases.locations(value)) {
      auto &sharing = visible[location];
      sharing.push_back(value);
      if (sharing.size() == 1)
        continue;
      if (sharing.size() == 2) // the others are seen to already
        liftView(sharing.front()->node());
      liftView(value->node());
    }
  }
  void liftView(Node *node) {
    if (members.contains(node) && (node->hasTrait(Trait::Aliases) || node->kind() == prim::ConstantChunk))
      lift(node);
  }
  /// Takes the node out, and with it all members that use it.
  void lift(Node *first) {
    llvm::SmallVector<Node *> pending{first}, taken;
    while (!pending.empty()) {
      Node *node = pending.pop_back_val();
      if (!lifted.insert(node).second)
        continue;
      taken.push_back(node);
      for (Value *output : node->outputs())
        for (const Use &use : output->uses())
          if (members.contains(use.user()))
            pending.push_back(use.user());
    }
    for (Node *node : taken)
      for (Value *input : node->inputs())
        if (members.contains(input->node()) && !lifted.contains(input->node()))
          see(input);
  }

  const AliasAnalysis &aliases;
  llvm::DenseSet<const Node *> members, lifted;
  llvm::DenseSet<const Value *> seen;
  llvm::DenseMap<Location, llvm::SmallVector<Value *, 2>> visible;
};

class GroupBuilder {
public:
  GroupBuilder(const AliasAnalysis &aliases, unsigned threshold) : aliases(aliases), threshold(threshold) {}

  /// Groups of a block first: what a group is made of is new to the analysis, and the blocks inside do not matter to
  /// this one.
  void visit(Block &block) {
    for (NodeList &group : formGroups(block, aliases, /*failures=*/nullptr, isDifferentiable, threshold))
      build(group);
    for (Node &node : block.nodes())
      for (Block &inner : node.blocks())
        visit(inner);
  }
  bool changed = false;

private:
  void build(ArrayRef<Node *> group) {
    changed = true; // nodes may have moved
    AliasedOutputs aliased(group, aliases);
    NodeList kept, left;
    for (Node *node : group)
      (aliased.contains(node) ? left : kept).push_back(node);
    if (kept.empty() || kept.size() < threshold || !TSC_OPT_ALLOWED)
      return;
    Node *last = kept.back();
    for (Node *node : left) {
      node->moveAfter(last);
      last = node;
    }
    NumLifted += left.size();
    TSC_GRAPH_UPDATE("putting " << kept.size() << " nodes into a differentiable graph");
    createSubgraph(kept, prim::DifferentiableGraph);
    ++NumGroups;
  }
  const AliasAnalysis &aliases;
  const unsigned threshold;
};

} // namespace

Status AutodiffSubgraphCreation::configure(const PassOptions &options) {
  TSC_RETURN_IF_ERROR(rejectOptionsBut({"threshold", "in-order"}, options));
  TSC_RETURN_IF_ERROR(readOption(options, "in-order", inOrder));
  return readOption(options, "threshold", 1, threshold);
}

PreservedAnalyses AutodiffSubgraphCreation::run(Graph &graph, AnalysisManager &analyses) {
  const unsigned smallest = std::min<int64_t>(threshold, 1 << 30);
  if (inOrder) {
    NumGroups += createAutodiffRuns(graph, [](const Node &node) { return hasDerivative(node.opKind()); }, smallest);
    return PreservedAnalyses::none(); // nodes may have moved
  }
  GroupBuilder builder(analyses.get<AliasAnalysis>(graph), smallest);
  builder.visit(graph.block());
  return PreservedAnalyses::allUnless(builder.changed);
}

Status AutodiffSubgraphInlining::configure(const PassOptions &options) {
  TSC_RETURN_IF_ERROR(rejectOptionsBut({"threshold"}, options));
  return readOption(options, "threshold", 0, threshold);
}

PreservedAnalyses AutodiffSubgraphInlining::run(Graph &graph, AnalysisManager &) {
  NodeList small;
  graph.walk([&](Node &node) {
    Graph *subgraph = node.kind() == prim::DifferentiableGraph ? subgraphOf(node) : nullptr;
    if (!subgraph)
      return;
    int64_t size = llvm::count_if(subgraph->nodes(), [](const Node &inner) { return inner.kind() != prim::Constant; });
    if (size < threshold)
      small.push_back(&node);
  });
  for (Node *node : small)
    unmergeSubgraph(*node);
  return PreservedAnalyses::allUnless(!small.empty());
}
