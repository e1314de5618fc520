//===- ActivationConversion.cpp - Activations in place, and back ----------===//
//
// Purpose: inplace-to-functional-activation makes activations that write their
//   operand (relu_, celu_, sigmoid_) functional, for passes and fusers that fear
//   writes; functional-to-inplace-activation does the reverse, to save memory where
//   the operand is a fresh tensor that nobody else reads.
//
// Cost:   linear in uses.
// Limits: only operators marked as activations. sigmoid and tanh turn integers into
//   floats and go in place only where the dtype is known. Not for training: a
//   tensor that was saved for the backward must not be written.
//
// Before (inplace-to-functional-activation):
//   graph(%x : Tensor):
//     %1 : Tensor = aten::neg(%x)
//     %2 : Tensor = aten::relu_(%1)
//     return (%1)
// After:
//   graph(%x : Tensor):
//     %1 : Tensor = aten::neg(%x)
//     %3 : Tensor = aten::relu(%1)
//     return (%3)
//
// Before (functional-to-inplace-activation):
//   graph(%x : Tensor):
//     %1 : Tensor = aten::neg(%x)
//     %2 : Tensor = aten::relu(%1)
//     return (%2)
// After:
//   graph(%x : Tensor):
//     %1 : Tensor = aten::neg(%x)
//     %2 : Tensor = aten::relu_(%1)
//     return (%2)
//
//===----------------------------------------------------------------------===//
#include "TensorMutation.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/Mutation.h"
#define DEBUG_TYPE "activation-conversion"
using namespace tsc;

TSC_STATISTIC(NumInPlace, "Activations that write their operand now");

PreservedAnalyses InplaceToFunctionalActivation::run(Graph &graph, AnalysisManager &) {
  return PreservedAnalyses::allUnless(
      removeTensorMutation(graph, [](const Node &node) { return node.hasTrait(Trait::Activation); }));
}

/// Whether the operand is a tensor of its own that this node alone reads, once each time it is made.
static bool ownsOperand(const Node &node) {
  const Value *operand = node.input(0);
  const Node *definition = operand->node();
  const OpRecord *record = definition->record();
  return operand->hasOneUse() && definition->block() == node.block() && record && !record->has(Trait::Aliases) &&
         !record->has(Trait::View) && !record->has(Trait::Random) && definition->numBlocks() == 0;
}

static bool convert(Graph &graph, Node &node) {
  const OpRecord *record = node.record();
  if (!record || !record->has(Trait::Activation) || record->has(Trait::Writes) || node.numOutputs() != 1)
    return false;
  const OpRecord *inPlace = inPlaceFormOf(*record);
  auto dtype = knownDType(node.input(0));
  bool keepsDType = record->has(Trait::KeepsDtype) || (dtype && isFloating(*dtype));
  if (!inPlace || !keepsDType || !ownsOperand(node) || !TSC_OPT_ALLOWED)
    return false;
  TSC_GRAPH_UPDATE("a " << node.kind().qualified() << " node writes its operand");
  node.setKind(graph.context().symbol(inPlace->qualified));
  ++NumInPlace;
  return true;
}

static bool visit(Graph &graph, Block &block) {
  bool changed = false;
  for (Node &node : block.nodes()) {
    for (Block &inner : node.blocks())
      changed |= visit(graph, inner);
    changed |= convert(graph, node);
  }
  return changed;
}

PreservedAnalyses FunctionalToInplaceActivation::run(Graph &graph, AnalysisManager &) {
  return PreservedAnalyses::allUnless(visit(graph, graph.block()));
}
