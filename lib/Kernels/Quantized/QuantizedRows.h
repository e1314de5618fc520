//===- QuantizedRows.h - Rows of small integers and reals -------*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_QUANTIZED_QUANTIZEDROWS_H
#define TSC_LIB_KERNELS_QUANTIZED_QUANTIZEDROWS_H

#include <cstdint>

namespace tsc::cpu::quantized {

/// What sums of products become: clamp(round((sum + bias) * factor) + zero, low, 255), where bias is in units of sums.
struct Requantization {
  float zero, low;
  bool fromFloats = false; ///< Whether sums are floats, not int32.
};

/// How two rows of numbers become one of integers: real = scale * (integer - zero).
struct PairScales {
  float scaleA, scaleB, inverse, zero;
  int32_t zeroA, zeroB;
  bool relu, multiply;
};

/// Dense rows, for every instruction set (SimdQuantized.cpp).
struct Kernels {
  /// clamp(round(from * inverse + zero)), rounded once (fused) or with the zero added after rounding.
  void (*quantizeUInt8)(uint8_t *to, const float *from, int64_t count, float inverse, float zero);
  void (*quantizeInt8)(int8_t *to, const float *from, int64_t count, float inverse, float zero);
  /// scale * (from - zero).
  void (*dequantizeUInt8)(float *to, const uint8_t *from, int64_t count, float scale, int32_t zero);
  void (*dequantizeInt8)(float *to, const int8_t *from, int64_t count, float scale, int32_t zero);
  /// Rows whose elements are channels, each with a bias and a factor. Rows of `to` and of `sums`, which are int32 or
  /// floats, begin so many elements behind the rows before.
  void (*requantizeRows)(uint8_t *to, int64_t toStep, const void *sums, int64_t sumsStep, const float *bias,
                         const float *factors, int64_t rows, int64_t channels, Requantization how);
  /// Rows of sums * factors + bias, at least zero when `relu`; a null bias is none.
  void (*scaleRows)(float *to, int64_t toStep, const int32_t *sums, int64_t sumsStep, const float *factors,
                    const float *bias, int64_t rows, int64_t channels, bool relu);
  void (*scaleFloatRows)(float *to, int64_t toStep, const float *sums, int64_t sumsStep, const float *factors,
                         const float *bias, int64_t rows, int64_t channels, bool relu);
  /// Lowers `least` and raises `greatest` to the bounds of a row, NaN left out.
  void (*bounds)(const float *from, int64_t count, float &least, float &greatest);
  /// The sum (or product) of two rows of numbers, at least zero when `relu`, as integers again.
  void (*combineUInt8)(uint8_t *to, const uint8_t *a, const uint8_t *b, int64_t count, const PairScales &scales);
  /// scale * from + (-zero * scale), rounded once.
  void (*expandUInt8)(float *to, const uint8_t *from, int64_t count, float scale, int32_t zero);
  /// to[3 * i], to[3 * i + 1], to[3 * i + 2] = a[i], b[i], c[i].
  void (*interleavePlanes)(uint8_t *to, const uint8_t *a, const uint8_t *b, const uint8_t *c, int64_t count);
};
/// Returns the kernels for the best instruction set that the processor has.
const Kernels &kernels();

} // namespace tsc::cpu::quantized

#endif
