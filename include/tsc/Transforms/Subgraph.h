//===- Subgraph.h - Nodes that hold a graph of their own --------*- C++ -*-===//
//
// What fusion and differentiation do to a graph: find nodes that belong together,
// put them into the subgraph of a group node (`prim::FusionGroup_0`), add to it,
// take out of it, and put the nodes back. Inputs and outputs of a group node are
// those of its subgraph, in order; a constant that a node needs goes along with it.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_TRANSFORMS_SUBGRAPH_H
#define TSC_TRANSFORMS_SUBGRAPH_H

#include "tsc/IR/Graph.h"

namespace tsc {

class AliasAnalysis;
class FailureAnalysis;

using NodeList = llvm::SmallVector<Node *, 8>;

/// Null when the node holds none.
Graph *subgraphOf(const Node &node);

/// Visits all nodes, those of subgraphs too: of groups, forks and what is tried.
void walkWithSubgraphs(Graph &graph, llvm::function_ref<void(Node &)> visit);

/// Moves nodes that follow one another into the subgraph of a new node in their place. Returns the new node.
Node *createSubgraph(llvm::ArrayRef<Node *> nodes, Symbol kind);

/// Moves a neighbour of the group (constants may stand between) into its subgraph: one whose outputs the group uses, or
/// one that uses the group's. A group of the same kind merges node by node.
void mergeIntoSubgraph(Node &node, Node &group);

/// Moves a node of the group's subgraph whose outputs no other node there uses to behind the group. Returns it as it is
/// there.
Node *liftOutOfSubgraph(Node &inner, Node &group);

/// Puts the nodes of the subgraph in place of the group. Returns them, constants included.
NodeList unmergeSubgraph(Node &group);

/// Finds the largest groups of nodes of a block for which `belongs` holds and that use one another's results, so that
/// no way leads from one node of a group to another through the outside; and moves the nodes of each group together, so
/// that values are still defined before their uses and reads see the same writes. Nodes that write or have side effects
/// never belong. With `failures`, what may raise keeps its order with what somebody can see, and behind that with what
/// else may raise. Linear in nodes, uses and memory accesses. Moves nothing when there is no group of at least
/// `smallest` nodes.
std::vector<NodeList> formGroups(Block &block, const AliasAnalysis &aliases, FailureAnalysis *failures,
                                 llvm::function_ref<bool(const Node &)> belongs, unsigned smallest = 1);

/// The same for nodes to which `keyOf` gives one key (null: none), and none of which needs another.
std::vector<NodeList> formIndependentGroups(Block &block, const AliasAnalysis &aliases, FailureAnalysis *failures,
                                            llvm::function_ref<const void *(const Node &)> keyOf,
                                            unsigned smallest = 2);

} // namespace tsc

#endif
