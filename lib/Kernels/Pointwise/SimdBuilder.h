//===- SimdBuilder.h - Scalar bodies on vectors -----------------*- C++ -*-===//
//
// The operations of a scalar body on Highway vectors of float or double. Included
// once per instruction set, inside its namespace; hence no guard of its own kind.
// Functions that programs seldom use go through <cmath> lane by lane.
//
//===----------------------------------------------------------------------===//

namespace tsc::pw::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
#define TSC_MATH_INLINE HWY_INLINE
#include "tsc/Kernels/ScalarMath.inc"
#undef TSC_MATH_INLINE

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
  HWY_INLINE M truth(V a) { return ne(a, hn::Zero(d)); }
  HWY_INLINE V fromMask(M m) { return hn::IfThenElseZero(m, constant(1)); }
  HWY_INLINE V toValue(V v) { return v; }
  HWY_INLINE V where(M m, V a, V b) { return hn::IfThenElse(m, a, b); }

  HWY_INLINE V abs(V a) { return hn::Abs(a); }
  HWY_INLINE V sqrt(V a) { return hn::Sqrt(a); }
  HWY_INLINE V rsqrt(V a) { return div(constant(1), hn::Sqrt(a)); }
  HWY_INLINE V ceil(V a) { return hn::Ceil(a); }
  HWY_INLINE V floor(V a) { return hn::Floor(a); }
  HWY_INLINE V round(V a) { return hn::Round(a); }
  HWY_INLINE V trunc(V a) { return hn::Trunc(a); }
  HWY_INLINE M isnan(V a) { return hn::IsNaN(a); }
  HWY_INLINE M isinf(V a) { return hn::Eq(hn::Abs(a), inf()); }
  HWY_INLINE M isfinite(V a) { return hn::Lt(hn::Abs(a), inf()); }
  HWY_INLINE M signbit(V a) {
    const hn::RebindToSigned<D> integers;
    return hn::RebindMask(d, hn::Lt(hn::BitCast(integers, a), hn::Zero(integers)));
  }
  HWY_INLINE V copysign(V a, V b) { return hn::CopySign(a, b); }
  HWY_INLINE V min(V a, V b) { return where(isnan(a), a, where(isnan(b), b, hn::Min(a, b))); }
  HWY_INLINE V max(V a, V b) { return where(isnan(a), a, where(isnan(b), b, hn::Max(a, b))); }
  HWY_INLINE V fmin(V a, V b) { return where(isnan(a), b, where(isnan(b), a, hn::Min(a, b))); }
  HWY_INLINE V fmax(V a, V b) { return where(isnan(a), b, where(isnan(b), a, hn::Max(a, b))); }
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
    } else {
      HWY_ALIGN hn::TFromD<Integers> entries[lanes];
      HWY_ALIGN T found[lanes];
      hn::Store(entry, Integers(), entries);
      for (size_t i = 0; i != lanes; ++i)
        found[i] = table[entries[i]];
      return hn::Load(d, found);
    }
  }
  HWY_INLINE M intTruth(Int a) { return hn::RebindMask(d, hn::Ne(a, hn::Zero(Integers()))); }

  // Float functions come from ScalarMath.inc. Those of double, and what programs seldom use, go through <cmath>.
#define TSC_FLOAT_FUNCTION(NAME)                                                                                       \
  HWY_INLINE V NAME(V x) {                                                                                             \
    if constexpr (isFloat)                                                                                             \
      return FloatMath<SimdBuilder>::NAME(*this, x);                                                                   \
    else                                                                                                               \
      return perLane(x, [](T v) { return std::NAME(v); });                                                             \
  }
  // clang-format off
  TSC_FLOAT_FUNCTION(exp2) TSC_FLOAT_FUNCTION(expm1) TSC_FLOAT_FUNCTION(log2) TSC_FLOAT_FUNCTION(log10)
  TSC_FLOAT_FUNCTION(log1p) TSC_FLOAT_FUNCTION(tanh) TSC_FLOAT_FUNCTION(erf)
  // clang-format on
