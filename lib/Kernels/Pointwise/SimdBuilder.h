//===- SimdBuilder.h - Scalar bodies on vectors -----------------*- C++ -*-===//
//
// The operations of a scalar body on Highway vectors of float or double. Included
// once per instruction set, inside its namespace; hence no guard of its own kind.
// Functions that programs seldom use go through <cmath> lane by lane.
//
//===----------------------------------------------------------------------===//

#include "Support/SimdExtrema.h"
#include <cassert>

namespace tsc::pw::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
#define TSC_MATH_INLINE HWY_INLINE
#include "tsc/Kernels/ScalarMath.inc"

#include "DoubleMath.h"
#include "WideMath.h"
#undef TSC_MATH_INLINE

/// The operations of scalar bodies on Highway vectors of the tag D: floats or doubles.
template <class D> class SimdBuilder {
public:
  using T = hn::TFromD<D>;
  using Value = hn::Vec<D>;
  using Mask = hn::Mask<D>;
  using V = Value;
  using M = Mask;
  static constexpr bool isFloat = sizeof(T) == 4;
  D d;

  HWY_INLINE V constant(double v) { return hn::Set(d, static_cast<T>(v)); }
  HWY_INLINE V inf() { return constant(std::numeric_limits<double>::infinity()); }
  HWY_INLINE V nan() { return constant(std::numeric_limits<double>::quiet_NaN()); }
  HWY_INLINE V largest() { return constant(std::numeric_limits<T>::max()); }
  HWY_INLINE V pi() { return constant(3.14159265358979323846); }

  HWY_INLINE V add(V a, V b) { return hn::Add(a, b); }
  HWY_INLINE V sub(V a, V b) { return hn::Sub(a, b); }
  HWY_INLINE V mul(V a, V b) { return hn::Mul(a, b); }
  HWY_INLINE V div(V a, V b) { return hn::Div(a, b); }
  HWY_INLINE V neg(V a) { return hn::Neg(a); }
  HWY_INLINE M eq(V a, V b) { return hn::Eq(a, b); }
  HWY_INLINE M ne(V a, V b) { return hn::Not(hn::Eq(a, b)); }
  HWY_INLINE M lt(V a, V b) { return hn::Lt(a, b); }
  HWY_INLINE M le(V a, V b) { return hn::Le(a, b); }
  HWY_INLINE M gt(V a, V b) { return hn::Gt(a, b); }
  HWY_INLINE M ge(V a, V b) { return hn::Ge(a, b); }
  HWY_INLINE M maskAnd(M a, M b) { return hn::And(a, b); }
  HWY_INLINE M maskOr(M a, M b) { return hn::Or(a, b); }
  HWY_INLINE M maskNot(M a) { return hn::Not(a); }
  HWY_INLINE bool any(M m) { return !hn::AllFalse(d, m); }
  HWY_INLINE M truth(V a) { return ne(a, hn::Zero(d)); }
  HWY_INLINE V fromMask(M m) { return hn::IfThenElseZero(m, constant(1)); }
  HWY_INLINE V toValue(V v) { return v; }
  HWY_INLINE V where(M m, V a, V b) { return hn::IfThenElse(m, a, b); }

  HWY_INLINE V abs(V a) { return hn::Abs(a); }
  HWY_INLINE V sqrt(V a) { return hn::Sqrt(a); }
  HWY_INLINE V rsqrt(V a) { return div(constant(1), hn::Sqrt(a)); }
  HWY_INLINE V ceil(V a) { return signedAs(a, hn::Ceil(a)); }
  HWY_INLINE V floor(V a) { return signedAs(a, hn::Floor(a)); }
  HWY_INLINE V round(V a) { return signedAs(a, hn::Round(a)); }
  HWY_INLINE V trunc(V a) { return signedAs(a, hn::Trunc(a)); }
  HWY_INLINE M isnan(V a) { return hn::IsNaN(a); }
  HWY_INLINE M isinf(V a) { return hn::Eq(hn::Abs(a), inf()); }
  HWY_INLINE M isfinite(V a) { return hn::Lt(hn::Abs(a), inf()); }
  /// Whether the sign bit is set, that of -0 and NaN too.
  HWY_INLINE M signbit(V a) {
    const hn::RebindToSigned<D> integers;
    return hn::RebindMask(d, hn::Lt(hn::BitCast(integers, a), hn::Zero(integers)));
  }
  HWY_INLINE V copysign(V a, V b) { return hn::CopySign(a, b); }
#if HWY_ARCH_X86
  HWY_INLINE V min(V a, V b) { return where(isnan(a), a, where(isnan(b), b, extrema::HWY_NAMESPACE::lesser(a, b))); }
  HWY_INLINE V max(V a, V b) { return where(isnan(a), a, where(isnan(b), b, extrema::HWY_NAMESPACE::larger(a, b))); }
#else // b is what `lesser` and `larger` give where it is NaN
  HWY_INLINE V min(V a, V b) { return where(isnan(a), a, extrema::HWY_NAMESPACE::lesser(a, b)); }
  HWY_INLINE V max(V a, V b) { return where(isnan(a), a, extrema::HWY_NAMESPACE::larger(a, b)); }
#endif
  HWY_INLINE V fmin(V a, V b) { return where(isnan(a), b, where(isnan(b), a, extrema::HWY_NAMESPACE::lesser(a, b))); }
  HWY_INLINE V fmax(V a, V b) { return where(isnan(a), b, where(isnan(b), a, extrema::HWY_NAMESPACE::larger(a, b))); }
  HWY_INLINE V real(V a) { return a; }
  HWY_INLINE V imag(V) { return hn::Zero(d); }
  HWY_INLINE V conj(V a) { return a; }
  HWY_INLINE V sgn(V a) { return sub(fromMask(gt(a, hn::Zero(d))), fromMask(lt(a, hn::Zero(d)))); }
  HWY_INLINE V angle(V a) { return where(isnan(a), a, hn::IfThenElseZero(lt(a, hn::Zero(d)), pi())); }

  // What ScalarMath.inc asks for.
  using Integers = hn::RebindToSigned<D>;
  using Int = hn::Vec<Integers>;
  HWY_INLINE V fma(V a, V b, V c) {
#if HWY_NATIVE_FMA
    return hn::MulAdd(a, b, c);
#else
    return perLane(a, b, c, [](T x, T y, T z) { return std::fma(x, y, z); });
#endif
  }
  HWY_INLINE V scale(V y, V n) { return FloatMath<SimdBuilder>::scaleInTwoSteps(*this, y, n); }
  HWY_INLINE Int bits(V a) { return hn::BitCast(Integers(), a); }
  HWY_INLINE V fromBits(Int a) { return hn::BitCast(d, a); }
  HWY_INLINE V fromInt(Int a) { return hn::ConvertTo(d, a); }
  HWY_INLINE Int intConstant(int64_t v) { return hn::Set(Integers(), static_cast<hn::TFromD<Integers>>(v)); }
  HWY_INLINE Int intAdd(Int a, Int b) { return hn::Add(a, b); }
  HWY_INLINE Int intAnd(Int a, Int b) { return hn::And(a, b); }
  HWY_INLINE Int intOr(Int a, Int b) { return hn::Or(a, b); }
  template <int n> HWY_INLINE Int shiftLeft(Int a) { return hn::ShiftLeft<n>(a); }
  template <int n> HWY_INLINE Int shiftRight(Int a) {
    const hn::RebindToUnsigned<D> unsignedIntegers;
    return hn::BitCast(Integers(), hn::ShiftRight<n>(hn::BitCast(unsignedIntegers, a)));
  }
  HWY_INLINE V lookup(const float (&table)[8], Int index) {
    constexpr size_t lanes = hn::MaxLanes(D());
    Int entry = hn::And(index, intConstant(7));
    if constexpr (lanes == 16) {
      auto entries = hn::LoadU(hn::Half<D>(), table);
      return hn::TableLookupLanes(hn::Combine(d, entries, entries), hn::IndicesFromVec(d, entry));
    } else if constexpr (lanes == 8) {
      return hn::TableLookupLanes(hn::LoadU(d, table), hn::IndicesFromVec(d, entry));
#if TSC_HAS_LONG_TABLES
    } else if constexpr (lanes == 4) {
      const hn::Repartition<uint8_t, D> bytes;
      const uint8x16x2_t entries{hn::BitCast(bytes, hn::LoadU(d, table)).raw,
                                 hn::BitCast(bytes, hn::LoadU(d, table + 4)).raw};
      const Int places = hn::Add(hn::Mul(entry, intConstant(0x04040404)), intConstant(0x03020100)); // of its four bytes
      return hn::BitCast(d, hn::Vec<decltype(bytes)>(vqtbl2q_u8(entries, hn::BitCast(bytes, places).raw)));
#endif
    } else {
      HWY_ALIGN hn::TFromD<Integers> entries[lanes];
      HWY_ALIGN T found[lanes];
      hn::Store(entry, Integers(), entries);
      for (size_t i = 0; i != lanes; ++i)
        found[i] = table[entries[i]];
      return hn::Load(d, found);
    }
  }
  HWY_INLINE V lookup(const double (&table)[8], Int index) {
    Int entry = hn::And(index, intConstant(7));
    if constexpr (hn::MaxLanes(D()) == 8)
      return hn::TableLookupLanes(hn::LoadU(d, table), hn::IndicesFromVec(d, entry));
    else
      return hn::GatherIndex(d, table, entry);
  }
  /// Looks up all numbers of the case that the three low bits of each lane of `index` name.
  HWY_INLINE void lookup(const LookupTable &table, Int index, V (&found)[16]) {
    if constexpr (hn::MaxLanes(D()) == 4) {
      HWY_ALIGN hn::TFromD<Integers> at[4];
      hn::Store(hn::And(index, intConstant(7)), Integers(), at);
      const hn::Half<D> half;
      const T *row[4];
#pragma unroll
      for (size_t k = 0; k != 4; ++k)
        row[k] = table.rows[at[k]];
#pragma unroll
      for (size_t i = 0; i != 16; i += 2) {
        const V even = hn::Combine(d, hn::LoadU(half, row[2] + i), hn::LoadU(half, row[0] + i));
        const V odd = hn::Combine(d, hn::LoadU(half, row[3] + i), hn::LoadU(half, row[1] + i));
        found[i] = hn::InterleaveLower(d, even, odd), found[i + 1] = hn::InterleaveUpper(d, even, odd);
      }
    } else {
#pragma unroll
      for (size_t i = 0; i != 16; ++i)
        found[i] = lookup(table.columns[i], index);
    }
  }
  /// Rounds two vectors of doubles to one of floats.
  template <class Doubles> HWY_INLINE V rounded(Doubles low, Doubles high) {
    const hn::Half<D> half;
    V y = hn::Combine(d, hn::DemoteTo(half, high), hn::DemoteTo(half, low));
    // Else a function that returns it stores each half, and whoever loads the whole waits for both.
#if HWY_ARCH_X86 && TSC_HAS_VECTORS
    asm("" : "+v"(y.raw));
#endif
    return y;
  }
  HWY_INLINE M intTruth(Int a) { return hn::RebindMask(d, hn::Ne(a, hn::Zero(Integers()))); }

  // Float functions come from ScalarMath.inc and WideMath.h. Those of double are Highway's where it has them, with
  // what it leaves out (NaN, infinity, the sign of zero); the rest goes through <cmath>.
#define TSC_FLOAT_FUNCTION(NAME)                                                                                       \
  HWY_INLINE V NAME(V x) {                                                                                             \
    if constexpr (isFloat)                                                                                             \
      return FloatMath<SimdBuilder>::NAME(*this, x);                                                                   \
    else                                                                                                               \
      return perLane(x, [](T v) { return std::NAME(v); });                                                             \
  }
  // clang-format off
  TSC_FLOAT_FUNCTION(log10)
  // clang-format on
#undef TSC_FLOAT_FUNCTION
  HWY_INLINE V exp2(V x) {
    if constexpr (isFloat)
      return FloatMath<SimdBuilder>::exp2(*this, x);
    else
      return ofDouble(
          x, [](auto &b, V v) HWY_ATTR { return DoubleMath<SimdBuilder>::exp2(b, v); },
          [](T v) { return std::exp2(v); });
  }
  HWY_INLINE V log2(V x) {
    if constexpr (isFloat)
      return FloatMath<SimdBuilder>::log2(*this, x);
    else
      return ofDouble(
          x, [](auto &b, V v) HWY_ATTR { return b.logEnds(v, DoubleMath<SimdBuilder>::log2(b, v), b.constant(0)); },
          [](T v) { return std::log2(v); });
  }
  HWY_INLINE V exp(V x) {
    if constexpr (isFloat)
      return FloatMath<SimdBuilder>::exp(*this, x);
    else
      return DoubleMath<SimdBuilder>::exp(*this, x);
  }
  HWY_INLINE V erf(V x) {
    if constexpr (isFloat)
      return FloatMath<SimdBuilder>::erf(*this, x);
    else
      return ofDouble(
          x, [](auto &b, V v) HWY_ATTR { return DoubleMath<SimdBuilder>::erf(b, v); }, [](T v) { return std::erf(v); });
  }
  HWY_INLINE V expm1(V x) {
    if constexpr (isFloat)
      return FloatMath<SimdBuilder>::expm1(*this, x);
    else
      return DoubleMath<SimdBuilder>::expm1(*this, x);
  }
  HWY_INLINE V log(V x) {
    if constexpr (isFloat)
      return FloatMath<SimdBuilder>::log(*this, x);
    return logEnds(x, hn::Log(d, x), hn::Zero(d));
  }
  HWY_INLINE V log1p(V x) {
    if constexpr (isFloat)
      return FloatMath<SimdBuilder>::log1p(*this, x);
    return where(eq(x, hn::Zero(d)), x, logEnds(x, hn::Log1p(d, x), constant(-1)));
  }
  HWY_INLINE V tanh(V x) {
    if constexpr (isFloat)
      return FloatMath<SimdBuilder>::tanh(*this, x);
    else
      return DoubleMath<SimdBuilder>::tanh(*this, x);
  }
  HWY_INLINE V sigmoid(V x) { return FloatMath<SimdBuilder>::sigmoid(*this, x); }
  HWY_INLINE V sin(V x) { return trigonometric<false>(x); }
  HWY_INLINE V cos(V x) { return trigonometric<true>(x); }
  HWY_NOINLINE V tan(V x) {
    const M moderate = isModerate(x);
    const V y = div(moderateTrigonometric<false>(x), moderateTrigonometric<true>(x));
    return HWY_LIKELY(hn::AllTrue(d, moderate)) ? y : where(moderate, y, perLane(x, [](T v) { return std::tan(v); }));
  }
  HWY_NOINLINE V asin(V x) { return where(isnan(x), x, hn::Asin(d, x)); }
  HWY_NOINLINE V acos(V x) { return where(isnan(x), x, hn::Acos(d, x)); }
  HWY_NOINLINE V atan(V x) { return atan2(x, constant(1)); }
  /// (e + e / (e + 1)) / 2 with e = expm1 |x|; where that overflows, the square of a root.
  HWY_NOINLINE V sinh(V x) {
    const V a = abs(x), half = constant(0.5), e = expm1(a), root = exp(mul(a, half));
    const V y = mul(half, add(e, div(e, add(e, constant(1)))));
    return copysign(where(gt(a, constant(20)), mul(mul(half, root), root), y), x);
  }
  HWY_NOINLINE V cosh(V x) {
    const V a = abs(x), half = constant(0.5), e = exp(a), root = exp(mul(a, half));
    const V y = mul(half, add(e, div(constant(1), e)));
    return where(gt(a, constant(20)), mul(mul(half, root), root), y);
  }
  HWY_NOINLINE V asinh(V x) { return where(isfinite(x), copysign(hn::Asinh(d, x), x), x); }
  HWY_NOINLINE V acosh(V x) {
    const V y = where(isfinite(x), hn::Acosh(d, x), x);
    return where(lt(x, constant(1)), nan(), y);
  }
  HWY_NOINLINE V atanh(V x) {
    const V a = abs(x), one = constant(1), y = copysign(hn::Atanh(d, x), x);
    return where(lt(a, one), y, where(eq(a, one), copysign(inf(), x), nan()));
  }
#define TSC_WIDE(NAME, OTHERWISE)                                                                                      \
  HWY_NOINLINE V NAME(V x) {                                                                                           \
    if constexpr (isWidened)                                                                                           \
      return inDouble([](auto &b, auto v) HWY_ATTR { return WideMath<std::decay_t<decltype(b)>>::NAME(b, v); }, x);    \
    else                                                                                                               \
      return OTHERWISE;                                                                                                \
  }
  TSC_WIDE(lgamma, perLane(x, [](T v) { return logGamma(v); }))
  TSC_WIDE(erfinv, ofDouble(
                       x, [](auto &b, V v) HWY_ATTR { return DoubleMath<SimdBuilder>::erfinv(b, v); },
                       [](T v) { return static_cast<T>(pw::erfinv(v)); }))
#undef TSC_WIDE
  HWY_NOINLINE V erfc(V x) {
    if constexpr (isWidened) {
      using Wide = hn::Repartition<double, D>;
      using Pairs = PairBuilder<SimdBuilder<Wide>>;
      const hn::Half<D> half;
      Pairs b;
      const auto y = WideMath<Pairs>::erfc(
          b, {hn::PromoteTo(Wide(), hn::LowerHalf(half, x)), hn::PromoteTo(Wide(), hn::UpperHalf(half, x))});
      return rounded(y.low, y.high);
    } else {
      return ofDouble(
          x, [](auto &b, V v) HWY_ATTR { return DoubleMath<SimdBuilder>::erfc(b, v); },
          [](T v) { return std::erfc(v); });
    }
  }
  HWY_NOINLINE V ndtri(V p) {
    auto scalar = [](T v) { return static_cast<T>(pw::ndtri(v)); };
    if constexpr (isFused) {
      V y;
      if constexpr (isFloat)
        y = inDouble([](auto &b, auto v) HWY_ATTR { return DoubleMath<std::decay_t<decltype(b)>>::ndtri(b, v); }, p);
      else
        y = DoubleMath<SimdBuilder>::ndtri(*this, p);
      const M isInside = hn::And(hn::Gt(p, constant(1e-15)), hn::Lt(p, constant(1)));
      return HWY_LIKELY(hn::AllTrue(d, isInside)) ? y : where(isInside, y, perLane(p, scalar));
    }
    return perLane(p, scalar);
  }
#define SPECIAL1(NAME)                                                                                                 \
  HWY_NOINLINE V NAME(V x) {                                                                                           \
    return perLane(x, [](T v) { return static_cast<T>(pw::NAME(v)); });                                                \
  }
#define SPECIAL2(NAME)                                                                                                 \
  HWY_NOINLINE V NAME(V x, V y) {                                                                                      \
    return perLane(x, y, [](T v, T w) { return static_cast<T>(pw::NAME(v, w)); });                                     \
  }
#define SPECIAL_WIDE(NAME) // above
#include "tsc/Kernels/SpecialFunctions.def"
  HWY_INLINE V pow(V a, V b) {
    if constexpr (isWidened)
      return inDouble(
          [](auto &b, auto x, auto y) HWY_ATTR { return PowerMath<std::decay_t<decltype(b)>>::pow(b, x, y); }, a, b);
    else
      return perLane(a, b, [](T x, T y) { return std::pow(x, y); });
  }
  /// The angle of the point (x, y): that of the smaller coordinate over the larger, put into its octant.
  HWY_NOINLINE V atan2(V y, V x) {
    const V a = abs(x), c = abs(y), zero = hn::Zero(d);
    const M steep = gt(c, a);
    const V larger = where(steep, c, a), smaller = where(steep, a, c);
    V ratio = div(smaller, larger);
    ratio = where(eq(larger, zero), zero, where(eq(smaller, inf()), constant(1), ratio));
    V angle = arcTangent(ratio);
    angle = where(steep, sub(constant(1.57079632679489661923), angle), angle);
    angle = copysign(where(signbit(x), sub(pi(), angle), angle), y);
    return where(hn::Or(isnan(x), isnan(y)), nan(), angle);
  }
  HWY_NOINLINE V hypot(V x, V y) {
    auto scalar = [](T v, T w) { return std::hypot(v, w); };
    if constexpr (isWidened) {
      return inDouble(
          [](auto &b, auto v, auto w) HWY_ATTR { return WideMath<std::decay_t<decltype(b)>>::hypot(b, v, w); }, x, y);
    } else if constexpr (isFused) {
      const V a = abs(x), c = abs(y), larger = hn::Max(a, c), smaller = hn::Min(a, c);
      const V root = hn::Sqrt(hn::MulAdd(larger, larger, hn::Mul(smaller, smaller)));
      const M moderate = hn::And(isModerateSize(x), isModerateSize(y));
      // Lane by lane, so that a number's bits do not depend on its neighbours.
      return HWY_LIKELY(hn::AllTrue(d, moderate)) ? root : where(moderate, root, perLane(x, y, scalar));
    } else {
      return perLane(x, y, scalar);
    }
  }
  /// Exact. Of floats in double, where the quotient leaves room for it: then no product is rounded.
  HWY_NOINLINE V fmod(V a, V b) {
    if constexpr (isFloat && hn::MaxLanes(D()) > 1) {
      bool isExact = true;
      const V result = inDouble(
          [&](auto &b, auto dividend, auto divisor) HWY_ATTR {
            const auto wide = b.d;
            const auto quotient = hn::Trunc(hn::Div(dividend, divisor));
            auto rest = hn::Sub(dividend, hn::Mul(quotient, divisor));
            const auto isKnown = hn::Eq(rest, rest); // An infinite divisor makes it NaN.
            isExact &= hn::AllTrue(wide, hn::And(isKnown, hn::Lt(hn::Abs(quotient), hn::Set(wide, 0x1p28))));
            const auto step = hn::CopySignToAbs(hn::Abs(divisor), dividend); // where rounding reached the next integer
            rest = hn::IfThenElse(hn::Lt(hn::Mul(rest, dividend), hn::Zero(wide)), hn::Add(rest, step), rest);
            return hn::CopySignToAbs(hn::Abs(rest), dividend);
          },
          a, b);
      if (isExact)
        return result;
    }
    if constexpr (!isFloat && isFused) {
      // The rest is a number as the operands are, so that a fused product does not round it.
      const V quotient = hn::Trunc(hn::Div(a, b));
      V rest = hn::NegMulAdd(quotient, b, a);
      rest =
          hn::IfThenElse(hn::Lt(hn::Mul(rest, a), hn::Zero(d)), hn::Add(rest, hn::CopySignToAbs(hn::Abs(b), a)), rest);
      const M isExact = hn::And(hn::Lt(hn::Abs(quotient), constant(0x1p50)), isModerateSize(a));
      if (hn::AllTrue(d, hn::And(isExact, isModerateSize(b))))
        return hn::CopySignToAbs(hn::Abs(rest), a);
    }
    return perLane(a, b, [](T x, T y) { return std::fmod(x, y); });
  }
  HWY_NOINLINE V nextafter(V a, V b) {
    return perLane(a, b, [](T x, T y) { return std::nextafter(x, y); });
  }
  /// Computes a % b, with the sign of b, as pythonRemainder does; floordiv below is as pythonFloorDivide.
  HWY_INLINE V remainder(V a, V b) {
    const V rest = fmod(a, b);
    return where(isOnOtherSide(rest, b), add(rest, b), rest);
  }
  HWY_NOINLINE V floordiv(V a, V b) {
    const V rest = fmod(a, b), ratio = div(a, b), one = constant(1);
    V quotient = div(sub(a, rest), b);
    quotient = where(isOnOtherSide(rest, b), sub(quotient, one), quotient);
    const V down = hn::Floor(quotient);
    V result = where(gt(sub(quotient, down), constant(0.5)), add(down, one), down);
    result = where(eq(quotient, hn::Zero(d)), hn::CopySign(hn::Zero(d), ratio), result);
    return where(eq(b, hn::Zero(d)), ratio, result);
  }

private:
  /// Returns the integer that `a` is rounded to, with the sign of `a`, as a zero has it: Highway's functions for the
  /// baseline lose it.
  HWY_INLINE V signedAs(V a, V integer) { return TSC_HAS_VECTORS ? integer : hn::CopySign(integer, a); }
  /// Whether squares neither overflow nor lose bits, of doubles; 0 counts.
  HWY_INLINE M isModerateSize(V x) {
    const V a = abs(x);
    return hn::Or(hn::And(hn::Gt(a, constant(1e-145)), hn::Lt(a, constant(1e145))), hn::Eq(a, hn::Zero(d)));
  }
  /// Whether the rest of a division is not 0, and of the other sign than the divisor.
  HWY_INLINE M isOnOtherSide(V rest, V divisor) {
    const V zero = hn::Zero(d);
    return hn::And(hn::Ne(rest, zero), hn::Xor(hn::Lt(rest, zero), hn::Lt(divisor, zero)));
  }
  /// Puts right where a logarithm `y` with a pole at `pole` is not computed: infinite at the ends, and NaN below the
  /// pole.
  HWY_INLINE V logEnds(V x, V y, V pole) {
    y = where(eq(x, inf()), x, where(eq(x, pole), neg(inf()), y));
    return where(ge(x, pole), y, nan());
  }
  /// Whether the reduction of sine and cosine holds.
  HWY_INLINE M isModerate(V x) {
    if constexpr (isFloat)
      return FloatMath<SimdBuilder>::isModerate(*this, x);
    else
      return lt(abs(x), constant(39000));
  }
  template <bool cosine> HWY_INLINE V moderateTrigonometric(V x) {
    if constexpr (isFloat)
      return FloatMath<SimdBuilder>::template trigonometric<cosine>(*this, x);
    else if constexpr (cosine)
      return hn::Cos(d, x);
    else
      return where(eq(x, hn::Zero(d)), x, hn::Sin(d, x));
  }
  template <bool cosine> HWY_INLINE V trigonometric(V x) {
    const M moderate = isModerate(x);
    const V y = moderateTrigonometric<cosine>(x);
    return HWY_LIKELY(hn::AllTrue(d, moderate))
               ? y
               : where(moderate, y, perLane(x, [](T v) { return cosine ? std::cos(v) : std::sin(v); }));
  }
  /// The arc tangent of 0 <= x <= 1.
  HWY_INLINE V arcTangent(V x) {
    if constexpr (isFloat)
      return FloatMath<SimdBuilder>::arcTangent(*this, x);
    else
      return hn::Atan(d, x);
  }
  static T logGamma(T x) {
    int sign; // kept from the variable that lgamma writes, which threads share
    if constexpr (isFloat)
      return lgammaf_r(x, &sign);
    else
      return lgamma_r(x, &sign);
  }
  static constexpr bool isFused = HWY_NATIVE_FMA && hn::MaxLanes(D()) > 1;
  /// Calls `f` for vectors where there is a fused multiplication, without which it would be slower than C's `function`;
  /// that is called for each lane then.
  template <class F, class C> HWY_INLINE V ofDouble(V x, F f, C function) {
    if constexpr (isFused)
      return f(*this, x);
    else
      return perLane(x, function);
  }
  static constexpr bool isWidened = isFloat && isFused;
  /// f(builder of doubles, operands) on both halves of floats, rounded.
  template <class F, class... Vs> HWY_INLINE V inDouble(F f, Vs... operands) {
    using Wide = hn::Repartition<double, D>;
    const hn::Half<D> half;
    SimdBuilder<Wide> b;
    const auto low = f(b, hn::PromoteTo(Wide(), hn::LowerHalf(half, operands))...);
    const auto high = f(b, hn::PromoteTo(Wide(), hn::UpperHalf(half, operands))...);
    return rounded(low, high);
  }
  template <class F> HWY_INLINE V perLane(V a, F f) {
    HWY_ALIGN T lanes[64 / sizeof(T)];
    hn::Store(a, d, lanes);
    for (size_t i = 0; i != hn::Lanes(d); ++i)
      lanes[i] = f(lanes[i]);
    return hn::Load(d, lanes);
  }
  template <class F> HWY_INLINE V perLane(V a, V b, F f) {
    HWY_ALIGN T x[64 / sizeof(T)];
    HWY_ALIGN T y[64 / sizeof(T)];
    hn::Store(a, d, x);
    hn::Store(b, d, y);
    for (size_t i = 0; i != hn::Lanes(d); ++i)
      x[i] = f(x[i], y[i]);
    return hn::Load(d, x);
  }
  template <class F> HWY_INLINE V perLane(V a, V b, V c, F f) {
    HWY_ALIGN T x[64 / sizeof(T)];
    HWY_ALIGN T y[64 / sizeof(T)];
    HWY_ALIGN T z[64 / sizeof(T)];
    hn::Store(a, d, x);
    hn::Store(b, d, y);
    hn::Store(c, d, z);
    for (size_t i = 0; i != hn::Lanes(d); ++i)
      x[i] = f(x[i], y[i], z[i]);
    return hn::Load(d, x);
  }
};

