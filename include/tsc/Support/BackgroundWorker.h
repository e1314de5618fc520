//===- BackgroundWorker.h - Work beside its callers -------------*- C++ -*-===//
#ifndef TSC_SUPPORT_BACKGROUNDWORKER_H
#define TSC_SUPPORT_BACKGROUNDWORKER_H

#include "tsc/Support/ForkSafety.h"
#include "llvm/ADT/FunctionExtras.h"
#include <memory>
#include <string>

namespace tsc {

class TraceRecorder;

/// A thread, started with the first task, that runs tasks one after the other. A task that runs out of memory is given
/// up. When the process exits, a task that has begun is waited for and the others are dropped, so that none of them
/// meets static objects that are gone: a host may end with programs that it never released.
///
/// Threads: safe.
/// Forks:   a fork waits for the task that has begun. The child has those that wait, and starts a thread for them when
///          one is added, when somebody waits for them (`drain`), or asks (`wakeAfterFork`).
class BackgroundWorker final : private ForkListener {
public:
  using Task = llvm::unique_function<void()>;
  /// The thread has this name, of at most 15 characters, for debuggers and in `trace`, which may be null and outlives
  /// the worker.
  explicit BackgroundWorker(std::string name, TraceRecorder *trace = nullptr);
  /// Waits for a task that has begun; the others are dropped.
  ~BackgroundWorker();

  /// False when the system has no thread for it, or the process is ending: the task is dropped.
  [[nodiscard]] bool post(Task task);
  /// Waits until nothing is left to do.
  void drain();
  /// Sees to it that tasks which waited when the process was forked are done in the child. Cheap where there are none.
  void wakeAfterFork() {
    if (waitsSinceFork.load(std::memory_order_relaxed)) [[unlikely]]
      startForWaiting();
  }

private:
  struct State;
  struct AtExit;
  static void work(State &state, const std::string &name, TraceRecorder *trace);
  bool startThread(State &locked);
  void startForWaiting();
  /// Waits for a task that has begun, drops the others, and takes no more.
  void stop();
  bool quiesce() override;
  void lockForFork() override;
  void resumeInParent() override;
  void restartInChild() override;

  const std::string name;
  TraceRecorder *const trace;
  std::unique_ptr<State> state; ///< Of the thread and its tasks. A child of a fork has a new one.
  std::atomic<bool> waitsSinceFork{false};
};

} // namespace tsc

#endif
