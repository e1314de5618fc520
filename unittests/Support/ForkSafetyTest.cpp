//===- ForkSafetyTest.cpp - What the child of a fork can do ---------------===//
#include "tsc/Support/ForkSafety.h"
#include "ThreadsOfTests.h"
#include "tsc/Support/BackgroundWorker.h"
#include "tsc/Support/ThreadPool.h"
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <optional>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
using namespace tsc;

#if !TSC_HAS_THREAD_SANITIZER // its runtime starts no threads in the child
namespace {
/// How a child that does this ends: 0 where it says true; 255 where it takes longer than half a minute, or crashes.
template <typename F> int inChild(F &&body) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(30);
    _exit(body() ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

/// A thread that is in a call of the library until it is told to leave.
class Inside {
public:
  explicit Inside(const ForkDomain *domain)
      : thread([this, domain] {
          InsideScope outer(nullptr), scope(domain);
          isInside = true;
          while (!leaves)
            std::this_thread::yield();
        }) {
    while (!isInside)
      std::this_thread::yield();
  }
  ~Inside() {
    leaves = true;
    thread.join();
  }

private:
  std::atomic<bool> isInside{false}, leaves{false};
  std::thread thread;
};
} // namespace

TEST_CASE("BackgroundWorker: a fork waits for the task at work, and the child has those that wait") {
  if (isEmulated())
    return;
  std::atomic<bool> begun{false};
  std::atomic<int> done{0};
  BackgroundWorker worker("worker");
  REQUIRE(worker.post([&] {
    begun = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    ++done;
  }));
  while (!begun)
    std::this_thread::yield();
  for (int i = 0; i != 3; ++i)
    REQUIRE(worker.post([&] { ++done; }));
  CHECK(inChild([&] {
          if (done != 1) // the others begin where somebody wants them
            return false;
          worker.drain();
          if (done != 4 || !worker.post([&] { ++done; }))
            return false;
          worker.drain();
          return done == 5;
        }) == 0);
  worker.drain();
  CHECK(done == 4);
}

TEST_CASE("BackgroundWorker: it goes in the child, whatever its thread was doing") {
  if (isEmulated())
    return;
  for (bool works : {false, true}) {
    std::atomic<bool> begun{false};
    auto worker = std::make_unique<BackgroundWorker>("worker");
    REQUIRE(worker->post([&] { begun = true; }));
    while (!begun)
      std::this_thread::yield();
    if (works)
      REQUIRE(worker->post([] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }));
    CHECK(inChild([&] {
            worker.reset();
            return true;
          }) == 0);
    CHECK(inChild([&] { return inChild([&] { return worker->post([] {}) && (worker.reset(), true); }) == 0; }) == 0);
  }
}

TEST_CASE("BackgroundWorker: wakeAfterFork begins the tasks that wait") {
  if (isEmulated())
    return;
  std::atomic<bool> begun{false}, done{false};
  BackgroundWorker worker("worker");
  REQUIRE(worker.post([&] {
    begun = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }));
  REQUIRE(worker.post([&] { done = true; }));
  while (!begun)
    std::this_thread::yield();
  CHECK(inChild([&] {
          if (done)
            return false;
          worker.wakeAfterFork();
          while (!done)
            std::this_thread::yield();
          return true;
        }) == 0);
}

TEST_CASE("ThreadPool: the child has threads of its own, and so has its child") {
  if (isEmulated())
    return;
  ThreadPool pool(3);
  auto works = [&] {
    std::atomic<int64_t> sum{0};
    ExecutorScope scope(&pool);
    for (int round = 0; round != 20; ++round)
      parallelFor(0, 100, 1, [&](int64_t first, int64_t last) { sum += last - first; });
    return sum == 2000 && pool.concurrency() == 3;
  };
  CHECK(works());
  CHECK(inChild([&] { return works() && inChild([&] { return works(); }) == 0 && works(); }) == 0);
  CHECK(inChild([&] { return inChild(works) == 0; }) == 0); // one that has not used it forks
  auto leaving = std::make_unique<ThreadPool>(3);
  CHECK(inChild([&] {
          leaving.reset();
          return true;
        }) == 0);
  CHECK(works());
}

