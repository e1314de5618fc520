//===- FunctionalGraphs.cpp - Put what only computes together -------------===//
//
// Purpose: groups nodes of which no result is ever written, or visible outside of
//          the call, into prim::FunctionalGraph nodes: what is in one may be
//          rewritten without a thought of aliases. Branches and loops whose
//          blocks are made of such nodes go along as a whole. create-functional-graphs
//          makes the groups, inline-functional-graphs puts them back.
// Options: smallest=6: nodes that a group has at least (create).
// Cost:    linear in nodes and uses; a group reaches over 256 nodes that stay
//          outside at most.
// Limits:  results of the graph stay outside, and so do views of its inputs.
//
// Before (create-functional-graphs<smallest=2>):
//   graph(%x : Tensor, %y : Tensor):
//     %2 : Tensor = aten::mul(%x, %y)
//     %3 : Tensor = aten::relu(%2)
//     %4 : Tensor = aten::tanh(%3)
//     return (%4)
// After:
//   graph(%x : Tensor,
//         %y : Tensor):
//     %5 : Tensor = prim::FunctionalGraph_0(%x, %y)
//     %4 : Tensor = aten::tanh(%5)
//     return (%4)
//   with prim::FunctionalGraph_0 = graph(%x : Tensor,
//         %y : Tensor):
//     %2 : Tensor = aten::mul(%x, %y)
//     %3 : Tensor = aten::relu(%2)
//     return (%3)
//
// Before (inline-functional-graphs):
//   graph(%x : Tensor, %y : Tensor):
//     %2 : Tensor = prim::FunctionalGraph_0(%x, %y)
//     return (%2)
//   with prim::FunctionalGraph_0 = graph(%x : Tensor, %y : Tensor):
//     %2 : Tensor = aten::mul(%x, %y)
//     return (%2)
// After:
//   graph(%x : Tensor,
//         %y : Tensor):
//     %3 : Tensor = aten::mul(%x, %y)
//     return (%3)
//
//===----------------------------------------------------------------------===//
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/Mutation.h"
#include "tsc/Transforms/Subgraph.h"
#include "llvm/ADT/DenseSet.h"
#define DEBUG_TYPE "create-functional-graphs"
using namespace tsc;

TSC_STATISTIC(NumGroups, "Functional graphs made");

namespace {

class FunctionalGrouping {
public:
  FunctionalGrouping(const AliasAnalysis &aliases, int64_t smallest) : aliases(aliases), smallest(smallest) {}

  /// What a group is made of is new to the analysis: all are found before the first is made.
  void run(Block &block) {
    (void)findFunctional(block);
    findGroups(block);
    changed = !groups.empty(); // nodes may have moved
    for (NodeList &group : groups) {
      if (!TSC_OPT_ALLOWED)
        return;
      TSC_GRAPH_UPDATE("putting " << group.size() << " nodes into a functional graph");
      (void)createSubgraph(group, prim::FunctionalGraph);
      ++NumGroups;
    }
  }
  bool changed = false;

private:
  static constexpr size_t maxOutside = 256;

  bool isPrivate(const Value *value) const { return !aliases.hasWriters(value) && !aliases.reachesEscaping(value); }

  /// Whether all of a block is functional; fills `functional`.
  bool findFunctional(Block &block) {
    bool all = llvm::all_of(block.inputs(), [&](const Value *input) { return isPrivate(input); });
    for (Node &node : block.nodes())
      all &= findFunctional(node);
    return all;
  }
  bool findFunctional(Node &node) {
    bool is = llvm::all_of(node.outputs(), [&](const Value *output) { return isPrivate(output); });
    for (Block &inner : node.blocks())
      is &= findFunctional(inner);
    is &= !aliases.hasSideEffects(node) && !aliases.mayWrite(node);
    if (is && node.kind() != prim::Constant)
      functional.insert(&node);
    return is || node.kind() == prim::Constant;
  }

  /// Whether the node may move down over everything that stays outside of the group.
  bool canReach(const Node &node) const {
    return llvm::none_of(outside,
                         [&](const Node *other) { return needs(*other, node) || aliases.mustPrecede(node, *other); });
  }
  static bool needs(const Node &user, const Node &node) {
    for (const Value *output : node.outputs())
      for (const Use &use : output->uses()) {
        const Node *at = use.user();
        while (at && at->block() != node.block())
          at = at->parentNode();
        if (at == &user)
          return true;
      }
    return false;
  }

  /// Walks up, from the last node: each functional one goes down to the group that is being gathered.
  void findGroups(Block &block) {
    endGroup();
    for (Node *node = block.empty() ? nullptr : &block.nodes().back(); node;) {
      Node *above = node->previous();
      if (functional.contains(node)) {
        if (outside.size() > maxOutside || !canReach(*node))
          endGroup();
        gathered.push_back(node);
      } else if (node->kind() != prim::Constant && !gathered.empty()) {
        outside.push_back(node);
      }
      node = above;
    }
    endGroup();
    for (Node &node : block.nodes())
      if (!functional.contains(&node))
        for (Block &inner : node.blocks())
          findGroups(inner);
  }
  void endGroup() {
    if (static_cast<int64_t>(gathered.size()) >= smallest) {
      Node *last = gathered.front();
      std::reverse(gathered.begin(), gathered.end());
      for (Node *node : llvm::ArrayRef(gathered).drop_back())
        node->moveBefore(last);
      groups.push_back(gathered);
    }
    gathered.clear();
    outside.clear();
  }

  const AliasAnalysis &aliases;
  const int64_t smallest;
  llvm::DenseSet<const Node *> functional;
  NodeList gathered;                    ///< Last first.
  llvm::SmallVector<Node *, 8> outside; ///< Nodes that are not of the group, above its last node.
  std::vector<NodeList> groups;
};

} // namespace

Status FunctionalGraphCreation::configure(const PassOptions &options) {
  TSC_RETURN_IF_ERROR(rejectOptionsBut({"smallest"}, options));
  return readOption(options, "smallest", 1, smallest);
}

PreservedAnalyses FunctionalGraphCreation::run(Graph &graph, AnalysisManager &analyses) {
  FunctionalGrouping grouping(analyses.get<AliasAnalysis>(graph), smallest);
  grouping.run(graph.block());
  return PreservedAnalyses::allUnless(grouping.changed);
}

PreservedAnalyses FunctionalGraphInlining::run(Graph &graph, AnalysisManager &) {
  NodeList found;
  graph.walk([&](Node &node) {
    if (node.kind() == prim::FunctionalGraph && subgraphOf(node))
      found.push_back(&node);
  });
  for (Node *node : found)
    unmergeSubgraph(*node);
  return PreservedAnalyses::allUnless(!found.empty());
}
