//===- FakeNumbers.h - Elements as the fake libraries compute ---*- C++ -*-===//
#ifndef TSC_UNITTESTS_FUSERCUDA_FAKENUMBERS_H
#define TSC_UNITTESTS_FUSERCUDA_FAKENUMBERS_H

#include <bit>
#include <cstddef>
#include <cstdint>

namespace fake {

enum class Number { Float, Double, Half, BFloat16 };

inline size_t itemBytes(Number type) { return type == Number::Double ? 8 : type == Number::Float ? 4 : 2; }

inline double load(const void *data, Number type, int64_t i) {
  switch (type) {
  case Number::Double: return static_cast<const double *>(data)[i];
  case Number::Float: return static_cast<const float *>(data)[i];
  case Number::Half: return static_cast<double>(static_cast<const _Float16 *>(data)[i]);
  case Number::BFloat16: break;
  }
  return std::bit_cast<float>(static_cast<uint32_t>(static_cast<const uint16_t *>(data)[i]) << 16);
}

/// Halves of 16 bits are rounded from float, as a GPU's sums are.
inline void store(void *data, Number type, int64_t i, double value) {
  const auto single = static_cast<float>(value);
  const auto bits = std::bit_cast<uint32_t>(single);
  switch (type) {
  case Number::Double: static_cast<double *>(data)[i] = value; break;
  case Number::Float: static_cast<float *>(data)[i] = single; break;
  case Number::Half: static_cast<_Float16 *>(data)[i] = static_cast<_Float16>(single); break;
  case Number::BFloat16:
    static_cast<uint16_t *>(data)[i] =
        single != single ? 0x7fc0 : static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  }
}

} // namespace fake

#endif