/// The first `count` elements at `from`, `fill` in the lanes beyond, which are not read.
template <class D, typename T> HWY_INLINE hn::Vec<D> loadFirst(D d, const T *from, size_t count, T fill) {
#if TSC_HAS_MASKED_LOADS
  const auto mask = hn::FirstN(d, count);
  return hn::IfThenElse(mask, hn::MaskedLoad(mask, d, from), hn::Set(d, fill));
#else
  HWY_ALIGN T lanes[64 / sizeof(T)];
  for (size_t i = 0; i != hn::Lanes(d); ++i)
    lanes[i] = i < count ? from[i] : fill;
  return hn::Load(d, lanes);
#endif
}
/// Stores the first `count` lanes.
template <class D, typename T> HWY_INLINE void storeFirst(D d, T *to, size_t count, hn::Vec<D> v) {
#if TSC_HAS_MASKS
  hn::BlendedStore(v, hn::FirstN(d, count), d, to);
#else
  HWY_ALIGN T lanes[64 / sizeof(T)];
  hn::Store(v, d, lanes);
  for (size_t i = 0; i != count; ++i)
    to[i] = lanes[i];
#endif
}

/// Which operands of a call are one repeated value, as far as a loop is compiled for it.
enum class Repeated { None, First, Second, Any };

