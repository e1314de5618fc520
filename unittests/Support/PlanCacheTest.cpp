//===- PlanCacheTest.cpp - Plans that calls find without a lock -----------===//
#include "tsc/Support/PlanCache.h"
#include "tsc/Support/AddressTable.h"
#include <catch2/catch.hpp>
#include <numeric>
#include <thread>

using namespace tsc;

namespace {
/// A plan for calls with one number. It counts those that are alive.
struct Square {
  explicit Square(int key) : key(key), value(key * key) { ++alive; }
  ~Square() { --alive; }
  Square(const Square &) = delete;
  const int key, value;
  static std::atomic<int> alive;
};
std::atomic<int> Square::alive{0};

auto isFor(int key) {
  return [key](const Square &plan) { return plan.key == key; };
}
/// Makes the plan for `key` where there are fewer than `limit`.
auto makeFor(int key, size_t limit) {
  return [key, limit](size_t size) { return size < limit ? std::make_unique<Square>(key) : nullptr; };
}
} // namespace

TEST_CASE("A plan is made once, and found by its key") {
  {
    PlanCache<Square> plans(4);
    CHECK(plans.find(isFor(3)) == nullptr);
    Square *made = plans.findOrAdd(isFor(3), makeFor(3, 4));
    REQUIRE(made != nullptr);
    CHECK(made->value == 9);
    Square *other = plans.findOrAdd(isFor(5), makeFor(5, 4));
    CHECK(other != made);
    CHECK(plans.find(isFor(3)) == made);
    CHECK(plans.find(isFor(5)) == other);
    CHECK(plans.findOrAdd(isFor(3), [](size_t) -> std::unique_ptr<Square> {
      FAIL("there is a plan for it");
      return nullptr;
    }) == made);
    CHECK(Square::alive == 2);
  }
  CHECK(Square::alive == 0); // they go with the cache
}

TEST_CASE("A cache that refuses keeps its plans and takes no more") {
  PlanCache<Square> plans(3);
  for (int key = 0; key != 3; ++key) {
    CHECK(!plans.isFull());
    CHECK(plans.findOrAdd(isFor(key), makeFor(key, 3)) != nullptr);
  }
  CHECK(plans.isFull());
  CHECK(plans.findOrAdd(isFor(3), makeFor(3, 3)) == nullptr);
  for (int key = 0; key != 3; ++key)
    CHECK(plans.find(isFor(key))->value == key * key);
}

TEST_CASE("What makes a plan hears how many there are, and may decline") {
  PlanCache<Square> plans(8);
  std::vector<size_t> sizes;
  for (int key = 0; key != 3; ++key)
    plans.findOrAdd(isFor(key), [&](size_t size) {
      sizes.push_back(size);
      return key == 1 ? nullptr : std::make_unique<Square>(key);
    });
  CHECK(sizes == std::vector<size_t>{0, 1, 1});
  CHECK(plans.find(isFor(1)) == nullptr);
}

TEST_CASE("The first of several plans that fit is found") {
  PlanCache<Square> plans(4);
  Square *first = plans.findOrAdd(isFor(2), makeFor(2, 4));
  plans.findOrAdd(isFor(4), makeFor(4, 4));
  CHECK(plans.find([](const Square &) { return true; }) == first);
}

TEST_CASE("A cache that replaces drops the oldest plan, which calls may still hold") {
  {
    PlanCache<const Square, WhenFull::ReplaceOldest> plans(2);
    plans.add(std::make_shared<const Square>(1));
    std::shared_ptr<const Square> held = plans.find(isFor(1));
    plans.add(std::make_shared<const Square>(2));
    plans.add(std::make_shared<const Square>(3));
    CHECK(plans.find(isFor(1)) == nullptr);
    CHECK(plans.find(isFor(2))->value == 4);
    CHECK(plans.find(isFor(3))->value == 9);
    CHECK(held->value == 1);
    held.reset();
    CHECK(Square::alive == 2); // nobody holds the first one, and no list that is left does
  }
  CHECK(Square::alive == 0);
}

TEST_CASE("Threads that look for the same plans find one of each") {
  constexpr int numKeys = 12, numThreads = 4;
  PlanCache<Square> plans(numKeys);
  std::atomic<int> made{0}, wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t != numThreads; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i != 2000; ++i) {
        const int key = (i * (t + 1)) % numKeys;
        const Square *plan = plans.findOrAdd(isFor(key), [&](size_t) {
          ++made;
          return std::make_unique<Square>(key);
        });
        wrong += !plan || plan->key != key || plan->value != key * key;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(wrong == 0);
  CHECK(made == numKeys);
}

TEST_CASE("Plans are replaced while threads look for them") {
  {
    PlanCache<const Square, WhenFull::ReplaceOldest> plans(4);
    std::atomic<bool> isDone{false};
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int t = 0; t != 3; ++t)
      threads.emplace_back([&, t] {
        for (int i = 0; !isDone.load(std::memory_order_relaxed) || i < 100; ++i) {
          const int key = (i + t) % 16;
          std::shared_ptr<const Square> plan = plans.find(isFor(key));
          wrong += plan && (plan->key != key || plan->value != key * key);
        }
      });
    for (int i = 0; i != 4000; ++i)
      plans.add(std::make_shared<const Square>(i % 16));
    isDone.store(true, std::memory_order_relaxed);
    for (std::thread &thread : threads)
      thread.join();
    CHECK(wrong == 0);
    plans.add(std::make_shared<const Square>(0)); // nobody looks: the old lists go
    CHECK(Square::alive == 4);
  }
  CHECK(Square::alive == 0);
}

TEST_CASE("A table has one value for each address, which never moves") {
  std::vector<int> keys(1000);
  AddressTable<std::string> table;
  CHECK(table.find(&keys[0]) == nullptr);
  std::vector<std::string *> values;
  for (size_t i = 0; i != keys.size(); ++i)
    values.push_back(&table.findOrMake(&keys[i], std::to_string(i)));
  for (size_t i = 0; i != keys.size(); ++i) {
    CHECK(table.find(&keys[i]) == values[i]);
    CHECK(*values[i] == std::to_string(i));
    CHECK(&table.findOrMake(&keys[i], "another") == values[i]);
  }
  int unknown = 0;
  CHECK(table.find(&unknown) == nullptr);
}

TEST_CASE("Threads that add the same addresses share the values") {
  std::vector<int> keys(300);
  AddressTable<std::atomic<int>> table;
  std::vector<std::thread> threads;
  for (int t = 0; t != 4; ++t)
    threads.emplace_back([&] {
      for (int &key : keys)
        table.findOrMake(&key, 0).fetch_add(1, std::memory_order_relaxed);
    });
  for (std::thread &thread : threads)
    thread.join();
  const int sum = std::accumulate(keys.begin(), keys.end(), 0, [&](int total, int &key) {
    return total + table.find(&key)->load(std::memory_order_relaxed);
  });
  CHECK(sum == 4 * 300);
}
