//===- Liveness.cpp - What a graph computes for somebody ------------------===//
#include "Liveness.h"
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/Analysis/ProgramOrder.h"
#include "tsc/IR/FunctionSchema.h"
#include "tsc/IR/Graph.h"
#include "tsc/Transforms/Pass.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
using namespace tsc;

Liveness::Liveness(Graph &graph, AnalysisManager &analyses, Roots roots)
    : aliases(&analyses.get<AliasAnalysis>(graph)), order(&analyses.get<ProgramOrder>(graph)), nodes(graph),
      values(graph), nextWriter(aliases->numLocations()) {
  for (const Value *output : graph.outputs())
    mark(output);
  if (roots == Roots::ResultsAndEffects)
    graph.walk([&](Node &node) {
      if (aliases->hasSideEffects(node) || aliases->isWriteObservable(node))
        mark(&node);
    });
  propagate();
}

/// Of an operator that nobody knows, everything may be expected; prim kinds without a schema are what graphs are made
/// of.
static bool writesOrActs(const Node &node) {
  const FunctionSchema *schema = node.schema();
  return node.hasSideEffects() || (schema ? schema->isMutating() : node.kind().ns() != "prim");
}

static void forEachNode(const Block &block, llvm::function_ref<void(const Node &)> f) {
  for (const Node &node : block.nodes()) {
    f(node);
    for (const Block &inner : node.blocks())
      forEachNode(inner, f);
  }
}

Liveness::Liveness(const Graph &graph) : nodes(graph), values(graph) {
  for (const Value *output : graph.outputs())
    mark(output);
  forEachNode(graph.block(), [&](const Node &node) {
    if (writesOrActs(node))
      mark(&node);
  });
  propagate();
}

void Liveness::keep(const Node &node) {
  mark(&node);
  propagate();
}

void Liveness::propagate() {
  while (!pendingNodes.empty() || !pendingValues.empty()) {
    if (!pendingNodes.empty())
      follow(*pendingNodes.pop_back_val());
    else
      follow(*pendingValues.pop_back_val());
  }
}

void Liveness::mark(const Node *node) {
  if (node && nodes.insert(node))
    pendingNodes.push_back(node);
}

void Liveness::mark(const Value *value) {
  if (values.insert(value))
    pendingValues.push_back(value);
}

/// Writes that may come before the node and that it may see.
void Liveness::markWriters(const Node &reader) {
  assert(aliases && order && "with analyses only is it known who writes what a node reads");
  unsigned latest = order->latestBefore(reader);
  for (Location location : aliases->effects(reader).reads) {
    llvm::ArrayRef<Node *> writers = aliases->writersOf(location);
    unsigned &next = nextWriter[static_cast<unsigned>(location)];
    while (next != writers.size() && order->position(*writers[next]) < latest)
      mark(writers[next++]);
  }
}

/// What a node needs whichever of its outputs is asked for.
void Liveness::follow(const Node &node) {
  mark(node.parentNode());
  if (node.kind() == prim::If) {
    mark(node.input(0));
  } else if (node.kind() == prim::Loop) {
    mark(node.input(0));
    mark(node.input(1));
    mark(node.block(0).returnNode().input(0));
  } else {
    for (const Value *input : node.inputs())
      mark(input);
    for (const Block &block : node.blocks())
      for (const Value *output : block.outputs())
        mark(output);
    if (!node.numBlocks() && aliases)
      markWriters(node);
  }
}

void Liveness::follow(const Value &value) {
  const Node *definition = value.definingNode();
  mark(definition);
  if (!definition)
    return;
  const bool isParameter = value.node() != definition;
  unsigned index = value.offset();
  if (definition->kind() == prim::If) {
    for (const Block &block : definition->blocks())
      mark(block.returnNode().input(index));
  } else if (definition->kind() == prim::Loop && !(isParameter && index == 0)) {
    unsigned carried = isParameter ? index - 1 : index;
    mark(definition->input(carried + 2));
    mark(definition->block(0).returnNode().input(carried + 1));
  }
}
