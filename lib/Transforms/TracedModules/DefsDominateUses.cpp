//===- DefsDominateUses.cpp - Results of traced calls ---------------------===//
//
// Purpose: a trace uses what a call computes wherever the program did, also behind the call's block. This pass makes a
//   result of each such value, of its call and of the calls around that one, up to a block around the use.
//
// Cost:   linear in uses and in the depth of calls.
// Limits: what a fork computes is reached by its future only; the verifier refuses other uses.
//
// Before:
//   graph(%x : Tensor):
//      = prim::TracedModuleForward[scope="__module.a"]()
//       block0():
//          = prim::TracedModuleForward[scope="__module.a.b"]()
//           block0():
//             %1 : Tensor = aten::relu(%x)
//             -> ()
//         -> ()
//     %2 : Tensor = aten::neg(%1)
//     return (%2)
// After:
//   graph(%x : Tensor):
//     %4 : Tensor = prim::TracedModuleForward[scope="__module.a"]()
//       block0():
//         %3 : Tensor = prim::TracedModuleForward[scope="__module.a.b"]()
//           block0():
//             %1 : Tensor = aten::relu(%x)
//             -> (%1)
//         -> (%3)
//     %2 : Tensor = aten::neg(%4)
//     return (%2)
//
//===----------------------------------------------------------------------===//
#include "Traces.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/TracedModules.h"
#define DEBUG_TYPE "defs-dominate-uses"
using namespace tsc;

TSC_STATISTIC(NumLifted, "Values made results of traced calls");

/// Whether values of a block are visible to a node: it is in the block, or in a block of one of its nodes.
static bool isVisible(const Block &block, const Node &user) {
  for (const Block *at = user.block(); at; at = at->owner() ? at->owner()->block() : nullptr)
    if (at == &block)
      return true;
  return false;
}

namespace {

class ResultMaker {
public:
  /// Makes the inputs of all nodes visible to them, in execution order.
  void visit(Block &block) {
    for (Node &node : block.nodes()) {
      visitInputs(node);
      for (Block &inner : node.blocks())
        visit(inner);
    }
    visitInputs(block.returnNode());
  }
  bool madeResults() const { return !results.empty(); }

private:
  void visitInputs(Node &user) {
    for (unsigned i = 0; i != user.numInputs(); ++i) {
      Value *value = user.input(i);
      while (!isVisible(value->block(), user))
        value = resultFor(*value);
      if (value != user.input(i))
        user.setInput(i, value);
    }
  }

  /// Returns the result of the call that computes a value in its block.
  Value *resultFor(Value &value) {
    Value *&result = results[&value];
    if (result)
      return result;
    Node *call = value.block().owner();
    assert(call && isTracedCall(*call) && "the verifier lets values leave the blocks of traced calls only");
    TSC_GRAPH_UPDATE("making %" << value.displayName() << " a result of its traced call");
    call->block(0).addOutput(&value);
    ++NumLifted;
    return result = call->addOutput(value.type());
  }

  llvm::DenseMap<Value *, Value *> results; ///< The result of the call for each value that leaves its block.
};

} // namespace

bool tsc::makeDefsDominateUses(Graph &graph) {
  ResultMaker maker;
  maker.visit(graph.block());
  return maker.madeResults();
}

PreservedAnalyses DefsDominateUses::run(Graph &graph, AnalysisManager &) {
  if (!isTrace(graph) || !TSC_OPT_ALLOWED)
    return PreservedAnalyses::all();
  return PreservedAnalyses::allUnless(makeDefsDominateUses(graph));
}
