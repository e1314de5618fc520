//===- OrthogonalPolynomials.cpp - Chebyshev, Hermite, Laguerre, Legendre -===//
//
// By their three-term recurrences; Chebyshev's of higher degree inside [-1, 1] by
// cosines. A degree below zero gives zero; a degree is cut to an integer.
//
//===----------------------------------------------------------------------===//
#include "SpecialFunctions.h"
#include "tsc/Support/WorkMeter.h"

using namespace tsc;
using tsc::pw::quietNaN;

static constexpr double maxDegree =
    100000; ///< Beyond it an element would take milliseconds, and a tensor minutes; the result is NaN.

/// The value of degree n from those of degrees 0 and 1: next(k, last, one before) has degree k + 1.
template <typename Next> static double recur(double n, double p0, double p1, Next next) {
  if (n <= -1)
    return 0;
  if (!(n <= maxDegree))
    return quietNaN;
  int64_t degree = static_cast<int64_t>(n); // towards zero
  if (degree == 0)
    return p0;
  work::LongLoop turns;
  for (int64_t k = 1; k != degree; ++k) {
    if (!turns.goOn())
      return quietNaN;
    double p = next(static_cast<double>(k), p1, p0);
    p0 = p1;
    p1 = p;
    if (std::isnan(p))
      break;
  }
  return p1;
}
static bool isEven(double n) { return std::fmod(std::trunc(n), 2) == 0; }

/// All four kinds share a recurrence and differ in degree 1.
static double chebyshev(double x, double n, double p1) {
  return recur(n, 1, p1, [&](double, double last, double before) { return 2 * x * last - before; });
}
double pw::chebyshev_t(double x, double n) {
  if (n > -1 && std::fabs(x) == 1)
    return x > 0 || isEven(n) ? 1 : -1;
  if (n > 6 && std::fabs(x) < 1)
    return std::cos(std::trunc(n) * std::acos(x));
  return chebyshev(x, n, x);
}
double pw::chebyshev_u(double x, double n) {
  double degree = std::trunc(n);
  if (n > -1 && std::fabs(x) == 1)
    return x > 0 || isEven(n) ? degree + 1 : -(degree + 1);
  if (n > 8 && std::fabs(x) < 1) {
    double angle = std::acos(x);
    return std::sin((degree + 1) * angle) / std::sin(angle);
  }
  return chebyshev(x, n, 2 * x);
}
double pw::chebyshev_v(double x, double n) {
  double degree = std::trunc(n);
  if (n > -1 && std::fabs(x) == 1)
    return x > 0 ? 1 : isEven(n) ? 2 * degree + 1 : -(2 * degree + 1);
  if (n > 8 && std::fabs(x) < 1) {
    double angle = std::acos(x);
    return std::cos((degree + 0.5) * angle) / std::cos(angle / 2);
  }
  return chebyshev(x, n, 2 * x - 1);
}
double pw::chebyshev_w(double x, double n) {
  double degree = std::trunc(n);
  if (n > -1 && std::fabs(x) == 1)
    return x > 0 ? 2 * degree + 1 : isEven(n) ? 1 : -1;
  if (n > 8 && std::fabs(x) < 1) {
    double angle = std::acos(x);
    return std::sin((degree + 0.5) * angle) / std::sin(angle / 2);
  }
  return chebyshev(x, n, 2 * x + 1);
}

double pw::hermite_h(double x, double n) {
  return recur(n, 1, 2 * x, [&](double k, double last, double before) { return 2 * x * last - 2 * k * before; });
}
double pw::hermite_he(double x, double n) {
  return recur(n, 1, x, [&](double k, double last, double before) { return x * last - k * before; });
}
double pw::laguerre_l(double x, double n) {
  return recur(n, 1, 1 - x,
               [&](double k, double last, double before) { return ((2 * k + 1 - x) * last - k * before) / (k + 1); });
}
double pw::legendre_p(double x, double n) {
  if (n > -1 && std::fabs(x) == 1)
    return x > 0 || isEven(n) ? 1 : -1;
  return recur(n, 1, x,
               [&](double k, double last, double before) { return ((2 * k + 1) * x * last - k * before) / (k + 1); });
}
