//===- BackgroundWorker.h - Work beside its callers -------------*- C++ -*-===//
#ifndef TSC_SUPPORT_BACKGROUNDWORKER_H
#define TSC_SUPPORT_BACKGROUNDWORKER_H

#include "llvm/ADT/FunctionExtras.h"
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace tsc {

/// A thread, started with the first task, that runs tasks one after the other. A task that runs out of memory is given
/// up.
///
/// Threads: safe.
class BackgroundWorker {
public:
  using Task = llvm::unique_function<void()>;
  /// `onStart` runs first on the thread.
  explicit BackgroundWorker(Task onStart = {}) : onStart(std::move(onStart)) {}
  /// Waits for a task that has begun; the others are dropped.
  ~BackgroundWorker();

  /// False when the system has no thread for it: the task is dropped.
  [[nodiscard]] bool post(Task task);
  /// Waits until nothing is left to do.
  void drain();

private:
  void work();

  Task onStart;
  std::mutex mutex; ///< Of what follows; not held while a task runs.
  std::deque<Task> tasks;
  bool isWorking = false, stops = false;
  std::condition_variable wake, idle;
  std::thread thread;
};

} // namespace tsc

#endif
