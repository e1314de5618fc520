//===- TierPolicy.h - What runs, and what comes next -------------*- C++ -*-===//
//
// Three questions come up with each call of a program:
//
//   which tier runs?                      choose(), and chooseForHost() for the call as a whole
//   what is compiled for calls to come?   next(), detail(), detailOfGraph()
//   what becomes of a failure?            repeats(), repeatsWithTape()
//
// They are answered here, without state: a GraphExecutor tells what it knows of a call
// and does what the answer says. docs/Engine.md ("Tiers") has the same as a table.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_EXECUTOR_TIERPOLICY_H
#define TSC_RUNTIME_EXECUTOR_TIERPOLICY_H

#include "tsc/Runtime/Dispatch/Fuser.h"
#include "tsc/Runtime/Executor/ArgumentSpec.h"
#include "tsc/Runtime/Executor/Executable.h"
#include "tsc/Support/Status.h"
#include <optional>

namespace tsc {

/// What a host decides about tiers when it loads a program.
struct TierOptions {
  /// Whether code above Tier::Written is optimized. Where it is not, there is nothing to repeat a failure with.
  bool isOptimized = false;
  /// When plans are made. Off: never, and baseline code is optimized before its first run. Eager: a call waits for its
  /// plan. Background: a thread makes it.
  CompileMode plans = CompileMode::Off;
  unsigned callsBefore = 1; ///< How many calls of a function run baseline code before a plan is made.
  unsigned maxPlans = 8;    ///< How many plans one function may have. Other calls run one plan for any arguments.
};

/// What is known of a call of a function when its tier is chosen.
struct CallSituation {
  bool hasPlan = false;              ///< There is a plan for the arguments, and it is compiled.
  bool isRecorded = false;           ///< Somebody observes the operators of the call, such as a tape.
  bool planAsksForGradients = false; ///< The plan's code asks for gradients of what it computes.
  bool gradMode = true;              ///< Gradients are recorded.
  bool hasDuplicates = false;        ///< One tensor is given twice: a plan's gradients are those of different tensors.
  bool hasTapedPlan = false;         ///< There is a taped plan, and a tape records some groups of its operators as one.
};

/// Which tier a call of a function runs in.
struct TierChoice {
  Tier tier = Tier::Baseline;
  bool isRecorded = false;     ///< Whether the observers of operators see the call.
  std::optional<Tier> repeats; ///< What runs again where the call fails (TierPolicy::repeats).
  bool operator==(const TierChoice &) const = default;
};

/// How a host's call, which may call several functions, begins.
struct HostChoice {
  bool isAsWritten = false; ///< It runs in Tier::Written alone.
  bool makesTape = false;   ///< It has a tape of its own.
  bool operator==(const HostChoice &) const = default;
};

/// Says what a program's calls run.
///
/// Threads: immutable.
class TierPolicy {
public:
  explicit TierPolicy(TierOptions options) : options(options) {}

  bool makesPlans() const { return options.plans != CompileMode::Off; }
  bool isOptimized() const { return options.isOptimized; }
  /// Whether a call waits for a plan that it asks for.
  bool waitsForPlans() const { return options.plans == CompileMode::Eager; }
  unsigned maxPlans() const { return options.maxPlans; }
  /// Returns how many calls of a function or a graph run before something is compiled for their arguments.
  unsigned callsBefore() const { return options.callsBefore; }

  //===-- What runs ---------------------------------------------------------===//

  /// Whether the plan leaves the gradients of the call to the tape that records it. Otherwise it computes them by
  /// itself, and needs no tape.
  static bool leavesGradientsToTape(const CallSituation &call) {
    return call.hasPlan && call.isRecorded && (call.planAsksForGradients || !call.gradMode || call.hasDuplicates);
  }
  TierChoice choose(const CallSituation &call) const; ///< Returns the tier in which a call of a function runs.
  /// `isRecorded`: the host has an observer in the call's context. `expectsGradients`: the program was seen to ask for
  /// gradients, or may.
  HostChoice chooseForHost(bool isRecorded, bool expectsGradients) const;

  //===-- What is compiled next ---------------------------------------------===//

  enum class Next : uint8_t { ///< What is compiled for calls to come.
    Nothing,
    PlanForArguments, ///< A plan for arguments like those of the call.
    PlanForAny        ///< A plan for any arguments.
  };
  /// Returns what is compiled after a call for which there is no plan: the `calls`-th such call of a function (the
  /// first is 1) that has `plans` plans, and none for any arguments.
  Next next(uint64_t calls, size_t plans) const;
  /// Returns what the next plan relies on of sizes. `usesSizes`: plans compute gradients, which sum over dimensions
  /// that were broadcast. `varies`: another plan differs from the call in sizes alone.
  static SizeDetail detail(bool usesSizes, bool varies);
  /// Returns what the next plan of a prim::DifferentiableGraph relies on of sizes where there are `plans` plans, or
  /// nothing where there are enough: then the tape records the graph's operators one by one.
  static std::optional<SizeDetail> detailOfGraph(size_t plans);
  static constexpr size_t maxPlansOfGraph = 6;

  //===-- What is repeated --------------------------------------------------===//

  /// Whether a call that failed runs again in the tier that its TierChoice names. It does not where somebody outside
  /// has seen an effect of it, where it met a limit of the host (the program is not made to reach it twice), and where
  /// a check has found a mistake of ours.
  static bool repeats(const Status &failure, bool wasSeen);
  /// Whether a host's call that ran without a tape runs again with one: it asked for gradients, and nobody has seen
  /// what it did.
  static bool repeatsWithTape(const Status &failure, bool wasSeen);

private:
  const TierOptions options;
};

} // namespace tsc

#endif
