//===- OnlySimdLevel.cpp - What a build for one processor has -------------===//
//
// With TSC_NATIVE_SIMD this file is compiled with the options that kernels on vectors
// are compiled with, and with TSC_ONE_SIMD_LEVEL. Nothing else stands here: it may use
// instructions that the machine has not.
//
//===----------------------------------------------------------------------===//
#include "tsc/Support/SimdFeatures.h"
#include "tsc/Support/SimdLevel.h"

std::optional<tsc::SimdLevel> tsc::onlySimdLevel() {
#if !defined(TSC_ONE_SIMD_LEVEL)
  return std::nullopt;
#elif !defined(__x86_64__)
  return SimdLevel::Neon;
#elif defined(TSC_COMPILED_FOR_V4) && !defined(TSC_WITHOUT_AVX512)
  return SimdLevel::V4;
#elif defined(TSC_COMPILED_FOR_V3)
  return SimdLevel::V3;
#else
  return SimdLevel::V2;
#endif
}
