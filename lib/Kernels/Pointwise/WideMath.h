//===- WideMath.h - Functions of floats on vectors of doubles ---*- C++ -*-===//
//
// Over a builder of doubles whose arguments are floats, and whose result is to be rounded to one. Relative errors are
// below 1e-9 before that, save where a result is nearly zero at an argument that is not (lgamma of negative numbers).
// Polynomials without a source are interpolations in Chebyshev's points.
//
// Included once per instruction set, inside its namespace; hence no guard of its own kind.
//
//===----------------------------------------------------------------------===//

/// Error and gamma functions of floats, computed in a builder B of doubles.
template <class B> struct WideMath {
  using V = typename B::Value;
  using M = typename B::Mask;
  using Float = FloatMath<B>; // what of it holds for doubles, too
  static constexpr double pi = 3.14159265358979323846;

  /// x p(w) with w = -log(1 - x^2), in two parts as M. Giles has it ("Approximating the erfinv function", 2010).
  TSC_MATH_INLINE static V erfinv(B &b, V x) {
    constexpr double nearZero[] = {1.2346577114502573e-10, 4.340626803853993e-10, -1.0861761271594343e-08,
                                   1.650364404121373e-08,  4.786897084558858e-07, -3.426266209734268e-06,
                                   -4.996000110143956e-06, 0.0002182641252155226, -0.0012527079573557702,
                                   -0.004177325080457763,  0.24664027674858424,   1.5014093517481764};
    constexpr double nearOne[] = {-7.603337366253229e-06, -1.9727388592645793e-05, 0.00017263210575117839,
                                  -0.0002935127336917932, -0.0001275586609508694,  0.0014843926920903663,
                                  -0.003564736955668509,  0.005685501954696138,    -0.00764312468878151,
                                  0.009445481403591534,   1.001675254480953,       2.832976799290247};
    const V one = b.constant(1), w = b.neg(b.log(b.mul(b.sub(one, x), b.add(one, x))));
    const V low = Float::polynomial(b, b.sub(w, b.constant(2.5)), nearZero);
    const V high = Float::polynomial(b, b.sub(b.sqrt(w), b.constant(3)), nearOne);
    const V y = b.mul(x, b.where(b.lt(w, b.constant(5)), low, high)), a = b.abs(x);
    return b.where(b.lt(a, one), y, b.where(b.eq(a, one), b.copysign(b.inf(), x), b.nan()));
  }

  /// Computes e^x for |x| <= 700.
  TSC_MATH_INLINE static V exp(B &b, V x) { return expOfNegative(b, b.neg(x)); }
  /// Computes e^-x for |x| <= 700: x = r - n ln 2 with |r| <= ln 2 / 2, and a polynomial of r.
  TSC_MATH_INLINE static V expOfNegative(B &b, V x) {
    constexpr double p[] = {-0.00019907569310848288, 0.0013948578326459795, -0.008333283538708528, 0.041666218319291945,
                            -0.16666666786308587,    0.5000000107729166,    -0.999999999995509,    0.9999999999595618};
    constexpr double biased = PowerMath<B>::biased;
    const V sum = b.fma(x, b.constant(-Float::log2OfE), b.constant(biased)); // n + 1023 in its low bits
    const V r = b.fma(b.sub(sum, b.constant(biased)), b.constant(Float::ln2), x);
    return b.mul(longPolynomial(b, r, p), b.fromBits(b.template shiftLeft<52>(b.bits(sum))));
  }

  /// Computes e^(-a^2) t p(t) with t = 1 / (a + 3.3) for a = |x|.
  TSC_MATH_INLINE static V erfc(B &b, V x) {
    constexpr double p[] = {27245.07020577582,  -47493.12714034194, 30838.80354554537, -10121.729576631542,
                            2802.1895092040286, -275.3025518646308, 93.48131291121106, 14.105573647523793,
                            6.02863238024425,   1.8569931996383175, 0.5642519356296256};
    const V a = Float::atMost(b, b.abs(x), 10.2), t = b.div(b.constant(1), b.add(a, b.constant(3.3)));
    const V y = b.mul(b.mul(t, expOfNegative(b, b.mul(a, a))), longPolynomial(b, t, p));
    return b.where(b.signbit(x), b.sub(b.constant(2), y), y);
  }

  /// log Gamma(x) of x >= 0: (x - 1) (x - 2) p(x - 2) up to 3, one step of the recurrence below 1, and Stirling's
  /// series.
  TSC_MATH_INLINE static V lgammaOfPositive(B &b, V x) {
    constexpr double p[] = {1.1660443010141948e-06,  -2.449431111831476e-06, 2.0345107951167384e-07,
                            -4.89214619250848e-07,   9.851317668402333e-06,  -2.106986765318036e-05,
                            3.72616592677943e-05,    -8.119753687535762e-05, 0.0001828337042046673,
                            -0.00040629521081908933, 0.0009153312963753094,  -0.0021080354202503955,
                            0.004998644461981194,    -0.012384199088411898,  0.032965000552131675,
                            -0.10031730153001821,    0.42278433509846713};
    constexpr double stirling[] = {-691. / 360360, 1. / 1188, -1. / 1680, 1. / 1260, -1. / 360, 1. / 12};
    constexpr double halfLogOfTwoPi = 0.91893853320467274178;
    const V one = b.constant(1), logX = b.log(x), inverse = b.div(one, x);
    const M belowOne = b.lt(x, one);
    const V u = b.sub(b.where(belowOne, b.add(x, one), x), b.constant(2));
    V low = b.mul(b.mul(b.add(u, one), u), Float::polynomial(b, u, p));
    low = b.where(belowOne, b.sub(low, logX), low);
    const M isHigh = b.ge(x, b.constant(3));
    if (!b.any(isHigh))
      return low;
    const V series = b.mul(inverse, Float::polynomial(b, b.mul(inverse, inverse), stirling));
    const V high = b.fma(b.sub(x, b.constant(0.5)), logX, b.add(b.sub(b.constant(halfLogOfTwoPi), x), series));
    return b.where(isHigh, high, low);
  }
  /// log |Gamma(x)|, below 0 by reflection.
  TSC_MATH_INLINE static V lgamma(B &b, V x) {
    const M reflected = b.lt(x, b.constant(0));
    V y = lgammaOfPositive(b, b.where(reflected, b.sub(b.constant(1), x), x));
    if (b.any(reflected)) {
      const V sine = b.abs(b.sin(b.mul(b.sub(x, b.round(x)), b.constant(pi))));
      y = b.where(reflected, b.sub(b.log(b.div(b.constant(pi), sine)), y), y);
    }
    y = b.where(b.isinf(x), b.inf(), y);
    return b.where(b.isnan(x), x, y);
  }

  /// The length of (x, y) for floats, whose squares are in the range of doubles; infinite where one is, even beside
  /// NaN.
  TSC_MATH_INLINE static V hypot(B &b, V x, V y) {
    const V root = b.sqrt(b.fma(x, x, b.mul(y, y)));
    return b.where(b.maskOr(b.isinf(x), b.isinf(y)), b.inf(), root);
  }
};

