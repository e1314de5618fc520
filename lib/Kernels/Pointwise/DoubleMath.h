//===- DoubleMath.h - Functions on vectors of doubles -----------*- C++ -*-===//
//
// Within 2 ULP (tanh and erf 3, erfinv 4). Polynomials without a source are interpolations in Chebyshev's points.
//
// Included once per instruction set, inside its namespace; hence no guard of its own kind.
//
//===----------------------------------------------------------------------===//

/// p[0] x^(n-1) + ... + p[n-1] in two chains of x^2, which do not wait for each other.
template <class B, int n>
TSC_MATH_INLINE typename B::Value longPolynomial(B &b, typename B::Value x, const double (&p)[n]) {
  static_assert(n >= 4);
  constexpr int first = n % 2 ? 0 : 1; // of the even powers
  const auto square = b.mul(x, x);
  auto even = b.constant(p[first]), odd = b.constant(p[1 - first]);
#pragma unroll
  for (int i = first + 2; i < n; i += 2)
    even = b.fma(even, square, b.constant(p[i]));
#pragma unroll
  for (int i = 3 - first; i < n; i += 2)
    odd = b.fma(odd, square, b.constant(p[i]));
  return b.fma(odd, x, even);
}

/// Sixteen numbers for each of eight cases, by number (`columns`) and by case (`rows`): a vector instruction looks one
/// number up in a column where it takes all of it; elsewhere, numbers that stand side by side are loaded together.
struct LookupTable {
  double columns[16][8], rows[8][16];
  constexpr explicit LookupTable(const double (&numbers)[16][8]) : columns(), rows() {
    for (size_t i = 0; i != 16; ++i)
      for (size_t k = 0; k != 8; ++k)
        columns[i][k] = rows[k][i] = numbers[i][k];
  }
};