/// A body on the operands and numbers of a call.
template <class T, class Body> class BodyOfCall {
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;

public:
  HWY_INLINE BodyOfCall(const void *const *in, const uint8_t *steps, const void *uniformData) {
    for (size_t k = 0; k != Body::numTensors; ++k) {
      pointers[k] = static_cast<const T *>(in[k]);
      advance[k] = steps[k];
      if (advance[k] == 0)
        repeated[k] = hn::Set(D(), *pointers[k]);
    }
    for (size_t k = 0; k != Body::numUniforms; ++k)
      u[k] = hn::Set(D(), static_cast<const T *>(uniformData)[k]);
  }
  HWY_INLINE bool repeatsOperand(size_t k) const { return advance[k] == 0; }
  HWY_INLINE bool repeatsAny() const {
    bool some = false;
    for (size_t k = 0; k != Body::numTensors; ++k)
      some |= advance[k] == 0;
    return some;
  }
  /// Returns the results of a vector of elements, from element `i` on. What is repeated is not loaded anew: a load
  /// waits for stores before it that go to the same place of another page.
  template <Repeated which> HWY_INLINE V at(size_t i) {
    V t[numT];
    for (size_t k = 0; k != Body::numTensors; ++k) {
      const bool isRepeated = which == Repeated::Any      ? advance[k] == 0
                              : which == Repeated::First  ? k == 0
                              : which == Repeated::Second ? k == 1
                                                          : false;
      t[k] = isRepeated ? repeated[k] : hn::LoadU(D(), pointers[k] + i);
    }
    return evaluate(t);
  }
  /// Returns those of `rest` elements, which may be fewer than a vector has. They go through the same instructions, so
  /// that an element's value does not depend on its place.
  HWY_INLINE V some(size_t i, size_t rest) {
    V t[numT];
    for (size_t k = 0; k != Body::numTensors; ++k)
      t[k] = rest >= hn::Lanes(D()) || advance[k] == 0 ? hn::LoadU(D(), pointers[k] + i * advance[k])
                                                       : loadFirst(D(), pointers[k] + i, rest, T(0));
    return evaluate(t);
  }

private:
  static constexpr size_t numT = Body::numTensors ? Body::numTensors : 1,
                          numU = Body::numUniforms ? Body::numUniforms : 1;
  HWY_INLINE V evaluate(const V (&t)[numT]) {
    const auto r = Body::eval(b, t, u);
    if constexpr (std::is_same_v<std::decay_t<decltype(r)>, V>)
      return r;
    else
      return b.fromMask(r);
  }
  SimdBuilder<D> b;
  const T *pointers[numT];
  size_t advance[numT];
  V repeated[numT], u[numU];
};

