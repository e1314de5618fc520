//===- MachineTest.cpp - What kernels find on this machine ----------------===//
#include "tsc/Kernels/Machine.h"
#include <catch2/catch.hpp>

using namespace tsc;

/// The bits of a level's vectors.
static int widthOf(SimdLevel level) { return level == SimdLevel::V4 ? 512 : level == SimdLevel::V3 ? 256 : 128; }

TEST_CASE("Machine: kernels have no wider vectors than their level") {
  const cpu::VectorSupport vectors = cpu::vectorSupport();
  if (!onlySimdLevel())
    CHECK(vectors.used <= vectors.offered);
  CHECK(vectors.offered == widthOf(simdLevel()));
}

TEST_CASE("Machine: the one level of a build is that of its kernels") {
  if (std::optional<SimdLevel> only = onlySimdLevel())
    CHECK(cpu::vectorSupport().used == widthOf(*only));
}
