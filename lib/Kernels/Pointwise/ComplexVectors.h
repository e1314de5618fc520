//===- ComplexVectors.h - Scalar bodies on vectors of complex numbers -*- C++ -*-===//
//
// On vectors of real and imaginary parts; what programs seldom use, and what formulas
// do not hold for, goes through ComplexBuilder lane by lane. Included once for each
// instruction set, after ScalarBuilder.h; hence no guard of its own kind.
//
//===----------------------------------------------------------------------===//

namespace tsc::pw::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// The operations of scalar bodies on vectors of complex numbers with parts of type R, float or double.
template <typename R> class ComplexVectors {
  using D = hn::ScalableTag<R>;
  using V = hn::Vec<D>;
  using M = hn::Mask<D>;
  using Scalar = ComplexBuilder<R>;
  using Number = std::complex<R>;
  static constexpr D d{};

public:
  static constexpr size_t lanes = hn::MaxLanes(D());
  /// A vector of complex numbers, as their real and their imaginary parts. The numbers' order is load()'s; store() has
  /// that of memory again.
  struct Value {
    V re, im;
  };

  /// Reads `lanes` numbers.
  static HWY_INLINE Value load(const Number *from) {
    const R *parts = reinterpret_cast<const R *>(from);
    Value v;
    if constexpr (hasSeveralBlocks)
      v = exchanged({hn::LoadU(d, parts), hn::LoadU(d, parts + lanes)});
    else
      hn::LoadInterleaved2(d, parts, v.re, v.im);
    return v;
  }
  /// Writes `lanes` numbers.
  static HWY_INLINE void store(Value v, Number *to) {
    R *parts = reinterpret_cast<R *>(to);
    if constexpr (hasSeveralBlocks) {
      v = exchanged(v);
      hn::StoreU(v.re, d, parts);
      hn::StoreU(v.im, d, parts + lanes);
    } else {
      hn::StoreInterleaved2(v.re, v.im, d, parts);
    }
  }
  static HWY_INLINE Value splat(Number x) { return {hn::Set(d, x.real()), hn::Set(d, x.imag())}; }

  static HWY_INLINE Value constant(double v) { return splat(Scalar::constant(v)); }
  static HWY_INLINE Value inf() { return splat(Scalar::inf()); }
  static HWY_INLINE Value nan() { return splat(Scalar::nan()); }
  static HWY_INLINE Value pi() { return splat(Scalar::pi()); }
  static HWY_INLINE Value add(Value a, Value b) { return {hn::Add(a.re, b.re), hn::Add(a.im, b.im)}; }
  static HWY_INLINE Value sub(Value a, Value b) { return {hn::Sub(a.re, b.re), hn::Sub(a.im, b.im)}; }
  static HWY_INLINE Value mul(Value a, Value b) {
    return {hn::Sub(hn::Mul(a.re, b.re), hn::Mul(a.im, b.im)), hn::Add(hn::Mul(a.re, b.im), hn::Mul(a.im, b.re))};
  }
  static HWY_INLINE Value neg(Value a) { return {hn::Neg(a.re), hn::Neg(a.im)}; }
  static HWY_INLINE Value conj(Value a) { return {a.re, hn::Neg(a.im)}; }
  static HWY_INLINE Value real(Value a) { return {a.re, hn::Zero(d)}; }
  static HWY_INLINE Value imag(Value a) { return {a.im, hn::Zero(d)}; }
  static HWY_INLINE M eq(Value a, Value b) { return hn::And(hn::Eq(a.re, b.re), hn::Eq(a.im, b.im)); }
  static HWY_INLINE M ne(Value a, Value b) { return hn::Not(eq(a, b)); }
  static HWY_INLINE M maskAnd(M a, M b) { return hn::And(a, b); }
  static HWY_INLINE M maskOr(M a, M b) { return hn::Or(a, b); }
  static HWY_INLINE M maskNot(M a) { return hn::Not(a); }
  static HWY_INLINE M truth(Value a) { return hn::Not(eq(a, {hn::Zero(d), hn::Zero(d)})); }
  static HWY_INLINE Value fromMask(M m) { return {hn::IfThenElseZero(m, hn::Set(d, R(1))), hn::Zero(d)}; }
  static HWY_INLINE Value where(M m, Value a, Value b) {
    return {hn::IfThenElse(m, a.re, b.re), hn::IfThenElse(m, a.im, b.im)};
  }
  static HWY_INLINE M isnan(Value a) { return hn::Or(hn::IsNaN(a.re), hn::IsNaN(a.im)); }
  static HWY_INLINE M isinf(Value a) { return hn::Or(hn::IsInf(a.re), hn::IsInf(a.im)); }
  static HWY_INLINE M isfinite(Value a) { return hn::And(hn::IsFinite(a.re), hn::IsFinite(a.im)); }

  static HWY_INLINE Value abs(Value a) { return {length(a), hn::Zero(d)}; }
  static HWY_NOINLINE Value angle(Value a) { return {SimdBuilder<D>().atan2(a.im, a.re), hn::Zero(d)}; }
#define TSC_PER_LANE(NAME)                                                                                             \
  static HWY_NOINLINE Value NAME(Value a) {                                                                            \
    return perLane(a, a, [](Number x, Number) { return Scalar::NAME(x); });                                            \
  }
  // clang-format off
  TSC_PER_LANE(asin) TSC_PER_LANE(acos) TSC_PER_LANE(atan) TSC_PER_LANE(asinh)
  TSC_PER_LANE(acosh) TSC_PER_LANE(atanh)
  // clang-format on
#undef TSC_PER_LANE

  /// Divides each number by its length; 0 stays.
  static HWY_INLINE Value sgn(Value a) {
    const V size = length(a);
    const Value y = {hn::Div(a.re, size), hn::Div(a.im, size)};
    return where(truth(a), y, a);
  }
  // Where a formula overflows, loses bits, or meets infinity or NaN, the scalar function has the word.
  static HWY_INLINE Value div(Value a, Value b) {
    const V size = hn::MulAdd(b.re, b.re, hn::Mul(b.im, b.im));
    const V re = hn::MulAdd(a.re, b.re, hn::Mul(a.im, b.im)), im = hn::NegMulAdd(a.re, b.im, hn::Mul(a.im, b.re));
    const V factor = hn::Div(hn::Set(d, R(1)), size);
    const Value y = {hn::Mul(re, factor), hn::Mul(im, factor)};
    const V least = hn::Set(d, leastSquare);
    const M isNormal = hn::And(isModerateSquare(size), areFinite(y)); // what is NaN shows in y
    const M hasRe = hn::Gt(hn::Abs(re), least), hasIm = hn::Gt(hn::Abs(im), least);
    M isOrdinary = hn::And(isNormal, hn::And(hasRe, hasIm));
    if (HWY_LIKELY(hn::AllTrue(d, isOrdinary)))
      return y;
    isOrdinary = hn::And(isNormal, hn::And(hn::Or(hasRe, areNothing(a.re, b.re, a.im, b.im)),
                                           hn::Or(hasIm, areNothing(a.re, b.im, a.im, b.re))));
    if (hn::AllTrue(d, isOrdinary))
      return y;
    return divided(a, b, y, isOrdinary);
  }
  /// Half the sum of the length and the real part is the square of one part of the root.
  static HWY_INLINE Value sqrt(Value a) {
    const V square = squaredLength(a), half = hn::Set(d, R(0.5)), one = hn::Set(d, R(1));
    const V larger = hn::Sqrt(hn::Mul(half, hn::Add(hn::Abs(a.re), hn::Sqrt(square))));
    const V smaller = hn::Mul(hn::Mul(half, a.im), hn::Div(one, larger));
    const M isNegative = hn::Lt(a.re, hn::Zero(d));
    const Value y = {hn::IfThenElse(isNegative, hn::Abs(smaller), larger),
                     hn::IfThenElse(isNegative, hn::CopySign(larger, a.im), smaller)};
    // What of a small part is lost in its square does not show, but in a quotient that has fewer bits.
    const M isOrdinary = hn::And(isModerateSquare(square),
                                 hn::Or(hn::Gt(hn::Abs(smaller), hn::Set(d, leastSquare)), hn::Eq(a.im, hn::Zero(d))));
    return orScalar(isOrdinary, y, a, a, [](Number x, Number) { return Scalar::sqrt(x); });
  }
  static HWY_NOINLINE Value exp(Value a) {
    SimdBuilder<D> r;
    const V size = r.exp(a.re);
    const Value y = {hn::Mul(size, r.cos(a.im)), hn::Mul(size, r.sin(a.im))};
    return orScalar(hn::And(isModerate(size), hn::IsFinite(a.im)), y, a, a,
                    [](Number x, Number) { return Scalar::exp(x); });
  }
  static HWY_NOINLINE Value log(Value a) {
    auto scalar = [](Number x, Number) { return Scalar::log(x); };
    if constexpr (!hasWideLog)
      return perLane(a, a, scalar);
    const Value y = wideLog(a);
    return orScalar(hn::And(hn::IsFinite(y.re), hn::IsFinite(y.im)), y, a, a, scalar);
  }
  static HWY_NOINLINE Value sinh(Value a) { return hyperbolic<false>(a); }
  static HWY_NOINLINE Value cosh(Value a) { return hyperbolic<true>(a); }
  /// sin a = -i sinh(i a), cos a = cosh(i a)
  static HWY_INLINE Value sin(Value a) {
    const Value y = hyperbolic<false>({hn::Neg(a.im), a.re});
    return {y.im, hn::Neg(y.re)};
  }
  static HWY_INLINE Value cos(Value a) { return hyperbolic<true>({hn::Neg(a.im), a.re}); }
  /// Computes (sinh x cosh x (1 + t^2) + i t) / (1 + (1 + t^2) sinh^2 x) with t = tan y.
  static HWY_NOINLINE Value tanh(Value a) {
    SimdBuilder<D> r;
    const V one = hn::Set(d, R(1)), s = r.sinh(a.re), c = r.cosh(a.re), t = r.tan(a.im);
    const V beta = hn::MulAdd(t, t, one), scale = hn::Div(one, hn::MulAdd(beta, hn::Mul(s, s), one));
    const Value y = {hn::Mul(hn::Mul(beta, hn::Mul(s, c)), scale), hn::Mul(t, scale)};
    const M isOrdinary = hn::And(hn::Lt(hn::Abs(a.re), hn::Set(d, R(15))), hn::Lt(hn::Abs(t), hn::Set(d, R(1e4))));
    return orScalar(isOrdinary, y, a, a, [](Number x, Number) { return Scalar::tanh(x); });
  }
  static HWY_INLINE Value tan(Value a) {
    const Value y = tanh({hn::Neg(a.im), a.re});
    return {y.im, hn::Neg(y.re)};
  }
  /// A power multiplies the errors of the logarithm by its size: PyTorch's digits are those of the C library's steps.
  static HWY_NOINLINE Value pow(Value a, Value b) {
    return perLane(a, b, [](Number x, Number y) { return Scalar::pow(x, y); });
  }
  static HWY_INLINE Value log2(Value a) { return over(log(a), 0.69314718055994530942); }
  static HWY_INLINE Value log10(Value a) { return over(log(a), 2.30258509299404568402); }
  static HWY_INLINE Value log1p(Value a) { return log(add(constant(1), a)); }
  static HWY_INLINE Value expm1(Value a) { return sub(exp(a), constant(1)); }
  static HWY_INLINE Value exp2(Value a) {
    const V factor = hn::Set(d, static_cast<R>(0.69314718055994530942));
    return exp({hn::Mul(a.re, factor), hn::Mul(a.im, factor)});
  }
  static HWY_INLINE Value rsqrt(Value a) { return div(constant(1), sqrt(a)); }
  static HWY_INLINE Value sigmoid(Value a) { return div(constant(1), add(constant(1), exp(neg(a)))); }

private:
  /// Moves between blocks of 16 bytes, which putting all real parts in memory's order takes, are slow.
  static constexpr bool hasSeveralBlocks = lanes * sizeof(R) > 16;
  /// Takes two vectors for pairs of rows of 2 x 2 matrices, and transposes these.
  static HWY_INLINE Value exchanged(Value v) {
    return {hn::OddEven(hn::DupEven(v.im), v.re), hn::OddEven(v.im, hn::DupOdd(v.re))};
  }

  /// The logarithm of floats, in double and rounded once: powers multiply its error, and lengths near 1 have small
  /// logarithms.
  static constexpr bool hasWideLog = sizeof(R) == 4 && HWY_NATIVE_FMA && lanes > 1;
  static HWY_INLINE Value wideLog(Value a) {
    if constexpr (hasWideLog) {
      using Wide = hn::Repartition<double, D>;
      const Wide wide;
      const hn::Half<D> half;
      SimdBuilder<Wide> b;
      auto ofHalf = [&](auto re, auto im, auto &length, auto &angle) HWY_ATTR {
        const auto s = hn::PromoteTo(wide, re), t = hn::PromoteTo(wide, im);
        length = hn::DemoteTo(half, hn::Mul(hn::Set(wide, 0.5), b.log(hn::MulAdd(s, s, hn::Mul(t, t)))));
        angle = hn::DemoteTo(half, b.atan2(t, s));
      };
      hn::Vec<hn::Half<D>> length[2], angle[2];
      ofHalf(hn::LowerHalf(half, a.re), hn::LowerHalf(half, a.im), length[0], angle[0]);
      ofHalf(hn::UpperHalf(half, a.re), hn::UpperHalf(half, a.im), length[1], angle[1]);
      return {hn::Combine(d, length[1], length[0]), hn::Combine(d, angle[1], angle[0])};
    }
    return a;
  }
  static HWY_INLINE Value over(Value a, double divisor) {
    const V by = hn::Set(d, static_cast<R>(divisor));
    return {hn::Div(a.re, by), hn::Div(a.im, by)};
  }
  /// The least square of a length for which formulas hold: below it, squares and products of what is not much larger
  /// lose bits.
  static constexpr R leastSquare = sizeof(R) == 4 ? R(1e-30) : R(1e-290);
  static HWY_INLINE M isModerateSquare(V square) {
    return hn::And(hn::Gt(square, hn::Set(d, leastSquare)), hn::Lt(square, hn::Set(d, 1 / leastSquare)));
  }
  static HWY_INLINE V squaredLength(Value a) { return hn::MulAdd(a.re, a.re, hn::Mul(a.im, a.im)); }
  static HWY_INLINE M isZero(Value a) { return hn::And(hn::Eq(a.re, hn::Zero(d)), hn::Eq(a.im, hn::Zero(d))); }
  /// A difference of what is not is NaN.
  static HWY_INLINE M areFinite(Value a) { return hn::Eq(hn::Sub(a.re, a.re), hn::Sub(a.im, a.im)); }
  /// The root of the sum of squares, but where these overflow or lose bits.
  static HWY_INLINE V length(Value a) {
    const V square = squaredLength(a), root = hn::Sqrt(square);
    const M isOrdinary = isModerateSquare(square);
    if (HWY_LIKELY(hn::AllTrue(d, isOrdinary)))
      return root;
    return lengthOf(a, root, isOrdinary);
  }
  static HWY_NOINLINE V lengthOf(Value a, V root, M isOrdinary) {
    isOrdinary = hn::Or(isOrdinary, isZero(a));
    return hn::AllTrue(d, isOrdinary) ? root : hn::IfThenElse(isOrdinary, root, SimdBuilder<D>().hypot(a.re, a.im));
  }
  static HWY_NOINLINE Value divided(Value a, Value b, Value y, M isOrdinary) {
    return orScalar(isOrdinary, y, a, b, [](Number p, Number q) { return Scalar::div(p, q); });
  }
  /// Where a sum of products v w and x y is exactly 0, since each has such a factor; one that vanished does not count.
  static HWY_INLINE M areNothing(V v, V w, V x, V y) {
    const V zero = hn::Zero(d);
    return hn::And(hn::Or(hn::Eq(v, zero), hn::Eq(w, zero)), hn::Or(hn::Eq(x, zero), hn::Eq(y, zero)));
  }
  /// Far from overflow and from what has fewer bits.
  static HWY_INLINE M isModerate(V size) {
    constexpr R least = sizeof(R) == 4 ? R(1e-18) : R(1e-150);
    return hn::And(hn::Gt(size, hn::Set(d, least)), hn::Lt(size, hn::Set(d, 1 / least)));
  }
  template <bool isCosine> static HWY_NOINLINE Value hyperbolic(Value a) {
    SimdBuilder<D> r;
    const V s = r.sinh(a.re), c = r.cosh(a.re), sine = r.sin(a.im), cosine = r.cos(a.im);
    const Value y =
        isCosine ? Value{hn::Mul(c, cosine), hn::Mul(s, sine)} : Value{hn::Mul(s, cosine), hn::Mul(c, sine)};
    return orScalar(hn::And(isModerate(c), hn::IsFinite(a.im)), y, a, a,
                    [](Number x, Number) { return isCosine ? Scalar::cosh(x) : Scalar::sinh(x); });
  }
  template <class F> static HWY_INLINE Value orScalar(M isOrdinary, Value y, Value a, Value b, F f) {
    if (HWY_LIKELY(hn::AllTrue(d, isOrdinary)))
      return y;
    return where(isOrdinary, y, perLane(a, b, f));
  }
  template <class F> static HWY_NOINLINE Value perLane(Value a, Value b, F f) {
    HWY_ALIGN Number x[lanes];
    HWY_ALIGN Number y[lanes];
    store(a, x);
    store(b, y);
    for (size_t i = 0; i != lanes; ++i)
      x[i] = f(x[i], y[i]);
    return load(x);
  }
};

