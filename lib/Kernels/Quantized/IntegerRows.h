//===- IntegerRows.h - Products of rows of small integers -------*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_QUANTIZED_INTEGERROWS_H
#define TSC_LIB_KERNELS_QUANTIZED_INTEGERROWS_H

#include <cstdint>

namespace tsc::cpu::quantized {

/// Kernels for exact sums of products of small integers, for every instruction set (SimdIntegers.cpp). An input of
/// uint8 less its zero point, which lies between -255 and 255, is held in a word of 16 bits. Pairs of products of words
/// are added to sums of 32 bits.
struct IntegerKernels {
  int64_t tileRows;     ///< The rows that a tile of sums has; blocks of rows are best multiples of it.
  int64_t panelColumns; ///< The columns of a panel of the weight.
  /// Writes to[i] = from[i] - zero, for i < count.
  void (*widen)(int16_t *to, const uint8_t *from, int64_t count, int32_t zero);
  /// Writes sums[row * sumsStep + column], the sum of rows[row * rowsStep + k] * panel[k / 2][column][k % 2] over
  /// k < 2 * pairs, or adds it to what is there where `add` says so. The panel has panelColumns columns, of which the
  /// first numColumns are stored.
  void (*multiply)(int32_t *sums, int64_t sumsStep, const int16_t *rows, int64_t rowsStep, const int8_t *panel,
                   int64_t pairs, int64_t numRows, int64_t numColumns, bool add);
  /// Writes sums[c], which is start[c] and the sum of taps[t][c] * weights[t / 2][c][t % 2] over t < 2 * pairs.
  void (*multiplyChannels)(int32_t *sums, const int32_t *start, const uint8_t *const *taps, const int16_t *weights,
                           int64_t pairs, int64_t channels);
};
/// Returns the kernels for the best instruction set that the process uses.
const IntegerKernels &integerKernels();

} // namespace tsc::cpu::quantized

#endif
