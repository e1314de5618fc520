//===- BackgroundWorkerTest.cpp - Threads, and a system without them ------===//
#include "tsc/Support/BackgroundWorker.h"
#include "tsc/Support/ThreadPool.h"
#include "tsc/Support/Trace.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <memory>
#include <new>
#include <pthread.h>
#include <string>
#include <thread>
#include <vector>
using namespace tsc;

TEST_CASE("BackgroundWorker runs tasks in order on one thread, which has its name") {
  std::vector<int> seen;
  std::vector<std::thread::id> threads;
  char name[16] = "";
  TraceRecorder trace;
  BackgroundWorker worker("kernels", &trace);
  for (int i = 0; i != 5; ++i)
    CHECK(worker.post([&, i] {
      seen.push_back(i);
      threads.push_back(std::this_thread::get_id());
      pthread_getname_np(pthread_self(), name, sizeof name);
    }));
  worker.drain();
  CHECK(seen == std::vector{0, 1, 2, 3, 4});
  CHECK(threads == std::vector(5, threads[0]));
  CHECK(threads[0] != std::this_thread::get_id());
  CHECK(std::string(name) == "kernels");
  std::string timeline;
  llvm::raw_string_ostream os(timeline);
  trace.write(os);
  CHECK(timeline.find(R"("args":{"name":"kernels"})") != std::string::npos);
}

TEST_CASE("BackgroundWorker: a task without memory is given up, and later ones run") {
  BackgroundWorker worker("worker");
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
    BackgroundWorker worker("worker");
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
    BackgroundWorker worker("worker");
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
