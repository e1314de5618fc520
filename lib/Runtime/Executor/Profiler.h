//===- Profiler.h - Guarded code, made of what a profile saw ----*- C++ -*-===//
//
// The first call of a function runs with observers, which note the types of all
// tensors. Code that is made of them relies on these types, and guards them. Where a
// guard fails, the call ends in the rest of the program as it is written, and the
// next call is observed again.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_RUNTIME_EXECUTOR_PROFILER_H
#define TSC_LIB_RUNTIME_EXECUTOR_PROFILER_H

#include "tsc/IR/Graph.h"
#include "tsc/Runtime/Dispatch/Profiling.h"
#include "tsc/Runtime/Executor/Executable.h"
#include "tsc/Runtime/Executor/GraphExecutor.h"
#include <mutex>

namespace tsc {

class ShapeRuleCompiler;

/// What the observers of a function have seen, by their numbers: what all tensors that passed one agree on.
class TypeProfile final : public ProfileObserver {
public:
  explicit TypeProfile(size_t numObservers) : seen(numObservers) {}
  void note(int64_t number, const IValue &value) override;
  /// Adds what another profile of the same function has seen.
  void merge(const TypeProfile &other);
  /// Returns what is known of the tensors that passed an observer; null where none did.
  const TensorFacts *factsOf(int64_t number) const;

private:
  void add(size_t number, const TensorFacts &facts);
  std::vector<std::optional<TensorFacts>> seen;
};

/// What has become of a function that is profiled.
///
/// Threads: calls load `current` with acquire, and run it without a lock. A call that finds none looks at `stage`, also
///          without a lock, to see whether there is something to do. All else is guarded by `mutex`, which nobody holds
///          while code is made: the one call that makes it has set the stage to Observed, and no other call reads or
///          writes `graph`, `numObservers`, `observing`, `all` and `numCodes` in this stage.
class ProfiledFunction {
private:
  friend class Profiler;
  enum class Stage : uint8_t {
    Unobserved, ///< The next call runs with observers.
    Observed,   ///< A call does, or makes code before or after; others run as without profiles meanwhile.
    Guarded,    ///< `current` is there.
    Unprofiled  ///< It runs as without profiles from now on.
  };
  std::atomic<const Executable *> current{nullptr}; ///< The guarded code; null where there is none.
  std::mutex mutex;
  std::atomic<Stage> stage = Stage::Unobserved;
  std::unique_ptr<Graph> graph; ///< The function with observers.
  size_t numObservers = 0;
  std::unique_ptr<const Executable> observing;          ///< Its code.
  std::unique_ptr<TypeProfile> all;                     ///< What all profiles have seen.
  unsigned numFailed = 0;                               ///< How many of the last observed calls failed.
  unsigned numCodes = 0;                                ///< How often guarded code was made.
  std::vector<std::unique_ptr<const Executable>> codes; ///< Kept for calls that still run them.
};

/// Decides which code the calls of functions run, and makes it.
///
/// Threads:   all functions may be called from many threads at once. Code of several functions is made at once, each by
///            the call that needs it, and no other call waits for it.
/// Ownership: owns the code. Borrows the options.
class Profiler {
public:
  explicit Profiler(const GraphExecutorOptions &options);
  ~Profiler();

  /// How often guarded code is made again for the sizes of one profile, after the first time; and how often then for
  /// what all profiles agree on, before a function runs as without profiles.
  static constexpr unsigned staticAgain = 2, dynamicAgain = 10;

  /// What a call runs.
  struct Choice {
    const Executable *code = nullptr;     ///< Null: it runs as without profiles.
    std::unique_ptr<TypeProfile> profile; ///< What is told of the call; null where it is not observed.
  };
  /// Returns what the next call of a function runs. `of` is the function's, and `graph` its graph, and both live as
  /// long as this. finish() is called with what comes of it, or abandon().
  Choice choose(ProfiledFunction &of, const Graph &graph, llvm::StringRef name);
  /// Learns from a call: makes guarded code of its profile (of one that failed only if the one before did, too), or
  /// sees to it that the next call is observed because guards have failed, of which `numForced` had to.
  void finish(ProfiledFunction &of, llvm::StringRef name, const Choice &choice, bool succeeded, uint64_t numFailed,
              uint64_t numForced);
  /// Is called in place of finish() where a call ends in an exception, for lack of memory: the next one is observed.
  void abandon(ProfiledFunction &of, const Choice &choice);

private:
  Choice observe(ProfiledFunction &of, const Graph &graph, llvm::StringRef name);
  Status prepareObservers(ProfiledFunction &of, const Graph &graph, llvm::StringRef name);
  StatusOr<std::unique_ptr<Graph>> relyOn(const ProfiledFunction &of, const TypeProfile &profile);
  StatusOr<const Code *> guard(const ProfiledFunction &of, const TypeProfile &profile, llvm::StringRef name);

  const GraphExecutorOptions &options;
  CodeCache observed, guarded;
  std::mutex rulesMutex;
  /// The rules for shapes that no thread uses now, guarded by `rulesMutex`: one thread at a time may compile them. They
  /// are shared because AnalysisManager asks for them so.
  std::vector<std::shared_ptr<ShapeRuleCompiler>> idleRules;
};

} // namespace tsc

#endif