/// Runs a body on `count` complex numbers. A step is 1 for operands with an element each, and 0 for those whose only
/// element is read again and again.
template <typename R, class Body>
HWY_NOINLINE void runComplexKernel(void *outData, const void *const *in, const uint8_t *steps, const void *uniformData,
                                   int64_t count) {
  using B = ComplexVectors<R>;
  using Value = typename B::Value;
  using Number = std::complex<R>;
  constexpr size_t numT = Body::numTensors ? Body::numTensors : 1, numU = Body::numUniforms ? Body::numUniforms : 1;
  B b;
  Value u[numU], t[numT];
  for (size_t k = 0; k != Body::numUniforms; ++k)
    u[k] = B::splat(static_cast<const Number *>(uniformData)[k]);
  const Number *from[numT] = {};
  for (size_t k = 0; k != Body::numTensors; ++k) {
    from[k] = static_cast<const Number *>(in[k]);
    if (steps[k] == 0)
      t[k] = B::splat(*from[k]);
  }
  auto result = [&]() HWY_ATTR {
    auto r = Body::eval(b, t, u);
    if constexpr (std::is_same_v<decltype(r), Value>)
      return r;
    else
      return B::fromMask(r);
  };
  Number *out = static_cast<Number *>(outData);
  const size_t n = static_cast<size_t>(count);
  HWY_ALIGN Number part[B::lanes] = {};
  for (size_t i = 0; i < n; i += B::lanes) {
    const size_t rest = n - i;
    for (size_t k = 0; k != Body::numTensors; ++k) {
      if (!steps[k])
        continue;
      const Number *at = from[k] + i;
      if (rest < B::lanes) { // which goes through the same instructions
        std::copy(at, at + rest, part);
        at = part;
      }
      t[k] = B::load(at);
    }
    const Value r = result();
    B::store(r, rest < B::lanes ? part : out + i);
    if (rest < B::lanes)
      std::copy(part, part + rest, out + i);
  }
}

} // namespace tsc::pw::HWY_NAMESPACE
