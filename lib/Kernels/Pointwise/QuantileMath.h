//===- QuantileMath.h - Inverse error functions of floats -------*- C++ -*-===//
//
// Over a builder of floats, within 1 ULP: erfinv(x) / x is a polynomial of v = log(1 - x^2) + 5/2 where 1 - x^2 is more
// than e^-5, as M. Giles has it ("Approximating the erfinv function", 2010). Polynomials are interpolations in
// Chebyshev's points.
//
// Included once per instruction set, inside its namespace; hence no guard of its own kind.
//
//===----------------------------------------------------------------------===//

/// Inverses of erf and of the normal distribution's integral over a builder B of floats, where they are far from the
/// ends of their domains; elsewhere `isOther` is true.
template <class B> struct QuantileMath {
  using V = typename B::Value;
  using M = typename B::Mask;
  using Float = FloatMath<B>;

  /// Computes the inverse of erf.
  TSC_MATH_INLINE static V erfinv(B &b, V x, M &isOther) {
    constexpr double p[] = {8.931926309685423e-09,   2.333596782477798e-08, -4.681313612309168e-07,
                            -3.4639851946849376e-06, 4.972419901605463e-06, 0.00021834939252585173,
                            0.0012527264188975096,   -0.004177392926067114};
    const V s = b.fma(b.neg(x), x, b.constant(1));
    isOther = isNearEnd(b, s);
    const Sum ratio =
        ratioAt(b, s, p, -0.24664027988910675, 8.34470104127405e-10, 1.5014094114303589, -5.0980030863456705e-08);
    return b.copysign(b.fma(x, ratio.high, b.mul(x, ratio.low)), x); // the sign of zero
  }
  /// Computes sqrt 2 erfinv(2 p - 1), where 2 p - 1 is a sum of two floats.
  TSC_MATH_INLINE static V ndtri(B &b, V x, M &isOther) {
    constexpr double p[] = {1.2631651280514689e-08,  3.3002041988083874e-08, -6.620376780119841e-07,
                            -4.8988149501383305e-06, 7.0320634222298395e-06, 0.0003087926597800106,
                            0.0017716226866468787,   -0.005907725542783737};
    const V two = b.constant(2), four = b.mul(x, b.constant(4)), s = b.fma(b.neg(four), x, four);
    isOther = isNearEnd(b, s);
    const V high = b.fma(x, two, b.constant(-1)), low = b.fma(x, two, b.neg(b.add(high, b.constant(1))));
    const Sum ratio =
        ratioAt(b, s, p, -0.34880203008651733, 2.4199653392287246e-09, 2.1233134269714355, 5.325133400901905e-08);
    return b.fma(high, ratio.high, b.fma(high, ratio.low, b.mul(low, ratio.high)));
  }

private:
  /// A number, and what it lacks.
  struct Sum {
    V high, low;
  };
  /// NaN, too, is left to others.
  TSC_MATH_INLINE static M isNearEnd(B &b, V s) { return b.maskNot(b.gt(s, b.constant(0.0068))); }
  /// Computes v^2 p(v) + v slope + c for v = log s + 5/2, where slope and c are sums as well: log s = n ln 2 + log(1 +
  /// r) with 1 + r between the square roots of 1/2 and 2.
  template <int n>
  TSC_MATH_INLINE static Sum ratioAt(B &b, V s, const double (&p)[n], double slopeHigh, double slopeLow, double high,
                                     double low) {
    constexpr double log[] = {0.09048784524202347, -0.1403089165687561, 0.147038996219635,  -0.16602718830108643,
                              0.19984222948551178, -0.2500070333480835, 0.33333414793014526};
    constexpr int64_t one = 0x3f800000, root = 0x3f3504f3;
    const auto moved = b.intAdd(b.bits(s), b.intConstant(one - root));
    const V exponent = b.fromInt(b.intAdd(b.template shiftRight<23>(moved), b.intConstant(-127)));
    const V m = b.fromBits(b.intAdd(b.intAnd(moved, b.intConstant(0x7fffff)), b.intConstant(root)));
    const V r = b.sub(m, b.constant(1)), square = b.mul(r, r);
    const V tail = b.fma(square, b.constant(-0.5), b.mul(b.mul(r, square), longPolynomial(b, r, log)));
    // Of v = whole + part and of the constants, what rounding takes goes into the lower sum. `whole` is exact.
    const V whole = b.fma(exponent, b.constant(0.693359375), b.constant(2.5));
    const V part = b.add(r, b.fma(exponent, b.constant(-2.12194440e-4), tail));
    const V v = b.add(whole, part), lost = b.add(b.sub(whole, v), part);
    const V slope = b.constant(slopeHigh), c = b.constant(high), sum = b.fma(v, slope, c);
    const V rest =
        b.fma(v, b.fma(v, longPolynomial(b, v, p), b.constant(slopeLow)), b.fma(lost, slope, b.constant(low)));
    return {sum, b.add(b.fma(v, slope, b.sub(c, sum)), rest)};
  }
};