#undef TSC_FLOAT_FUNCTION
  HWY_INLINE V exp(V x) {
    if constexpr (isFloat)
      return FloatMath<SimdBuilder>::exp(*this, x);
    const V low = constant(-746.0), high = constant(709.782712893384);
    V y = hn::Exp(d, hn::Min(hn::Max(x, low), high));
    y = where(gt(x, high), inf(), where(lt(x, low), hn::Zero(d), y));
    return where(isnan(x), x, y);
  }
  HWY_INLINE V log(V x) {
    if constexpr (isFloat)
      return FloatMath<SimdBuilder>::log(*this, x);
    V y = hn::Log(d, x);
    y = where(eq(x, inf()), x, where(eq(x, hn::Zero(d)), neg(inf()), y));
    return where(hn::Not(ge(x, hn::Zero(d))), nan(), y);
  }
  HWY_INLINE V sigmoid(V x) { return FloatMath<SimdBuilder>::sigmoid(*this, x); }
  HWY_INLINE V sin(V x) { return trigonometric<false>(x); }
  HWY_INLINE V cos(V x) { return trigonometric<true>(x); }

#define TSC_PER_LANE(NAME)                                                                                             \
  HWY_NOINLINE V NAME(V x) {                                                                                           \
    return perLane(x, [](T v) { return std::NAME(v); });                                                               \
  }
  // clang-format off
  TSC_PER_LANE(tan) TSC_PER_LANE(asin) TSC_PER_LANE(acos) TSC_PER_LANE(atan) TSC_PER_LANE(sinh) TSC_PER_LANE(cosh)
  TSC_PER_LANE(asinh) TSC_PER_LANE(acosh) TSC_PER_LANE(atanh) TSC_PER_LANE(erfc)
  // clang-format on
#undef TSC_PER_LANE
  HWY_NOINLINE V lgamma(V x) {
    return perLane(x, [](T v) {
      int sign;
      if constexpr (isFloat)
        return lgammaf_r(v, &sign);
      else
        return lgamma_r(v, &sign);
    });
  }
#define SPECIAL1(NAME)                                                                                                 \
  HWY_NOINLINE V NAME(V x) {                                                                                           \
    return perLane(x, [](T v) { return static_cast<T>(pw::NAME(v)); });                                                \
  }
#define SPECIAL2(NAME)                                                                                                 \
  HWY_NOINLINE V NAME(V x, V y) {                                                                                      \
    return perLane(x, y, [](T v, T w) { return static_cast<T>(pw::NAME(v, w)); });                                     \
  }
