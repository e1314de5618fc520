//===- Bessel.cpp - Bessel and Airy functions -----------------------------===//
//
// J and Y are the C library's. I is a power series, and for large arguments the
// asymptotic one; K and Ai come from K's integral, for which the trapezoidal
// rule converges exponentially.
//
//===----------------------------------------------------------------------===//
#include "SpecialFunctions.h"
#include <cmath>
#include <numbers>

using namespace tsc;
using std::numbers::pi;
using tsc::pw::infinity;
using tsc::pw::quietNaN;

double pw::bessel_j0(double x) { return std::isinf(x) ? 0 : ::j0(x); }
double pw::bessel_j1(double x) { return std::isinf(x) ? 0 : ::j1(x); }
double pw::bessel_y0(double x) { return x == 0 ? -infinity : x > 0 ? (std::isinf(x) ? 0 : ::y0(x)) : quietNaN; }
double pw::bessel_y1(double x) { return x == 0 ? -infinity : x > 0 ? (std::isinf(x) ? 0 : ::y1(x)) : quietNaN; }

/// exp(-|x|) I(x) of order 0 or 1.
static double scaledBesselI(int order, double x) {
  double a = std::fabs(x), result;
  if (std::isnan(x) || std::isinf(x))
    return std::isnan(x) ? x : 0;
  if (a < 30) {
    double quarter = a * a / 4, term = order ? a / 2 : 1, sum = term;
    for (int k = 1; term > sum * 1e-17; ++k)
      sum += term *= quarter / (static_cast<double>(k) * (k + order));
    result = std::exp(-a) * sum;
  } else {
    double term = 1, sum = 1, mu = 4.0 * order * order;
    for (int k = 1; k != 40 && std::fabs(term) > 1e-17; ++k) {
      term *= -(mu - (2 * k - 1) * (2 * k - 1)) / (8 * a * k);
      sum += term;
    }
    result = sum / std::sqrt(2 * pi * a);
  }
  return order && x < 0 ? -result : result;
}
/// exp(|x|) value, without overflow where the product has none.
static double unscaled(double value, double x) {
  double half = std::exp(std::fabs(x) / 2);
  return value == 0 ? (std::isinf(x) ? std::copysign(infinity, x) : value) : value * half * half;
}
double pw::bessel_i0e(double x) { return scaledBesselI(0, x); }
double pw::bessel_i1e(double x) { return scaledBesselI(1, x); }
double pw::bessel_i0(double x) { return std::isinf(x) ? infinity : unscaled(scaledBesselI(0, x), x); }
double pw::bessel_i1(double x) { return unscaled(scaledBesselI(1, x), x); }

/// exp(x) K(x) for x > 0: the integral of exp(-x (cosh t - 1)) cosh(order t) over t > 0.
static double scaledBesselK(double order, double x) {
  double step = std::min(0.1, 0.3 / std::sqrt(x)), sum = 0.5, largest = 0.5;
  for (int k = 1;; ++k) {
    double t = k * step, s = std::sinh(t / 2);
    double term = std::exp(-2 * x * s * s) * std::cosh(order * t);
    sum += term;
    largest = std::max(largest, term);
    if (!(term > largest * 1e-18) && 2 * x * s * s > 1)
      return sum * step;
  }
}
static double besselK(int order, double x, bool scaled) {
  if (!(x > 0))
    return x == 0 ? infinity : quietNaN;
  if (std::isinf(x))
    return 0;
  if (x < 1e-8) // the first term of the series; the next is 1e-15 of it
    return order ? 1 / x : -std::log(x / 2) - std::numbers::egamma;
  double value = scaledBesselK(order, x);
  return scaled ? value : value * std::exp(-x);
}
double pw::bessel_k0(double x) { return besselK(0, x, false); }
double pw::bessel_k1(double x) { return besselK(1, x, false); }
double pw::scaled_bessel_k0(double x) { return besselK(0, x, true); }
double pw::scaled_bessel_k1(double x) { return besselK(1, x, true); }

/// sin(x) / x
double pw::spherical_bessel_j0(double x) {
  if (std::isinf(x))
    return 0;
  double square = x * x;
  if (std::fabs(x) < 0.5)
    return 1 - square / 6 *
                   (1 - square / 20 * (1 - square / 42 * (1 - square / 72 * (1 - square / 110 * (1 - square / 156)))));
  return std::sin(x) / x;
}

/// Maclaurin's series; in long double its cancellation leaves 13 digits down to -9.
static double airySeries(double x) {
  long double cube = static_cast<long double>(x) * x * x, f = 1, g = x, even = 1, odd = x;
  for (int k = 1; k != 80; ++k) {
    even *= cube / ((3.0L * k - 1) * (3.0L * k));
    odd *= cube / ((3.0L * k) * (3.0L * k + 1));
    f += even;
    g += odd;
  }
  return static_cast<double>(0.355028053887817239260063186004183L * f - 0.258819403792806798405183560189203L * g);
}
/// For x < -9, by the asymptotic series in 1 / zeta.
static double airyOscillating(double x) {
  double a = -x, zeta = 2.0 / 3 * a * std::sqrt(a), term = 1, even = 0, odd = 0;
  for (int k = 0; k != 20; ++k) {
    double &sum = k % 2 ? odd : even;
    sum += (k / 2) % 2 ? -term : term;
    double next = term * (6.0 * k + 1) * (6.0 * k + 5) / (72.0 * (k + 1) * zeta);
    if (next >= term)
      break;
    term = next;
  }
  double phase = zeta - pi / 4;
  return (std::cos(phase) * even + std::sin(phase) * odd) / (std::sqrt(pi) * std::sqrt(std::sqrt(a)));
}
double pw::airy_ai(double x) {
  if (std::isnan(x) || std::isinf(x))
    return quietNaN;
  if (x < -9)
    return airyOscillating(x);
  if (x < 2)
    return airySeries(x);
  double zeta = 2.0 / 3 * x * std::sqrt(x);
  return std::sqrt(x / 3) / pi * scaledBesselK(1.0 / 3, zeta) * std::exp(-zeta);
}
