//===- BoxMuller.h - Normal numbers from uniform ones, in float -*- C++ -*-===//
//
// PyTorch's CPU kernel evaluates logarithm, sine and cosine by the polynomials of
// the Cephes library (S. Moshier, logf.c, sinf.c), with a fused multiply-add
// wherever a product is only added. The same operations in the same order give
// the same bits for the same seed; a more exact logarithm would not.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_KERNELS_RANDOM_BOXMULLER_H
#define TSC_LIB_KERNELS_RANDOM_BOXMULLER_H

#include <bit>
#include <cmath>
#include <cstdint>

namespace tsc::cpu::boxmuller {

inline constexpr double pi = 3.14159265358979323846;
inline constexpr float logCoefficients[] = {7.0376836292E-2f,  -1.1514610310E-1f, 1.1676998740E-1f,
                                            -1.2420140846E-1f, 1.4249322787E-1f,  -1.6668057665E-1f,
                                            2.0000714765E-1f,  -2.4999993993E-1f, 3.3333331174E-1f};
inline constexpr float sqrtHalf = 0.707106781186547524f, ln2High = 0.693359375f, ln2Low = -2.12194440e-4f;
inline constexpr float cosineCoefficients[] = {2.443315711809948E-005f, -1.388731625493765E-003f,
                                               4.166664568298827E-002f};
inline constexpr float sineCoefficients[] = {-1.9515295891E-4f, 8.3321608736E-3f, -1.6666654611E-1f};
inline constexpr float fourOverPi = 1.27323954473516f;
/// -pi / 4 in three parts.
inline constexpr float piParts[] = {-0.78515625f, -2.4187564849853515625e-4f, -3.77489497744594108e-8f};

/// p[0] x^(n-1) + … + p[n-1], Horner.
template <int n> [[gnu::always_inline]] inline float polynomial(float x, const float (&p)[n]) {
  float y = p[0];
  for (int i = 1; i != n; ++i)
    y = std::fma(y, x, p[i]);
  return y;
}

/// log x for a normal positive x.
[[gnu::always_inline]] inline float log(float x) {
  auto bits = std::bit_cast<int32_t>(x);
  float exponent = static_cast<float>((bits >> 23) - 126);
  float mantissa = std::bit_cast<float>((bits & 0x007fffff) | 0x3f000000); // in [0.5, 1)
  bool small = mantissa < sqrtHalf;
  float r = (mantissa - 1) + (small ? mantissa : 0.0f);
  exponent -= small ? 1.0f : 0.0f;
  float z = r * r;
  float y = std::fma(polynomial(r, logCoefficients) * r, z, exponent * ln2Low);
  y = std::fma(-z, 0.5f, y);
  return std::fma(exponent, ln2High, r + y);
}

/// Sine and cosine of one angle.
struct SinCos {
  float sin, cos;
};
/// Returns sine and cosine of x, where 0 <= x < 8192.
[[gnu::always_inline]] inline SinCos sincos(float x) {
  int32_t octant = (static_cast<int32_t>(x * fourOverPi) + 1) & ~1;
  auto n = static_cast<float>(octant);
  float r = std::fma(n, piParts[0], x); // x - n pi/4
  r = std::fma(n, piParts[1], r);
  r = std::fma(n, piParts[2], r);
  float z = r * r;
  float c = std::fma(polynomial(z, cosineCoefficients) * z, z, -(z * 0.5f)) + 1;
  float s = std::fma(polynomial(z, sineCoefficients) * z, r, r);
  bool swap = octant & 2;
  float sinSign = octant & 4 ? -1.0f : 1.0f, cosSign = (octant + 2) & 4 ? -1.0f : 1.0f;
  return {(swap ? c : s) * sinSign, (swap ? s : c) * cosSign};
}

} // namespace tsc::cpu::boxmuller

#endif
