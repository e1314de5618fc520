//===- Liveness.cpp - What a graph computes for somebody ------------------===//
#include "Liveness.h"
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/Analysis/ProgramOrder.h"
#include "tsc/Transforms/Pass.h"
#include "llvm/ADT/STLExtras.h"
using namespace tsc;

Liveness::Liveness(Graph &graph, AnalysisManager &analyses, Roots roots)
    : aliases(analyses.get<AliasAnalysis>(graph)), order(analyses.get<ProgramOrder>(graph)), nodes(graph),
      values(graph), nextWriter(aliases.numLocations()) {
  for (Value *output : graph.outputs())
    mark(output);
  if (roots == Roots::ResultsAndEffects)
    graph.walk([&](Node &node) {
      if (aliases.hasSideEffects(node) || aliases.isWriteObservable(node))
        mark(&node);
    });
  while (!pendingNodes.empty() || !pendingValues.empty()) {
    if (!pendingNodes.empty())
      follow(*pendingNodes.pop_back_val());
    else
      follow(*pendingValues.pop_back_val());
  }
}

void Liveness::mark(Node *node) {
  if (node && nodes.insert(node))
    pendingNodes.push_back(node);
}

void Liveness::mark(Value *value) {
  if (values.insert(value))
    pendingValues.push_back(value);
}

/// Writes that may come before the node and that it may see.
void Liveness::markWriters(const Node &reader) {
  unsigned latest = order.latestBefore(reader);
  for (Location location : aliases.effects(reader).reads) {
    llvm::ArrayRef<Node *> writers = aliases.writersOf(location);
    unsigned &next = nextWriter[static_cast<unsigned>(location)];
    while (next != writers.size() && order.position(*writers[next]) < latest)
      mark(writers[next++]);
  }
}

/// What a node needs whichever of its outputs is asked for.
void Liveness::follow(Node &node) {
  mark(node.parentNode());
  if (node.kind() == prim::If) {
    mark(node.input(0));
  } else if (node.kind() == prim::Loop) {
    mark(node.input(0));
    mark(node.input(1));
    mark(node.block(0).returnNode().input(0));
  } else {
    for (Value *input : node.inputs())
      mark(input);
    for (Block &block : node.blocks())
      for (Value *output : block.outputs())
        mark(output);
    if (!node.numBlocks())
      markWriters(node);
  }
}

void Liveness::follow(Value &value) {
  Node *definition = value.definingNode();
  mark(definition);
  if (!definition)
    return;
  const bool isParameter = value.node() != definition;
  unsigned index = value.offset();
  if (definition->kind() == prim::If) {
    for (Block &block : definition->blocks())
      mark(block.returnNode().input(index));
  } else if (definition->kind() == prim::Loop && !(isParameter && index == 0)) {
    unsigned carried = isParameter ? index - 1 : index;
    mark(definition->input(carried + 2));
    mark(definition->block(0).returnNode().input(carried + 1));
  }
}