/// Evaluates a cheap body on n elements, which are a vector at least.
template <Repeated which, class T, class Body> HWY_INLINE void runVectors(BodyOfCall<T, Body> &body, T *out, size_t n) {
  const hn::ScalableTag<T> d;
  const size_t lanes = hn::Lanes(d);
  assert(n >= lanes && "a vector at least");
  size_t i = 0;
  // The last vector ends with the last element, and where vectors begin with lines of the cache in what is written,
  // lest they are stored as two each, the first one overlaps others, too. They may be written to where operands are:
  // hence these are computed first, and stored last.
  const auto last = body.template at<which>(n - lanes);
  auto first = last;
  const bool isLong = n >= 16 * lanes;
  if (isLong) {
    first = body.template at<which>(0);
    i = (0 - reinterpret_cast<uintptr_t>(out)) % (lanes * sizeof(T)) / sizeof(T);
  }
  // In pairs, as counting takes as many instructions as a cheap body does.
  for (; i + 2 * lanes <= n; i += 2 * lanes) {
    hn::StoreU(body.template at<which>(i), d, out + i);
    hn::StoreU(body.template at<which>(i + lanes), d, out + i + lanes);
  }
  if (i + lanes <= n)
    hn::StoreU(body.template at<which>(i), d, out + i);
  if (isLong)
    hn::StoreU(first, d, out);
  hn::StoreU(last, d, out + n - lanes);
}

