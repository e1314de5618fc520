//===- SimdMachine.cpp - The vectors that kernels use here ----------------===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Support/SimdMachine.cpp"
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
VectorSupport vectorSupport() {
  const SimdLevel level = simdLevel();
  return {TSC_BEST_OF(bits)(), level == SimdLevel::V4 ? 512 : level == SimdLevel::V3 ? 256 : 128};
}

std::string highwayVersion() {
  return std::to_string(HWY_MAJOR) + "." + std::to_string(HWY_MINOR) + "." + std::to_string(HWY_PATCH);
}
} // namespace tsc::cpu
#endif
