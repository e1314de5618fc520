//===- TriggerPasses.cpp - Passes that fail on purpose --------------------===//
#include "tsc/Transforms/TriggerPasses.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/Transforms/PassManager.h"
#include <cstdlib>
using namespace tsc;

namespace {

/// Acts on graphs that hold the operator `on`.
class TriggerPass : public Pass {
public:
  Status configure(const PassOptions &options) override {
    auto at = options.find("on");
    if (at != options.end())
      kind = at->second;
    return rejectOptionsBut({"on"}, options);
  }
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override {
    bool isPresent = kind.empty();
    graph.walk([&](Node &node) {
      if (node.kindName() != kind)
        return;
      if (!isPresent)
        analyses.remarks().done(node, "triggers a failure");
      isPresent = true;
    });
    return isPresent ? trigger(graph) : PreservedAnalyses::all();
  }

private:
  virtual PreservedAnalyses trigger(Graph &graph) = 0;
  std::string kind;
};

class TriggerCrash final : public TriggerPass {
  PreservedAnalyses trigger(Graph &) override { std::abort(); }
};

class TriggerVerifierError final : public TriggerPass {
  PreservedAnalyses trigger(Graph &graph) override {
    graph.block().append(graph.create(prim::If, 0)); // without a condition and blocks
    return PreservedAnalyses::none();
  }
};

/// Negates the first tensor that is returned; whether there is one.
bool negateResult(Graph &graph) {
  for (unsigned i = 0; i != graph.block().numOutputs(); ++i) {
    Value *result = graph.block().returnNode().input(i);
    if (!result->type()->isTensor())
      continue;
    Node *negation = graph.create(aten::neg, {result});
    graph.block().append(negation);
    graph.block().returnNode().setInput(i, negation->output());
    return true;
  }
  return false;
}

class TriggerMiscompile final : public TriggerPass {
  PreservedAnalyses trigger(Graph &graph) override { return PreservedAnalyses::allUnless(negateResult(graph)); }
};

class TriggerSilentChange final : public TriggerPass {
  PreservedAnalyses trigger(Graph &graph) override {
    negateResult(graph);
    return PreservedAnalyses::all();
  }
};

template <typename P> std::unique_ptr<Pass> create() { return std::make_unique<P>(); }

} // namespace

void tsc::registerTriggerPasses(PassRegistry &registry) {
  registry.add({"trigger-crash", "", "Abort", create<TriggerCrash>, "TriggerCrash"});
  registry.add({"trigger-verifier-error", "", "Leave a graph that does not verify", create<TriggerVerifierError>,
                "TriggerVerifierError"});
  registry.add({"trigger-miscompile", "", "Negate the first tensor that the graph returns", create<TriggerMiscompile>,
                "TriggerMiscompile"});
  registry.add({"trigger-silent-change", "", "Change the graph and say that it did not", create<TriggerSilentChange>,
                "TriggerSilentChange"});
}
