//===- SpecialKernels.cpp - Powers of doubles, gamma and Bessel functions --===//
//
// Kernels of bodies whose functions SimdBuilder has lane by lane alone, in place of its
// own. DoublePower is of doubles, within 1 ULP. The others are over a builder of doubles
// (BesselMath.h, GammaMath.h); floats are widened for them and rounded.
//
//===----------------------------------------------------------------------===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Pointwise/SpecialKernels.cpp"
#include "Support/SimdTargets.h"

#include "hwy/foreach_target.h" // first: it includes this file again for every instruction set

#include "SpecialFunctions.h"
#include "SpecialKernels.h"
#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"
#include <cmath>
#include <limits>
#include <string_view>
#include <type_traits>

TSC_BEFORE_KERNELS();
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

#include "BesselMath.h"

#include "GammaMath.h"

#include "QuantileMath.h"
#undef TSC_MATH_INLINE

// F(NAME, FUNCTION): function(builder of doubles, operand); for floats, on both halves of them, rounded. A function may
// ask whether it is of floats (isOfFloats).
#define TSC_CYLINDER(KIND, ORDER) BesselMath<B>::template cylinder<BesselMath<B>::Kind::KIND, ORDER>
#define TSC_WIDE_FUNCTIONS(F)                                                                                          \
  F(bessel_j0, (TSC_CYLINDER(First, 0)))                                                                               \
  F(bessel_j1, (TSC_CYLINDER(First, 1)))                                                                               \
  F(bessel_y0, (TSC_CYLINDER(Second, 0)))                                                                              \
  F(bessel_y1, (TSC_CYLINDER(Second, 1)))                                                                              \
  F(bessel_i0, (BesselMath<B>::template besselI<0, false, isOfFloats>))                                                \
  F(bessel_i0e, (BesselMath<B>::template besselI<0, true, isOfFloats>))                                                \
  F(bessel_i1, (BesselMath<B>::template besselI<1, false, isOfFloats>))                                                \
  F(bessel_i1e, (BesselMath<B>::template besselI<1, true, isOfFloats>))                                                \
  F(bessel_k0, (BesselMath<B>::template besselK<0, false>))                                                            \
  F(bessel_k1, (BesselMath<B>::template besselK<1, false>))                                                            \
  F(scaled_bessel_k0, (BesselMath<B>::template besselK<0, true>))                                                      \
  F(scaled_bessel_k1, (BesselMath<B>::template besselK<1, true>))                                                      \
  F(airy_ai, (BesselMath<B>::airy))                                                                                    \
  F(spherical_bessel_j0, (BesselMath<B>::sphericalJ0))                                                                 \
  F(digamma, (GammaMath<B>::digamma))                                                                                  \
  F(erfcx, (GammaMath<B>::erfcx))                                                                                      \
  F(log_ndtr, (GammaMath<B>::logNdtr))
// F(NAME): GammaMath's function of an element and a degree, and SimdBuilder's where that is NaN.
#define TSC_POLYNOMIALS(F)                                                                                             \
  F(chebyshev_t)                                                                                                       \
  F(chebyshev_u)                                                                                                       \
  F(chebyshev_v)                                                                                                       \
  F(chebyshev_w)                                                                                                       \
  F(hermite_h)                                                                                                         \
  F(hermite_he)                                                                                                        \
  F(laguerre_l)                                                                                                        \
  F(legendre_p)

