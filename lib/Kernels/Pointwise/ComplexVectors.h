//===- ComplexVectors.h - Scalar bodies on vectors of complex numbers -*- C++ -*-===//
//
// Arithmetic and comparisons on vectors of real and imaginary parts; what programs
// seldom use goes through ComplexBuilder lane by lane. Included once for each
// instruction set, after ScalarBuilder.h; hence no guard of its own kind.
//
//===----------------------------------------------------------------------===//

namespace tsc::pw::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <typename R> class ComplexVectors {
  using D = hn::ScalableTag<R>;
  using V = hn::Vec<D>;
  using M = hn::Mask<D>;
  using Scalar = ComplexBuilder<R>;
  using Number = std::complex<R>;
  static constexpr D d{};

public:
  static constexpr size_t lanes = hn::MaxLanes(D());
  struct Value {
    V re, im;
  };

  static HWY_INLINE Value load(const Number *from) {
    Value v;
    hn::LoadInterleaved2(d, reinterpret_cast<const R *>(from), v.re, v.im);
    return v;
  }
  static HWY_INLINE void store(Value v, Number *to) { hn::StoreInterleaved2(v.re, v.im, d, reinterpret_cast<R *>(to)); }
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

  static HWY_NOINLINE Value abs(Value a) { return {SimdBuilder<D>().hypot(a.re, a.im), hn::Zero(d)}; }
  static HWY_NOINLINE Value angle(Value a) { return {SimdBuilder<D>().atan2(a.im, a.re), hn::Zero(d)}; }
#define TSC_PER_LANE(NAME)                                                                                             \
  static HWY_NOINLINE Value NAME(Value a) {                                                                            \
    return perLane(a, a, [](Number x, Number) { return Scalar::NAME(x); });                                            \
  }
#define TSC_PER_LANES(NAME)                                                                                            \
  static HWY_NOINLINE Value NAME(Value a, Value b) {                                                                   \
    return perLane(a, b, [](Number x, Number y) { return Scalar::NAME(x, y); });                                       \
  }
  // clang-format off
  TSC_PER_LANE(sgn) TSC_PER_LANE(exp) TSC_PER_LANE(log) TSC_PER_LANE(log10)
  TSC_PER_LANE(sqrt) TSC_PER_LANE(sin) TSC_PER_LANE(cos) TSC_PER_LANE(tan) TSC_PER_LANE(asin) TSC_PER_LANE(acos)
  TSC_PER_LANE(atan) TSC_PER_LANE(sinh) TSC_PER_LANE(cosh) TSC_PER_LANE(tanh) TSC_PER_LANE(asinh) TSC_PER_LANE(acosh)
  TSC_PER_LANE(atanh) TSC_PER_LANE(log2) TSC_PER_LANE(log1p) TSC_PER_LANE(expm1) TSC_PER_LANE(exp2) TSC_PER_LANE(rsqrt)
  TSC_PER_LANE(sigmoid)
  TSC_PER_LANES(div) TSC_PER_LANES(pow)
  // clang-format on
#undef TSC_PER_LANE
#undef TSC_PER_LANES

    private : template <class F>
              static HWY_INLINE Value perLane(Value a, Value b, F f) {
    HWY_ALIGN Number x[lanes];
    HWY_ALIGN Number y[lanes];
    store(a, x);
    store(b, y);
    for (size_t i = 0; i != lanes; ++i)
      x[i] = f(x[i], y[i]);
    return load(x);
  }
};

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
  size_t i = 0;
  for (; i + B::lanes <= n; i += B::lanes) {
    for (size_t k = 0; k != Body::numTensors; ++k)
      if (steps[k])
        t[k] = B::load(from[k] + i);
    B::store(result(), out + i);
  }
  if (i == n)
    return;
  // The rest goes through the same instructions.
  HWY_ALIGN Number part[B::lanes] = {};
  for (size_t k = 0; k != Body::numTensors; ++k) {
    if (!steps[k])
      continue;
    for (size_t j = 0; j != n - i; ++j)
      part[j] = from[k][i + j];
    t[k] = B::load(part);
  }
  B::store(result(), part);
  for (size_t j = 0; j != n - i; ++j)
    out[i + j] = part[j];
}

} // namespace tsc::pw::HWY_NAMESPACE