/// Bodies that are not cheap, and few elements, have one loop for whole vectors and what is left.
template <class T, class Body, bool isCheap>
HWY_NOINLINE void runKernel(void *outData, const void *const *in, const uint8_t *steps, const void *uniformData,
                            int64_t count) {
  const hn::ScalableTag<T> d;
  const size_t lanes = hn::Lanes(d), n = static_cast<size_t>(count);
  T *out = static_cast<T *>(outData); // which an operand may be
  BodyOfCall<T, Body> body(in, steps, uniformData);
  // Without vectors, one loop is enough, whose code is small.
  if constexpr (isCheap && TSC_HAS_VECTORS) {
    if (n >= lanes) {
      if (!body.repeatsAny())
        return runVectors<Repeated::None>(body, out, n);
      if constexpr (Body::numTensors == 2) {
        if (!body.repeatsOperand(1))
          return runVectors<Repeated::First>(body, out, n);
        if (!body.repeatsOperand(0))
          return runVectors<Repeated::Second>(body, out, n);
      } else if constexpr (Body::numTensors > 2) {
        return runVectors<Repeated::Any>(body, out, n);
      }
    }
  }
  T *HWY_RESTRICT to = out; // each element is read before it is written
  for (size_t i = 0; i < n; i += lanes) {
    const size_t rest = n - i;
    const auto result = body.some(i, rest);
    if (rest >= lanes)
      hn::StoreU(result, d, to + i);
    else
      storeFirst(d, to + i, rest, result);
  }
}

} // namespace tsc::pw::HWY_NAMESPACE
