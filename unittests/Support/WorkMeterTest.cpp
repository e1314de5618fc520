//===- WorkMeterTest.cpp - Counting what operators do, and stopping them --===//
#include "tsc/Support/WorkMeter.h"
#include "tsc/Support/ThreadPool.h"
#include <catch2/catch.hpp>

using namespace tsc;

TEST_CASE("a long loop stops when the alarm is set, and goes on where nobody asks it to stop") {
  auto turnsTaken = [](int64_t turns) {
    work::LongLoop loop;
    int64_t taken = 0;
    while (taken != turns && loop.goOn())
      ++taken;
    return taken;
  };
  CHECK(turnsTaken(1000000) == 1000000);
  std::atomic<bool> alarm = false;
  work::Meter meter(alarm);
  work::MeterScope scope(&meter);
  CHECK(turnsTaken(1000000) == 1000000);
  alarm = true;
  CHECK(turnsTaken(1000000) <= work::operationsInStep);
  CHECK(turnsTaken(1000000) == 0); // from now on at once
  CHECK(work::wasStopped());
  alarm = false;
  CHECK(turnsTaken(1000000) == 1000000);
}

TEST_CASE("work counts as steps, up to a limit") {
  std::atomic<bool> alarm = false;
  work::Meter meter(alarm);
  work::MeterScope scope(&meter);
  work::count(10 * work::operationsInStep);
  CHECK(meter.used() == 0); // without a limit nobody asks
  meter.setLimit(100);
  work::count(10 * work::operationsInStep);
  work::count(work::operationsInStep - 1); // less than a step
  CHECK(meter.used() == 10);
  work::LongLoop loop(work::operationsInStep / 4);
  for (int i = 0; i != 100; ++i)
    CHECK(loop.goOn());
  CHECK(meter.used() >= 30);
  CHECK(meter.used() <= 40);
  CHECK_FALSE(alarm);
  work::countMultiplications(1e300);
  CHECK(alarm);
  int turns = 0; // the flag is looked at once a step
  while (turns != 8 && loop.goOn())
    ++turns;
  CHECK(turns <= 4);
  CHECK(meter.take() > 100);
  CHECK(meter.used() == 0);
}

TEST_CASE("parallel loops count in the caller's meter, and stop where they have no end") {
  std::atomic<bool> alarm = false;
  work::Meter meter(alarm);
  meter.setLimit(1000);
  work::MeterScope scope(&meter);
  ThreadPool pool(4);
  ExecutorScope threads(&pool);
  std::atomic<int64_t> seen = 0, elsewhere = 0;
  parallelFor(0, 400, 10, [&](int64_t begin, int64_t end) {
    seen += end - begin;
    elsewhere += work::currentMeter() != &meter;
  });
  CHECK(seen == 400);
  CHECK(elsewhere == 0);
  CHECK(meter.used() == 40);
  parallelFor(0, 10, 10, [&](int64_t begin, int64_t end) { seen += end - begin; }); // one piece is not worth a count
  CHECK(meter.used() == 40);
  seen = 0;
  parallelFor(0, int64_t{1} << 60, parallelGrain, [&](int64_t begin, int64_t end) { seen += end - begin; });
  CHECK(alarm);
  CHECK(seen < int64_t{1} << 40);
}
