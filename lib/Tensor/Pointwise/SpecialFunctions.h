//===- SpecialFunctions.h - Functions that <cmath> lacks --------*- C++ -*-===//
#ifndef TSC_LIB_TENSOR_POINTWISE_SPECIALFUNCTIONS_H
#define TSC_LIB_TENSOR_POINTWISE_SPECIALFUNCTIONS_H

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>

namespace tsc::pw {

/// Derivative of lgamma: recurrence up to 10, then the asymptotic series.
inline double digamma(double x) {
  constexpr double pi = 3.14159265358979323846;
  if (x == 0)
    return std::copysign(std::numeric_limits<double>::infinity(), -x);
  if (x < 0) {
    if (x == std::trunc(x))
      return std::numeric_limits<double>::quiet_NaN();
    double fraction = x - std::floor(x);
    return digamma(1 - x) - pi / std::tan(pi * fraction);
  }
  double result = 0;
  for (; x < 10; x += 1)
    result -= 1 / x;
  double y = 1 / (x * x);
  double series = y * (1.0 / 12 - y * (1.0 / 120 - y * (1.0 / 252 - y * (1.0 / 240 - y * (1.0 / 132 - y * (691.0 / 32760 - y / 12))))));
  return result + std::log(x) - 0.5 / x - series;
}

/// Inverse of erf: Giles' approximation, then Newton steps on erf(y) - x (on erfc near the ends).
inline double erfinv(double x) {
  if (!(std::fabs(x) <= 1))
    return std::numeric_limits<double>::quiet_NaN();
  if (std::fabs(x) == 1)
    return std::copysign(std::numeric_limits<double>::infinity(), x);
  double w = -std::log((1 - x) * (1 + x)), p;
  if (w < 5) {
    w -= 2.5;
    p = 2.81022636e-08;
    for (double c : {3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087, -0.00125372503, -0.00417768164, 0.246640727, 1.50140941})
      p = c + p * w;
  } else {
    w = std::sqrt(w) - 3;
    p = -0.000200214257;
    for (double c : {0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773, -0.0076224613, 0.00943887047, 1.00167406, 2.83297682})
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

/// Python's % on floats: the sign of the divisor.
template <typename T> T pythonRemainder(T a, T b) {
  T m = std::fmod(a, b);
  return m != 0 && (m < 0) != (b < 0) ? m + b : m;
}

/// Python's // on floats.
template <typename T> T pythonFloorDivide(T a, T b) {
  if (b == 0)
    return a / b;
  T m = std::fmod(a, b), quotient = (a - m) / b;
  if (m != 0 && (b < 0) != (m < 0))
    quotient -= 1;
  if (quotient == 0)
    return std::copysign(T(0), a / b);
  T down = std::floor(quotient);
  return quotient - down > T(0.5) ? down + 1 : down;
}

} // namespace tsc::pw

#endif
