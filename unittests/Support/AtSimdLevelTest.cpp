//===- AtSimdLevelTest.cpp - A loop for each level of vector instructions -===//
#include "tsc/Support/AtSimdLevel.h"
#include <catch2/catch.hpp>
#include <type_traits>
#include <vector>

using namespace tsc;

static constexpr SimdLevel levels[] = {SimdLevel::V2, SimdLevel::V3, SimdLevel::V4, SimdLevel::Neon};

template <typename T>
LLVM_ATTRIBUTE_ALWAYS_INLINE static void addTwice(T *__restrict out, const T *__restrict x, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    out[i] += 2 * x[i];
}

LLVM_ATTRIBUTE_ALWAYS_INLINE static void addNext(int64_t *out, const int64_t *x, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    out[i] += x[i];
}

/// Returns x * x - y: where the compiler may fuse them, the product is not rounded.
LLVM_ATTRIBUTE_ALWAYS_INLINE static double restOfSquare(double x, double y) { return x * x - y; }

LLVM_ATTRIBUTE_ALWAYS_INLINE static void widen(const int *x, int64_t n, int &least, int &most) {
  for (int64_t i = 0; i < n; ++i) {
    least = x[i] < least ? x[i] : least;
    most = x[i] > most ? x[i] : most;
  }
}

TEST_CASE("AtSimdLevel: every level gives the results of the loop") {
  for (SimdLevel level : levels) {
    if (!machineHas(level))
      continue;
    INFO(nameOf(level).str());
    for (int64_t n : {0, 1, 4, 31, 64, 1000}) {
      std::vector<float> x(n), out(n, 1);
      for (int64_t i = 0; i != n; ++i)
        x[i] = static_cast<float>(i);
      atSimdLevel<addTwice<float>, Overlap::None>.at(level, out.data(), x.data(), n);
      for (int64_t i = 0; i != n; ++i)
        REQUIRE(out[i] == static_cast<float>(2 * i + 1));
    }
    // Where overlap is allowed, a loop may run in place.
    std::vector<int64_t> numbered = {1, 2, 3, 4, 5};
    atSimdLevel<addNext>.at(level, numbered.data(), numbered.data() + 1, 4);
    CHECK(numbered == std::vector<int64_t>{3, 5, 7, 9, 5});
    // A parameter that is a reference stays one.
    const std::vector<int> numbers = {5, -7, 3, 12, 0};
    int least = 0, most = 0;
    atSimdLevel<widen>.at(level, numbers.data(), 5, least, most);
    CHECK(least == -7);
    CHECK(most == 12);
  }
}

TEST_CASE("AtSimdLevel: a call is that of the level in use") {
  std::vector<int64_t> out = {1, 2, 3}, x = {10, 20, 30};
  atSimdLevel<addTwice<int64_t>, Overlap::None>(out.data(), x.data(), 3);
  CHECK(out == std::vector<int64_t>{21, 42, 63});
  // (1 + 2^-30)^2 is 1 + 2^-29 and 2^-60, which no double has room for.
  volatile double root = 1 + 0x1p-30, rounded = 1 + 0x1p-29;
  const double here = atSimdLevel<restOfSquare>(root, rounded);
  CHECK(here == atSimdLevel<restOfSquare>.at(simdLevel(), root, rounded));
#if defined(__x86_64__) && !defined(__FMA__)
  CHECK(here == (simdLevel() == SimdLevel::V2 ? 0 : 0x1p-60));
#endif
}

#if defined(__x86_64__) && !defined(__FMA__)
TEST_CASE("AtSimdLevel: each level has the instructions of its own") {
  volatile double root = 1 + 0x1p-30, rounded = 1 + 0x1p-29;
  CHECK(atSimdLevel<restOfSquare>.at(SimdLevel::V2, root, rounded) == 0);
  for (SimdLevel level : {SimdLevel::V3, SimdLevel::V4})
    if (machineHas(level))
      CHECK(atSimdLevel<restOfSquare>.at(level, root, rounded) == 0x1p-60);
}
#endif
