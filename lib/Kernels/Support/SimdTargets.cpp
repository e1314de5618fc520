//===- SimdTargets.cpp - The instruction sets of vector kernels -----------===//
#include "SimdTargets.h"
#include "tsc/Support/SimdLevel.h"

using namespace tsc;

bool tsc::simd::usesV3() { return simdLevel() == SimdLevel::V3 || usesV4(); }
bool tsc::simd::usesV4() { return simdLevel() == SimdLevel::V4; }
