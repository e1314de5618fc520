//===- LambdaLift.cpp - Traced calls as graphs of their own ---------------===//
//
// Purpose: makes a graph of the block of each traced call, and gives both an input more for each value that the block
//   uses from around it. The block of a traced fork becomes the graph of a prim::fork in the same way.
//
// Cost:   linear in nodes, and in values times the depth of the calls that they are handed through.
// Limits: values that are used behind their block have to be results of its call (defs-dominate-uses).
//
// Before:
//   graph(%self : __torch__.Layer, %x : Tensor):
//     %2 : Tensor = prim::TracedModuleForward[scope="__module.layer"](%self)
//       block0(%self.1 : __torch__.Layer):
//         %4 : Tensor = prim::GetAttr[name="weight"](%self.1)
//         %5 : Tensor = aten::matmul(%x, %4)
//         -> (%5)
//     return (%2)
// After:
//   graph(%self : __torch__.Layer,
//         %x : Tensor):
//     %2 : Tensor = prim::TracedModuleForward_0[scope="__module.layer"](%self, %x)
//     return (%2)
//   with prim::TracedModuleForward_0 = graph(%self.1 : __torch__.Layer,
//         %x : Tensor):
//     %1 : Tensor = prim::GetAttr[name="weight"](%self.1)
//     %3 : Tensor = aten::matmul(%x, %1)
//     return (%3)
//
//===----------------------------------------------------------------------===//
#include "Traces.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/TracedModules.h"
#include "tsc/Transforms/Subgraph.h"
#define DEBUG_TYPE "lambda-lift"
using namespace tsc;

TSC_STATISTIC(NumBlocksLifted, "Blocks of traced calls and forks made graphs");

bool tsc::isTrace(Graph &graph) {
  bool found = false;
  walkWithSubgraphs(graph, [&](Node &node) {
    found |= isTracedCall(node) || node.kind() == prim::TracedAttr || node.kind() == prim::TracedFork;
  });
  return found;
}

namespace {

/// Copies the block of a traced node to a graph of its own.
class BlockLifter {
public:
  explicit BlockLifter(Node &traced) : traced(traced), lifted(std::make_shared<Graph>(traced.graph().context())) {}

  void run() {
    Block &block = traced.block(0);
    for (Value *parameter : block.inputs())
      inside[parameter] = lifted->addInput(parameter->name(), parameter->type());
    for (Node &node : block.nodes())
      copyIn(node);
    for (Value *result : block.outputs())
      lifted->addOutput(valueInside(result));
    lifted->block().returnNode().setRange(block.returnNode().range());
    traced.eraseBlock(0);
    traced.setAttribute(attr::Subgraph, std::move(lifted));
  }

private:
  void copyIn(Node &node) {
    // A graph that the node holds moves to the copy: copies of copies would cost the square of the depth of calls.
    std::optional<AttributeValue> subgraph;
    if (const AttributeValue *held = node.attribute(attr::Subgraph)) {
      subgraph = *held;
      node.removeAttribute(attr::Subgraph);
    }
    Node *copy = lifted->copyNode(node, [&](Value *value) { return valueInside(value); });
    if (subgraph)
      copy->setAttribute(attr::Subgraph, std::move(*subgraph));
    lifted->block().append(copy);
    for (auto [from, to] : llvm::zip_equal(node.outputs(), copy->outputs()))
      inside[from] = to;
  }

  /// Returns what a value is in the graph: a copy, or an input that the traced node passes it to.
  Value *valueInside(Value *value) {
    Value *&known = inside[value];
    if (!known) {
      known = lifted->addInput(value->name(), value->type());
      traced.addInput(value);
    }
    return known;
  }

  Node &traced;
  std::shared_ptr<Graph> lifted; // shared as an attribute of the node
  llvm::DenseMap<Value *, Value *> inside;
};

} // namespace

bool tsc::lambdaLift(Block &block) {
  bool changed = false;
  for (Node &node : block.nodes()) {
    if (!hasTracedBlock(node))
      continue;
    lambdaLift(node.block(0));
    TSC_GRAPH_UPDATE("making a graph of the block of a " << node.kindName());
    BlockLifter(node).run();
    if (node.kind() == prim::TracedFork)
      node.setKind(prim::fork);
    ++NumBlocksLifted;
    changed = true;
  }
  return changed;
}

/// Returns a value of the block of a traced node that is used outside of it, or null.
static const Value *findValueUsedOutside(const Block &block) {
  auto isWithin = [&](const Use &use) {
    const Block *at = use.user()->block();
    while (at && at != &block)
      at = at->owner() ? at->owner()->block() : nullptr;
    return at == &block;
  };
  for (const Node &node : block.nodes())
    for (const Value *output : node.outputs())
      if (!llvm::all_of(output->uses(), isWithin))
        return output;
  return nullptr;
}

PreservedAnalyses LambdaLift::run(Graph &graph, AnalysisManager &) {
  const Value *escaping = nullptr;
  graph.walk([&](Node &node) {
    if (hasTracedBlock(node) && !escaping)
      escaping = findValueUsedOutside(node.block(0));
  });
  if (escaping)
    return PreservedAnalyses::failure(failedPrecondition(
        "'%" + escaping->displayName() +
        "' is used outside of the traced call that computes it, which defs-dominate-uses makes a result of the call"));
  if (!isTrace(graph) || !TSC_OPT_ALLOWED)
    return PreservedAnalyses::all();
  return PreservedAnalyses::allUnless(lambdaLift(graph.block()));
}
