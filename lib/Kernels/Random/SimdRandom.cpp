//===- SimdRandom.cpp - Rows of random numbers, on vectors ----------------===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Random/SimdRandom.cpp"
#include "Support/SimdTargets.h"

#include "hwy/foreach_target.h" // first: it includes this file again for every instruction set

#include "BoxMuller.h"
#include "Pointwise/SpecialFunctions.h"
#include "RandomRows.h"
#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"
#include <cmath>
#include <limits>
#include <type_traits>

TSC_BEFORE_KERNELS();
#include "Pointwise/SimdBuilder.h"

namespace tsc::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

static void uniformFloats(float *HWY_RESTRICT out, const uint32_t *HWY_RESTRICT draws, int64_t n, int bits, float range,
                          float low) {
  assert(bits >= 1 && bits <= 24 && "as many bits as a float holds");
  const uint32_t mask = (1u << bits) - 1;
  const float unit = 1.0f / static_cast<float>(1u << bits);
  for (int64_t i = 0; i < n; ++i) // the compiler's vectors
    out[i] = std::fma(static_cast<float>(static_cast<int32_t>(draws[i] & mask)) * unit, range, low);
}

static void uniformDoubles(double *HWY_RESTRICT out, const uint32_t *HWY_RESTRICT draws, int64_t n, double range,
                           double low) {
  for (int64_t i = 0; i < n; ++i) {
    const uint64_t drawn = static_cast<uint64_t>(draws[2 * i]) << 32 | draws[2 * i + 1];
    const auto bits = static_cast<int64_t>(drawn & ((uint64_t{1} << 53) - 1));
    out[i] = std::fma(static_cast<double>(bits) * (1.0 / static_cast<double>(uint64_t{1} << 53)), range, low);
  }
}

static void exponentials(double *u, int64_t n, double scale) {
  const hn::ScalableTag<double> d;
  pw::HWY_NAMESPACE::SimdBuilder<hn::ScalableTag<double>> b;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto factor = hn::Set(d, -scale);
  auto step = [&](auto v) HWY_ATTR { return hn::Mul(factor, b.log1p(hn::Neg(v))); };
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes)
    hn::StoreU(step(hn::LoadU(d, u + i)), d, u + i);
  HWY_ALIGN double rest[hn::MaxLanes(d)] = {};
  for (int64_t k = i; k < n; ++k)
    rest[k - i] = u[k];
  hn::Store(step(hn::Load(d, rest)), d, rest);
  for (int64_t k = i; k < n; ++k)
    u[k] = rest[k - i];
}

#if HWY_NATIVE_FMA
using UpToEight = hn::CappedTag<float, 8>;
using UpToEightInts = hn::RebindToSigned<UpToEight>;
using V = hn::Vec<UpToEight>;

template <int n> HWY_INLINE V polynomial(V x, const float (&p)[n]) {
  const UpToEight d;
  V y = hn::Set(d, p[0]);
  for (int i = 1; i != n; ++i)
    y = hn::MulAdd(y, x, hn::Set(d, p[i]));
  return y;
}

/// boxmuller::log.
HWY_INLINE V logOf(V x) {
  using namespace boxmuller;
  const UpToEight d;
  const UpToEightInts di;
  const auto bits = hn::BitCast(di, x);
  V exponent = hn::ConvertTo(d, hn::Sub(hn::ShiftRight<23>(bits), hn::Set(di, 126)));
  const V mantissa = hn::BitCast(d, hn::Or(hn::And(bits, hn::Set(di, 0x007fffff)), hn::Set(di, 0x3f000000)));
  const auto small = hn::Lt(mantissa, hn::Set(d, sqrtHalf));
  const V r = hn::Add(hn::Sub(mantissa, hn::Set(d, 1)), hn::IfThenElseZero(small, mantissa));
  exponent = hn::Sub(exponent, hn::IfThenElseZero(small, hn::Set(d, 1)));
  const V z = hn::Mul(r, r);
  V y = hn::MulAdd(hn::Mul(polynomial(r, logCoefficients), r), z, hn::Mul(exponent, hn::Set(d, ln2Low)));
  y = hn::NegMulAdd(z, hn::Set(d, 0.5f), y);
  return hn::MulAdd(exponent, hn::Set(d, ln2High), hn::Add(r, y));
}

