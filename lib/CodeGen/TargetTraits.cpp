//===- TargetTraits.cpp - What emission asks about a processor ------------===//
#include "tsc/CodeGen/TargetTraits.h"
#include "tsc/Support/SimdFeatures.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/TargetParser/Triple.h"

using namespace tsc;
using namespace tsc::codegen;

/// What makes a level, as items of a list.
#define TSC_FEATURE_ITEM(NAME) NAME,

TargetTraits TargetTraits::of(const CodeTarget &target) {
  llvm::SmallVector<llvm::StringRef, 0> features;
  assert((target.features.empty() || target.features.front() == '+') && "features are named that are there");
  llvm::StringRef(target.features).split(features, ',', -1, /*KeepEmpty=*/false);
  auto has = [&](std::initializer_list<llvm::StringRef> names) {
    return llvm::all_of(names, [&](llvm::StringRef name) {
      return llvm::any_of(features, [&](llvm::StringRef feature) { return feature.drop_front() == name; });
    });
  };
  const llvm::Triple triple(target.triple);
  TargetTraits traits;
  // Where the processor's own prefetching goes on beyond a page, reading ahead of it costs time (docs/measurements.md).
  traits.stopsAtPages = !llvm::StringRef(target.processor).starts_with("znver");
  if (triple.isAArch64()) {
    traits.vectorRegisters = 32;
    traits.hasFma = traits.convertsHalves = true;
    traits.convertsBFloat16 = has({"bf16"});
    return traits;
  }
  if (triple.getArch() != llvm::Triple::x86_64)
    return traits;
  traits.hasStreamingStores = true;
  // Kernels use these together or not at all (SimdLevel), and fused code must give their bits.
  if (!has({TSC_V3_FEATURES(TSC_FEATURE_ITEM)}))
    return traits;
  traits.vectorBytes = 32;
  traits.hasFma = traits.convertsHalves = true;
  traits.permutedFloats = 8;
  if (!has({TSC_V4_FEATURES(TSC_FEATURE_ITEM)}))
    return traits;
  traits.vectorBytes = 64;
  traits.vectorRegisters = 32;
  traits.hasMasks = traits.hasGather = traits.hasScalef = true;
  traits.convertsBFloat16 = has({"avx512bf16"});
  traits.permutedFloats = 16;
  return traits;
}