#include "tsc/Kernels/SpecialFunctions.def"
  HWY_INLINE V pow(V a, V b) {
    if constexpr (isFloat && HWY_NATIVE_FMA && hn::MaxLanes(D()) > 1) {
      using Wide = hn::Repartition<double, D>;
      const hn::Half<D> half;
      auto power = [&](auto x, auto y) HWY_ATTR {
        SimdBuilder<Wide> wide;
        return hn::DemoteTo(
            half, PowerMath<SimdBuilder<Wide>>::pow(wide, hn::PromoteTo(Wide(), x), hn::PromoteTo(Wide(), y)));
      };
      return hn::Combine(d, power(hn::UpperHalf(half, a), hn::UpperHalf(half, b)),
                         power(hn::LowerHalf(half, a), hn::LowerHalf(half, b)));
    } else {
      return perLane(a, b, [](T x, T y) { return std::pow(x, y); });
    }
  }
  HWY_NOINLINE V atan2(V a, V b) {
    return perLane(a, b, [](T x, T y) { return std::atan2(x, y); });
  }
  HWY_NOINLINE V hypot(V a, V b) {
    return perLane(a, b, [](T x, T y) { return std::hypot(x, y); });
  }
  /// Exact. Of floats in double, where the quotient leaves room for it: then no product is rounded.
  HWY_NOINLINE V fmod(V a, V b) {
    if constexpr (isFloat && hn::MaxLanes(D()) > 1) {
      using Wide = hn::Repartition<double, D>;
      const hn::Half<D> half;
      bool isExact = true;
      auto rest = [&](auto x, auto y) HWY_ATTR {
        const Wide wide;
        const auto dividend = hn::PromoteTo(wide, x), divisor = hn::PromoteTo(wide, y);
        const auto quotient = hn::Trunc(hn::Div(dividend, divisor));
        isExact &= hn::AllTrue(wide, hn::Lt(hn::Abs(quotient), hn::Set(wide, 0x1p28)));
        auto rest = hn::Sub(dividend, hn::Mul(quotient, divisor));
        const auto step = hn::CopySignToAbs(hn::Abs(divisor), dividend); // where rounding reached the next integer
        rest = hn::IfThenElse(hn::Lt(hn::Mul(rest, dividend), hn::Zero(wide)), hn::Add(rest, step), rest);
        return hn::DemoteTo(half, hn::CopySignToAbs(hn::Abs(rest), dividend));
      };
      const V result = hn::Combine(d, rest(hn::UpperHalf(half, a), hn::UpperHalf(half, b)),
                                   rest(hn::LowerHalf(half, a), hn::LowerHalf(half, b)));
      if (isExact)
        return result;
    }
    return perLane(a, b, [](T x, T y) { return std::fmod(x, y); });
  }
  HWY_NOINLINE V nextafter(V a, V b) {
    return perLane(a, b, [](T x, T y) { return std::nextafter(x, y); });
  }
  /// As pythonRemainder and pythonFloorDivide.
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
  /// Whether the rest of a division is not 0, and of the other sign than the divisor.
  HWY_INLINE M isOnOtherSide(V rest, V divisor) {
    const V zero = hn::Zero(d);
    return hn::And(hn::Ne(rest, zero), hn::Xor(hn::Lt(rest, zero), hn::Lt(divisor, zero)));
  }
  template <bool cosine> HWY_INLINE V trigonometric(V x) {
    auto inLibrary = [](T v) { return cosine ? std::cos(v) : std::sin(v); };
    if constexpr (!isFloat) {
      return perLane(x, inLibrary);
    } else {
      using Math = FloatMath<SimdBuilder>;
      M moderate = Math::isModerate(*this, x);
      V y = Math::template trigonometric<cosine>(*this, x);
      return HWY_LIKELY(hn::AllTrue(d, moderate)) ? y : where(moderate, y, perLane(x, inLibrary));
    }
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

template <class T, class Body>
HWY_NOINLINE void runKernel(void *outData, const void *const *in, const uint8_t *steps, const void *uniformData,
                            int64_t count) {
  using D = hn::ScalableTag<T>;
  SimdBuilder<D> b;
  const D d;
  using V = hn::Vec<D>;
  constexpr size_t numT = Body::numTensors ? Body::numTensors : 1, numU = Body::numUniforms ? Body::numUniforms : 1;
  const size_t lanes = hn::Lanes(d);
  T *HWY_RESTRICT out = static_cast<T *>(outData);
  const T *pointers[numT];
  size_t advance[numT];
  for (size_t k = 0; k != Body::numTensors; ++k)
    pointers[k] = static_cast<const T *>(in[k]), advance[k] = steps[k];
  V u[numU];
  for (size_t k = 0; k != Body::numUniforms; ++k)
    u[k] = hn::Set(d, static_cast<const T *>(uniformData)[k]);
  V t[numT];
  const size_t n = static_cast<size_t>(count);
  size_t i = 0;
  auto asValue = [&](auto r) HWY_ATTR {
    if constexpr (std::is_same_v<decltype(r), V>)
      return r;
    else
      return b.fromMask(r);
  };
  for (; i + lanes <= n; i += lanes) {
    for (size_t k = 0; k != Body::numTensors; ++k)
      t[k] = hn::LoadU(d, pointers[k] + i * advance[k]);
    hn::StoreU(asValue(Body::eval(b, t, u)), d, out + i);
  }
  if (i == n)
    return;
  // The rest goes through the same instructions, so that an element's value does not depend on its place.
  const size_t rest = n - i;
  HWY_ALIGN T lanesIn[64 / sizeof(T)] = {};
  for (size_t k = 0; k != Body::numTensors; ++k) {
    if (advance[k] == 0) {
      t[k] = hn::LoadU(d, pointers[k]);
      continue;
    }
    for (size_t j = 0; j != rest; ++j)
      lanesIn[j] = pointers[k][i + j];
    t[k] = hn::Load(d, lanesIn);
  }
  hn::Store(asValue(Body::eval(b, t, u)), d, lanesIn);
  for (size_t j = 0; j != rest; ++j)
    out[i + j] = lanesIn[j];
}

} // namespace tsc::pw::HWY_NAMESPACE
