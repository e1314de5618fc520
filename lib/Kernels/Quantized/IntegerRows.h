//===- IntegerRows.h - Products of rows of small integers -------*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_QUANTIZED_INTEGERROWS_H
#define TSC_LIB_KERNELS_QUANTIZED_INTEGERROWS_H

#include <cstdint>

namespace tsc::cpu::quantized {

/// Exact sums of products of integers, for every instruction set (SimdIntegers.cpp). Products are added two by two: of
/// integers of 16 bits, which an input less its zero point needs nine of, to sums of 32 bits.
struct IntegerKernels {
  int64_t tileRows, panelColumns;
  /// to = from - zero.
  void (*widen)(int16_t *to, const uint8_t *from, int64_t count, int32_t zero);
  /// sums[row * sumsStep + column] = rows[row * rowsStep + k] * panel[k / 2][column][k % 2], added up over k < 2 *
  /// pairs, to what is there where `add`. The panel has panelColumns columns, of which so many are stored.
  void (*multiply)(int32_t *sums, int64_t sumsStep, const int16_t *rows, int64_t rowsStep, const int8_t *panel,
                   int64_t pairs, int64_t numRows, int64_t numColumns, bool add);
  /// sums[c] = start[c] + taps[t][c] * weights[t / 2][c][t % 2], added up over t < 2 * pairs.
  void (*multiplyChannels)(int32_t *sums, const int32_t *start, const uint8_t *const *taps, const int16_t *weights,
                           int64_t pairs, int64_t channels);
};
/// Returns the kernels for the best instruction set that the process uses.
const IntegerKernels &integerKernels();

} // namespace tsc::cpu::quantized

#endif
