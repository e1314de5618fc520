//===- Threads.h - The threads that calls compute in ------------*- C++ -*-===//
#ifndef TSC_LIB_CAPI_THREADS_H
#define TSC_LIB_CAPI_THREADS_H

#include "tsc/Support/Status.h"
#include "tsc/Support/ThreadPool.h"
#include <atomic>
#include <optional>

namespace tsc::capi {

/// Fails with InvalidArgument unless `least` <= threads <= 1024.
Status checkThreads(int threads, int least);

/// The threads of the calls of a program and its forks, or of the process. Their number may change while calls run,
/// which go on with those that they began with.
///
/// Threads: safe.
class Threads {
public:
  /// `count` threads, the caller's included; 0: those of the process.
  explicit Threads(unsigned count) : wanted(count) {}
  /// Threads of the host's.
  explicit Threads(std::unique_ptr<Executor> host) : host(std::move(host)) {}
  /// Returns those that tsc_set_threads() sets.
  static Threads &ofProcess();

  /// Changes their number. Threads that are missing are started by the next call. Fails where they are the host's.
  Status set(unsigned count);
  unsigned count() const { return wanted.load(std::memory_order_relaxed); }

  /// While it lives, the thread computes with these.
  class Scope {
  public:
    explicit Scope(Threads &threads);

  private:
    /// Some threads of a pool, which may have more.
    class Part final : public Executor {
    public:
      Part(Executor &pool, unsigned count) : pool(pool), count(count) {}
      unsigned concurrency() const override { return std::min(count, pool.concurrency()); }
      void run(unsigned tasks, llvm::function_ref<void(unsigned)> task) override;

    private:
      Executor &pool;
      const unsigned count;
    };
    std::shared_ptr<ThreadPool> pool;
    std::optional<Part> part;
    std::optional<ExecutorScope> scope;
  };

private:
  std::shared_ptr<ThreadPool> poolOf(unsigned count);
  const std::unique_ptr<Executor> host; ///< Null: threads of a pool.
  std::atomic<unsigned> wanted{1};
  /// The pool for calls to come, and how many threads were asked for when it was made. poolOf() says what guards them.
  std::shared_ptr<ThreadPool> pool;
  unsigned poolSize = 0;
};

} // namespace tsc::capi

#endif
