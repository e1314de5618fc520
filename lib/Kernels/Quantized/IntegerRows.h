//===- IntegerRows.h - Products of rows of small integers -------*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_QUANTIZED_INTEGERROWS_H
#define TSC_LIB_KERNELS_QUANTIZED_INTEGERROWS_H

#include <cstdint>

namespace tsc::cpu::quantized {

/// Kernels for exact sums of products of small integers, for every instruction set (SimdIntegers.cpp).
///
/// A panel holds the weights of `panelColumns` columns as [quad][column][4]: four products of the depth at a time. Rows
/// have 4 * quads integers, and row r begins at rows[r * rowsStep]. Sums are dense, [row][column], and begin with
/// start[column].
struct IntegerKernels {
  int64_t tileRows;     ///< The rows that a tile of sums has; blocks of rows are best multiples of it.
  int64_t panelColumns; ///< The columns of a panel of the weight.
  /// Multiplies rows of bytes. Pairs of products are added in 16 bits. `splits` are the quads, in order, that have a
  /// pair whose sum these may not hold, for which products are added singly; behind them it has `quads`. Bytes of up to
  /// 127 need none. Null where no instruction adds products of bytes in pairs, as the next two are.
  void (*multiplyBytes)(int32_t *sums, const uint8_t *rows, int64_t rowsStep, const int8_t *panel,
                        const int32_t *splits, int64_t quads, int64_t numRows, const int32_t *start);
  /// Adds to a row of sums a factor times the weights of a panel's quad at `place`, 0 to 3.
  void (*addProducts)(int32_t *sums, const int8_t *quad, int place, int32_t factor);
  /// Returns the index of the first byte of more than 127, or `count`.
  int64_t (*findAbove127)(const uint8_t *from, int64_t count);
  /// Multiplies rows of words of 16 bits.
  void (*multiplyWords)(int32_t *sums, const int16_t *rows, int64_t rowsStep, const int8_t *panel, int64_t quads,
                        int64_t numRows, const int32_t *start);
  /// Multiplies rows of words, 2 * pairs each, with a panel of words: [pair][column][2]. Sums begin with 0. Null, as
  /// the next two are, where vectors are loops.
  void (*multiplyWide)(int32_t *sums, const int16_t *rows, int64_t rowsStep, const int16_t *panel, int64_t pairs,
                       int64_t numRows);
  /// Transforms 4 x 4 pixels for Winograd's method: writes to[position * step + channel] for 16 positions. Channels are
  /// at least `panelColumns`.
  void (*transformPixels)(int16_t *to, int64_t step, const uint8_t *const *pixels, int64_t channels);
  /// Transforms sums of 16 positions, of a panel's columns each, back to those of 2 x 2 pixels. The sums of a pixel are
  /// divided by 4 and get `start` added; the second row of pixels begins `rowStep` sums behind the first.
  void (*transformSums)(int32_t *to, int64_t rowStep, const int32_t *from, int64_t step, const int32_t *start);
  /// Writes sums[c], which is start[c] and the sum of taps[t][shift + c] * weights[t / 2][c][t % 2] over t < 2 * pairs.
  void (*multiplyChannels)(int32_t *sums, const int32_t *start, const uint8_t *const *taps, int64_t shift,
                           const int16_t *weights, int64_t pairs, int64_t channels);
};
/// Returns the kernels for the best instruction set that the process uses.
const IntegerKernels &integerKernels();

} // namespace tsc::cpu::quantized

#endif
