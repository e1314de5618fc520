//===- ThreadPool.cpp - Intra-operator parallelism ------------------------===//
//
// A run is a record on its caller's stack with a counter of tasks not yet taken.
// Workers and the caller take tasks from it until none is left; the caller then
// waits for those still being worked on.
//
//===----------------------------------------------------------------------===//
#include "tsc/Support/ThreadPool.h"
#include "tsc/Support/ForkSafety.h"
#include "tsc/Support/WorkMeter.h"
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>
using namespace tsc;

static thread_local Executor *current = nullptr;

Executor::~Executor() = default;

Executor *tsc::currentExecutor() { return current; }
ExecutorScope::ExecutorScope(Executor *executor) : previous(std::exchange(current, executor)) {}
ExecutorScope::~ExecutorScope() { current = previous; }

namespace {
struct Run {
  llvm::function_ref<void(unsigned)> task;
  unsigned count;
  unsigned next = 0;     // the first task that nobody has taken
  unsigned finished = 0; // tasks that have returned
};

/// The threads of a pool, and what they have to do.
class Crew {
public:
  Crew() = default;
  ~Crew() {
    {
      std::lock_guard<std::mutex> lock(mutex);
      stopping = true;
    }
    workArrived.notify_all();
    for (std::thread &thread : threads)
      thread.join();
  }

  /// Starts threads until there are as many. The system may have fewer: those there are do.
  void start(unsigned workers) {
    threads.reserve(workers);
    try {
      while (threads.size() < workers)
        threads.emplace_back([this] { work(); });
    } catch (const std::system_error &) {
      // The system has no more threads: those there are do.
    } catch (const std::bad_alloc &) {
      // The same for the memory of one more.
    }
  }

  void run(unsigned count, llvm::function_ref<void(unsigned)> task) {
    Run mine{task, count};
    std::unique_lock<std::mutex> lock(mutex);
    runs.push_back(&mine);
    workArrived.notify_all();
    while (mine.next != mine.count)
      takeOne(mine, lock);
    taskFinished.wait(lock, [&] { return mine.finished == mine.count; });
  }

  size_t size() const { return threads.size(); }
  void lock() { mutex.lock(); }
  void unlock() { mutex.unlock(); }

private:
  /// Takes a task of `run` and works on it with the lock released.
  void takeOne(Run &run, std::unique_lock<std::mutex> &lock) {
    unsigned index = run.next++;
    if (run.next == run.count)
      std::erase(runs, &run);
    lock.unlock();
    {
      ExecutorScope serial(nullptr);
      run.task(index);
    }
    lock.lock();
    if (++run.finished == run.count)
      taskFinished.notify_all();
  }

  void work() {
    markAsOwnThread();
    std::unique_lock<std::mutex> lock(mutex);
    while (true) {
      workArrived.wait(lock, [&] { return stopping || !runs.empty(); });
      if (runs.empty())
        return;
      takeOne(*runs.front(), lock);
    }
  }

  std::mutex mutex;
  std::condition_variable workArrived, taskFinished;
  std::deque<Run *> runs; // those with tasks to take
  bool stopping = false;
  std::vector<std::thread> threads;
};
} // namespace

/// A crew, and another one in the child of a fork, which has no threads before they are wanted.
class ThreadPool::Impl final : ForkListener {
public:
  explicit Impl(unsigned workers) : crew(std::make_unique<Crew>()) {
    crew->start(workers);
    size = crew->size();
    listenToForks();
  }
  ~Impl() { stopListening(); }

  size_t numWorkers() const { return size.load(std::memory_order_relaxed); }
  void run(unsigned count, llvm::function_ref<void(unsigned)> task) {
    if (isStartedAfterFork.load(std::memory_order_acquire)) [[likely]]
      return crew->run(count, task);
    startAfterFork();
    crew->run(count, task);
  }

private:
  bool quiesce() override { return true; } // who has given it tasks is in a call
  void lockForFork() override { crew->lock(); }
  void resumeInParent() override { crew->unlock(); }
  /// The old crew is never destroyed: it has threads that cannot be joined.
  void restartInChild() override {
    auto fresh = std::make_unique<Crew>();
    crew->unlock(); // for the thread that forked, where it did so in a task
    (void)crew.release();
    crew = std::move(fresh);
    isStartedAfterFork = size == 0;
  }
  void startAfterFork() {
    std::lock_guard<std::mutex> lock(starting);
    if (isStartedAfterFork)
      return;
    crew->start(static_cast<unsigned>(size));
    size = crew->size();
    isStartedAfterFork.store(true, std::memory_order_release);
  }

  std::unique_ptr<Crew> crew;
  std::atomic<size_t> size; ///< Threads that there are, or that there will be.
  std::atomic<bool> isStartedAfterFork{true};
  std::mutex starting;
};

ThreadPool::ThreadPool(unsigned threads) : impl(std::make_unique<Impl>(threads > 1 ? threads - 1 : 0)) {}
ThreadPool::~ThreadPool() = default;
unsigned ThreadPool::concurrency() const { return unsigned(impl->numWorkers()) + 1; }

void ThreadPool::run(unsigned count, llvm::function_ref<void(unsigned)> task) {
  if (count > 1 && impl->numWorkers() != 0)
    return impl->run(count, task);
  ExecutorScope serial(nullptr);
  for (unsigned i = 0; i != count; ++i)
    task(i);
}

/// More than there is memory for.
static constexpr int64_t endlessCount = int64_t{1} << 34;

void detail::parallelChunks(int64_t begin, int64_t end, int64_t grain, llvm::function_ref<void(int64_t, int64_t)> fn) {
  const int64_t length = end - begin, least = std::max<int64_t>(grain, 1);
  work::Meter *meter = work::currentMeter();
  if (meter && length > endlessCount) {
    while (begin < end && meter->mayGoOn()) {
      const int64_t next = begin + std::min(endlessCount / 64, end - begin);
      parallelChunks(begin, next, grain, fn);
      begin = next;
    }
    return;
  }
  if (meter)
    meter->count(static_cast<uint64_t>(length / least));
  Executor *executor = currentExecutor();
  const int64_t most = executor ? executor->concurrency() : 1;
  int64_t pieces = std::min(most, (length + least - 1) / least);
  if (pieces <= 1)
    return fn(begin, end);
  int64_t size = (length + pieces - 1) / pieces;
  pieces = (length + size - 1) / size;
  // No thread of an executor knows what to do with an exception; the caller does.
  std::mutex mutex;
  std::exception_ptr thrown;
  executor->run(unsigned(pieces), [&](unsigned i) {
    work::MeterScope scope(meter);
    int64_t first = begin + int64_t(i) * size;
    try {
      fn(first, std::min(end, first + size));
    } catch (...) {
      std::lock_guard<std::mutex> lock(mutex);
      if (!thrown)
        thrown = std::current_exception();
    }
  });
  if (thrown)
    std::rethrow_exception(thrown);
}
