//===- GammaFunctions.cpp - Derivatives and incomplete gamma functions ----===//
#include "SpecialFunctions.h"
#include "tsc/Support/WorkMeter.h"
#include <iterator>
#include <numbers>

using namespace tsc;
using std::numbers::pi;
using tsc::pw::infinity;
using tsc::pw::quietNaN;

/// Derivative of lgamma: recurrence up to 10, then the asymptotic series.
double pw::digamma(double x) {
  if (x == 0)
    return std::copysign(infinity, -x);
  if (x < 0) {
    if (x == std::trunc(x))
      return quietNaN;
    return digamma(1 - x) - pi / std::tan(pi * (x - std::round(x)));
  }
  double result = 0;
  for (; x < 10; x += 1)
    result -= 1 / x;
  double y = 1 / (x * x);
  double series =
      y *
      (1.0 / 12 - y * (1.0 / 120 - y * (1.0 / 252 - y * (1.0 / 240 - y * (1.0 / 132 - y * (691.0 / 32760 - y / 12))))));
  return result + std::log(x) - 0.5 / x - series;
}

/// Sum of (q + k)^-x over k >= 0 for q > 0 and x > 1, by Euler and Maclaurin after the first terms.
static double hurwitz(double x, double q) {
  double sum = 0, base = q;
  for (int k = 0; k < 10 || base <= 9; ++k, base += 1) {
    double term = std::pow(base, -x);
    sum += term;
    if (std::fabs(term) < 1e-17 * std::fabs(sum))
      return sum;
  }
  // B(2j) / (2j)! for j = 1, 2, …
  static constexpr double bernoulli[] = {1.0 / 12,
                                         -1.0 / 720,
                                         1.0 / 30240,
                                         -1.0 / 1209600,
                                         1.0 / 47900160,
                                         -691.0 / 1307674368000,
                                         1.0 / 74724249600,
                                         -3617.0 / 10670622842880000,
                                         43867.0 / 5109094217170944000};
  double power = std::pow(base, -x);
  sum += base * power / (x - 1) + power / 2;
  double factor = x * power / base;
  for (unsigned j = 0; j != std::size(bernoulli); ++j) {
    double term = bernoulli[j] * factor;
    sum += term;
    if (std::fabs(term) < 1e-17 * std::fabs(sum))
      break;
    factor *= (x + 2 * j + 1) * (x + 2 * j + 2) / (base * base);
  }
  return sum;
}

/// Below zero the terms before the first positive one are, but for their sign, those of a sum from the other side.
double pw::zeta(double x, double q) {
  if (x == 1)
    return infinity;
  if (!(x > 1) || std::isnan(q))
    return quietNaN;
  if (q > 0)
    return hurwitz(x, q);
  double positive = q - std::floor(q);
  if (positive == 0)
    return infinity;
  if (x != std::floor(x))
    return quietNaN; // a power of a negative number
  double negative = hurwitz(x, 1 - positive) - hurwitz(x, 1 - q);
  return hurwitz(x, positive) + (std::fmod(x, 2) == 0 ? negative : -negative);
}

/// Second derivative of lgamma; below one half by reflection.
static double trigamma(double x) {
  if (x < 0.5) {
    double sine = std::sin(pi * x);
    return pi * pi / (sine * sine) - trigamma(1 - x);
  }
  if (x == infinity)
    return 0;
  return pw::zeta(2, x);
}

double pw::polygamma(double order, double x) {
  if (order == 0)
    return digamma(x);
  if (order == 1)
    return trigamma(x);
  double sign = std::fmod(order, 2) == 1 ? 1 : -1;
  return sign * std::exp(std::lgamma(order + 1)) * zeta(order + 1, x);
}

/// Logarithm of the gamma function of p dimensions.
double pw::multigammaln(double x, double p) {
  double sum = p * (p - 1) / 4 * std::log(pi);
  work::LongLoop turns(16);
  for (double j = 0; j < p; ++j) {
    if (!turns.goOn())
      return quietNaN;
    sum += std::lgamma(x - j / 2);
  }
  return sum;
}

