//===- ErrorFunctions.cpp - Inverse and scaled error functions ------------===//
//
// The tails of the normal distribution are kept as logarithms or scaled by
// exp(x^2), so that they neither vanish nor lose digits.
//
//===----------------------------------------------------------------------===//
#include "SpecialFunctions.h"
#include <initializer_list>
#include <numbers>

using namespace tsc;
using std::numbers::pi;
using tsc::pw::infinity;
using tsc::pw::quietNaN;

/// Giles' approximation, then Newton steps on erf(y) - x (on erfc near the ends).
double pw::erfinv(double x) {
  if (!(std::fabs(x) <= 1))
    return quietNaN;
  if (std::fabs(x) == 1)
    return std::copysign(infinity, x);
  double w = -std::log((1 - x) * (1 + x)), p;
  if (w < 5) {
    w -= 2.5;
    p = 2.81022636e-08;
    for (double c : {3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087, -0.00125372503, -0.00417768164,
                     0.246640727, 1.50140941})
      p = c + p * w;
  } else {
    w = std::sqrt(w) - 3;
    p = -0.000200214257;
    for (double c : {0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773, -0.0076224613, 0.00943887047,
                     1.00167406, 2.83297682})
      p = c + p * w;
  }
  double y = p * x, a = std::fabs(x), z = std::fabs(y);
  constexpr double twoOverSqrtPi = 1.12837916709551257390;
  for (int i = 0; i != 2; ++i) {
    double error = a < 0.5 ? std::erf(z) - a : (1 - a) - std::erfc(z);
    z -= error / (twoOverSqrtPi * std::exp(-z * z));
  }
  return std::copysign(z, x);
}

/// exp(x^2) with the rounding error of x^2 put back.
static double expOfSquare(double x) {
  double square = x * x, rest = std::fma(x, x, -square);
  return std::exp(square) * (1 + rest);
}

/// exp(x^2) erfc(x)
double pw::erfcx(double x) {
  if (x < 25)
    return x < -26.7 ? infinity : expOfSquare(x) * std::erfc(x);
  double t = 1 / (2 * x * x), sum = 1, term = 1; // asymptotic: the terms shrink to nothing before they grow
  for (int k = 1; k != 8; ++k)
    sum += term *= -(2 * k - 1) * t;
  return sum / (x * std::sqrt(pi));
}

/// Logarithm of the normal distribution's integral up to x.
double pw::log_ndtr(double x) {
  double t = x / std::numbers::sqrt2;
  return x < -1 ? std::log(erfcx(-t) / 2) - t * t : std::log1p(-std::erfc(t) / 2);
}

/// Where the normal distribution's integral is p: a rational guess (Hastings), then Newton steps on its logarithm.
double pw::ndtri(double p) {
  if (!(p >= 0 && p <= 1))
    return quietNaN;
  if (p == 0 || p == 1)
    return p == 0 ? -infinity : infinity;
  if (p > 0.5)
    return -ndtri(1 - p);
  double t = std::sqrt(-2 * std::log(p));
  double x = -(t - ((0.010328 * t + 0.802853) * t + 2.515517) / (((0.001308 * t + 0.189269) * t + 1.432788) * t + 1));
  for (int i = 0; i != 4; ++i) {
    double value = log_ndtr(x);
    double slope = std::exp(-x * x / 2 - value) / std::sqrt(2 * pi);
    x -= (value - std::log(p)) / slope;
  }
  return x;
}
