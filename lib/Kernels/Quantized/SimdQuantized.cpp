//===- SimdQuantized.cpp - Rows of small integers and reals, on vectors ---===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Quantized/SimdQuantized.cpp"
#include "Support/SimdTargets.h"

#include "hwy/foreach_target.h" // first: it includes this file again for every instruction set

#include "QuantizedRows.h"
#include "hwy/highway.h"
#include <algorithm>
#include <cmath>
#include <limits>

TSC_BEFORE_KERNELS();
#include "Support/SimdExtrema.h"

namespace tsc::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using quantized::PairScales;
using quantized::Requantization;

using Floats = hn::ScalableTag<float>;
using Ints = hn::RebindToSigned<Floats>;
template <class T> using Bytes = hn::Rebind<T, Floats>;
using V = hn::Vec<Floats>;
static constexpr int64_t lanes = hn::MaxLanes(Floats());

/// Numbers to integers of type T; NaN becomes the least, as in fbgemm.
template <class T> HWY_INLINE void storeBounded(V value, float least, T *to) {
  const Floats d;
  const V low = hn::Set(d, least), high = hn::Set(d, static_cast<float>(std::numeric_limits<T>::max()));
  value = hn::IfThenElse(hn::IsNaN(value), low, hn::Min(hn::Max(value, low), high));
  hn::StoreU(hn::DemoteTo(Bytes<T>(), hn::NearestInt(value)), Bytes<T>(), to);
}
template <class T> inline T bounded(float value, float least) {
  constexpr float high = std::numeric_limits<T>::max();
  value = std::isnan(value) ? least : std::min(std::max(value, least), high);
  return static_cast<T>(std::nearbyint(value));
}

template <class T> HWY_INLINE V load(const T *from) {
  return hn::ConvertTo(Floats(), hn::PromoteTo(Ints(), hn::LoadU(Bytes<T>(), from)));
}
HWY_INLINE V load(const int32_t *from) { return hn::ConvertTo(Floats(), hn::LoadU(Ints(), from)); }
HWY_INLINE V load(const float *from) { return hn::LoadU(Floats(), from); }

template <class T> static void quantize(T *to, const float *from, int64_t count, float inverse, float zero) {
  const Floats d;
  constexpr float least = std::numeric_limits<T>::min();
  int64_t i = 0;
  const V factor = hn::Set(d, inverse), offset = hn::Set(d, zero);
  for (; i + lanes <= count; i += lanes) {
    const V x = hn::LoadU(d, from + i);
    storeBounded(hn::Add(hn::Round(hn::Mul(x, factor)), offset), least, to + i);
  }
  for (; i != count; ++i)
    to[i] = bounded<T>(std::nearbyint(from[i] * inverse) + zero, least);
}
static void quantizeUInt8(uint8_t *to, const float *from, int64_t count, float inverse, float zero) {
  quantize(to, from, count, inverse, zero);
}
static void quantizeInt8(int8_t *to, const float *from, int64_t count, float inverse, float zero) {
  quantize(to, from, count, inverse, zero);
}

template <class T> static void dequantize(float *to, const T *from, int64_t count, float scale, int32_t zero) {
  const Floats d;
  const V factor = hn::Set(d, scale), offset = hn::Set(d, static_cast<float>(zero));
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes)
    hn::StoreU(hn::Mul(factor, hn::Sub(load(from + i), offset)), d, to + i);
  for (; i != count; ++i)
    to[i] = scale * static_cast<float>(from[i] - zero);
}

using Words = hn::Repartition<int16_t, Ints>;

/// Sums of one vector's channels as rounded integers. `isFloat` has all bits set if the sums are floats, else none.
HWY_INLINE hn::Vec<Ints> scaled(const int32_t *sums, hn::Vec<Ints> isFloat, V bias, V factors) {
  const auto bits = hn::LoadU(Ints(), sums);
  const V sum =
      hn::BitCast(Floats(), hn::IfVecThenElse(isFloat, bits, hn::BitCast(Ints(), hn::ConvertTo(Floats(), bits))));
  const V value = extrema::HWY_NAMESPACE::lesser(hn::Mul(hn::Add(sum, bias), factors), hn::Set(Floats(), 0x1p30f));
  // NearestInt() also looks for numbers that are too large, and these are none.
#if HWY_TARGET == HWY_AVX3
  return hn::Vec<Ints>{_mm512_cvtps_epi32(value.raw)};
#elif HWY_TARGET == HWY_AVX2
  return hn::Vec<Ints>{_mm256_cvtps_epi32(value.raw)};
#else
  return hn::NearestInt(value);
#endif
}

