//===- SimdHalves.cpp - Rows of half types and floats, on vectors ---------===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "SimdHalves.cpp"
#include "SimdTargets.h"

#include "hwy/foreach_target.h" // first: it includes this file again for every instruction set

#include "HalfRows.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace tsc::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
using Words = hn::RebindToUnsigned<Floats>;
using Bits = hn::Rebind<uint16_t, Floats>;
using Float16s = hn::Rebind<hwy::float16_t, Floats>;
static constexpr int64_t lanes = hn::MaxLanes(Floats());

// Without instructions for it, Highway's conversion of halves takes neither infinities nor NaN.
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2
static constexpr bool convertsHalves = true;
#else
static constexpr bool convertsHalves = false;
#endif

/// Calls step(i) for every vector, and one(i) for what is left.
template <bool onVectors = true, class Step, class One> HWY_INLINE void forVectors(int64_t count, Step step, One one) {
  int64_t i = 0;
  for (; onVectors && i + lanes <= count; i += lanes)
    step(i);
  for (; i != count; ++i)
    one(i);
}

static void widenHalf(float *to, const Half *from, int64_t count) {
  const uint16_t *bits = reinterpret_cast<const uint16_t *>(from);
  forVectors<convertsHalves>(
      count,
      [&](int64_t i) HWY_ATTR {
        const auto halves = hn::BitCast(Float16s(), hn::LoadU(Bits(), bits + i));
        hn::StoreU(hn::PromoteTo(Floats(), halves), Floats(), to + i);
      },
      [&](int64_t i) { to[i] = static_cast<float>(from[i]); });
}

static void widenBFloat16(float *to, const BFloat16 *from, int64_t count) {
  const uint16_t *bits = reinterpret_cast<const uint16_t *>(from);
  forVectors(
      count,
      [&](int64_t i) HWY_ATTR {
        const auto words = hn::PromoteTo(Words(), hn::LoadU(Bits(), bits + i));
        hn::StoreU(hn::BitCast(Floats(), hn::ShiftLeft<16>(words)), Floats(), to + i);
      },
      [&](int64_t i) { to[i] = static_cast<float>(from[i]); });
}

static void roundToHalf(Half *to, const float *from, int64_t count) {
  uint16_t *bits = reinterpret_cast<uint16_t *>(to);
  forVectors<convertsHalves>(
      count,
      [&](int64_t i) HWY_ATTR {
        const auto halves = hn::DemoteTo(Float16s(), hn::LoadU(Floats(), from + i));
        hn::StoreU(hn::BitCast(Bits(), halves), Bits(), bits + i);
      },
      [&](int64_t i) { to[i] = Half(from[i]); });
}

static void roundToBFloat16(BFloat16 *to, const float *from, int64_t count) {
  uint16_t *bits = reinterpret_cast<uint16_t *>(to);
  forVectors(
      count,
      [&](int64_t i) HWY_ATTR {
        const Words d;
        const auto x = hn::LoadU(Floats(), from + i);
        const auto word = hn::BitCast(d, x), odd = hn::And(hn::ShiftRight<16>(word), hn::Set(d, 1));
        const auto rounded = hn::ShiftRight<16>(hn::Add(hn::Add(word, hn::Set(d, 0x7fff)), odd));
        const auto isNaN = hn::RebindMask(d, hn::IsNaN(x));
        hn::StoreU(hn::TruncateTo(Bits(), hn::IfThenElse(isNaN, hn::Set(d, 0x7fc0), rounded)), Bits(), bits + i);
      },
      [&](int64_t i) { to[i] = BFloat16(from[i]); });
}

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
