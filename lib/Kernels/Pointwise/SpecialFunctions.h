//===- SpecialFunctions.h - Functions that <cmath> lacks --------*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_POINTWISE_SPECIALFUNCTIONS_H
#define TSC_LIB_KERNELS_POINTWISE_SPECIALFUNCTIONS_H

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>

namespace tsc::pw {

inline constexpr double quietNaN = std::numeric_limits<double>::quiet_NaN();
inline constexpr double infinity = std::numeric_limits<double>::infinity();

// Of SpecialFunctions.def. Outside its domain a function is NaN; at a pole it is infinite.
#define SPECIAL1(NAME) double NAME(double x);
#define SPECIAL2(NAME) double NAME(double x, double y);
#include "tsc/Kernels/SpecialFunctions.def"

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