/// Two vectors of integers, and the zero point added to them, as bytes.
HWY_INLINE hn::Vec<hn::Rebind<uint8_t, Words>> toBytes(hn::Vec<Ints> left, hn::Vec<Ints> right, hn::Vec<Words> zero) {
  const hn::Rebind<uint8_t, Words> bytes;
  const auto words = hn::SaturatedAdd(hn::ReorderDemote2To(Words(), left, right), zero);
  const auto result = hn::DemoteTo(bytes, words);
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2
  // Four bytes of the left vector and four of the right one come in turns.
  const hn::Repartition<int32_t, decltype(bytes)> quads;
  alignas(32) static constexpr int32_t order[2][8] = {{0, 2, 1, 3}, {0, 2, 4, 6, 1, 3, 5, 7}};
  const auto indices = hn::SetTableIndices(quads, order[hn::MaxLanes(quads) / 8]);
  return hn::BitCast(bytes, hn::TableLookupLanes(hn::BitCast(quads, result), indices));
#else
  return result;
#endif
}

static void requantizeRows(uint8_t *to, int64_t toStep, const void *sums, int64_t sumsStep, const float *bias,
                           const float *factors, int64_t rows, int64_t channels, Requantization how) {
  const hn::Rebind<uint8_t, Words> bytes;
  const auto zero = hn::Set(Words(), static_cast<int16_t>(how.zero));
  const auto low = hn::Set(bytes, static_cast<uint8_t>(how.low));
  const auto isFloat = hn::Set(Ints(), how.fromFloats ? -1 : 0);
  constexpr int64_t step = 2 * lanes;
  // Channels outside and rows inside: what belongs to channels stays in registers.
  for (int64_t c = 0; c < channels; c += step) {
    const int64_t count = std::min(step, channels - c);
    float ownBias[step] = {}, ownFactors[step] = {};
    std::copy(bias + c, bias + c + count, ownBias);
    std::copy(factors + c, factors + c + count, ownFactors);
    const V biasLow = load(ownBias), biasHigh = load(ownBias + lanes);
    const V factorsLow = load(ownFactors), factorsHigh = load(ownFactors + lanes);
    for (int64_t row = 0; row != rows; ++row) {
      const int32_t *from = static_cast<const int32_t *>(sums) + row * sumsStep + c;
      int32_t rest[step];
      if (count != step) {
        std::fill(std::copy(from, from + count, rest), rest + step, 0);
        from = rest;
      }
      const auto result = hn::Max(toBytes(scaled(from, isFloat, biasLow, factorsLow),
                                          scaled(from + lanes, isFloat, biasHigh, factorsHigh), zero),
                                  low);
      uint8_t *at = to + row * toStep + c;
      if (count == step) {
        hn::StoreU(result, bytes, at);
        continue;
      }
      uint8_t buffer[step];
      hn::StoreU(result, bytes, buffer);
      std::copy(buffer, buffer + count, at);
    }
  }
}

/// Three planes of bytes side by side, as the channels of pixels.
static void interleavePlanes(uint8_t *to, const uint8_t *a, const uint8_t *b, const uint8_t *c, int64_t count) {
  const hn::ScalableTag<uint8_t> d;
  constexpr int64_t width = hn::MaxLanes(hn::ScalableTag<uint8_t>());
  int64_t i = 0;
  for (; i + width <= count; i += width)
    hn::StoreInterleaved3(hn::LoadU(d, a + i), hn::LoadU(d, b + i), hn::LoadU(d, c + i), d, to + 3 * i);
  for (; i != count; ++i) {
    to[3 * i] = a[i];
    to[3 * i + 1] = b[i];
    to[3 * i + 2] = c[i];
  }
}

template <class Sum>
static void scaleRows(float *to, int64_t toStep, const Sum *sums, int64_t sumsStep, const float *factors,
                      const float *bias, int64_t rows, int64_t channels, bool relu) {
  const V none = hn::Zero(Floats());
  for (int64_t row = 0; row != rows; ++row, to += toStep, sums += sumsStep) {
    int64_t i = 0;
    for (; i + lanes <= channels; i += lanes) {
      V value = hn::Mul(load(sums + i), load(factors + i));
      if (bias)
        value = hn::Add(value, load(bias + i));
      hn::StoreU(relu ? hn::Max(value, none) : value, Floats(), to + i);
    }
#pragma clang loop vectorize(disable) unroll(disable)
    for (; i != channels; ++i) {
      float value = static_cast<float>(sums[i]) * factors[i];
      if (bias)
        value += bias[i];
      to[i] = relu ? std::max(value, 0.0f) : value;
    }
  }
}