/// The operations of a builder B on two vectors at once: neither waits for the other, and constants are loaded for
/// both.
template <class B> class PairBuilder {
  B b;

public:
  /// A value for each vector.
  template <class T> struct Pair {
    T low, high;
  };
  using Value = Pair<typename B::Value>;
  using Mask = Pair<typename B::Mask>;
  using Int = Pair<typename B::Int>;
  using V = Value;
  using M = Mask;

  /// Returns a pair of which both have the number in all lanes.
  TSC_MATH_INLINE V constant(double v) {
    const auto one = b.constant(v);
    return {one, one};
  }
  TSC_MATH_INLINE V add(V x, V y) { return {b.add(x.low, y.low), b.add(x.high, y.high)}; }
  TSC_MATH_INLINE V sub(V x, V y) { return {b.sub(x.low, y.low), b.sub(x.high, y.high)}; }
  TSC_MATH_INLINE V mul(V x, V y) { return {b.mul(x.low, y.low), b.mul(x.high, y.high)}; }
  TSC_MATH_INLINE V div(V x, V y) { return {b.div(x.low, y.low), b.div(x.high, y.high)}; }
  TSC_MATH_INLINE V fma(V x, V y, V z) { return {b.fma(x.low, y.low, z.low), b.fma(x.high, y.high, z.high)}; }
  TSC_MATH_INLINE V abs(V x) { return {b.abs(x.low), b.abs(x.high)}; }
  TSC_MATH_INLINE M gt(V x, V y) { return {b.gt(x.low, y.low), b.gt(x.high, y.high)}; }
  TSC_MATH_INLINE M signbit(V x) { return {b.signbit(x.low), b.signbit(x.high)}; }
  TSC_MATH_INLINE V where(M m, V x, V y) { return {b.where(m.low, x.low, y.low), b.where(m.high, x.high, y.high)}; }
  TSC_MATH_INLINE Int bits(V x) { return {b.bits(x.low), b.bits(x.high)}; }
  TSC_MATH_INLINE V fromBits(Int x) { return {b.fromBits(x.low), b.fromBits(x.high)}; }
  template <int n> TSC_MATH_INLINE Int shiftLeft(Int x) {
    return {b.template shiftLeft<n>(x.low), b.template shiftLeft<n>(x.high)};
  }
};