/// SimdBuilder with these functions on vectors.
template <class D> class SpecialBuilder : public SimdBuilder<D> {
  using Base = SimdBuilder<D>;
  using T = typename Base::T;

public:
  using V = typename Base::V;
  using M = typename Base::M;

  /// Whether the function of that name is computed here, and not lane by lane as SimdBuilder does it.
  static constexpr bool has(std::string_view name) {
#define TSC_NAMED(NAME, ...) || name == #NAME
    return ((name == "erfinv" || name == "ndtri") && Base::isFloat) ||
           ((name == "lgamma" || name == "pow") && !Base::isFloat) || name == "igamma" || name == "igammac" ||
           name == "nextafter" || name == "polygamma" ||
           name == "multigammaln" TSC_WIDE_FUNCTIONS(TSC_NAMED) TSC_POLYNOMIALS(TSC_NAMED);
#undef TSC_NAMED
  }
#define TSC_WIDE1(NAME, FUNCTION)                                                                                      \
  HWY_NOINLINE V NAME(V x) {                                                                                           \
    return inDouble(                                                                                                   \
        [](auto &b, auto v) HWY_ATTR {                                                                                 \
          using B = std::decay_t<decltype(b)>;                                                                         \
          [[maybe_unused]] constexpr bool isOfFloats = Base::isFloat;                                                  \
          return FUNCTION(b, v);                                                                                       \
        },                                                                                                             \
        x);                                                                                                            \
  }
  TSC_WIDE_FUNCTIONS(TSC_WIDE1)
#undef TSC_WIDE1
#define TSC_POLYNOMIAL(NAME)                                                                                           \
  HWY_NOINLINE V NAME(V x, V n) {                                                                                      \
    const V y = inDouble(                                                                                              \
        [](auto &b, auto v, auto w) HWY_ATTR { return GammaMath<std::decay_t<decltype(b)>>::NAME(b, v, w); }, x, n);   \
    return orOtherwise(y, [&]() HWY_ATTR { return Base::NAME(x, n); });                                                \
  }
  TSC_POLYNOMIALS(TSC_POLYNOMIAL)
#undef TSC_POLYNOMIAL
  HWY_NOINLINE V lgamma(V x) {
    if constexpr (Base::isFloat)
      return Base::lgamma(x);
    else
      return GammaMath<Base>::lgamma(*this, x);
  }
  HWY_INLINE V erfinv(V x) {
    if constexpr (Base::isFloat) {
      M isOther;
      const V y = QuantileMath<Base>::erfinv(*this, x, isOther);
      return HWY_LIKELY(hn::AllFalse(this->d, isOther)) ? y : this->where(isOther, Base::erfinv(x), y);
    } else {
      return Base::erfinv(x);
    }
  }
  HWY_INLINE V ndtri(V p) {
    if constexpr (Base::isFloat) {
      M isOther;
      const V y = QuantileMath<Base>::ndtri(*this, p, isOther);
      return HWY_LIKELY(hn::AllFalse(this->d, isOther)) ? y : this->where(isOther, Base::ndtri(p), y);
    } else {
      return Base::ndtri(p);
    }
  }
  HWY_NOINLINE V igamma(V a, V x) {
    return orOtherwise(incompleteGamma<true>(a, x), [&]() HWY_ATTR { return Base::igamma(a, x); });
  }
  HWY_NOINLINE V igammac(V a, V x) {
    return orOtherwise(incompleteGamma<false>(a, x), [&]() HWY_ATTR { return Base::igammac(a, x); });
  }
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
    if (hn::AllTrue(this->d, this->eq(n, this->constant(1)))) {
      const V y =
          inDouble([](auto &b, auto v) HWY_ATTR { return GammaMath<std::decay_t<decltype(b)>>::trigamma(b, v); }, x);
      // At poles it is what rounding makes of the scalar formula, as PyTorch's is.
      const M isPole = this->maskAnd(this->lt(x, this->constant(0)), this->eq(x, this->trunc(x)));
      return this->any(isPole) ? this->where(isPole, Base::polygamma(n, x), y) : y;
    }
    return Base::polygamma(n, x);
  }
  /// A sum of logarithms, as many as there are dimensions.
  HWY_NOINLINE V multigammaln(V x, V p) {
    const T dimensions = hn::GetLane(p);
    if (hn::AllTrue(this->d, this->eq(p, hn::Set(this->d, dimensions))) && dimensions <= 16)
      return inDouble(
          [&](auto &b, auto v) HWY_ATTR {
            using B = std::decay_t<decltype(b)>;
            using Math = std::conditional_t<Base::isFloat, WideMath<B>, GammaMath<B>>;
            auto sum = b.constant(dimensions * (dimensions - 1.) / 4 * 1.1447298858494001741); // log pi
            for (int j = 0; j < dimensions; ++j)
              sum = b.add(sum, Math::lgamma(b, b.sub(v, b.constant(j / 2.))));
            return sum;
          },
          x);
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
  /// y, and the values of the scalar function where y is NaN.
  template <class Scalar> HWY_INLINE V orOtherwise(V y, Scalar scalar) {
    const M isOther = this->isnan(y);
    return HWY_LIKELY(hn::AllFalse(this->d, isOther)) ? y : this->where(isOther, scalar(), y);
  }
  /// f(builder of doubles, operands): of floats on both halves, rounded.
  template <class F, class... Vs> HWY_INLINE V inDouble(F f, Vs... operands) {
    if constexpr (Base::isFloat) {
      using Wide = hn::Repartition<double, D>;
      const hn::Half<D> half;
      SimdBuilder<Wide> b;
      const auto low = f(b, hn::PromoteTo(Wide(), hn::LowerHalf(half, operands))...);
      const auto high = f(b, hn::PromoteTo(Wide(), hn::UpperHalf(half, operands))...);
      return this->rounded(low, high);
    } else {
      return f(static_cast<Base &>(*this), operands...);
    }
  }
  template <bool isLower> HWY_INLINE V incompleteGamma(V a, V x) {
    return inDouble(
        [](auto &b, auto v, auto w) HWY_ATTR {
          using G = GammaMath<std::decay_t<decltype(b)>>;
          constexpr auto part = isLower ? G::Part::Lower : G::Part::Upper;
          return G::template incompleteGamma<part>(b, v, w, Base::isFloat ? 0x1p-36 : 0x1p-52);
        },
        a, x);
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
  const T *from[numT];
  size_t advance[numT];
#pragma unroll
  for (size_t k = 0; k != Body::numTensors; ++k)
    from[k] = static_cast<const T *>(in[k]), advance[k] = steps[k];
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
#pragma unroll
    for (size_t k = 0; k != Body::numTensors; ++k)
      t[k] = hn::LoadU(d, from[k] + i * advance[k]);
    hn::StoreU(Body::eval(b, t, u), d, out + i);
  }
  if (i == n)
    return;
  // Ones in the lanes beyond: those that any function takes on vectors.
#pragma unroll
  for (size_t k = 0; k != Body::numTensors; ++k)
    t[k] = advance[k] ? loadFirst(d, from[k] + i, n - i, T(1)) : hn::LoadU(d, from[k]);
  storeFirst(d, out + i, n - i, Body::eval(b, t, u));
}

