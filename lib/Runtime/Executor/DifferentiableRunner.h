//===- DifferentiableRunner.h - Graphs that a tape takes as one -*- C++ -*-===//
//
// What a prim::DifferentiableGraph becomes in a call that has a tape: code of the graph and,
// when gradients have arrived, code of its derivative, both optimized and fused, for each
// kind of arguments.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_RUNTIME_EXECUTOR_DIFFERENTIABLERUNNER_H
#define TSC_LIB_RUNTIME_EXECUTOR_DIFFERENTIABLERUNNER_H

#include "tsc/Runtime/Executor/TierPolicy.h"
#include "tsc/Runtime/Tape/TapedCode.h"
#include "tsc/Support/PlanCache.h"
#include <atomic>

namespace tsc {

/// One prim::DifferentiableGraph of a program.
///
/// Threads: safe. A call for whose arguments there is code takes no lock.
class DifferentiableRunner final : public SubgraphRunner {
public:
  /// `codes` optimizes what it compiles. The first `callsBefore` calls that it could take are left to the operators.
  DifferentiableRunner(const Graph &graph, CodeCache &codes, unsigned callsBefore)
      : graph(graph), codes(codes), callsBefore(callsBefore) {}
  /// Returns false where the tape is to take down the operators one by one.
  bool run(CallContext &context, llvm::ArrayRef<const IValue *> operands,
           llvm::MutableArrayRef<IValue> results) override;

private:
  struct Plan {
    const ArgumentSpec spec;               ///< The key.
    const std::shared_ptr<TapedCode> code; ///< Null: these are for the operators. Shared with the nodes of tapes.
  };
  /// Returns the code for these arguments, or null where the operators are to run.
  std::shared_ptr<TapedCode> codeFor(llvm::ArrayRef<IValue> args);

  const Graph &graph;
  CodeCache &codes;
  const unsigned callsBefore;
  /// How many calls were left to the operators for that reason. It orders nothing: relaxed.
  std::atomic<unsigned> calls{0};
  PlanCache<const Plan> plans{TierPolicy::maxPlansOfGraph};
};

} // namespace tsc

#endif
