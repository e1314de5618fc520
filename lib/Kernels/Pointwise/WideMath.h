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

  /// e^(-a^2) p(t) / (1 + 2 a) with t = (a - k) / (a + k) for a = |x|.
  TSC_MATH_INLINE static V erfc(B &b, V x) {
    constexpr double p[] = {-7.065732038097106e-05, -0.0004317765422489685, 0.0002785666730041574,
                            0.0018267838957283528,  -0.009713629227767888,  0.028351583874484793,
                            -0.05870167311546361,   0.09230472988003648,    -0.10880315367635109,
                            0.08227675208015878,    0.0035853898271561912,  -0.14024059906869785,
                            1.2375126309772189};
    const V a = Float::atMost(b, b.abs(x), 10.2), k = b.constant(3.75);
    const V t = b.div(b.sub(a, k), b.add(a, k)),
            scaled = b.div(Float::polynomial(b, t, p), b.fma(a, b.constant(2), b.constant(1)));
    const V y = b.mul(scaled, b.exp(b.neg(b.mul(a, a))));
    return b.where(b.lt(x, b.constant(0)), b.sub(b.constant(2), y), y);
  }

  /// log Gamma(x) of x >= 1/2: (x - 1) (x - 2) p(x - 2) up to 3, one step of the recurrence below 1, and Stirling's
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
    const V series = b.mul(inverse, Float::polynomial(b, b.mul(inverse, inverse), stirling));
    const V high = b.fma(b.sub(x, b.constant(0.5)), logX, b.add(b.sub(b.constant(halfLogOfTwoPi), x), series));
    return b.where(b.lt(x, b.constant(3)), low, high);
  }
  /// log |Gamma(x)|, below 1/2 by reflection.
  TSC_MATH_INLINE static V lgamma(B &b, V x) {
    const M reflected = b.lt(x, b.constant(0.5));
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
