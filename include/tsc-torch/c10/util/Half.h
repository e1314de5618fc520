//===- Half.h - Numbers of 16 bits by IEEE 754 ------------------*- C++ -*-===//
#ifndef TSC_TORCH_C10_HALF_H
#define TSC_TORCH_C10_HALF_H
#include <c10/macros/Macros.h>
#include <cstdint>
#include <cstring>
#include <limits>
#include <ostream>

namespace c10 {
inline namespace tsc_torch {

/// Returns the bits of a float.
inline uint32_t fp32_to_bits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
/// Returns the float that has these bits.
inline float fp32_from_bits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// A half; it computes as a float.
struct alignas(2) Half {
  uint16_t x;
  /// Marks the constructor that takes the bits of a half.
  struct from_bits_t {};
  static constexpr from_bits_t from_bits() { return from_bits_t(); }

  Half() = default;
  constexpr Half(uint16_t bits, from_bits_t) : x(bits) {}
  Half(float value) : x(round(value)) {}
  operator float() const { return widen(x); }

  Half &operator+=(float b) { return *this = Half(*this + b); }
  Half &operator-=(float b) { return *this = Half(*this - b); }
  Half &operator*=(float b) { return *this = Half(*this * b); }
  Half &operator/=(float b) { return *this = Half(*this / b); }

private:
  static float widen(uint16_t half) {
    const uint32_t sign = static_cast<uint32_t>(half & 0x8000) << 16;
    const uint32_t exponent = (half >> 10) & 31, fraction = half & 1023;
    if (exponent == 31)
      return fp32_from_bits(sign | 0x7f800000u | (fraction << 13));
    if (exponent)
      return fp32_from_bits(sign | ((exponent + 112) << 23) | (fraction << 13));
    const float magnitude = static_cast<float>(fraction) * 5.9604644775390625e-8f; // 2^-24
    return sign ? -magnitude : magnitude;
  }
  /// Rounds to the nearest half, ties to even.
  static uint16_t round(float value) {
    const uint32_t bits = fp32_to_bits(value), magnitude = bits & 0x7fffffffu;
    const uint16_t sign = static_cast<uint16_t>((bits >> 16) & 0x8000);
    if (magnitude > 0x7f800000u)
      return sign | 0x7e00;
    if (magnitude >= 0x477ff000u) // 65520 and more
      return sign | 0x7c00;
    if (magnitude < 0x38800000u) { // below 2^-14: adding 0.5 leaves the multiple of 2^-24 in the lowest bits
      const uint32_t rounded = fp32_to_bits(fp32_from_bits(magnitude) + 0.5f) - fp32_to_bits(0.5f);
      return sign | static_cast<uint16_t>(rounded);
    }
    const uint32_t rounded = magnitude - 0x38000000u + 0xfffu + ((magnitude >> 13) & 1);
    return sign | static_cast<uint16_t>(rounded >> 13);
  }
};
inline std::ostream &operator<<(std::ostream &out, const Half &value) { return out << static_cast<float>(value); }

} // namespace tsc_torch
} // namespace c10

namespace std {
template <> class numeric_limits<c10::Half> {
public:
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false, has_infinity = true,
                        has_quiet_NaN = true;
  static constexpr int digits = 11;
  static constexpr c10::Half lowest() { return c10::Half(0xfbff, c10::Half::from_bits()); }
  static constexpr c10::Half max() { return c10::Half(0x7bff, c10::Half::from_bits()); }
  static constexpr c10::Half min() { return c10::Half(0x0400, c10::Half::from_bits()); }
  static constexpr c10::Half epsilon() { return c10::Half(0x1400, c10::Half::from_bits()); }
  static constexpr c10::Half infinity() { return c10::Half(0x7c00, c10::Half::from_bits()); }
  static constexpr c10::Half quiet_NaN() { return c10::Half(0x7e00, c10::Half::from_bits()); }
};
} // namespace std

namespace at {
using c10::Half;
} // namespace at

#endif
