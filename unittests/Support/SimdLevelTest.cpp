//===- SimdLevelTest.cpp - Which vector instructions are used -------------===//
#include "tsc/Support/SimdLevel.h"
#include <catch2/catch.hpp>

using namespace tsc;

static constexpr SimdLevel levels[] = {SimdLevel::V2, SimdLevel::V3, SimdLevel::V4, SimdLevel::Neon};

TEST_CASE("SimdLevel: each name is that of its level") {
  for (SimdLevel level : levels) {
    auto parsed = parseSimdLevel(nameOf(level));
    REQUIRE(parsed.ok());
    CHECK(*parsed == level);
  }
  for (const char *unknown : {"", "V3", "avx2", "v1", "v5", "neon2"}) {
    auto parsed = parseSimdLevel(unknown);
    REQUIRE_FALSE(parsed.ok());
    CHECK(messageOf(parsed.status()) == "'" + std::string(unknown) +
                                            "' is no level of vector instructions; the known ones are v2, v3, v4 and "
                                            "neon");
  }
}

TEST_CASE("SimdLevel: a machine has its level and those before it") {
  const SimdLevel highest = machineSimdLevel();
  CHECK(machineHas(highest));
  CHECK(machineHas(SimdLevel::Neon) != machineHas(SimdLevel::V2));
  for (SimdLevel level : levels) {
    if (highest != SimdLevel::Neon && level != SimdLevel::Neon)
      CHECK(machineHas(level) == (level <= highest));
    const Status status = checkMachineHas(level);
    CHECK(status.ok() == machineHas(level));
    if (!status.ok())
      CHECK(messageOf(status).starts_with(
          ("this machine has no vector instructions of level '" + nameOf(level) + "'; it has ").str()));
  }
}

TEST_CASE("SimdLevel: the choice is made once") {
  const SimdLevel level = simdLevel();
  CHECK(machineHas(level));
  CHECK(chooseSimdLevel(nameOf(level)).ok());
  CHECK(simdLevel() == level);
  CHECK(chooseSimdLevel("").ok() == simdStatus().ok());
  CHECK_FALSE(chooseSimdLevel("avx2").ok());
  if (level != SimdLevel::V2 && level != SimdLevel::Neon && !onlySimdLevel())
    CHECK(messageOf(chooseSimdLevel("v2")) ==
          ("--simd: kernels of level '" + nameOf(level) + "' were used before").str());
  CHECK(simdLevel() == level);
}
