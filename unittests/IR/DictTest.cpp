//===- DictTest.cpp - Dictionaries in order of insertion ------------------===//
#include "tsc/IR/IValue.h"
#include "tsc/IR/Type.h"
#include "tsc/Support/WorkMeter.h"
#include <catch2/catch.hpp>
#include <limits>

using namespace tsc;

TEST_CASE("a key that was found last is found where it stands, also when entries have moved") {
  DictValue dict(Type::intType(), Type::intType());
  for (int64_t i = 0; i != 100; ++i)
    dict.set(IValue(i), IValue(10 * i));
  REQUIRE(dict.find(IValue(int64_t{50})));
  for (int64_t i = 0; i != 90; ++i)
    if (i != 50)
      CHECK(dict.erase(IValue(i)));
  REQUIRE(dict.find(IValue(int64_t{50})));
  CHECK(dict.find(IValue(int64_t{50}))->toInt() == 500);
  dict.set(IValue(int64_t{50}), IValue(int64_t{7}));
  CHECK(dict.find(IValue(int64_t{50}))->toInt() == 7);
  CHECK(dict.erase(IValue(int64_t{50})));
  CHECK_FALSE(dict.find(IValue(int64_t{50})));
  dict.set(IValue(int64_t{50}), IValue(int64_t{8}));
  CHECK(dict.find(IValue(int64_t{50}))->toInt() == 8);
  CHECK(dict.size() == 11);
  dict.clear();
  CHECK_FALSE(dict.find(IValue(int64_t{50})));
}

TEST_CASE("NaNs are keys of their own, and cost no more than others") {
  constexpr size_t count = 200000; // with one hash for all, twenty thousand million comparisons
  DictValue dict(Type::floatType(), Type::intType());
  const IValue nan(std::numeric_limits<double>::quiet_NaN());
  for (size_t i = 0; i != count; ++i)
    dict.set(nan, IValue(int64_t{1}));
  CHECK(dict.size() == count);
  CHECK_FALSE(dict.find(nan));
  CHECK_FALSE(dict.erase(nan));
  dict.set(IValue(1.5), IValue(int64_t{2}));
  CHECK(dict.find(IValue(1.5))->toInt() == 2);
}

TEST_CASE("long tuples that differ at their end have different hashes, and comparing them counts") {
  std::atomic<bool> alarm = false;
  work::Meter meter(alarm);
  meter.setLimit(1000);
  work::MeterScope scope(&meter);
  DictValue dict(Type::intType(), Type::intType());
  auto keyOf = [](int64_t last) {
    std::vector<IValue> parts(300, IValue(int64_t{1}));
    parts.push_back(IValue(last));
    return makeTuple(std::move(parts));
  };
  for (int64_t i = 0; i != 3000; ++i) // each compared with each: 1.3 thousand million parts, 41,000 steps
    dict.set(keyOf(i), IValue(i));
  CHECK_FALSE(alarm);
  CHECK(dict.size() == 3000);
  CHECK(dict.find(keyOf(17))->toInt() == 17);
}
