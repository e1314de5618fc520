//===- ShardedCounterTest.cpp - A number that many threads count up -------===//
#include "tsc/Support/ShardedCounter.h"
#include <catch2/catch.hpp>
#include <thread>
#include <vector>

using namespace tsc;

TEST_CASE("A sharded counter has what all threads have counted, more of them than it has parts") {
  ShardedCounter counter, other;
  CHECK(counter == 0);
  ++counter;
  std::vector<std::thread> threads;
  for (int i = 0; i != 40; ++i)
    threads.emplace_back([&counter] {
      for (int j = 0; j != 1000; ++j)
        ++counter;
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(counter == 40001);
  CHECK(other == 0);
}
