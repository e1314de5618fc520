//===- SimdMachine.cpp - The vectors that kernels use here ----------------===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "SimdMachine.cpp"
#include "SimdTargets.h"

#include "hwy/foreach_target.h" // first: it includes this file again for every instruction set

#include "hwy/highway.h"
#include "tsc/Kernels/Machine.h"

TSC_BEFORE_KERNELS();
namespace tsc::cpu::HWY_NAMESPACE {
static int bits() { return 8 * static_cast<int>(hwy::HWY_NAMESPACE::Lanes(hwy::HWY_NAMESPACE::ScalableTag<char>())); }
} // namespace tsc::cpu::HWY_NAMESPACE
TSC_AFTER_KERNELS();

#if HWY_ONCE
namespace tsc::cpu {
static std::string nameOf(int bits) {
  return bits == 512 ? "AVX-512" : bits == 256 ? "AVX2" : std::to_string(bits) + " bits";
}

VectorSupport vectorSupport() {
  return {nameOf(TSC_BEST_OF(bits)()), nameOf(simd::hasAVX512() ? 512 : simd::hasAVX2() ? 256 : 128)};
}
} // namespace tsc::cpu
#endif
