//===- TargetTraitsTest.cpp - What processors are, and keys of code -------===//
#include "tsc/CodeGen/TargetTraits.h"
#include "tsc/Support/SimdFeatures.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <catch2/catch.hpp>
#include <vector>

using namespace tsc;
using namespace tsc::codegen;

namespace {
struct Row {
  SimdLevel level;
  unsigned vectorBytes, vectorRegisters;
  bool hasMasks, hasGather, hasFma, convertsHalves, convertsBFloat16, hasStreamingStores, hasScalef;
  unsigned permutedFloats;
};
} // namespace

TEST_CASE("CodeGen: the traits of each level of vector instructions") {
  const Row rows[] = {
      // level        bytes registers masks  gather fma    halves bf16   stream scalef permuted
      {SimdLevel::V2, 16, 16, false, false, false, false, false, true, false, 0},
      {SimdLevel::V3, 32, 16, false, false, true, true, false, true, false, 8},
      {SimdLevel::V4, 64, 32, true, true, true, true, false, true, true, 16},
      {SimdLevel::Neon, 16, 32, false, false, true, true, false, false, false, 0},
  };
  for (const Row &row : rows) {
    const CodeTarget target = CodeTarget::generic(row.level);
    INFO(nameOf(row.level).str() << ": " << target.key());
    const TargetTraits traits = TargetTraits::of(target);
    CHECK(traits.vectorBytes == row.vectorBytes);
    CHECK(traits.vectorRegisters == row.vectorRegisters);
    CHECK(traits.hasMasks == row.hasMasks);
    CHECK(traits.hasGather == row.hasGather);
    CHECK(traits.hasFma == row.hasFma);
    CHECK(traits.convertsHalves == row.convertsHalves);
    CHECK(traits.convertsBFloat16 == row.convertsBFloat16);
    CHECK(traits.hasStreamingStores == row.hasStreamingStores);
    CHECK(traits.hasScalef == row.hasScalef);
    CHECK(traits.permutedFloats == row.permutedFloats);
    CHECK(traits.stopsAtPages);
  }
}

TEST_CASE("CodeGen: traits that are a processor's own") {
  CodeTarget target = CodeTarget::generic(SimdLevel::V4);
  target.features += ",+avx512bf16";
  CHECK(TargetTraits::of(target).convertsBFloat16);
  target.processor = "znver4";
  CHECK_FALSE(TargetTraits::of(target).stopsAtPages);
  CodeTarget arm = CodeTarget::generic(SimdLevel::Neon);
  arm.features = "+bf16," + arm.features;
  CHECK(TargetTraits::of(arm).convertsBFloat16);
}

TEST_CASE("CodeGen: of AVX2, FMA and F16C, a processor has all or none") {
  CodeTarget target = CodeTarget::generic(SimdLevel::V2);
  target.features += ",+avx,+avx2,+fma";
  const TargetTraits traits = TargetTraits::of(target);
  CHECK(traits.vectorBytes == 16);
  CHECK_FALSE(traits.hasFma);
}

TEST_CASE("CodeGen: a target has all features of its level, and without one of them it is below the level") {
#define TSC_ITEM(NAME) NAME,
  const std::vector<std::string> ofV3 = {TSC_V3_FEATURES(TSC_ITEM)}, ofV4 = {TSC_V4_FEATURES(TSC_ITEM)};
#undef TSC_ITEM
  const std::pair<SimdLevel, const std::vector<std::string> &> rows[] = {{SimdLevel::V3, ofV3}, {SimdLevel::V4, ofV4}};
  for (const auto &[level, names] : rows)
    for (const std::string &name : names) {
      INFO(nameOf(level).str() << " without " << name);
      CodeTarget target = CodeTarget::generic(level);
      llvm::SmallVector<llvm::StringRef, 0> kept;
      llvm::StringRef(target.features).split(kept, ',');
      const size_t before = kept.size();
      llvm::erase(kept, "+" + name);
      CHECK(kept.size() == before - 1);
      const bool isOfV3 = llvm::is_contained(ofV3, name);
      target.features = llvm::join(kept, ",");
      CHECK(TargetTraits::of(target).vectorBytes == (isOfV3 ? 16 : 32));
    }
}

TEST_CASE("CodeGen: triple, processor and features are in the key of code") {
  const CodeTarget target = CodeTarget::generic(SimdLevel::V3);
  std::vector<CodeTarget> others(3, target);
  others[0].triple = "x86_64-unknown-freebsd";
  others[1].processor = "haswell";
  others[2].features += ",+sha";
  for (const CodeTarget &other : others) {
    INFO(other.key());
    CHECK(other.key() != target.key());
  }
  CHECK(CodeTarget(target).key() == target.key());
  CHECK(CodeTarget::generic(SimdLevel::V4).key() != target.key());
}

TEST_CASE("CodeGen: the machine at hand has no more than the level") {
  for (SimdLevel level : {SimdLevel::V2, SimdLevel::V3, SimdLevel::V4, SimdLevel::Neon}) {
    if (!machineHas(level))
      continue;
    INFO(nameOf(level).str());
    const TargetTraits traits = TargetTraits::of(CodeTarget::host(level)),
                       generic = TargetTraits::of(CodeTarget::generic(level));
    CHECK(traits.vectorBytes == generic.vectorBytes);
    CHECK(traits.vectorRegisters == generic.vectorRegisters);
    CHECK(traits.hasFma == generic.hasFma);
    CHECK(traits.hasMasks == generic.hasMasks);
  }
  if (machineHas(SimdLevel::V4)) {
    const std::string features = CodeTarget::host(SimdLevel::V3).features;
    CHECK_FALSE(llvm::StringRef(features).contains("avx512"));
    CHECK(llvm::StringRef(features).contains("+avx2"));
    CHECK(CodeTarget::host(SimdLevel::V3).key() != CodeTarget::host(SimdLevel::V4).key());
  }
  // An emulator may show another machine's processor.
  if (machineHas(SimdLevel::Neon))
    CHECK(llvm::StringRef(CodeTarget::host(SimdLevel::Neon).features).contains("+neon"));
  CHECK(CodeTarget::host(machineSimdLevel(), "haswell").processor == "haswell");
}
