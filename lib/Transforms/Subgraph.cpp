//===- Subgraph.cpp - Nodes that hold a graph of their own ----------------===//
#include "tsc/Transforms/Subgraph.h"
#include "llvm/ADT/DenseSet.h"
using namespace tsc;

using ValueMap = llvm::DenseMap<Value *, Value *>; // of the outer graph -> of the subgraph

Graph *tsc::subgraphOf(const Node &node) {
  const AttributeValue *attribute = node.attribute(attr::Subgraph);
  const auto *graph = attribute ? std::get_if<std::shared_ptr<Graph>>(attribute) : nullptr;
  return graph ? graph->get() : nullptr;
}

bool tsc::hasBailOuts(const Graph &graph) {
  bool found = false;
  const_cast<Graph &>(graph).walk([&](const Node &node) { found |= node.kind() == prim::BailOut; });
  return found;
}

void tsc::walkWithSubgraphs(Graph &graph, llvm::function_ref<void(Node &)> visit) {
  graph.walk([&](Node &node) {
    visit(node);
    if (Graph *inner = subgraphOf(node))
      walkWithSubgraphs(*inner, visit);
  });
}

static void addGroupInput(Node &group, Value *value, ValueMap &inside) {
  assert(subgraphOf(group) && "a group has a subgraph");
  group.addInput(value);
  inside[value] = subgraphOf(group)->addInput(value->name(), value->type());
}

/// Hands a value of the subgraph out as a new output of the group.
static Value *addGroupOutput(Node &group, Value *inner) {
  assert(subgraphOf(group) && "a group has a subgraph");
  assert(&inner->graph() == subgraphOf(group) && "what a group hands out its subgraph computes");
  subgraphOf(group)->addOutput(inner);
  return group.addOutput(inner->type());
}

/// The value inside for one from outside: known, a copy of a constant, or a new input.
static Value *bringIn(Node &group, Value *value, ValueMap &inside) {
  if (Value *known = inside.lookup(value))
    return known;
  if (isConstant(value)) {
    Graph &graph = *subgraphOf(group);
    Node *copy = graph.insertNodeHere(graph.copyNode(*value->node(), [](Value *v) { return v; }));
    return inside[value] = copy->output();
  }
  addGroupInput(group, value, inside);
  return inside[value];
}

/// Copies a node to the insertion point of the group's subgraph.
static Node *copyIn(Node &group, const Node &node, ValueMap &inside) {
  assert(node.kind() != prim::BailOut && "it ends the graph that it is in");
  Graph &graph = *subgraphOf(group);
  for (Value *input : node.inputs())
    bringIn(group, input, inside); // constants stand before the copy
  Node *copy = graph.copyNode(node, [&](Value *value) { return bringIn(group, value, inside); });
  graph.insertNodeHere(copy);
  for (auto [from, to] : llvm::zip(node.outputs(), copy->outputs()))
    inside[from] = to;
  return copy;
}

static Node *createGroup(Graph &graph, Symbol kind) {
  Node *group = graph.create(kind, 0);
  group->setAttribute(attr::Subgraph, std::make_shared<Graph>(graph.context()));
  return group;
}

/// Whether the user is one of these nodes of `block`, or inside one.
static bool isWithin(const Node *user, const Block *block, const llvm::DenseSet<const Node *> &nodes) {
  while (user && user->block() != block)
    user = user->parentNode();
  return user && nodes.contains(user);
}

Node *tsc::createSubgraph(ArrayRef<Node *> nodes, Symbol kind) {
  assert(!nodes.empty() && "a group stands where the last of its nodes was");
  assert(nodes.front()->block() == nodes.back()->block() && "the nodes of a group are of one block");
  Node *group = createGroup(nodes[0]->graph(), kind);
  group->setRange(nodes.back()->range());
  group->setScope(nodes.back()->scope());
  group->insertAfter(nodes.back());
  ValueMap inside;
  for (Node *node : nodes)
    copyIn(*group, *node, inside);
  llvm::DenseSet<const Node *> members(nodes.begin(), nodes.end());
  for (Node *node : nodes)
    for (Value *output : node->outputs()) {
      llvm::SmallVector<Use *, 4> outer;
      for (Use &use : output->uses())
        if (!isWithin(use.user(), group->block(), members))
          outer.push_back(&use);
      if (outer.empty())
        continue;
      Value *result = addGroupOutput(*group, inside[output])->setType(output->type());
      for (Use *use : outer)
        use->set(result);
      std::string name = output->name().str();
      output->setName("");
      result->setName(name);
    }
  for (Node *node : llvm::reverse(nodes))
    node->erase();
  return group;
}

//===----------------------------------------------------------------------===//
// Adding and taking out
//===----------------------------------------------------------------------===//

/// What the group's operands and results are inside.
static ValueMap mapBoundary(const Node &group) {
  assert(subgraphOf(group) && "a group has a subgraph");
  ValueMap inside;
  Graph &graph = *subgraphOf(group);
  for (auto [outer, inner] : llvm::zip(group.inputs(), graph.inputs()))
    inside[outer] = inner;
  for (auto [outer, inner] : llvm::zip(group.outputs(), graph.outputs()))
    inside[outer] = inner;
  return inside;
}

static void eraseUnusedOutputs(Node &group) {
  for (unsigned i = group.numOutputs(); i-- != 0;)
    if (!group.output(i)->hasUses()) {
      group.eraseOutput(i);
      subgraphOf(group)->block().eraseOutput(i);
    }
}

