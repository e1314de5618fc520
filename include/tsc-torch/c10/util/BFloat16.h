//===- BFloat16.h - Numbers with the upper half of a float ------*- C++ -*-===//
#ifndef TSC_TORCH_C10_BFLOAT16_H
#define TSC_TORCH_C10_BFLOAT16_H
#include <c10/util/Half.h>

namespace c10 {
inline namespace tsc_torch {

/// A bfloat16; it computes as a float.
struct alignas(2) BFloat16 {
  uint16_t x;
  /// Marks the constructor that takes the bits of a bfloat16.
  struct from_bits_t {};
  static constexpr from_bits_t from_bits() { return from_bits_t(); }

  BFloat16() = default;
  constexpr BFloat16(uint16_t bits, from_bits_t) : x(bits) {}
  /// Rounds to the nearest, ties to even.
  BFloat16(float value) {
    const uint32_t bits = fp32_to_bits(value);
    x = value != value ? uint16_t{0x7fc0} : static_cast<uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1)) >> 16);
  }
  operator float() const { return fp32_from_bits(static_cast<uint32_t>(x) << 16); }

  BFloat16 &operator+=(float b) { return *this = BFloat16(*this + b); }
  BFloat16 &operator-=(float b) { return *this = BFloat16(*this - b); }
  BFloat16 &operator*=(float b) { return *this = BFloat16(*this * b); }
  BFloat16 &operator/=(float b) { return *this = BFloat16(*this / b); }
};
inline std::ostream &operator<<(std::ostream &out, const BFloat16 &value) { return out << static_cast<float>(value); }

} // namespace tsc_torch
} // namespace c10

namespace at {
using c10::BFloat16;
} // namespace at

#endif
