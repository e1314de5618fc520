//===- SpecialKernels.cpp - Powers of doubles, gamma and Bessel functions --===//
//
// Kernels of bodies whose functions SimdBuilder has lane by lane alone, in place of its
// own. DoublePower is of doubles, within 1 ULP. WideSpecial is of floats, as WideMath is:
// over a builder of doubles whose arguments are floats.
//
//===----------------------------------------------------------------------===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Pointwise/SpecialKernels.cpp"
#include "SimdTargets.h"

#include "hwy/foreach_target.h" // first: it includes this file again for every instruction set

#include "SpecialFunctions.h"
#include "SpecialKernels.h"
#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"
#include <cmath>
#include <limits>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
#include "SimdBuilder.h"

namespace tsc::pw::HWY_NAMESPACE {
#define TSC_MATH_INLINE HWY_INLINE
#define TSC_POINTWISE_INLINE HWY_INLINE
#define TSC_POINTWISE_BODIES
#include "tsc/Kernels/PointwiseBodies.inc"
#undef TSC_POINTWISE_BODIES
#undef TSC_POINTWISE_INLINE

template <class B> struct DoublePower {
  using V = typename B::Value;
  using Float = FloatMath<B>; // what of it holds for doubles, too
  using Power = PowerMath<B>;

  /// x^y where x is positive and normal, and so is the result; elsewhere `isOrdinary` is false. The logarithm has twice
  /// the bits of a double: log m = 2 atanh(s) for s = (m - 1) / (m + 1), where the two first terms of Taylor's series
  /// are sums of two doubles.
  TSC_MATH_INLINE static V pow(B &b, V x, V y, typename B::Mask &isOrdinary) {
    constexpr double series[] = {2. / 25, 2. / 23, 2. / 21, 2. / 19, 2. / 17, 2. / 15,
                                 2. / 13, 2. / 11, 2. / 9,  2. / 7,  2. / 5};
    constexpr double exponential[] = {1. / 87178291200, 1. / 6227020800, 1. / 479001600, 1. / 39916800, 1. / 3628800,
                                      1. / 362880,      1. / 40320,      1. / 5040,      1. / 720,      1. / 120,
                                      1. / 24,          1. / 6,          1. / 2};
    constexpr double ln2High = 0.69314718036912381649, ln2Low = 1.9082149292705877e-10; // n ln2High is exact
    constexpr int64_t bitsOfOne = 0x3ff0000000000000, rootOfHalf = 0x3fe6a09e667f3bcd;
    const V one = b.constant(1);
    const auto shifted = b.intAdd(b.bits(x), b.intConstant(bitsOfOne - rootOfHalf));
    const V n = b.sub(b.fromBits(b.intOr(b.template shiftRight<52>(shifted), b.intConstant(0x4330000000000000))),
                      b.constant(4503599627370496. + 1023));
    const V m = b.fromBits(b.intAdd(b.intAnd(shifted, b.intConstant(0x000fffffffffffff)), b.intConstant(rootOfHalf)));
    // Each pair is a number and what it lacks.
    const V u = b.sub(m, one), v = b.add(m, one), part = b.sub(v, m);
    const V vLow = b.add(b.sub(m, b.sub(v, part)), b.sub(one, part));
    const V s = b.div(u, v), sLow = b.div(b.sub(b.fma(b.neg(s), v, u), b.mul(s, vLow)), v);
    const V z = b.mul(s, s), zLow = b.fma(b.add(s, s), sLow, b.fma(s, s, b.neg(z)));
    const V rest = b.mul(z, Float::polynomial(b, z, series)), third = b.constant(2. / 3);
    const V t = b.add(third, rest), tLow = b.add(b.add(b.sub(third, t), rest), b.constant(3.7007434154171883e-17));
    const V w = b.mul(s, z), wLow = b.add(b.fma(s, z, b.neg(w)), b.fma(s, zLow, b.mul(sLow, z)));
    const V q = b.mul(w, t), qLow = b.add(b.fma(w, t, b.neg(q)), b.fma(w, tLow, b.mul(wLow, t)));
    const V twice = b.add(s, s), logM = b.add(twice, q);
    const V logMLow = b.add(b.add(b.sub(twice, logM), q), b.add(qLow, b.add(sLow, sLow)));
    const V whole = b.mul(n, b.constant(ln2High)), sum = b.add(whole, logM);
    const V sumLow = b.add(b.add(b.sub(whole, sum), logM), b.fma(n, b.constant(ln2Low), logMLow));
    const V log = b.add(sum, sumLow), logLow = b.add(b.sub(sum, log), sumLow);
    const V p = b.mul(y, log), pLow = b.fma(y, logLow, b.fma(y, log, b.neg(p)));
    isOrdinary = b.maskAnd(b.maskAnd(b.ge(x, b.constant(std::numeric_limits<double>::min())), b.lt(x, b.inf())),
                           b.lt(b.abs(p), b.constant(708)));
    // e^p = 2^k e^r
    const V biased = b.fma(p, b.constant(Float::log2OfE), b.constant(Power::biased));
    const V k = b.sub(biased, b.constant(Power::biased));
    const V near = b.fma(k, b.constant(-ln2High), p), correction = b.fma(k, b.constant(-ln2Low), pLow);
    const V r = b.add(near, correction), rLow = b.add(b.sub(near, r), correction);
    const V tail = b.fma(b.mul(r, r), Float::polynomial(b, r, exponential), rLow);
    return b.mul(b.add(one, b.add(r, tail)), b.fromBits(b.template shiftLeft<52>(b.bits(biased))));
  }
};

template <class B> struct WideSpecial {
  using V = typename B::Value;
  using M = typename B::Mask;
  using Float = FloatMath<B>;
  static constexpr double pi = 3.14159265358979323846;

  /// For x > 0: steps of the recurrence up to 8, whose fractions are added as one, and the asymptotic series.
  TSC_MATH_INLINE static V digammaOfPositive(B &b, V x) {
    constexpr double series[] = {-1. / 12, 691. / 32760, -1. / 132, 1. / 240, -1. / 252, 1. / 120, -1. / 12};
    const V one = b.constant(1);
    const M isLow = b.lt(x, b.constant(8));
    V over = b.constant(0), under = one;
    for (int k = 0; k != 8; ++k) {
      const V at = b.add(x, b.constant(k));
      over = b.fma(over, at, under);
      under = b.mul(under, at);
    }
    const V base = b.where(isLow, b.add(x, b.constant(8)), x), inverse = b.div(one, base);
    const V square = b.mul(inverse, inverse);
    const V high =
        b.add(b.sub(b.log(base), b.mul(b.constant(0.5), inverse)), b.mul(square, Float::polynomial(b, square, series)));
    return b.where(isLow, b.sub(high, b.div(over, under)), high);
  }
  /// Below 0 by reflection.
  TSC_MATH_INLINE static V digamma(B &b, V x) {
    const V zero = b.constant(0), one = b.constant(1);
    const M reflected = b.lt(x, zero);
    V y = digammaOfPositive(b, b.where(reflected, b.sub(one, x), x));
    if (b.any(reflected)) {
      const V turn = b.tan(b.mul(b.constant(pi), b.sub(x, b.round(x))));
      y = b.where(reflected, b.sub(y, b.div(b.constant(pi), turn)), y);
      y = b.where(b.maskAnd(reflected, b.eq(x, b.trunc(x))), b.nan(), y);
    }
    return b.where(b.eq(x, zero), b.copysign(b.inf(), b.neg(x)), y);
  }
  /// The derivative of digamma in the same way; below 1/2 by reflection.
  TSC_MATH_INLINE static V trigamma(B &b, V x) {
    constexpr double series[] = {5. / 66, -1. / 30, 1. / 42, -1. / 30, 1. / 6};
    const V one = b.constant(1);
    const M reflected = b.lt(x, b.constant(0.5));
    const V positive = b.where(reflected, b.sub(one, x), x);
    const M isLow = b.lt(positive, b.constant(8));
    V over = b.constant(0), under = one;
    for (int k = 0; k != 8; ++k) {
      const V at = b.add(positive, b.constant(k)), square = b.mul(at, at);
      over = b.fma(over, square, under);
      under = b.mul(under, square);
    }
    const V base = b.where(isLow, b.add(positive, b.constant(8)), positive), inverse = b.div(one, base);
    const V square = b.mul(inverse, inverse);
    const V tail = b.fma(square, b.constant(0.5), b.mul(b.mul(inverse, square), Float::polynomial(b, square, series)));
    const V high = b.add(inverse, tail);
    const V y = b.where(isLow, b.add(high, b.div(over, under)), high);
    if (!b.any(reflected))
      return y;
    const V sine = b.sin(b.mul(b.constant(pi), b.sub(x, b.round(x)))), ratio = b.div(b.constant(pi), sine);
    return b.where(reflected, b.sub(b.mul(ratio, ratio), y), y);
  }

  /// 1 / (k! (k + order)!), the last one first.
  struct BesselSeries {
    double terms[31];
    constexpr explicit BesselSeries(int order) : terms() {
      double term = 1;
      for (int k = 0; k != 31; ++k) {
        terms[30 - k] = term;
        term /= (k + 1.) * (k + 1 + order);
      }
    }
  };
  /// The coefficients of 1 / x in e^-x I(x) sqrt(2 pi x), the last one first.
  struct BesselTail {
    double terms[13];
    constexpr explicit BesselTail(int order) : terms() {
      double term = 1;
      for (int k = 0; k != 13; ++k) {
        terms[12 - k] = term;
        term *= -(4. * order * order - (2. * k + 1) * (2 * k + 1)) / (8. * (k + 1));
      }
    }
  };
  /// I of an order, times e^-|x| where it is scaled: the power series, and from 15 on the asymptotic one.
  template <int order, bool isScaled> TSC_MATH_INLINE static V besselI(B &b, V x) {
    constexpr BesselSeries series(order);
    constexpr BesselTail asymptotic(order);
    const V a = b.abs(x), half = b.mul(a, b.constant(0.5)), inverse = b.div(b.constant(1), a);
    V low = Float::polynomial(b, b.mul(half, half), series.terms);
    if (order)
      low = b.mul(low, half);
    V high = b.div(Float::polynomial(b, inverse, asymptotic.terms), b.sqrt(b.mul(b.constant(2 * pi), a)));
    if (isScaled)
      low = b.mul(low, b.exp(b.neg(a)));
    else
      high = b.mul(high, b.exp(a));
    const V y = b.where(b.lt(a, b.constant(15)), low, high);
    if (isScaled)
      return order ? b.copysign(b.where(b.isinf(a), b.constant(0), y), x) : b.where(b.isinf(a), b.constant(0), y);
    const V ended = b.where(b.isinf(a), b.inf(), y);
    return order ? b.copysign(ended, x) : ended;
  }
  TSC_MATH_INLINE static V bessel_i0(B &b, V x) { return besselI<0, false>(b, x); }
  TSC_MATH_INLINE static V bessel_i0e(B &b, V x) { return besselI<0, true>(b, x); }
  TSC_MATH_INLINE static V bessel_i1(B &b, V x) { return besselI<1, false>(b, x); }
  TSC_MATH_INLINE static V bessel_i1e(B &b, V x) { return besselI<1, true>(b, x); }
};
#undef TSC_MATH_INLINE

/// SimdBuilder with these functions on vectors.
template <class D> class SpecialBuilder : public SimdBuilder<D> {
  using Base = SimdBuilder<D>;
  using T = typename Base::T;

public:
  using V = typename Base::V;
  using M = typename Base::M;

#define TSC_WIDE(NAME)                                                                                                 \
  HWY_NOINLINE V NAME(V x) {                                                                                           \
    if constexpr (Base::isFloat)                                                                                       \
      return inDouble([](auto &b, auto v) HWY_ATTR { return WideSpecial<std::decay_t<decltype(b)>>::NAME(b, v); }, x); \
    else                                                                                                               \
      return Base::NAME(x);                                                                                            \
  }
  // clang-format off
  TSC_WIDE(digamma) TSC_WIDE(bessel_i0) TSC_WIDE(bessel_i0e) TSC_WIDE(bessel_i1) TSC_WIDE(bessel_i1e)
  // clang-format on
#undef TSC_WIDE
      /// The neighbour in the order of the bits, which is that of the absolute values.
      HWY_INLINE V nextafter(V a, V b) {
    const V zero = hn::Zero(this->d);
    const M isLonger = hn::Xor(hn::Lt(b, a), hn::Gt(a, zero)), isZero = hn::Eq(a, zero);
    const auto one = this->intConstant(1), bits = this->bits(a);
    const V moved = this->where(isLonger, this->fromBits(hn::Add(bits, one)), this->fromBits(hn::Sub(bits, one)));
    const V least = hn::CopySign(this->fromBits(one), b);
    const V y = this->where(isZero, least, moved);
    const V sum = hn::Add(a, b); // NaN, where one is
    return this->where(this->isnan(sum), this->where(hn::Or(this->isnan(a), this->isnan(b)), sum, y),
                       this->where(hn::Eq(a, b), b, y));
  }
  /// The first derivative of digamma is the one that programs ask for.
  HWY_NOINLINE V polygamma(V n, V x) {
    if constexpr (Base::isFloat)
      if (hn::AllTrue(this->d, this->eq(n, this->constant(1)))) {
        const V y = inDouble(
            [](auto &b, auto v) HWY_ATTR { return WideSpecial<std::decay_t<decltype(b)>>::trigamma(b, v); }, x);
        // At poles it is what rounding makes of the scalar formula, as PyTorch's is.
        const M isPole = this->maskAnd(this->lt(x, this->constant(0)), this->eq(x, this->trunc(x)));
        return this->any(isPole) ? this->where(isPole, Base::polygamma(n, x), y) : y;
      }
    return Base::polygamma(n, x);
  }
  /// A sum of logarithms, as many as there are dimensions.
  HWY_NOINLINE V multigammaln(V x, V p) {
    if constexpr (Base::isFloat) {
      const float dimensions = hn::GetLane(p);
      if (hn::AllTrue(this->d, this->eq(p, hn::Set(this->d, dimensions))) && dimensions <= 16)
        return inDouble(
            [&](auto &b, auto v) HWY_ATTR {
              auto sum = b.constant(dimensions * (dimensions - 1.) / 4 * 1.1447298858494001741); // log pi
              for (int j = 0; j < dimensions; ++j)
                sum = b.add(sum, WideMath<std::decay_t<decltype(b)>>::lgamma(b, b.sub(v, b.constant(j / 2.))));
              return sum;
            },
            x);
    }
    return Base::multigammaln(x, p);
  }
  HWY_NOINLINE V pow(V a, V b) {
    if constexpr (Base::isFloat)
      return Base::pow(a, b);
    M isOrdinary;
    const V y = DoublePower<Base>::pow(*this, a, b, isOrdinary);
    if (HWY_LIKELY(hn::AllTrue(this->d, isOrdinary)))
      return y;
    return this->where(isOrdinary, y, Base::pow(a, b));
  }

private:
  /// f(builder of doubles, operand) on both halves of floats, rounded.
  template <class F> HWY_INLINE V inDouble(F f, V x) {
    using Wide = hn::Repartition<double, D>;
    const hn::Half<D> half;
    SimdBuilder<Wide> b;
    const auto low = f(b, hn::PromoteTo(Wide(), hn::LowerHalf(half, x)));
    const auto high = f(b, hn::PromoteTo(Wide(), hn::UpperHalf(half, x)));
    return hn::Combine(this->d, hn::DemoteTo(half, high), hn::DemoteTo(half, low));
  }
};

/// As runKernel, for operands that are dense or one number.
template <typename T, class Body>
HWY_NOINLINE void runSpecialKernel(void *outData, const void *const *in, const uint8_t *steps, const void *uniformData,
                                   int64_t count) {
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  SpecialBuilder<D> b;
  const D d;
  constexpr size_t numT = Body::numTensors ? Body::numTensors : 1, numU = Body::numUniforms ? Body::numUniforms : 1;
  const size_t lanes = hn::Lanes(d), n = static_cast<size_t>(count);
  T *out = static_cast<T *>(outData);
  V u[numU], t[numT];
  for (size_t k = 0; k != Body::numUniforms; ++k)
    u[k] = hn::Set(d, static_cast<const T *>(uniformData)[k]);
  for (size_t i = 0; i < n; i += lanes) {
    const size_t some = n - i < lanes ? n - i : lanes;
    for (size_t k = 0; k != Body::numTensors; ++k) {
      const T *from = static_cast<const T *>(in[k]);
      // Ones in the lanes beyond: those that any function takes on vectors.
      t[k] = steps[k] == 0   ? hn::LoadU(d, from)
             : some == lanes ? hn::LoadU(d, from + i)
                             : loadFirst(d, from + i, some, T(1));
    }
    const V r = Body::eval(b, t, u);
    if (some == lanes)
      hn::StoreU(r, d, out + i);
    else
      storeFirst(d, out + i, some, r);
  }
}

static void fill(KernelTable &table) {
#if HWY_NATIVE_FMA
  auto put = [&](ComputeClass type, unsigned index, Kernel kernel) {
    table.kernels[static_cast<unsigned>(type)][index] = kernel;
  };
#define TSC_SPECIAL(NAME) put(ComputeClass::Float, indexOf##NAME, &runSpecialKernel<float, NAME>);
#define TSC_POWER(NAME) put(ComputeClass::Double, indexOf##NAME, &runSpecialKernel<double, NAME>);
#define BODY(INDEX, NAME) [[maybe_unused]] constexpr unsigned indexOf##NAME = INDEX;
#define TSC_POINTWISE_REAL
#define TSC_POINTWISE_INLINE
#include "tsc/Kernels/PointwiseBodies.inc"
#undef TSC_POINTWISE_INLINE
#undef TSC_POINTWISE_REAL
#undef BODY
  // clang-format off
  TSC_SPECIAL(Aten_digamma_Real) TSC_SPECIAL(Aten_special_digamma_Real) TSC_SPECIAL(Aten_special_psi_Real)
  TSC_SPECIAL(Aten_polygamma_Real) TSC_SPECIAL(Aten_special_polygamma_Real)
  TSC_SPECIAL(Aten_i0_Real) TSC_SPECIAL(Aten_special_i0_Real) TSC_SPECIAL(Aten_special_i0e_Real)
  TSC_SPECIAL(Aten_special_i1_Real) TSC_SPECIAL(Aten_special_i1e_Real)
  TSC_SPECIAL(Aten_special_modified_bessel_i0_Real) TSC_SPECIAL(Aten_special_modified_bessel_i1_Real)
  TSC_SPECIAL(Aten_mvlgamma_Real) TSC_SPECIAL(Aten_special_multigammaln_Real)
  TSC_SPECIAL(Aten_nextafter_Real) TSC_POWER(Aten_nextafter_Real)
  TSC_POWER(Aten_pow_Tensor_Tensor_Real) TSC_POWER(Aten_pow_Tensor_Scalar_Real) TSC_POWER(Aten_pow_Scalar_Real)
  TSC_POWER(Aten_float_power_Tensor_Tensor_Real) TSC_POWER(Aten_float_power_Tensor_Scalar_Real)
  TSC_POWER(Aten_float_power_Scalar_Real)
  // clang-format on
#undef TSC_SPECIAL
#undef TSC_POWER
#else
  (void)table;
#endif
}
} // namespace tsc::pw::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tsc::pw {
void fillSpecialKernels(KernelTable &table) { TSC_BEST_OF(fill)(table); }
} // namespace tsc::pw
#endif