/// x^a exp(-x) / gamma(a + 1), by Stirling's series where the factors would overflow or cancel.
static double incompletePrefix(double a, double x) {
  if (a < 20)
    return std::exp(a * std::log(x) - x - std::lgamma(a + 1));
  double difference = (x - a) / a;
  double exponent =
      std::fabs(difference) < 0.5 ? a * (std::log1p(difference) - difference) : a * std::log(x / a) + a - x;
  double inverse = 1 / (a * a);
  double correction = (1.0 / 12 - inverse * (1.0 / 360 - inverse * (1.0 / 1260 - inverse / 1680))) / a;
  return std::exp(exponent - correction) / std::sqrt(2 * pi * a);
}

static constexpr int maxTerms = 100000;

/// Lower part, regularized, by its power series: for x < a + 1.
static double lowerBySeries(double a, double x) {
  double sum = 1, term = 1;
  work::LongLoop turns(4);
  for (int k = 1; k != maxTerms && term > sum * 1e-17 && turns.goOn(); ++k)
    sum += term *= x / (a + k);
  return incompletePrefix(a, x) * sum;
}
/// Upper part, regularized, by its continued fraction (Lentz): for x >= a + 1.
static double upperByFraction(double a, double x) {
  constexpr double tiny = 1e-300;
  double b = x + 1 - a, c = 1 / tiny, d = 1 / b, h = d;
  work::LongLoop turns(8);
  for (int k = 1; k != maxTerms && turns.goOn(); ++k) {
    double numerator = -k * (k - a);
    b += 2;
    d = numerator * d + b;
    d = 1 / (d == 0 ? tiny : d);
    c = b + numerator / c;
    if (c == 0)
      c = tiny;
    h *= c * d;
    if (std::fabs(c * d - 1) < 1e-16)
      break;
  }
  return incompletePrefix(a, x) * a * h;
}

/// The logarithm of gamma(1 + a) for a from 0 to 1/2, exact relative to itself: its Taylor series, from which that of
/// -log(1 + a) is taken so that it soon ends.
static double logGammaOfOnePlus(double a) {
  // zeta(k) - 1 from k = 2 on
  constexpr double zetas[] = {
      0.64493406684822644,    0.20205690315959429,    0.082323233711138192,  0.036927755143369926,
      0.01734306198444914,    0.0083492773819228268,  0.0040773561979443394, 0.0020083928260822144,
      0.00099457512781808534, 0.00049418860411946456, 0.0002460865533080483, 0.00012271334757848915,
      6.1248135058704829e-5,  3.0588236307020494e-5,  1.5282259408651872e-5, 7.6371976378997623e-6,
      3.8172932649998399e-6,  1.9082127165539389e-6,  9.5396203387279611e-7, 4.7693298678780646e-7};
  constexpr double oneMinusEuler = 0.42278433509846713939;
  double sum = 0;
  for (int k = static_cast<int>(std::size(zetas)) + 1; k >= 2; --k)
    sum = (zetas[k - 2] / k - sum) * a;
  return a * (oneMinusEuler + sum) - std::log1p(a);
}
/// Upper part, regularized, of small a and x, where it is too near 0 for a difference from 1: what the first term of
/// the other part's alternating series leaves of 1, and the other terms.
static double upperBySeries(double a, double x) {
  double sum = 0, factor = 1;
  for (int k = 1; k != 40; ++k) {
    factor *= -x / k;
    sum += factor / (a + k);
  }
  const double exponent = a * std::log(x) - logGammaOfOnePlus(a);
  return -std::expm1(exponent) - std::exp(exponent) * a * sum;
}

/// What both parts share at the ends of the domain; false when neither end applies.
static bool incompleteAtEnds(double a, double x, double &lower) {
  if (!(a >= 0) || !(x >= 0) || (a == 0 && x == 0) || (std::isinf(a) && std::isinf(x)))
    lower = quietNaN;
  else if (a == 0 || std::isinf(x))
    lower = 1;
  else if (x == 0 || std::isinf(a))
    lower = 0;
  else
    return false;
  return true;
}
double pw::igamma(double a, double x) {
  if (double lower; incompleteAtEnds(a, x, lower))
    return lower;
  return x < a + 1 ? lowerBySeries(a, x) : 1 - upperByFraction(a, x);
}
double pw::igammac(double a, double x) {
  if (double lower; incompleteAtEnds(a, x, lower))
    return 1 - lower;
  if (x >= a + 1)
    return upperByFraction(a, x);
  const double upper = 1 - lowerBySeries(a, x);
  return upper < 1. / 16 && a < 0.5 ? upperBySeries(a, x) : upper;
}
