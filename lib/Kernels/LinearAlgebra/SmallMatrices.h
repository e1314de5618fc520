//===- SmallMatrices.h - Many small matrices side by side -------*- C++ -*-===//
//
// Factors of as many small matrices as a vector has doubles, each in a lane of its own, for
// every instruction set (SimdSmallMatrices.cpp): a small matrix alone is nothing but calls
// and branches.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_KERNELS_LINEARALGEBRA_SMALLMATRICES_H
#define TSC_LIB_KERNELS_LINEARALGEBRA_SMALLMATRICES_H

#include "tsc/Support/Status.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <array>
#include <cstddef>
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
  /// The lower factor in place, zeros above it; an info is 0, or the order of the first leading minor that is not
  /// positive.
  void (*cholesky)(double *a, double *info, int64_t n);
  /// R in place, below it zeros, and q's first `k` columns, where q is not null. Where a sum of squares is no moderate
  /// number, isOdd is 1 and the rest means nothing.
  void (*qr)(double *a, double *q, double *isOdd, int64_t rows, int64_t columns, int64_t k);
  /// The exponential: its Taylor series at a 2^-s, squared s times, with a number s for each matrix.
  void (*exponential)(const double *a, const double *squarings, double *out, int64_t n);
};
/// Returns the kernels for the best instruction set that the processor has.
const SmallKernels &smallKernels();

/// Whether matrices of a batch go side by side.
bool areManySmall(int64_t rows, int64_t columns, int64_t count);

// What follows takes matrices for which that holds. It fails with work::stopped() where the call is to end before the
// last matrix; some results are not set then.

/// Factors `count` row-major square matrices of n rows into `lu`, the triangles L and U in one; pivots count from 1, as
/// LAPACK's. An info is 0, or the number (from 1) of the first zero on U's diagonal.
Status factorManySmall(const double *a, int64_t n, int64_t count, bool pivot, double *lu, int32_t *pivots,
                       int32_t *info);
/// x = a^-1 b for b of n rows; null: the inverses.
Status solveManySmall(const double *lu, const int32_t *pivots, const double *b, double *x, int64_t n, int64_t columns,
                      int64_t count);

/// Finds the lower Cholesky factors of `count` row-major square matrices of n rows, whose lower triangles count. Calls
/// `other` with the number of each that has no factor: what is left of it shows, and does not mean the same here.
Status choleskyManySmall(const double *a, int64_t n, int64_t count, double *lower, int32_t *info,
                         llvm::function_ref<Status(int64_t)> other);
/// q of `k` columns, or null, and the first k rows of r. Calls `other` with the number of each matrix that is left out.
Status qrManySmall(const double *a, int64_t rows, int64_t columns, int64_t k, int64_t count, double *q, double *r,
                   llvm::function_ref<Status(int64_t)> other);
/// 1 / k!, of the series of the exponential up to the 15th power: a polynomial in the fourth power, whose coefficients
/// are polynomials of the third degree (as Paterson and Stockmeyer have it).
constexpr auto exponentialCoefficients = [] {
  std::array<double, 16> coefficients = {1};
  for (size_t k = 1; k != coefficients.size(); ++k)
    coefficients[k] = coefficients[k - 1] / static_cast<double>(k);
  return coefficients;
}();
/// How often a matrix of this norm is halved before the series of its exponential is taken, and that is squared.
int squaringsFor(double norm);
/// Writes the exponentials of `count` row-major square matrices of n rows to `out`.
Status exponentialManySmall(const double *a, int64_t n, int64_t count, double *out);

} // namespace tsc::cpu::linalg

#endif
