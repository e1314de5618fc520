//===- BackgroundWorker.h - Work beside its callers -------------*- C++ -*-===//
#ifndef TSC_SUPPORT_BACKGROUNDWORKER_H
#define TSC_SUPPORT_BACKGROUNDWORKER_H

#include "tsc/Support/ForkSafety.h"
#include "llvm/ADT/FunctionExtras.h"
#include <memory>
#include <string>

namespace tsc {

class TraceRecorder;

/// A thread, started with the first task, that runs tasks one after the other. A task that throws std::bad_alloc is
/// given up. When the process exits, a task that has begun is waited for and the others are dropped, so that none of
/// them meets static objects that are gone: a host may end with programs that it never released.
///
/// Threads: every function may be called from many threads at once.
/// Forks:   a fork waits for the task that has begun. The child has the tasks that wait, and starts a thread for them
///          when a task is added, when somebody waits for them (`drain`), or asks (`wakeAfterFork`).
class BackgroundWorker final : private ForkListener {
public:
  /// A piece of work; it runs once, on the worker's thread.
  using Task = llvm::unique_function<void()>;
  /// Makes a worker whose thread is called `name`, at most 15 characters, in debuggers and in `trace`. `trace` may be
  /// null, and must outlive the worker.
  explicit BackgroundWorker(std::string name, TraceRecorder *trace = nullptr);
  /// Waits for a task that has begun, and drops the others.
  ~BackgroundWorker();

  /// Adds a task behind those that wait. Returns false, and drops the task, where the system has no thread for it or
  /// the process is ending.
  [[nodiscard]] bool post(Task task);
  /// Waits until no task waits or runs.
  void drain();
  /// Starts the thread for tasks that waited when the process was forked, so that they are done in the child. Cheap
  /// where there are none.
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
  std::unique_ptr<State> state; ///< Holds the thread and its tasks; the child of a fork gets a new one.
  std::atomic<bool> waitsSinceFork{false};
};

} // namespace tsc

#endif
