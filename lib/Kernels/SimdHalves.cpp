//===- SimdHalves.cpp - Rows of half types and floats, on vectors ---------===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "SimdHalves.cpp"
#include "SimdTargets.h"

#include "hwy/foreach_target.h" // first: it includes this file again for every instruction set

#include "HalfRows.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
#include "HalfVectors.h"

namespace tsc::cpu::HWY_NAMESPACE {

template <bool onVectors, typename T> HWY_INLINE void widen(float *to, const T *from, int64_t count) {
  int64_t i = 0;
  for (; onVectors && i + HalfVectors::lanes <= count; i += HalfVectors::lanes)
    hn::StoreU(HalfVectors::widen(from + i), HalfVectors::Floats(), to + i);
  for (; i != count; ++i)
    to[i] = static_cast<float>(from[i]);
}
template <bool onVectors, typename T> HWY_INLINE void round(T *to, const float *from, int64_t count) {
  int64_t i = 0;
  for (; onVectors && i + HalfVectors::lanes <= count; i += HalfVectors::lanes)
    HalfVectors::round(hn::LoadU(HalfVectors::Floats(), from + i), to + i);
  for (; i != count; ++i)
    to[i] = T(from[i]);
}
static void widenHalf(float *to, const Half *from, int64_t count) { widen<convertsHalves>(to, from, count); }
static void widenBFloat16(float *to, const BFloat16 *from, int64_t count) { widen<true>(to, from, count); }
static void roundToHalf(Half *to, const float *from, int64_t count) { round<convertsHalves>(to, from, count); }
static void roundToBFloat16(BFloat16 *to, const float *from, int64_t count) { round<true>(to, from, count); }

static halves::Kernels halfKernels() { return {&widenHalf, &widenBFloat16, &roundToHalf, &roundToBFloat16}; }
} // namespace tsc::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tsc::cpu {
const halves::Kernels &halves::kernels() {
  static const Kernels table = TSC_BEST_OF(halfKernels)();
  return table;
}
} // namespace tsc::cpu
#endif