/// Two equal operands, or an operand that is now computed inside, need no input of their own.
static void eraseUnusedInputs(Node &group) {
  Graph &graph = *subgraphOf(group);
  for (unsigned i = group.numInputs(); i-- != 0;)
    if (!graph.inputs()[i]->hasUses()) {
      group.eraseInput(i);
      graph.block().eraseInput(i);
    }
}

static void mergeProducer(Node &node, Node &group) {
  ValueMap inside = mapBoundary(group);
  Graph &graph = *subgraphOf(group);
  ValueMap replaced;
  for (Value *output : node.outputs())
    if (Value *parameter = inside.lookup(output))
      replaced[output] = parameter;
  InsertPointGuard guard(graph);
  if (graph.block().empty())
    graph.setInsertPoint(graph.block());
  else
    graph.setInsertPoint(&graph.nodes().front());
  Node *copy = copyIn(group, node, inside);
  for (auto [outer, inner] : llvm::zip(node.outputs(), copy->outputs())) {
    if (Value *parameter = replaced.lookup(outer))
      parameter->replaceAllUsesWith(inner);
    for (unsigned i = group.numInputs(); i-- != 0;) // the group's own uses are no reason to hand it out
      if (group.input(i) == outer) {
        group.eraseInput(i);
        graph.block().eraseInput(i);
      }
    if (outer->hasUses())
      outer->replaceAllUsesWith(addGroupOutput(group, inner)->setType(outer->type()));
  }
  node.erase();
}

static void mergeConsumer(Node &node, Node &group) {
  ValueMap inside = mapBoundary(group);
  Graph &graph = *subgraphOf(group);
  InsertPointGuard guard(graph);
  graph.setInsertPoint(graph.block());
  Node *copy = copyIn(group, node, inside);
  for (auto [outer, inner] : llvm::zip(node.outputs(), copy->outputs()))
    if (outer->hasUses())
      outer->replaceAllUsesWith(addGroupOutput(group, inner)->setType(outer->type()));
  node.erase();
  eraseUnusedOutputs(group);
}

void tsc::mergeIntoSubgraph(Node &node, Node &group) {
  assert(node.block() == group.block() && "a node is merged into a group of its own block");
  assert(&node != &group && subgraphOf(group) && "a node is merged into another one that has a subgraph");
  bool isProducer = node.isBefore(&group);
  if (node.kind() != group.kind() || !subgraphOf(node))
    return isProducer ? mergeProducer(node, group) : mergeConsumer(node, group);
  NodeList parts = unmergeSubgraph(node);
  if (isProducer)
    std::reverse(parts.begin(), parts.end());
  for (Node *part : parts)
    if (part->kind() != prim::Constant)
      isProducer ? mergeProducer(*part, group) : mergeConsumer(*part, group);
  for (Node *part : parts) // their copies went along with their users
    if (part->kind() == prim::Constant && !part->output()->hasUses())
      part->erase();
}

Node *tsc::liftOutOfSubgraph(Node &inner, Node &group) {
  assert(subgraphOf(group) && "a group has a subgraph");
  Graph &outerGraph = group.graph(), &graph = *subgraphOf(group);
  assert(inner.block() == &graph.block() && "only a node of the subgraph's own block is lifted out of it");
  InsertPointGuard guard(outerGraph);
  if (Node *next = group.next())
    outerGraph.setInsertPoint(next);
  else
    outerGraph.setInsertPoint(*group.block());
  llvm::DenseMap<Value *, Value *> outside;
  for (auto [outer, value] : llvm::zip(group.inputs(), graph.inputs()))
    outside[value] = outer;
  for (auto [outer, value] : llvm::zip(group.outputs(), graph.outputs()))
    outside.try_emplace(value, outer);
  auto takeOut = [&](Value *value) -> Value * {
    Value *&outer = outside[value];
    if (!outer)
      outer = isConstant(value)
                  ? outerGraph.insertNodeHere(outerGraph.copyNode(*value->node(), [](Value *v) { return v; }))->output()
                  : addGroupOutput(group, value);
    return outer;
  };
  for (Value *input : inner.inputs())
    takeOut(input);
  Node *lifted = outerGraph.insertNodeHere(outerGraph.copyNode(inner, takeOut));
  for (unsigned i = group.numOutputs(); i-- != 0;) {
    Value *result = graph.block().returnNode().input(i);
    if (result->node() == &inner) {
      group.output(i)->replaceAllUsesWith(lifted->output(result->offset()));
      group.eraseOutput(i);
      graph.block().eraseOutput(i);
    }
  }
  inner.erase();
  eraseUnusedInputs(group);
  return lifted;
}

NodeList tsc::unmergeSubgraph(Node &group) {
  assert(subgraphOf(group) && "a group has a subgraph");
  assert(!hasBailOuts(*subgraphOf(group)) && "the verifier allows none in a group");
  Graph &outer = group.graph();
  Node *before = group.previous();
  InsertPointGuard guard(outer);
  outer.setInsertPoint(&group);
  std::vector<Value *> results = subgraphOf(group)->inlineInto(outer, group.inputVector());
  NodeList nodes;
  for (Node *node = before ? before->next() : &group.block()->nodes().front(); node != &group; node = node->next())
    nodes.push_back(node);
  for (auto [output, result] : llvm::zip(group.outputs(), results))
    output->replaceAllUsesWith(result);
  group.erase();
  return nodes;
}
