//===- Threads.cpp - The threads that calls compute in --------------------===//
#include "Threads.h"
#include "Handles.h"
#include "tsc/Support/ForkSafety.h"
#include <mutex>

using namespace tsc;
using namespace tsc::capi;

static constexpr int maxThreads = 1024;

Status capi::checkThreads(int threads, int least) {
  if (threads >= least && threads <= maxThreads)
    return okStatus();
  return invalidArgument("a program runs in " + llvm::Twine(least) + " to " + llvm::Twine(maxThreads) +
                         " threads, not in " + llvm::Twine(threads));
}

Threads &Threads::ofProcess() {
  static auto &threads = *new Threads(1); // calls may go on while the process ends
  return threads;
}

Status Threads::set(unsigned count) {
  if (host)
    return invalidArgument("the options of the program named threads of the host's, which decides how many there are");
  wanted.store(count, std::memory_order_relaxed);
  return okStatus();
}

/// Returns a pool of at least so many threads. It is made outside of the lock, which a fork takes.
std::shared_ptr<ThreadPool> Threads::poolOf(unsigned count) {
  static std::mutex &lock = makeForkSafeMutex();
  {
    std::lock_guard guard(lock);
    if (poolSize >= count)
      return pool;
  }
  auto made = std::make_shared<ThreadPool>(count);
  std::shared_ptr<ThreadPool> before;
  std::lock_guard guard(lock);
  if (poolSize >= count) // another thread was faster
    return pool;
  before = std::exchange(pool, made);
  poolSize = count;
  return made;
}

/// Each thread of the part takes one task after the other.
void Threads::Scope::Part::run(unsigned tasks, llvm::function_ref<void(unsigned)> task) {
  std::atomic<unsigned> next{0};
  pool.run(std::min(tasks, count), [&](unsigned) {
    for (unsigned i = next.fetch_add(1, std::memory_order_relaxed); i < tasks;
         i = next.fetch_add(1, std::memory_order_relaxed))
      task(i);
  });
}

Threads::Scope::Scope(Threads &asked) {
  Threads &threads = asked.host || asked.count() != 0 ? asked : ofProcess();
  if (threads.host) {
    scope.emplace(threads.host.get());
    return;
  }
  const unsigned count = threads.count();
  if (count <= 1) {
    scope.emplace(nullptr);
    return;
  }
  pool = threads.poolOf(count);
  part.emplace(*pool, count);
  scope.emplace(&*part);
}

tsc_error *tsc_set_threads(int threads) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkThreads(threads, 1));
    return Threads::ofProcess().set(static_cast<unsigned>(threads));
  });
}

int tsc_threads(void) { return static_cast<int>(Threads::ofProcess().count()); }

tsc_error *tsc_program_set_threads(tsc_program *program, int threads) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{program, "program"}}));
    TSC_RETURN_IF_ERROR(checkThreads(threads, 0));
    return program->threads->set(static_cast<unsigned>(threads));
  });
}
