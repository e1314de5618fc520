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

/// Nodes that are to become a group, or were one.
using NodeList = llvm::SmallVector<Node *, 8>;

/// Returns the graph in the node's attribute `Subgraph`, which the node shares in owning, or null when it has none.
Graph *subgraphOf(const Node &node);

/// Whether the graph has a prim::BailOut, in its blocks or in those of its nodes. Such a node ends the graph around it
/// with the results of that graph. So the nodes of this graph cannot stand in another one, as inlining would have it.
bool hasBailOuts(const Graph &graph);

/// Calls `visit` for all nodes of the graph and of the subgraphs of its nodes: groups, forks, and what is tried.
void walkWithSubgraphs(Graph &graph, llvm::function_ref<void(Node &)> visit);

/// Moves nodes of one block, at least one, in the order of their block, into the subgraph of a new node of this kind,
/// which stands where the last of them was. Returns the new node.
Node *createSubgraph(llvm::ArrayRef<Node *> nodes, Symbol kind);

/// Moves a node of the group's block into the group's subgraph: either one whose outputs the group uses, or one that
/// uses the group's, with nothing but constants between them. A node that is a group of the same kind is merged node by
/// node.
void mergeIntoSubgraph(Node &node, Node &group);

/// Moves a node of the group's subgraph, whose outputs no other node there uses, to just behind the group. Returns the
/// node that stands for it there.
Node *liftOutOfSubgraph(Node &inner, Node &group);

/// Replaces a group by the nodes of its subgraph. Returns these, constants included.
NodeList unmergeSubgraph(Node &group);

/// Finds the largest groups of nodes of a block for which `belongs` holds and that use one another's results, so that
/// no way leads from one node of a group to another through the outside; and moves the nodes of each group together, so
/// that values are still defined before their uses and reads see the same writes. Nodes that write or have side effects
/// never belong. With `failures`, what may raise keeps its order with what somebody can see, and behind that with what
/// else may raise. Linear in nodes, uses and memory accesses. Moves nothing when there is no group of at least
/// `smallest` nodes.
std::vector<NodeList> formGroups(Block &block, const AliasAnalysis &aliases, FailureAnalysis *failures,
                                 llvm::function_ref<bool(const Node &)> belongs, unsigned smallest = 1);

/// Does what formGroups() does for nodes that are independent of one another: a group is nodes with the same key by
/// `keyOf`, of which none needs another. Nodes whose key is null are in no group.
std::vector<NodeList> formIndependentGroups(Block &block, const AliasAnalysis &aliases, FailureAnalysis *failures,
                                            llvm::function_ref<const void *(const Node &)> keyOf,
                                            unsigned smallest = 2);

} // namespace tsc

#endif