static void bounds(const float *from, int64_t count, float &least, float &greatest) {
  const Floats d;
  V low = hn::Set(d, least), high = hn::Set(d, greatest);
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const V x = load(from + i);
    const auto isNumber = hn::Eq(x, x);
    low = hn::IfThenElse(isNumber, hn::Min(low, x), low);
    high = hn::IfThenElse(isNumber, hn::Max(high, x), high);
  }
  least = hn::GetLane(hn::MinOfLanes(d, low));
  greatest = hn::GetLane(hn::MaxOfLanes(d, high));
  for (; i != count; ++i) {
    least = from[i] < least ? from[i] : least;
    greatest = from[i] > greatest ? from[i] : greatest;
  }
}

/// scale * integer + (-zero * scale), rounded once: what PyTorch's vector kernels compute with.
static void expandUInt8(float *to, const uint8_t *from, int64_t count, float scale, int32_t zero) {
  const float moved = static_cast<float>(-zero) * scale;
  const V factor = hn::Set(Floats(), scale), summand = hn::Set(Floats(), moved);
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes)
    hn::StoreU(hn::MulAdd(factor, load(from + i), summand), Floats(), to + i);
  for (; i != count; ++i)
    to[i] = std::fma(scale, static_cast<float>(from[i]), moved);
}

/// The integers that 16 (or as many as a vector has) pairs give. A product is one of integers; a sum is one of reals.
HWY_INLINE hn::Vec<Bytes<uint8_t>> combined(const uint8_t *a, const uint8_t *b, const PairScales &s) {
  const Floats d;
  V result;
  if (s.multiply) {
    const V x = hn::Sub(load(a), hn::Set(d, static_cast<float>(s.zeroA)));
    const V y = hn::Sub(load(b), hn::Set(d, static_cast<float>(s.zeroB)));
    result = hn::Mul(hn::Mul(x, y), hn::Set(d, s.scaleA * s.scaleB * s.inverse)); // of integers below 2^16: exact
  } else {
    const V x = hn::MulAdd(hn::Set(d, s.scaleA), load(a), hn::Set(d, static_cast<float>(-s.zeroA) * s.scaleA));
    const V y = hn::MulAdd(hn::Set(d, s.scaleB), load(b), hn::Set(d, static_cast<float>(-s.zeroB) * s.scaleB));
    result = hn::Mul(hn::Add(x, y), hn::Set(d, s.inverse));
  }
  const auto moved = hn::Add(hn::NearestInt(extrema::HWY_NAMESPACE::lesser(result, hn::Set(d, 0x1p30f))),
                             hn::Set(Ints(), static_cast<int32_t>(s.zero)));
  const auto low = hn::Set(Ints(), s.relu ? static_cast<int32_t>(s.zero) : 0);
  return hn::DemoteTo(Bytes<uint8_t>(), hn::Max(moved, low));
}

static void combineUInt8(uint8_t *to, const uint8_t *a, const uint8_t *b, int64_t count, const PairScales &s) {
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes)
    hn::StoreU(combined(a + i, b + i, s), Bytes<uint8_t>(), to + i);
  if (i == count)
    return;
  uint8_t restA[lanes] = {}, restB[lanes] = {}, bytes[lanes];
  std::copy(a + i, a + count, restA);
  std::copy(b + i, b + count, restB);
  hn::StoreU(combined(restA, restB, s), Bytes<uint8_t>(), bytes);
  std::copy(bytes, bytes + (count - i), to + i);
}

static quantized::Kernels quantizedKernels() {
  return {&quantizeUInt8,  &quantizeInt8,       &dequantize<uint8_t>, &dequantize<int8_t>,
          &requantizeRows, &scaleRows<int32_t>, &scaleRows<float>,    &bounds,
          &combineUInt8,   &expandUInt8,        &interleavePlanes};
}
} // namespace tsc::cpu::HWY_NAMESPACE
TSC_AFTER_KERNELS();

#if HWY_ONCE
namespace tsc::cpu {
const quantized::Kernels &quantized::kernels() {
  static const Kernels table = TSC_BEST_OF(quantizedKernels)();
  return table;
}
} // namespace tsc::cpu
#endif
