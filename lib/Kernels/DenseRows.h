//===- DenseRows.h - Rows that factorizations combine -----------*- C++ -*-===//
//
// The inner loops of QR, LU, singular values and eigenvalues on rows of doubles, for
// every instruction set (SimdDenseRows.cpp). Rows are `step` elements apart.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_KERNELS_DENSEROWS_H
#define TSC_LIB_KERNELS_DENSEROWS_H

#include <cstdint>

namespace tsc::cpu::linalg {

struct RowKernels {
  /// x -= tau (x . v) v for each of `count` rows x of n elements.
  void (*reflect)(double *rows, int64_t step, int64_t count, const double *v, double tau, int64_t n);
  /// Rotates rows k and k + 1 by cosines[k] and sines[k] for k from 0 to count - 1, one after the other:
  /// (x, y) <- (c x + s y, c y - s x).
  void (*rotate)(double *rows, int64_t step, const double *cosines, const double *sines, int64_t count, int64_t n);
  /// row i -= u[i] y + x[i] v, and then sum += w[i] row i.
  void (*updateTwice)(double *rows, int64_t step, int64_t count, const double *u, const double *y, const double *x,
                      const double *v, const double *w, double *sum, int64_t n);
  /// out[i] = row i . v
  void (*multiply)(const double *rows, int64_t step, int64_t count, const double *v, double *out, int64_t n);
  /// row i -= factors[i] other
  void (*subtractOuter)(double *rows, int64_t step, int64_t count, const double *factors, const double *other,
                        int64_t n);
  /// Where the first of the largest absolute values stands, NaN being none; n is not 0.
  int64_t (*largest)(const double *x, int64_t n);
};
const RowKernels &rowKernels();

} // namespace tsc::cpu::linalg

#endif