/// Elementary functions of doubles over a builder B, which may be of vectors or of generated code.
template <class B> struct DoubleMath {
  using V = typename B::Value;
  using Float = FloatMath<B>; // what of it holds for doubles, too
  using Power = PowerMath<B>;

  /// x = n ln 2 + r with |r| <= ln 2 / 2, and e^r - 1 by Taylor's series: 2^n (e^r - 1) + (2^n - 1).
  TSC_MATH_INLINE static V expm1(B &b, V x) {
    constexpr double series[] = {1. / 87178291200, 1. / 6227020800, 1. / 479001600, 1. / 39916800, 1. / 3628800,
                                 1. / 362880,      1. / 40320,      1. / 5040,      1. / 720,      1. / 120,
                                 1. / 24,          1. / 6,          1. / 2};
    const V clamped = Float::clamp(b, x, -40, 709.79);
    const V sum = b.fma(clamped, b.constant(Float::log2OfE), b.constant(Power::biased));
    const V n = b.sub(sum, b.constant(Power::biased));
    const V r = b.fma(n, b.constant(-1.9082149292705877e-10), b.fma(n, b.constant(-0.69314718036912381649), clamped));
    const V decayed = b.fma(Float::polynomial(b, r, series), b.mul(r, r), r);
    // Half of 2^n, which for n = 1024 is no double.
    const V power = b.fromBits(b.template shiftLeft<52>(b.bits(b.sub(sum, b.constant(1)))));
    const V half = b.fma(decayed, power, b.sub(power, b.constant(0.5)));
    return b.where(b.eq(x, b.constant(0)), x, b.add(half, half)); // the sign of zero
  }
  /// (e^2|x| - 1) / (e^2|x| + 1) with the sign of x, by expm1.
  TSC_MATH_INLINE static V tanh(B &b, V x) {
    const V a = Float::atMost(b, b.abs(x), 20), e = expm1(b, b.add(a, a));
    return b.copysign(b.div(e, b.add(e, b.constant(2))), x);
  }

  /// Computes e^x as expm1 does, without taking 1 away. Where 2^n would be no normal number, it is applied in two
  /// steps.
  TSC_MATH_INLINE static V exp(B &b, V x) {
    constexpr double series[] = {2.5110037605963777e-08,
                                 2.763263963904103e-07,
                                 2.755724091857897e-06,
                                 2.4801485482328494e-05,
                                 0.00019841269890047113,
                                 0.0013888888952314775,
                                 0.008333333333319601,
                                 0.0416666666664881,
                                 0.1666666666666668,
                                 0.5000000000000019,
                                 1,
                                 1};
    const V clamped = Float::clamp(b, x, -746, 710);
    const V sum = b.fma(clamped, b.constant(Float::log2OfE), b.constant(Power::biased));
    const V n = b.sub(sum, b.constant(Power::biased));
    const V r = b.fma(n, b.constant(-1.9082149292705877e-10), b.fma(n, b.constant(-0.69314718036912381649), clamped));
    return scaled(b, Float::polynomial(b, r, series), n, b.gt(b.abs(clamped), b.constant(708)));
  }
  /// x = n + r with |r| <= 1/2: 2^n e^(r ln 2), of which Taylor's series is that of expm1.
  TSC_MATH_INLINE static V exp2(B &b, V x) {
    const V clamped = Float::clamp(b, x, -1076, 1025);
    const V sum = b.add(clamped, b.constant(Power::biased)), n = b.sub(sum, b.constant(Power::biased));
    const V r = b.mul(b.sub(clamped, n), b.constant(0.69314718055994530942));
    constexpr double series[] = {1. / 87178291200,
                                 1. / 6227020800,
                                 1. / 479001600,
                                 1. / 39916800,
                                 1. / 3628800,
                                 1. / 362880,
                                 1. / 40320,
                                 1. / 5040,
                                 1. / 720,
                                 1. / 120,
                                 1. / 24,
                                 1. / 6,
                                 1. / 2,
                                 1,
                                 1};
    return scaled(b, Float::polynomial(b, r, series), n, b.gt(b.abs(clamped), b.constant(1021)));
  }
  /// The parts of a positive normal number 2^n m with m between the square roots of 1/2 and 2, and what log m lacks.
  struct LogParts {
    V n, logM, lost;
  };
  /// log m = 2 atanh(s) for f = m - 1 and s = f / (2 + f), as f - s (f - s^2 p(s^2)), which rounds f least.
  TSC_MATH_INLINE static LogParts logParts(B &b, V x) {
    constexpr double p[] = {0.146171283998073,  0.15331666676597175, 0.1818289077802613, 0.22222211112104948,
                            0.2857142862611452, 0.399999999998992,   0.666666666666667};
    constexpr int64_t one = 0x3ff0000000000000, root = 0x3fe6a09e00000000;
    const auto moved = b.intAdd(b.bits(x), b.intConstant(one - root));
    const V n = b.sub(b.fromBits(b.intOr(b.template shiftRight<52>(moved), b.intConstant(0x4330000000000000))),
                      b.constant(4503599627370496. + 1023)); // 2^52 and the whole number beside it
    const V m = b.fromBits(b.intAdd(b.intAnd(moved, b.intConstant(0xfffffffffffff)), b.intConstant(root)));
    const V f = b.sub(m, b.constant(1)), s = b.div(f, b.add(m, b.constant(1))), z = b.mul(s, s);
    const V rest = b.mul(s, b.fma(b.neg(z), longPolynomial(b, z, p), f)), logM = b.sub(f, rest);
    return {n, logM, b.sub(b.sub(f, logM), rest)};
  }
  /// The logarithm of a positive normal number.
  TSC_MATH_INLINE static V logOfNormal(B &b, V x) {
    const LogParts parts = logParts(b, x);
    const V low = b.fma(parts.n, b.constant(1.9082149292705877e-10), parts.logM);
    return b.fma(parts.n, b.constant(0.69314718036912381649), low);
  }
  /// n + log2 m of a positive number 2^n m.
  TSC_MATH_INLINE static V log2(B &b, V x) {
    const auto isSmall = b.lt(x, b.constant(0x1p-1022));
    const LogParts parts = logParts(b, b.where(isSmall, b.mul(x, b.constant(0x1p54)), x));
    const V n = b.where(isSmall, b.sub(parts.n, b.constant(54)), parts.n);
    const V factor = b.constant(1.4426950408889634074);
    return b.fma(parts.lost, factor, b.fma(parts.logM, factor, n));
  }

  /// The centers of eight intervals, and the coefficients of a polynomial near each.
  static constexpr LookupTable erfTable{
      {{0.0, 0.7933333333333333, 1.5866666666666667, 2.38, 3.1733333333333333, 3.966666666666667, 4.76,
        5.553333333333334},
       {-7.783612807300675e-06, 6.991971251946081e-06, -5.303746997822373e-08, -4.569811555747179e-07,
        7.48857006062113e-08, -3.081176816940471e-09, -2.513039173617566e-10, 5.70504007025971e-12},
       {-1.2434689356386927e-05, 1.8478471119667477e-05, -1.1461831040069282e-05, 2.7392975724972772e-06,
        -3.473827906132028e-07, 2.2269683991704734e-08, 3.98087717275274e-10, -3.638810472243737e-11},
       {0.00013149739194561735, -7.705734059136784e-05, 2.1341563117620125e-05, -3.5153120699423713e-06,
        6.142925835605163e-07, -7.632201178370544e-08, 2.858604856887427e-10, 2.069119489130863e-10},
       {-6.068053322086989e-06, -8.323440642527917e-05, 5.461761037713431e-05, -1.2235997602072973e-05,
        4.917575458695776e-07, 1.7541437804238858e-07, -5.275839741013051e-09, -1.1591727137471314e-09},
       {-0.0008525382518957171, 0.0006247110308430665, -0.0002533585530844298, 5.954719642725834e-05,
        -6.428973313000697e-06, -2.450621458127562e-07, 3.206258172619265e-08, 6.451538916938801e-09},
       {-6.127952957910911e-07, -2.7036498126932446e-05, 0.00010759703170630668, -8.531095396019127e-05,
        2.1296466252078342e-05, -1.5411041712991677e-07, -1.6348110723681625e-07, -3.584406227116204e-08},
       {0.005224094764883785, -0.003803877064455968, 0.0013652083421971002, -0.00013171654746212174,
        -4.100927806623855e-05, 2.8233356511342246e-06, 7.92728177519734e-07, 1.9907141622552548e-07},
       {-1.600175426445672e-08, 0.003795810384387672, -0.0032516201452317834, 0.0008924700562802409,
        3.023937165656937e-05, -1.4735663031002047e-05, -3.790199352427621e-06, -1.1055261239272049e-06},
       {-0.026866169105656302, 0.015956122500598472, -0.0007712892738285293, -0.0019773471554474786,
        0.00012968145676295293, 6.310682340384527e-05, 1.8057985909867896e-05, 6.139368133545274e-06},
       {-1.0131455679507335e-10, -0.03384493163722769, 0.017267451667379734, 0.0015967339673311283,
        -0.0007807110392670406, -0.000255364350227003, -8.5969944699004e-05, -3.4093966713792425e-05},
       {0.11283791671389524, -0.03264357185069252, -0.033036640776238, 0.00446381245435674, 0.002935633775555524,
        0.0010173860983854885, 0.00040922663737719963, 0.0001893351670424603},
       {-1.1200467703179321e-13, 0.1643443642625865, 0.0034382834820681756, -0.02354931959851935, -0.009748724516020945,
        -0.004038748386033222, -0.0019479242683151797, -0.001051441296786043},
       {-0.37612638903183604, -0.07851321311537961, 0.11696069370050535, 0.06951733144432969, 0.031240680926495484,
        0.016022050528346522, 0.009272121926063871, 0.005839004002407611},
       {-8.033390473941778e-18, -0.41477555525256715, -0.32998840067129587, -0.1747626353208744, -0.09928866161598163,
        -0.0635547906610891, -0.044135301144295695, -0.0324259355602902},
       {1.1283791670955126, 0.9303948170993634, 0.6145967848073168, 0.4198474193256003, 0.31512378238810174,
        0.25210083522702126, 0.2100840336099214, 0.18007202881152387}}};
  /// a p(a - c) for a = |x|, where p is a polynomial near erf(a) / a on each of eight intervals around c; 1 from 5.95
  /// on.
  TSC_MATH_INLINE static V erf(B &b, V x) {
    constexpr double whole = 6755399441055744.; // 1.5 2^52: sums have whole numbers in their low bits
    const V a = Float::atMost(b, b.abs(x), 5.95), one = b.constant(1);
    const auto interval = b.bits(b.fma(a, b.constant(1.2605042016806722), b.constant(whole)));
    V found[std::size(erfTable.columns)];
    b.lookup(erfTable, interval, found);
    const V distance = b.sub(a, found[0]);
    V y = found[1];
#pragma unroll
    for (size_t i = 2; i != std::size(found); ++i)
      y = b.fma(y, distance, found[i]);
    return b.copysign(b.where(b.ge(a, b.constant(5.95)), one, Float::atMost(b, b.mul(a, y), 1)), x);
  }

  /// e^(-a^2) p(t) / (1 + 2 a) with t = (a - k) / (a + k) for a = |x|; what rounding takes from a^2 is a factor beside.
  TSC_MATH_INLINE static V erfc(B &b, V x) {
    constexpr double p[] = {
        -2.360522062505669e-09,  -7.28355201689257e-10,  3.2853865855032794e-08, 1.5617908096635943e-08,
        -2.52849205577804e-07,   -4.77698299208642e-08,  1.7484869076103767e-06, -9.803704925289925e-07,
        -1.1443262512802912e-05, 2.2387313512838182e-05, 5.1649028841359415e-05, -0.0002901549694589009,
        0.00029371363655085193,  0.0017556260158339083,  -0.009746579548789899,  0.028362277400827144,
        -0.058693398590725296,   0.0923043211614956,     -0.10880393014169336,   0.08227673849011337,
        0.0035854154854634396,   -0.1402405985855467,    1.2375126308378275};
    const V a = Float::atMost(b, b.abs(x), 27.3), k = b.constant(3.75), one = b.constant(1);
    const V t = b.div(b.sub(a, k), b.add(a, k));
    const V scaled = b.div(Float::polynomial(b, t, p), b.fma(a, b.constant(2), one));
    const V square = b.mul(a, a), lost = b.fma(a, a, b.neg(square));
    const V y = b.mul(b.fma(scaled, b.neg(lost), scaled), b.exp(b.neg(square)));
    return b.where(b.lt(x, b.constant(0)), b.sub(b.constant(2), y), y);
  }

  /// x p(w) with w = -log(1 - x^2).
  TSC_MATH_INLINE static V erfinv(B &b, V x) {
    const V one = b.constant(1), a = b.abs(x);
    const V y = b.mul(x, erfinvOverX(b, b.neg(logOfNormal(b, b.mul(b.sub(one, x), b.add(one, x))))));
    return b.where(b.lt(a, one), y, b.where(b.eq(a, one), b.copysign(b.inf(), x), b.nan()));
  }
  /// sqrt 2 erfinv(2 p - 1), for p above 1e-15 and below 1.
  TSC_MATH_INLINE static V ndtri(B &b, V p) {
    const V one = b.constant(1), x = b.fma(p, b.constant(2), b.constant(-1));
    const V w = b.neg(logOfNormal(b, b.mul(b.mul(p, b.constant(4)), b.sub(one, p))));
    return b.mul(b.mul(x, erfinvOverX(b, w)), b.constant(1.41421356237309504880));
  }
  /// p(w), as M. Giles has it ("Approximating the erfinv function", 2010); in three parts, of
  /// which the ones near 1 and -1 are seldom needed.
  TSC_MATH_INLINE static V erfinvOverX(B &b, V w) {
    constexpr double nearZero[] = {
        1.64533799430872e-19,    2.538203868845463e-18,  -2.6645648809770092e-17, -1.0138086192836234e-16,
        1.8941456297431503e-15,  -3.177077584174987e-15, -7.610626530191807e-14,  5.3717803411669e-13,
        9.114669783363668e-13,   -3.110795974484731e-11, 1.1960729171935375e-10,  9.073147838739175e-10,
        -1.0861169521763927e-08, 1.3416788811913557e-08, 4.78725219198754e-07,    -3.416619584862394e-06,
        -4.996079599279791e-06,  0.00021825026433935945, -0.0012527079078109066,  -0.004177317724382887};
    constexpr double far[] = {
        2.0025112687105168e-08, 1.655879750422755e-07,  -5.309566995510755e-07,  -8.364409400472185e-08,
        2.7898876668751423e-06, -5.377624884455572e-06, -1.2175995957541512e-06, 2.716666723335197e-05,
        -5.293109751124202e-05, -5.357382868787837e-06, 0.00023418960913305537,  -0.0004840659001726469,
        0.0001562246272671044,  0.001490578973705726,   -0.004461755844331869,   0.007690101751543638,
        -0.010303777501182302,  0.012117610755991817,   0.999532248176126,       2.7329119756863887};
    constexpr double nearOne[] = {2.5417839739561905e-12,  1.8140964026211329e-12,  -5.4214783868174444e-11,
                                  1.341473368912948e-10,   -6.884303055141224e-11,  -4.6191292470325285e-10,
                                  2.4103752490232108e-09,  -8.050475417713214e-09,  2.0575700359981524e-08,
                                  -4.323398563582734e-08,  8.095622625125084e-08,   -1.5603667764198914e-07,
                                  3.934319536173506e-07,   -1.4127930107049136e-06, 5.976452384114421e-06,
                                  -2.5150932275179775e-05, 9.549889256122419e-05,   -0.00027477437879462304,
                                  -1.0742258634819145e-05, 1.0103275346215628,      4.673100798846062};
    const V u = b.sub(w, b.constant(2.5));
    // The last steps by Horner's rule, which rounds less.
    V y = b.fma(b.fma(longPolynomial(b, u, nearZero), u, b.constant(0.246640276744167)), u,
                b.constant(1.501409351110792));
    const auto isFar = b.gt(w, b.constant(5));
    if (b.any(isFar)) {
      const V root = b.sqrt(w);
      const V some = Float::polynomial(b, b.sub(root, b.constant(2.9)), far);
      const V more = Float::polynomial(b, b.sub(root, b.constant(4.825)), nearOne);
      y = b.where(isFar, b.where(b.gt(root, b.constant(3.6)), more, some), y);
    }
    return y;
  }

private:
  /// y 2^n; in two steps where 2^n may be no normal number.
  TSC_MATH_INLINE static V scaled(B &b, V y, V n, typename B::Mask isFar) {
    if (!b.any(isFar))
      return b.mul(y, powerOfTwo(b, b.add(n, b.constant(Power::biased))));
    const V halfSum = b.fma(n, b.constant(0.5), b.constant(Power::biased)),
            half = b.sub(halfSum, b.constant(Power::biased));
    const V rest = b.add(b.sub(n, half), b.constant(Power::biased));
    return b.mul(b.mul(y, powerOfTwo(b, halfSum)), powerOfTwo(b, rest));
  }
  /// 2^n for whole n in [-1022, 1023], which stands in the low bits of the sum.
  TSC_MATH_INLINE static V powerOfTwo(B &b, V sum) { return b.fromBits(b.template shiftLeft<52>(b.bits(sum))); }
};
