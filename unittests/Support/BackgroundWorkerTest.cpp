//===- BackgroundWorkerTest.cpp - Threads, and a system without them ------===//
#include "tsc/Support/BackgroundWorker.h"
#include "tsc/Support/ThreadPool.h"
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <memory>
#include <new>
#include <pthread.h>
#include <vector>
using namespace tsc;

TEST_CASE("BackgroundWorker runs tasks in order on one thread") {
  std::vector<int> seen;
  std::thread::id thread, first;
  BackgroundWorker worker([&] { first = std::this_thread::get_id(); });
  for (int i = 0; i != 5; ++i)
    CHECK(worker.post([&, i] {
      seen.push_back(i);
      thread = std::this_thread::get_id();
    }));
  worker.drain();
  CHECK(seen == std::vector{0, 1, 2, 3, 4});
  CHECK(thread == first);
  CHECK(thread != std::this_thread::get_id());
}

TEST_CASE("BackgroundWorker: a task without memory is given up, and later ones run") {
  BackgroundWorker worker;
  bool ran = false;
  CHECK(worker.post([] { throw std::bad_alloc(); }));
  CHECK(worker.post([&] { ran = true; }));
  worker.drain();
  CHECK(ran);
}

TEST_CASE("BackgroundWorker: what has not begun is dropped with it") {
  std::atomic<bool> begun{false}, ending{false}, goes{false};
  auto isAlive = std::make_shared<int>();
  bool ran = false;
  std::thread releaser;
  {
    BackgroundWorker worker;
    CHECK(worker.post([&] {
      begun = true;
      while (!goes)
        std::this_thread::yield();
    }));
    CHECK(worker.post([&ran, isAlive] { ran = true; }));
    while (!begun)
      std::this_thread::yield();
    releaser = std::thread([&] {
      while (!ending)
        std::this_thread::yield();
      std::this_thread::sleep_for(std::chrono::milliseconds(50)); // by then the worker is told to stop
      goes = true;
    });
    ending = true;
  }
  releaser.join();
  CHECK_FALSE(ran);
  CHECK(isAlive.use_count() == 1);
}

TEST_CASE("A system without threads") {
  // New threads ask for a stack that no memory holds.
  pthread_attr_t usual, huge;
  REQUIRE(pthread_getattr_default_np(&usual) == 0);
  REQUIRE(pthread_attr_init(&huge) == 0);
  REQUIRE(pthread_attr_setstacksize(&huge, size_t{1} << 62) == 0);
  REQUIRE(pthread_setattr_default_np(&huge) == 0);
  {
    BackgroundWorker worker;
    CHECK_FALSE(worker.post([] {}));
    worker.drain();
    ThreadPool pool(4);
    CHECK(pool.concurrency() == 1);
    unsigned tasks = 0;
    pool.run(3, [&](unsigned) { ++tasks; });
    CHECK(tasks == 3);
    REQUIRE(pthread_setattr_default_np(&usual) == 0);
    bool ran = false;
    CHECK(worker.post([&] { ran = true; })); // one that comes later
    worker.drain();
    CHECK(ran);
  }
  pthread_attr_destroy(&huge);
  pthread_attr_destroy(&usual);
}
