//===- TraceCheck.h - Whether a trace does what its function does -*- C++ -*-===//
#ifndef TSC_RUNTIME_TRACECHECK_H
#define TSC_RUNTIME_TRACECHECK_H

#include "tsc/Runtime/Compare.h"
#include "tsc/Runtime/Tracer/Tracer.h"
#include <functional>

namespace tsc {

/// What was traced, as checkTrace() calls it. Both functions get arguments that they may write to.
struct TracedFunction {
  /// Calls the function.
  std::function<StatusOr<IValue>(CallContext &, std::vector<IValue> args)> call;
  /// Traces the function again, as the trace under test was made.
  std::function<StatusOr<TracedGraph>(CallContext &, std::vector<IValue> args)> trace;
};

/// Returns a graph that traceGraph() traced as checkTrace() takes it. The graph must outlive the result.
TracedFunction tracedFunction(const Graph &graph, llvm::StringRef name, TraceOptions options = {});

/// How a trace is compared with what was traced.
struct TraceCheckOptions {
  uint64_t seed = 1;   ///< The seed of the second comparison.
  Tolerance tolerance; ///< How far results may differ. Both run the same kernels, so that most are equal.
};

/// What checkTrace() has found. Each text is a sentence, with the place in the source where there is one.
struct TraceCheckReport {
  /// The comparisons that failed, each with the first node at which a second trace differs from the one under test.
  std::vector<std::string> differences;
  /// Nodes that draw random numbers or have effects, inputs that became constants, and comparisons that could not be
  /// made.
  std::vector<std::string> notes;
};

/// Runs a trace and what it was made of on copies of the arguments: as they are, with another seed, and with one row
/// more in each tensor whose first dimension has the size that the first tensor's has. Compares the results and what
/// both have left in the arguments. The context's random generator is then as before.
///
/// Errors: those of the function on the arguments as they are, and of copying them. That the trace fails is a
///         difference.
StatusOr<TraceCheckReport> checkTrace(CallContext &context, const Graph &trace, const TracedFunction &function,
                                      llvm::ArrayRef<IValue> args, const TraceCheckOptions &options = {});

} // namespace tsc

#endif
