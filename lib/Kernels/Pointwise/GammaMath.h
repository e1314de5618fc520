//===- GammaMath.h - Gamma and error functions on vectors -------*- C++ -*-===//
//
// Over a builder of doubles, within some 10 ULP of a double's result; what is left to the scalar functions is said
// where it is. Included behind BesselMath.h, once per instruction set, inside its namespace; hence no guard of its own
// kind.
//
//===----------------------------------------------------------------------===//

/// The gamma function's relatives, error functions and orthogonal polynomials over a builder B of doubles.
template <class B> struct GammaMath {
  using V = typename B::Value;
  using M = typename B::Mask;
  static constexpr double pi = 3.14159265358979323846;
  static constexpr int steps = 10; ///< Steps of recurrences, behind which asymptotic series hold.

  /// The digamma function of x > 0: steps of the recurrence, whose fractions are added as one, and the asymptotic
  /// series.
  TSC_MATH_INLINE static V digammaOfPositive(B &b, V x) {
    constexpr double series[] = {-1. / 12, 691. / 32760, -1. / 132, 1. / 240, -1. / 252, 1. / 120, -1. / 12};
    const V one = b.constant(1), bound = b.constant(steps);
    const M isLow = b.lt(x, bound);
    V over = b.constant(0), under = one;
    for (int k = 0; k != steps; ++k) {
      const V at = b.add(x, b.constant(k));
      over = b.fma(over, at, under);
      under = b.mul(under, at);
    }
    const V base = b.where(isLow, b.add(x, bound), x), inverse = b.div(one, base), square = b.mul(inverse, inverse);
    const V high =
        b.add(b.sub(b.log(base), b.mul(b.constant(0.5), inverse)), b.mul(square, longPolynomial(b, square, series)));
    return b.where(isLow, b.sub(high, b.div(over, under)), high);
  }
  /// The digamma function, below 0 by reflection.
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
    constexpr double series[] = {7. / 6, -691. / 2730, 5. / 66, -1. / 30, 1. / 42, -1. / 30, 1. / 6};
    const V one = b.constant(1), bound = b.constant(steps);
    const M reflected = b.lt(x, b.constant(0.5));
    const V positive = b.where(reflected, b.sub(one, x), x);
    const M isLow = b.lt(positive, bound);
    V over = b.constant(0), under = one;
    for (int k = 0; k != steps; ++k) {
      const V at = b.add(positive, b.constant(k)), square = b.mul(at, at);
      over = b.fma(over, square, under);
      under = b.mul(under, square);
    }
    const V base = b.where(isLow, b.add(positive, bound), positive), inverse = b.div(one, base);
    const V square = b.mul(inverse, inverse);
    const V tail = b.fma(square, b.constant(0.5), b.mul(b.mul(inverse, square), longPolynomial(b, square, series)));
    const V high = b.add(inverse, tail);
    const V y = b.where(isLow, b.add(high, b.div(over, under)), high);
    if (!b.any(reflected))
      return y;
    const V sine = b.sin(b.mul(b.constant(pi), b.sub(x, b.round(x)))), ratio = b.div(b.constant(pi), sine);
    return b.where(reflected, b.sub(b.mul(ratio, ratio), y), y);
  }

  /// log Gamma(x) of x >= 1/2: (x - 1) (x - 2) p(x - 2) up to 3, one step of the recurrence below 1, and Stirling's
  /// series, below 10 behind as many steps of the recurrence.
  TSC_MATH_INLINE static V lgammaOfPositive(B &b, V x) {
    constexpr double p[] = {
        -8.190037783551156e-10,  1.5818126337371086e-09, 2.4694237633377504e-09, -4.358862409072515e-09,
        -8.952022836709702e-09,  1.6327287432845006e-08, -7.860744687083056e-10, 5.68873795385758e-09,
        -5.2038665332275675e-08, 1.0444285443279689e-07, -1.861315818147291e-07, 3.95720794275161e-07,
        -8.554816957122729e-07,  1.8114769634727658e-06, -3.846514242663473e-06, 8.221205092155423e-06,
        -1.76618554743359e-05,   3.81690832831345e-05,   -8.30950999467849e-05,  0.00018255261441838105,
        -0.0004057073999387517,  0.0009153769241238952,  -0.0021081308338291313, 0.004998641164623283,
        -0.012384192193374355,   0.032965000621156974,   -0.1003173016743539,    0.42278433509846713};
    constexpr double halfLogOfTwoPi = 0.91893853320467274178;
    const V one = b.constant(1), bound = b.constant(steps);
    const M isNear = b.lt(x, b.constant(3));
    V low = x;
    if (b.any(isNear)) {
      const M belowOne = b.lt(x, one);
      const V u = b.sub(b.where(belowOne, b.add(x, one), x), b.constant(2));
      low = b.mul(b.mul(b.add(u, one), u), longPolynomial(b, u, p));
      low = b.where(belowOne, b.sub(low, b.log(x)), low);
      if (!b.any(b.maskNot(isNear)))
        return low;
    }
    const M isLow = b.lt(x, bound);
    const V at = b.where(isLow, b.add(x, bound), x);
    V high = b.sub(b.mul(b.sub(at, b.constant(0.5)), b.log(at)), at);
    high = b.add(high, b.add(b.constant(halfLogOfTwoPi), stirling(b, at)));
    if (b.any(isLow)) {
      V product = x;
      for (int k = 1; k != steps; ++k)
        product = b.mul(product, b.add(x, b.constant(k)));
      high = b.where(isLow, b.sub(high, b.log(product)), high);
    }
    return b.where(isNear, low, high);
  }
  /// log |Gamma(x)|, below 1/2 by reflection; next to 0, where quotients overflow and products lose bits, -log |x|.
  TSC_MATH_INLINE static V lgamma(B &b, V x) {
    const V zero = b.constant(0);
    const M reflected = b.lt(x, b.constant(0.5));
    V y = lgammaOfPositive(b, b.where(reflected, b.sub(b.constant(1), x), x));
    if (b.any(reflected)) {
      const V size = b.abs(x), sine = b.abs(b.sin(b.mul(b.sub(x, b.round(x)), b.constant(pi))));
      const M isTiny = b.lt(size, b.constant(0x1p-60));
      y = b.where(reflected, b.sub(b.log(b.div(b.constant(pi), sine)), y), y);
      if (b.any(isTiny))
        y = b.where(isTiny, b.neg(logOfAny(b, size)), y);
      y = b.where(b.maskAnd(b.le(x, zero), b.eq(x, b.trunc(x))), b.inf(), y);
    }
    return b.where(b.isinf(x), b.inf(), b.add(y, zero)); // which makes a zero positive
  }

  /// e^(x^2) erfc(x): p(t) / (1 + 2 a) with t = (a - k) / (a + k) for a = |x|, and from the other side where x is
  /// negative.
  TSC_MATH_INLINE static V erfcx(B &b, V x) {
    constexpr double p[] = {
        -1.3683980886485204e-09, -1.4759746945446066e-09, 1.190304752787288e-08,   1.9289123390606783e-08,
        -4.3049124045901784e-08, -1.250612035983712e-07,  3.482140312347217e-08,   5.323855732394422e-07,
        5.27004414686059e-07,    -1.58444213703728e-06,   -4.21871445979666e-06,   2.6086712817697353e-06,
        2.270032184617173e-05,   6.26601081119508e-06,    -0.00011352263331369305, -8.847920688333078e-05,
        0.0006321243999493429,   0.000491865804103207,    -0.004382078347539271,   0.0009318928184351972,
        0.032760893269129746,    -0.10296705603863399,    0.15762991902320475,     -0.09902453957360054,
        -0.12235676308240419,    1.2648381843668615};
    const V a = b.abs(x), k = b.constant(2.5), one = b.constant(1);
    const V t = b.sub(one, b.div(b.add(k, k), b.add(a, k)));
    const V y = b.div(longPolynomial(b, t, p), b.fma(a, b.constant(2), one));
    const M isNegative = b.lt(x, b.constant(0));
    if (!b.any(isNegative))
      return y;
    const V square = b.mul(a, a), lost = b.fma(a, a, b.neg(square)), power = b.exp(square);
    const V grown = b.add(power, b.where(b.isinf(power), b.constant(0), b.mul(power, lost)));
    return b.where(isNegative, b.sub(b.add(grown, grown), y), y);
  }
  /// Logarithm of the normal distribution's integral up to x.
  TSC_MATH_INLINE static V logNdtr(B &b, V x) {
    const V t = b.mul(x, b.constant(0.70710678118654752440)), half = b.constant(0.5);
    const M isTail = b.lt(x, b.constant(-1));
    V y = x;
    if (b.any(b.maskNot(isTail)))
      y = b.log1p(b.mul(b.erfc(t), b.neg(half)));
    if (b.any(isTail)) {
      const V tail = b.sub(b.log(b.mul(erfcx(b, b.neg(t)), half)), b.mul(t, t));
      y = b.where(isTail, b.where(b.isinf(x), x, tail), y);
    }
    return y;
  }

  /// Which incomplete gamma function: the integral below x (P) or above x (Q).
  enum class Part { Lower, Upper };
  /// The regularized incomplete gamma functions, as the scalar ones have them: a power series where x < a + 1,
  /// elsewhere the continued fraction. NaN where that is not for vectors: at the ends of the domain, where neither has
  /// converged after some time, and where the difference of one from 1 has lost more than a few bits. A lane stops
  /// where it has converged, so that it does not depend on its neighbours.
  template <Part part> TSC_MATH_INLINE static V incompleteGamma(B &b, V aGiven, V xGiven, double epsilon) {
    const V zero = b.constant(0), one = b.constant(1), most = b.constant(1e5);
    const M isOrdinary =
        b.maskAnd(b.maskAnd(b.gt(aGiven, zero), b.lt(aGiven, most)), b.maskAnd(b.gt(xGiven, zero), b.lt(xGiven, most)));
    const V a = b.where(isOrdinary, aGiven, one), x = b.where(isOrdinary, xGiven, one);
    const M isLow = b.lt(x, b.add(a, one));
    V series = b.nan(), fraction = b.nan();
    if (b.any(isLow))
      series = lowerSeries(b, a, b.where(isLow, x, zero), epsilon);
    if (b.any(b.maskNot(isLow)))
      fraction = b.mul(a, upperFraction(b, a, x, isLow, epsilon));
    const V y = b.mul(incompletePrefix(b, a, x), b.where(isLow, series, fraction));
    const M isOther = part == Part::Lower ? b.maskNot(isLow) : isLow;
    const V other = b.sub(one, y);
    const M isLost = b.maskAnd(isOther, b.lt(other, b.constant(1. / 16)));
    return b.where(b.maskAnd(isOrdinary, b.maskNot(isLost)), b.where(isOther, other, y), b.nan());
  }

  /// The value of degree n from that of degree 1: next(k, last, one before) has degree k + 1. Below degree 0 it is 0.
  /// NaN where that is not for vectors.
  template <class Next> TSC_MATH_INLINE static V recur(B &b, V n, V first, Next next) {
    constexpr int mostDegree = 64;
    const V zero = b.constant(0), one = b.constant(1);
    const M isBelow = b.le(n, b.constant(-1)), isOrdinary = b.lt(n, b.constant(mostDegree + 1));
    const V degree = b.where(isOrdinary, b.trunc(n), zero);
    V before = one, last = first, y = b.where(b.lt(degree, one), one, first);
    for (V k = one;; k = b.add(k, one)) { // two steps between one look and the next
      const M isOpen = b.gt(degree, k);
      if (!b.any(isOpen))
        break;
      before = next(k, last, before);
      y = b.where(isOpen, before, y);
      k = b.add(k, one);
      last = next(k, before, last);
      y = b.where(b.gt(degree, k), last, y);
    }
    return b.where(isBelow, zero, b.where(isOrdinary, y, b.nan()));
  }
  /// All four kinds share a recurrence and differ in degree 1.
  TSC_MATH_INLINE static V chebyshev(B &b, V x, V n, V first) {
    const V twice = b.add(x, x);
    return recur(b, n, first, [&](V, V last, V before) HWY_ATTR { return b.fma(twice, last, b.neg(before)); });
  }
  TSC_MATH_INLINE static V chebyshev_t(B &b, V x, V n) { return chebyshev(b, x, n, x); }
  TSC_MATH_INLINE static V chebyshev_u(B &b, V x, V n) { return chebyshev(b, x, n, b.add(x, x)); }
  TSC_MATH_INLINE static V chebyshev_v(B &b, V x, V n) { return chebyshev(b, x, n, b.sub(b.add(x, x), b.constant(1))); }
  TSC_MATH_INLINE static V chebyshev_w(B &b, V x, V n) { return chebyshev(b, x, n, b.add(b.add(x, x), b.constant(1))); }
  /// The physicists' Hermite polynomial of degree n: H(k + 1) = 2 x H(k) - 2 k H(k - 1).
  TSC_MATH_INLINE static V hermite_h(B &b, V x, V n) {
    const V twice = b.add(x, x);
    return recur(b, n, twice,
                 [&](V k, V last, V before) HWY_ATTR { return b.sub(b.mul(twice, last), b.mul(b.add(k, k), before)); });
  }
  /// The probabilists' Hermite polynomial of degree n: He(k + 1) = x He(k) - k He(k - 1).
  TSC_MATH_INLINE static V hermite_he(B &b, V x, V n) {
    return recur(b, n, x, [&](V k, V last, V before) HWY_ATTR { return b.sub(b.mul(x, last), b.mul(k, before)); });
  }
  /// The Laguerre polynomial of degree n: (k + 1) L(k + 1) = (2 k + 1 - x) L(k) - k L(k - 1).
  TSC_MATH_INLINE static V laguerre_l(B &b, V x, V n) {
    const V one = b.constant(1);
    return recur(b, n, b.sub(one, x), [&](V k, V last, V before) HWY_ATTR {
      const V factor = b.sub(b.add(b.add(k, k), one), x);
      return b.div(b.sub(b.mul(factor, last), b.mul(k, before)), b.add(k, one));
    });
  }
  /// The Legendre polynomial of degree n: (k + 1) P(k + 1) = (2 k + 1) x P(k) - k P(k - 1).
  TSC_MATH_INLINE static V legendre_p(B &b, V x, V n) {
    const V one = b.constant(1);
    return recur(b, n, x, [&](V k, V last, V before) HWY_ATTR {
      const V factor = b.mul(b.add(b.add(k, k), one), x);
      return b.div(b.sub(b.mul(factor, last), b.mul(k, before)), b.add(k, one));
    });
  }

