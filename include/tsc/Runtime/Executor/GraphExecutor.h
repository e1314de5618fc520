//===- GraphExecutor.h - Runs the functions of a program --------*- C++ -*-===//
//
//   GraphExecutorOptions options;
//   options.prepare = [&](Graph &graph) { return optimize(graph); };
//   options.tiers = {.isOptimized = true, .plans = CompileMode::Background};
//   GraphExecutor executor(std::move(options));
//   executor.call(function, context, arguments);
//
// A function may run in several tiers (Executable.h). An executor has the code of each
// and makes what is missing; a TierPolicy says which one a call runs, what is compiled
// for calls to come, and what is repeated after a failure.
//
// A call finds the tiers of its function, and its plan among them, without a lock.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_EXECUTOR_GRAPHEXECUTOR_H
#define TSC_RUNTIME_EXECUTOR_GRAPHEXECUTOR_H

#include "tsc/Runtime/Executor/ProfilingCounters.h"
#include "tsc/Runtime/Executor/TierPolicy.h"
#include "tsc/Runtime/Interpreter/Code.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tsc {

class TraceRecorder;

/// How a GraphExecutor makes code, and when.
struct GraphExecutorOptions {
  TierOptions tiers;
  /// Transforms graphs for plans or, where none are made, for baseline code (CodeCache::setPreparation).
  CodeCache::Preparation prepare;
  /// Transforms graphs for taped plans. Empty: there are none, and tapes record operators one by one.
  CodeCache::Preparation prepareForTape;
  /// Is called with the code that one of these two has prepared.
  CodeCache::Observer onCode;
  FuserRegistry fusers; ///< The fusers of all tiers but Tier::Written.
  /// Whether plans of modules that convolve images rely on the attributes of the modules.
  bool knowsLayers = false;
  /// Whether calls without a tape run code that is made of profiles, in the place of plans. The first call of a
  /// function is observed then, and later ones rely on what it has seen; where that does not hold, they go on as it is
  /// written.
  bool profiles = false;
  ProfilingCounters *profilingCounters = nullptr; ///< Counts what comes of that; outlives the executor. Null: nothing.
  TraceRecorder *trace = nullptr;                 ///< Receives a span for each plan; outlives the executor.
  std::function<void()> onModuleChange; ///< Is called when a host changes the contents of a module (Module.h).
};

/// Runs the functions of a program, each in the tier that suits the call.
///
/// Ownership: owns all code, and shares the fusers; borrows the functions and graphs that it is asked to call, with
///            their Context. Graphs are known by their addresses (keepAlive).
/// Threads:   everything may be called from many threads at once, each with a CallContext of its own. What it learns
///            meanwhile is no part of its state that calls can tell, so that it is const for them. No lock is taken
///            where the code of a call is there.
/// Errors:    a call fails with the status of the operator that failed, and with the call stack of the program as it is
///            written: neither depends on the tier, or on earlier calls.
class GraphExecutor {
public:
  /// Makes an executor that runs everything as it is written, without fusers.
  GraphExecutor();
  explicit GraphExecutor(GraphExecutorOptions options);
  /// Waits for the plan that is being made, and drops those not begun.
  ~GraphExecutor();
  GraphExecutor(const GraphExecutor &) = delete;

  //===-- Calls -------------------------------------------------------------===//

  /// Calls a function with arguments that have been bound to its signature (bindArguments), which are moved away. Sets
  /// `results` to one value for each of its results. InvalidArgument where its body does not compile.
  Status call(Function &function, CallContext &context, llvm::MutableArrayRef<IValue> args,
              std::vector<IValue> &results) const;
  /// Calls a graph in the same way. `name` stands for it in messages.
  Status call(const Graph &graph, llvm::StringRef name, CallContext &context, llvm::MutableArrayRef<IValue> args,
              std::vector<IValue> &results) const;
  /// Calls a graph in the same way, and returns the results.
  StatusOr<std::vector<IValue>> call(const Graph &graph, llvm::StringRef name, CallContext &context,
                                     std::vector<IValue> args) const {
    std::vector<IValue> results;
    TSC_RETURN_IF_ERROR(call(graph, name, context, args, results));
    return results;
  }

  /// Carries a host's call out, which may be several calls of functions: all of them go through the executor that it is
  /// given. `isLast`: it is not carried out again, and may move its arguments away.
  using HostCall = llvm::function_ref<StatusOr<IValue>(const GraphExecutor &through, bool isLast)>;
  /// Makes a host's call with the tape that it needs, in the tiers that suit that. With `mayRepeat`, nobody knows
  /// whether the call asks for gradients: where it turns out to do so without a tape, and nobody has seen an effect of
  /// it, it is carried out again with one, and expectGradients() holds from then on.
  StatusOr<IValue> callForHost(CallContext &context, bool mayRepeat, HostCall call) const;

  //===-- Its parts ---------------------------------------------------------===//

  const TierPolicy &policy() const;
  /// Returns the executor that runs all as it is written: Tier::Written. (Of one that does so itself, that one.)
  const GraphExecutor &asWritten() const;
  /// Returns the executor for calls that a host's own tape records.
  const GraphExecutor &whereHostsRecord() const;
  /// Returns the cache that has the code of Tier::Baseline, to be set up before the first call.
  CodeCache &baseline() const;

  /// Says whether the program asks for gradients, or may. Plans rely on sizes then, and host's calls get a tape.
  void expectGradients(bool expected = true) const;
  bool expectsGradients() const;
  /// Waits for the plans that calls have asked for so far.
  void finishCompiling() const;
  /// Calls GraphExecutorOptions::onModuleChange, if there is one.
  void noteModuleChange() const;
  /// Keeps an object alive as long as the executor, such as the owner of graphs that are called.
  void keepAlive(std::shared_ptr<const void> owner) const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace tsc

#endif
