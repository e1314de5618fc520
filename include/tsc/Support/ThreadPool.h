//===- ThreadPool.h - Intra-operator parallelism ----------------*- C++ -*-===//
//
// Kernels call parallelFor; the host decides what that means by entering an
// ExecutorScope around a call, with a ThreadPool of ours or an Executor of its
// own. Without a scope everything runs on the calling thread.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_SUPPORT_THREADPOOL_H
#define TSC_SUPPORT_THREADPOOL_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <algorithm>
#include <cstdint>
#include <memory>

namespace tsc {

/// The number of elements of light work that are worth a thread: the grain of most kernels.
inline constexpr int64_t parallelGrain = 32768;

/// Runs tasks in parallel; a host implements it to lend its own threads.
class Executor {
public:
  virtual ~Executor();
  /// Returns how many tasks can make progress at once, the caller's included; at least 1.
  virtual unsigned concurrency() const = 0;
  /// Runs task(0) … task(count - 1), each once, in any order and on any threads, and returns when all are done.
  virtual void run(unsigned count, llvm::function_ref<void(unsigned)> task) = 0;
};

/// An executor with a fixed set of threads.
///
/// Ownership:  joins its threads when destroyed; no `run` may be under way then.
/// Threads:    `run` may be called from many threads; the callers share the workers, and each works along.
class ThreadPool final : public Executor {
public:
  /// Starts `threads` - 1 threads, as the caller counts: 1 (or 0) starts none. Where the system has fewer, the pool
  /// works with those.
  explicit ThreadPool(unsigned threads = 1);
  ~ThreadPool() override;
  unsigned concurrency() const override;
  void run(unsigned count, llvm::function_ref<void(unsigned)> task) override;

private:
  class Impl;
  std::unique_ptr<Impl> impl;
};

/// Makes `executor` the one that parallelFor uses on this thread until the scope ends. With null, everything runs on
/// the calling thread.
class ExecutorScope {
public:
  explicit ExecutorScope(Executor *executor);
  ~ExecutorScope();
  ExecutorScope(const ExecutorScope &) = delete;
  ExecutorScope &operator=(const ExecutorScope &) = delete;

private:
  Executor *previous;
};

/// Returns the executor of the innermost scope on this thread; null when there is none, and inside a parallel task.
Executor *currentExecutor();

namespace detail {
void parallelChunks(int64_t begin, int64_t end, int64_t grain, llvm::function_ref<void(int64_t, int64_t)> fn);
}

/// Calls fn(first, last) on consecutive pieces that together are [begin, end), in parallel where that is allowed and a
/// piece of at least `grain` elements can be given to more than one thread. Nested calls run serially. An exception of
/// `fn` is thrown again on the calling thread.
///
/// Each `grain` elements count as a step of the call (WorkMeter.h). An expanded tensor may show more elements than a
/// memory holds; of so many, the rest is left undone where the call is to end.
template <typename Fn> void parallelFor(int64_t begin, int64_t end, int64_t grain, Fn &&fn) {
  if (begin >= end)
    return;
  if (end - begin > std::max<int64_t>(grain, 1))
    return detail::parallelChunks(begin, end, grain, fn);
  fn(begin, end);
}

} // namespace tsc

#endif