private:
  static constexpr int mostSteps = 512;

  /// The logarithm of any positive number, subnormal ones included.
  TSC_MATH_INLINE static V logOfAny(B &b, V x) {
    constexpr double logOfScale = 137.24314175086917; // 198 log 2
    const M isSmall = b.lt(x, b.constant(0x1p-900));
    const V y = b.log(b.where(isSmall, b.mul(x, b.constant(0x1p198)), x));
    return b.where(isSmall, b.sub(y, b.constant(logOfScale)), y);
  }

  /// What Stirling's formula lacks, for x >= 9.
  TSC_MATH_INLINE static V stirling(B &b, V x) {
    constexpr double series[] = {1. / 156, -691. / 360360, 1. / 1188, -1. / 1680, 1. / 1260, -1. / 360, 1. / 12};
    const V inverse = b.div(b.constant(1), x);
    return b.mul(inverse, longPolynomial(b, b.mul(inverse, inverse), series));
  }

  /// x^a e^-x / gamma(a + 1) by Stirling's series: below 20 of gamma(a + 9), above where neither power overflows.
  TSC_MATH_INLINE static V incompletePrefix(B &b, V a, V x) {
    constexpr double halfLogOfTwoPi = 0.91893853320467274178;
    const V one = b.constant(1), half = b.constant(0.5);
    const M isLarge = b.ge(a, b.constant(20));
    const V at = b.where(isLarge, a, b.add(a, b.constant(9))), correction = stirling(b, at);
    V product = one;
    for (int k = 1; k != 9; ++k)
      product = b.mul(product, b.add(a, b.constant(k)));
    V exponent = b.sub(b.fma(a, b.log(x), b.mul(b.sub(half, at), b.log(at))), b.sub(x, at));
    exponent = b.sub(exponent, b.add(correction, b.constant(halfLogOfTwoPi)));
    if (b.any(isLarge)) {
      const V difference = b.div(b.sub(x, a), a);
      const V near = b.mul(a, b.sub(b.log1p(difference), difference));
      const V far = b.add(b.mul(a, b.log(b.div(x, a))), b.sub(a, x));
      const V large = b.where(b.lt(b.abs(difference), half), near, far);
      exponent = b.where(isLarge, b.sub(large, correction), exponent);
      product = b.where(isLarge, b.div(one, b.sqrt(b.mul(a, b.constant(2 * pi)))), product);
    }
    return b.mul(b.exp(exponent), product);
  }
  /// 1 + x / (a + 1) + x^2 / ((a + 1) (a + 2)) + ...; NaN where that takes too long.
  TSC_MATH_INLINE static V lowerSeries(B &b, V a, V x, double epsilon) {
    const V one = b.constant(1), limit = b.constant(epsilon);
    V sum = one, term = one, at = a;
    for (int k = 0; k != mostSteps; ++k) {
      at = b.add(at, one);
      term = b.mul(term, b.div(x, at));
      const M isActive = b.gt(term, b.mul(sum, limit));
      if (!b.any(isActive))
        return sum;
      sum = b.where(isActive, b.add(sum, term), sum);
      term = b.where(isActive, term, b.constant(0));
    }
    return b.where(b.gt(term, b.mul(sum, limit)), b.nan(), sum);
  }
  /// 1 / (x + 1 - a + 1 (a - 1) / (x + 3 - a + 2 (a - 2) / ...)) from numerators and denominators of its
  /// approximations, outside of `isDone`; NaN where it takes too long.
  TSC_MATH_INLINE static V upperFraction(B &b, V a, V x, M isDone, double epsilon) {
    constexpr int between = 4; // steps between one look and the next
    const V two = b.constant(2), limit = b.constant(epsilon);
    V next = b.sub(b.add(x, b.constant(1)), a), result = b.nan();
    V over = b.constant(1), under = next, overBefore = b.constant(0), underBefore = b.constant(1);
    for (int k = 1; k <= mostSteps; ++k) {
      const V number = b.constant(k), factor = b.mul(number, b.sub(a, number));
      next = b.add(next, two);
      const V overNext = b.fma(next, over, b.mul(factor, overBefore));
      const V underNext = b.fma(next, under, b.mul(factor, underBefore));
      if (k % between == 0) {
        const V left = b.mul(overNext, under), right = b.mul(over, underNext);
        const M isNear = b.le(b.abs(b.sub(left, right)), b.mul(b.abs(left), limit));
        const M isNew = b.maskAnd(isNear, b.maskNot(isDone));
        if (b.any(isNew))
          result = b.where(isNew, b.div(overNext, underNext), result);
        isDone = b.maskOr(isDone, isNear);
        if (!b.any(b.maskNot(isDone)))
          return result;
      }
      overBefore = over, underBefore = under;
      over = overNext, under = underNext;
      if (k % between == 0) { // by powers of 2, which round nothing
        const M isLarge = b.gt(b.abs(under), b.constant(0x1p300));
        if (b.any(isLarge)) {
          const V scale = b.where(isLarge, b.constant(0x1p-300), b.constant(1));
          over = b.mul(over, scale), under = b.mul(under, scale);
          overBefore = b.mul(overBefore, scale), underBefore = b.mul(underBefore, scale);
        }
      }
    }
    return result;
  }
};