TEST_CASE("ThreadPool: forks beside threads that use it") {
  if (isEmulated())
    return;
  ThreadPool pool(3);
  std::atomic<bool> stop{false};
  std::vector<std::thread> users;
  for (int i = 0; i != 2; ++i)
    users.emplace_back([&] {
      ExecutorScope scope(&pool);
      while (!stop) {
        InsideScope inside(nullptr);
        parallelFor(0, 10, 1, [](int64_t, int64_t) {});
      }
    });
  for (int i = 0; i != 20; ++i)
    CHECK(inChild([&] {
            std::atomic<int64_t> sum{0};
            ExecutorScope scope(&pool);
            parallelFor(0, 100, 1, [&](int64_t first, int64_t last) { sum += last - first; });
            return sum == 100;
          }) == 0);
  stop = true;
  for (std::thread &user : users)
    user.join();
}

TEST_CASE("ForkDomain: what another thread was in during the fork is lost to the child, and nothing else") {
  ForkDomain one, two;
  {
    Inside caller(&one);
    CHECK(inChild([&] { return one.isLost() && !two.isLost(); }) == 0);
    CHECK_FALSE(one.isLost());
  }
  CHECK(inChild([&] { return !one.isLost() && !two.isLost(); }) == 0);
  // The thread that forks is there in the child, and what it is in goes on.
  InsideScope outer(&one), inner(&two);
  CHECK(inChild([&] { return !one.isLost() && !two.isLost(); }) == 0);
}

TEST_CASE("ForkDomain: a long call that comes by places to stop is whole in the child") {
  ForkDomain domain;
  std::atomic<bool> isInside{false}, leaves{false};
  std::atomic<uint64_t> numTurns{0};
  auto call = [&](const void *who, bool isNested) {
    InsideScope inside(&domain, &leaves);
    std::optional<InsideScope> nested;
    if (isNested)
      nested.emplace(nullptr);
    isInside = true;
    while (!leaves) {
      letFork(who);
      ++numTurns;
    }
  };
  auto isLostBeside = [&](const void *who, bool isNested) {
    isInside = leaves = false;
    std::thread caller(call, who, isNested);
    while (!isInside)
      std::this_thread::yield();
    const int lost = inChild([&] { return !domain.isLost(); });
    const uint64_t before = numTurns;
    while (numTurns == before) // it goes on
      std::this_thread::yield();
    leaves = true;
    caller.join();
    return lost == 1;
  };
  CHECK_FALSE(isLostBeside(&leaves, false));
  CHECK(isLostBeside(&isInside, false)); // something within it, which may be locked around
  CHECK(isLostBeside(&leaves, true));
}

TEST_CASE("ForkDomain: short calls of other threads are waited for") {
  ForkDomain domain;
  std::atomic<bool> stop{false};
  std::atomic<uint64_t> numCalls{0};
  std::mutex lock;
  std::vector<std::thread> callers;
  for (int i = 0; i != 3; ++i)
    callers.emplace_back([&] {
      while (!stop) {
        InsideScope inside(&domain);
        std::lock_guard guard(lock);
        ++numCalls;
      }
    });
  for (int i = 0; i != 50; ++i)
    CHECK(inChild([&] { return !domain.isLost() && lock.try_lock(); }) == 0);
  const uint64_t before = numCalls;
  while (numCalls == before) // the callers go on
    std::this_thread::yield();
  stop = true;
  for (std::thread &caller : callers)
    caller.join();
}

TEST_CASE("makeForkSafeMutex: the child finds it free, beside threads that take it all the time") {
  std::mutex &first = makeForkSafeMutex(), &second = makeForkSafeMutex();
  std::atomic<bool> stop{false};
  std::vector<std::thread> users;
  for (int i = 0; i != 2; ++i)
    users.emplace_back([&] {
      while (!stop) {
        std::lock_guard outer(second); // in the other order than they were made in
        std::lock_guard inner(first);
      }
    });
  for (int i = 0; i != 50; ++i)
    CHECK(inChild([&] { return first.try_lock() && second.try_lock(); }) == 0);
  stop = true;
  for (std::thread &user : users)
    user.join();
}
#endif