#undef TSC_WIDE_FUNCTIONS
#undef TSC_CYLINDER
#undef TSC_POLYNOMIALS

template <unsigned index, class Body, bool ofFloats, bool ofDoubles>
[[maybe_unused]] static void put(KernelTable &table) {
  if constexpr (ofFloats)
    table.kernels[static_cast<unsigned>(ComputeClass::Float)][index] = &runSpecialKernel<float, Body>;
  if constexpr (ofDoubles)
    table.kernels[static_cast<unsigned>(ComputeClass::Double)][index] = &runSpecialKernel<double, Body>;
}

/// Takes the bodies that call one of SpecialBuilder's functions of elements. What is computed of numbers alone, as the
/// power of ten by which `round` multiplies, stays with the C library, whose powers of small integers are exact.
static void fill([[maybe_unused]] KernelTable &table) {
#if HWY_NATIVE_FMA
#define CALL(INDEX, BODY, FUNCTION)                                                                                    \
  put<INDEX, BODY, SpecialBuilder<hn::ScalableTag<float>>::has(#FUNCTION),                                             \
      SpecialBuilder<hn::ScalableTag<double>>::has(#FUNCTION)>(table);
#include "tsc/Kernels/PointwiseFunctions.inc"
#endif
}
} // namespace tsc::pw::HWY_NAMESPACE
TSC_AFTER_KERNELS();

#if HWY_ONCE
namespace tsc::pw {
void fillSpecialKernels(KernelTable &table) { TSC_BEST_OF(fill)(table); }
} // namespace tsc::pw
#endif
