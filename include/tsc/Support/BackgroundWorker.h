//===- BackgroundWorker.h - Work beside its callers -------------*- C++ -*-===//
#ifndef TSC_SUPPORT_BACKGROUNDWORKER_H
#define TSC_SUPPORT_BACKGROUNDWORKER_H

#include "llvm/ADT/FunctionExtras.h"
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

namespace tsc {

class TraceRecorder;

/// A thread, started with the first task, that runs tasks one after the other. A task that runs out of memory is given
/// up. When the process exits, a task that has begun is waited for and the others are dropped, so that none of them
/// meets static objects that are gone: a host may end with programs that it never released.
///
/// Threads: safe.
class BackgroundWorker {
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

private:
  void work();
  /// Waits for a task that has begun, drops the others, and takes no more.
  void stop();
  struct AtExit;

  const std::string name;
  TraceRecorder *const trace;
  std::mutex mutex; ///< Of what follows; not held while a task runs.
  std::deque<Task> tasks;
  bool isWorking = false, stops = false;
  std::condition_variable wake, idle;
  std::thread thread;
};

} // namespace tsc

#endif
