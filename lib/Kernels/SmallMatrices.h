//===- SmallMatrices.h - Many small matrices side by side -------*- C++ -*-===//
//
// LU of as many small matrices as a vector has doubles, each in a lane of its own, for
// every instruction set (SimdSmallMatrices.cpp): a small matrix alone is nothing but calls
// and branches.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_KERNELS_SMALLMATRICES_H
#define TSC_LIB_KERNELS_SMALLMATRICES_H

#include <cstdint>

namespace tsc::cpu::linalg {

/// Larger matrices have rows that fill vectors.
constexpr int64_t mostSmallRows = 8;
constexpr int64_t mostLanes = 8;

/// Element (i, j) of all matrices stands at ((i * columns) + j) * lanes, one behind the other; so do pivots and infos,
/// which are numbers as those of luFactor (Decompose.h).
struct SmallKernels {
  int64_t lanes;
  void (*factor)(double *a, double *pivots, double *info, int64_t n, bool exchanges);
  /// b <- a^-1 b from packed factors, for n rows of b and any number of columns.
  void (*solve)(const double *lu, const double *pivots, double *b, int64_t n, int64_t columns);
};
const SmallKernels &smallKernels();

/// Whether matrices of a batch go side by side.
bool areManySmall(int64_t rows, int64_t columns, int64_t count);
/// Of `count` row-major matrices of n rows; pivots count from 1, as LAPACK's.
void factorManySmall(const double *a, int64_t n, int64_t count, bool pivot, double *lu, int32_t *pivots, int32_t *info);
/// x = a^-1 b for b of n rows; null: the inverses.
void solveManySmall(const double *lu, const int32_t *pivots, const double *b, double *x, int64_t n, int64_t columns,
                    int64_t count);

} // namespace tsc::cpu::linalg

#endif
