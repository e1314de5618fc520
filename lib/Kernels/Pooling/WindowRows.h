//===- WindowRows.h - Rows of pooled windows --------------------*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_POOLING_WINDOWROWS_H
#define TSC_LIB_KERNELS_POOLING_WINDOWROWS_H

#include <cstdint>

namespace tsc::cpu::windows {

/// What one place of every window of a row adds to its results: row[i] and from[i * step], for every instruction set
/// (SimdWindows.cpp). T is float or double.
template <typename T> struct Kernels {
  void (*largest)(T *row, const T *from, int64_t step, int64_t count); ///< The larger; NaN where one is.
  void (*sum)(T *row, const T *from, int64_t step, int64_t count);
};
/// Returns the kernels for the best instruction set that the processor has.
template <typename T> const Kernels<T> &kernels();

/// What `count` rows make of each of n columns; row k begins at from + offsets[k]. T is float or double.
template <typename T> struct RowFolds {
  /// The largest, NaN where one is; minus infinity of no rows.
  void (*largest)(T *out, const T *from, const int64_t *offsets, int64_t count, int64_t n);
  /// The sum, in the order of the rows; times `weights` where there are any.
  void (*sum)(T *out, const T *from, const int64_t *offsets, const T *weights, int64_t count, int64_t n);
};
/// Returns the folds of rows for the best instruction set that the processor has.
template <typename T> const RowFolds<T> &rowFolds();

/// c[m, n] += a[m, k] * b[k, n] of integers that wrap; the rows of b and c are contiguous.
void multiplyIntegers(int64_t m, int64_t n, int64_t k, const int64_t *a, int64_t aRow, int64_t aColumn,
                      const int64_t *b, int64_t bRow, int64_t *c, int64_t cRow);

} // namespace tsc::cpu::windows

#endif
