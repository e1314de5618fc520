//===- InstrumentProfiles.cpp - Observe the tensors that are used ---------===//
//
// Purpose: puts a prim::profile before every use of a tensor. When the graph runs
//   with a profile, each of them notes what its tensors were: dtype, device, sizes
//   and strides, as far as all of them agree. What a block returns is used, too.
//   The attribute `index` numbers the nodes in the order in which they run.
//
// Cost:   linear in the number of uses.
// Limits: constants, graphs in nodes, and blocks of nodes other than prim::If and
//   prim::Loop are not observed.
//
// Before:
//   graph(%x : Tensor, %c : bool):
//     %2 : Tensor = prim::If(%c)
//       block0():
//         %3 : Tensor = aten::mul(%x, %x)
//         -> (%3)
//       block1():
//         -> (%x)
//     return (%2)
// After:
//   graph(%x : Tensor,
//         %c : bool):
//     %2 : Tensor = prim::If(%c)
//       block0():
//         %4 : Tensor = prim::profile[index=0](%x)
//         %5 : Tensor = prim::profile[index=1](%x)
//         %3 : Tensor = aten::mul(%4, %5)
//         %6 : Tensor = prim::profile[index=2](%3)
//         -> (%6)
//       block1():
//         %7 : Tensor = prim::profile[index=3](%x)
//         -> (%7)
//     %8 : Tensor = prim::profile[index=4](%2)
//     return (%8)
//
//===----------------------------------------------------------------------===//
#include "tsc/IR/Graph.h"
#include "tsc/IR/Type.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/Profiling.h"
#define DEBUG_TYPE "instrument-profiles"
using namespace tsc;

TSC_STATISTIC(NumObserved, "Uses of tensors observed");

namespace {
class Instrumentation {
public:
  explicit Instrumentation(Graph &graph) : graph(graph) {}

  void observe(Block &block) {
    for (Node &node : block.nodes()) { // what is inserted stands before the node that is visited
      if (node.kind() == prim::profile)
        continue;
      observeInputs(node);
      if (node.kind() == prim::If || node.kind() == prim::Loop)
        for (Block &inner : node.blocks())
          observe(inner);
    }
    observeInputs(block.returnNode());
  }
  bool changed() const { return next != 0; }

private:
  void observeInputs(Node &user) {
    for (unsigned i = 0; i != user.numInputs(); ++i) {
      Value *value = user.input(i);
      if (!value->type()->isTensor() || isConstant(value) || value->node()->kind() == prim::Uninitialized ||
          value->node()->kind() == prim::profile || !TSC_OPT_ALLOWED)
        continue;
      Node *profile = graph.create(prim::profile, {value})->insertBefore(&user);
      profile->output()->setType(value->type());
      profile->setAttribute(attr::index, next++);
      profile->setRange(user.range());
      profile->setScope(user.scope());
      user.setInput(i, profile->output());
      ++NumObserved;
    }
  }

  Graph &graph;
  int64_t next = 0;
};
} // namespace

PreservedAnalyses ProfileInstrumentation::run(Graph &graph, AnalysisManager &) {
  Instrumentation instrumentation(graph);
  instrumentation.observe(graph.block());
  return PreservedAnalyses::allUnless(instrumentation.changed());
}
