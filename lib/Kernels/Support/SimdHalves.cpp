//===- SimdHalves.cpp - Rows of half types and floats, on vectors ---------===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Support/SimdHalves.cpp"
#include "SimdTargets.h"

#include "hwy/foreach_target.h" // first: it includes this file again for every instruction set

#include "HalfRows.h"
#include "hwy/highway.h"

TSC_BEFORE_KERNELS();
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
  constexpr int64_t lanes = HalfVectors::lanes;
  const HalfVectors::Floats d;
  int64_t i = 0;
  for (; onVectors && i + 2 * lanes <= count; i += 2 * lanes)
    HalfVectors::round(hn::LoadU(d, from + i), hn::LoadU(d, from + i + lanes), to + i);
  for (; onVectors && i + lanes <= count; i += lanes)
    HalfVectors::round(hn::LoadU(d, from + i), to + i);
  for (; i != count; ++i)
    to[i] = T(from[i]);
}
static void widenHalf(float *to, const Half *from, int64_t count) { widen<convertsHalves>(to, from, count); }
static void widenBFloat16(float *to, const BFloat16 *from, int64_t count) { widen<true>(to, from, count); }
static void roundToHalf(Half *to, const float *from, int64_t count) { round<convertsHalves>(to, from, count); }
static void roundToBFloat16(BFloat16 *to, const float *from, int64_t count) { round<true>(to, from, count); }

/// Sums of products that do not wait for each other.
template <bool onVectors, typename T> HWY_INLINE float dotOf(const float *x, const T *row, int64_t count) {
  constexpr int64_t vectors = 4, lanes = HalfVectors::lanes;
  const HalfVectors::Floats d;
  float rest = 0, total = 0;
  int64_t i = 0;
  if constexpr (onVectors) {
    HalfVectors::V sums[vectors];
    for (auto &sum : sums)
      sum = hn::Zero(d);
    for (; i + vectors * lanes <= count; i += vectors * lanes)
      for (int64_t v = 0; v != vectors; ++v)
        sums[v] = hn::MulAdd(HalfVectors::widen(row + i + v * lanes), hn::LoadU(d, x + i + v * lanes), sums[v]);
    for (; i + lanes <= count; i += lanes)
      sums[0] = hn::MulAdd(HalfVectors::widen(row + i), hn::LoadU(d, x + i), sums[0]);
    total = hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(sums[0], sums[2]), hn::Add(sums[1], sums[3]))));
  }
  for (; i != count; ++i)
    rest += x[i] * static_cast<float>(row[i]);
  return total + rest;
}
static float dotHalf(const float *x, const Half *row, int64_t count) { return dotOf<convertsHalves>(x, row, count); }
static float dotBFloat16(const float *x, const BFloat16 *row, int64_t count) { return dotOf<true>(x, row, count); }

template <bool onVectors, typename T>
HWY_INLINE void affine(T *to, const T *from, float scale, float shift, int64_t count) {
  const HalfVectors::Floats d;
  const auto factor = hn::Set(d, scale), offset = hn::Set(d, shift);
  int64_t i = 0;
  for (; onVectors && i + HalfVectors::lanes <= count; i += HalfVectors::lanes)
    HalfVectors::round(hn::Add(hn::Mul(HalfVectors::widen(from + i), factor), offset), to + i);
  for (; i != count; ++i) {
    const float product = static_cast<float>(from[i]) * scale;
    to[i] = T(product + shift);
  }
}
static void affineHalf(Half *to, const Half *from, float scale, float shift, int64_t count) {
  affine<convertsHalves>(to, from, scale, shift, count);
}
static void affineBFloat16(BFloat16 *to, const BFloat16 *from, float scale, float shift, int64_t count) {
  affine<true>(to, from, scale, shift, count);
}

template <bool onVectors, typename T> HWY_INLINE void prelu(T *to, const T *from, float slope, int64_t count) {
  constexpr int64_t lanes = HalfVectors::lanes;
  const HalfVectors::Floats d;
  const auto factor = hn::Set(d, slope);
  auto valueAt = [&](int64_t i) HWY_ATTR {
    const auto x = HalfVectors::widen(from + i);
    return hn::IfThenElse(hn::Gt(x, hn::Zero(d)), x, hn::Mul(factor, x));
  };
  int64_t i = 0;
  for (; onVectors && i + 2 * lanes <= count; i += 2 * lanes)
    HalfVectors::round(valueAt(i), valueAt(i + lanes), to + i);
  for (; i != count; ++i) {
    const auto x = static_cast<float>(from[i]);
    to[i] = T(x > 0 ? x : slope * x);
  }
}
static void preluHalf(Half *to, const Half *from, float slope, int64_t count) {
  prelu<convertsHalves>(to, from, slope, count);
}
static void preluBFloat16(BFloat16 *to, const BFloat16 *from, float slope, int64_t count) {
  prelu<true>(to, from, slope, count);
}

static halves::Kernels halfKernels() {
  return {&widenHalf,   &widenBFloat16, &roundToHalf,    &roundToBFloat16, &dotHalf,
          &dotBFloat16, &affineHalf,    &affineBFloat16, &preluHalf,       &preluBFloat16};
}
} // namespace tsc::cpu::HWY_NAMESPACE
TSC_AFTER_KERNELS();

#if HWY_ONCE
namespace tsc::cpu {
const halves::Kernels &halves::kernels() {
  static const Kernels table = TSC_BEST_OF(halfKernels)();
  return table;
}
} // namespace tsc::cpu
#endif
