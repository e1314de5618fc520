//===- ReturnsToTuples.cpp - One result for each traced call --------------===//
//
// Purpose: a method returns one value. This pass lets a traced call that has several results return a tuple of them,
//   which is unpacked behind it, and one that has none return None.
//
// Cost:   linear.
// Limits: what the graph itself returns stays as it is.
//
// Before:
//   graph(%x : Tensor):
//     %1 : Tensor, %2 : Tensor = prim::TracedModuleForward[scope="__module.a"]()
//       block0():
//         %3 : Tensor = aten::relu(%x)
//         %4 : Tensor = aten::neg(%x)
//         -> (%3, %4)
//     %5 : Tensor = aten::mul(%1, %2)
//     return (%5)
// After:
//   graph(%x : Tensor):
//     %7 : (Tensor, Tensor) = prim::TracedModuleForward[scope="__module.a"]()
//       block0():
//         %3 : Tensor = aten::relu(%x)
//         %4 : Tensor = aten::neg(%x)
//         %6 : (Tensor, Tensor) = prim::TupleConstruct(%3, %4)
//         -> (%6)
//     %8 : Tensor, %9 : Tensor = prim::TupleUnpack(%7)
//     %5 : Tensor = aten::mul(%8, %9)
//     return (%5)
//
//===----------------------------------------------------------------------===//
#include "Traces.h"
#include "tsc/IR/Context.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/TracedModules.h"
#include "llvm/ADT/STLExtras.h"
#define DEBUG_TYPE "returns-to-tuples"
using namespace tsc;

TSC_STATISTIC(NumTuples, "Results of traced calls made tuples");

/// Appends a node that gives `result` to the block of a call without results, and makes it what the call returns.
static Value *returnOne(Node &call, Node *node) {
  Block &body = call.block(0);
  assert(body.numOutputs() == 0 && "the block returns nothing else");
  node->setScope(call.scope());
  node->setRange(call.range());
  body.addOutput(body.append(node)->output());
  return call.addOutput(node->output()->type());
}

static void returnTuple(Node &call) {
  Graph &graph = call.graph();
  Block &body = call.block(0);
  llvm::SmallVector<Value *, 4> oldResults(call.outputs());
  llvm::SmallVector<const Type *, 4> types;
  for (const Value *result : oldResults)
    types.push_back(result->type());
  Node *tuple = graph.create(prim::TupleConstruct, body.returnNode().inputVector());
  tuple->output()->setType(graph.context().tupleOf(types));
  body.returnNode().eraseAllInputs();
  Value *packed = returnOne(call, tuple);

  Node *unpack = graph.create(prim::TupleUnpack, {packed}, oldResults.size())->insertAfter(&call);
  unpack->setScope(call.scope());
  unpack->setRange(call.range());
  for (auto [element, old] : llvm::zip_equal(unpack->outputs(), oldResults)) {
    std::string name = old->name().str();
    old->setName("");
    element->setType(old->type())->setName(name);
    old->replaceAllUsesWith(element);
  }
  for (size_t i = oldResults.size(); i-- != 0;)
    call.eraseOutput(i);
}

bool tsc::convertReturnsToTuples(Block &block) {
  bool changed = false;
  for (Node &node : llvm::make_early_inc_range(block.nodes())) {
    if (!hasTracedBlock(node))
      continue;
    changed |= convertReturnsToTuples(node.block(0));
    if (!isTracedCall(node) || node.numOutputs() == 1)
      continue;
    TSC_GRAPH_UPDATE("making one result of " << node.numOutputs());
    if (node.numOutputs() == 0)
      returnOne(node, block.graph().createConstant(IValue()));
    else
      returnTuple(node);
    ++NumTuples;
    changed = true;
  }
  return changed;
}

PreservedAnalyses ReturnsToTuples::run(Graph &graph, AnalysisManager &) {
  if (!isTrace(graph) || !TSC_OPT_ALLOWED)
    return PreservedAnalyses::all();
  return PreservedAnalyses::allUnless(convertReturnsToTuples(graph.block()));
}