/// boxmuller::sincos.
HWY_INLINE void sincosOf(V x, V &sine, V &cosine) {
  using namespace boxmuller;
  const UpToEight d;
  const UpToEightInts di;
  const auto truncated = hn::ConvertTo(di, hn::Mul(x, hn::Set(d, fourOverPi)));
  const auto octant = hn::And(hn::Add(truncated, hn::Set(di, 1)), hn::Set(di, ~1));
  const V n = hn::ConvertTo(d, octant);
  V r = hn::MulAdd(n, hn::Set(d, piParts[0]), x);
  r = hn::MulAdd(n, hn::Set(d, piParts[1]), r);
  r = hn::MulAdd(n, hn::Set(d, piParts[2]), r);
  const V z = hn::Mul(r, r), half = hn::Mul(z, hn::Set(d, 0.5f));
  const V c = hn::Add(hn::MulSub(hn::Mul(polynomial(z, cosineCoefficients), z), z, half), hn::Set(d, 1));
  const V s = hn::MulAdd(hn::Mul(polynomial(z, sineCoefficients), z), r, r);
  const auto swap = hn::RebindMask(d, hn::Ne(hn::And(octant, hn::Set(di, 2)), hn::Zero(di)));
  // Bit 2 of the octant is the sign of the sine, of octant + 2 that of the cosine.
  const V sineSign = hn::BitCast(d, hn::ShiftLeft<29>(hn::And(octant, hn::Set(di, 4))));
  const V cosineSign = hn::BitCast(d, hn::ShiftLeft<29>(hn::And(hn::Add(octant, hn::Set(di, 2)), hn::Set(di, 4))));
  sine = hn::Xor(hn::IfThenElse(swap, c, s), sineSign);
  cosine = hn::Xor(hn::IfThenElse(swap, s, c), cosineSign);
}

static void normals(float *data, int64_t blocks, float mean, float std) {
  const UpToEight d;
  const V center = hn::Set(d, mean), width = hn::Set(d, std);
  for (; blocks > 0; --blocks, data += 16)
    for (size_t j = 0; j != 8; j += hn::Lanes(d)) {
      const V u1 = hn::Sub(hn::Set(d, 1), hn::LoadU(d, data + j)), u2 = hn::LoadU(d, data + j + 8);
      const V radius = hn::Sqrt(hn::Mul(hn::Set(d, -2), logOf(u1)));
      V sine, cosine;
      sincosOf(hn::Mul(hn::Set(d, static_cast<float>(2 * boxmuller::pi)), u2), sine, cosine);
      hn::StoreU(hn::MulAdd(hn::Mul(radius, cosine), width, center), d, data + j);
      hn::StoreU(hn::MulAdd(hn::Mul(radius, sine), width, center), d, data + j + 8);
    }
}
#else
static void normals(float *data, int64_t blocks, float mean, float std) {
  for (; blocks > 0; --blocks, data += 16)
    for (int j = 0; j != 8; ++j) {
      const float radius = std::sqrt(-2.0f * boxmuller::log(1 - data[j]));
      const boxmuller::SinCos direction = boxmuller::sincos(static_cast<float>(2 * boxmuller::pi) * data[j + 8]);
      data[j] = std::fma(radius * direction.cos, std, mean);
      data[j + 8] = std::fma(radius * direction.sin, std, mean);
    }
}
#endif

static random::Kernels randomRows() { return {&uniformFloats, &uniformDoubles, &exponentials, &normals}; }
} // namespace tsc::cpu::HWY_NAMESPACE
TSC_AFTER_KERNELS();

#if HWY_ONCE
namespace tsc::cpu {
const random::Kernels &random::kernels() {
  static const Kernels table = TSC_BEST_OF(randomRows)();
  return table;
}
} // namespace tsc::cpu
#endif
