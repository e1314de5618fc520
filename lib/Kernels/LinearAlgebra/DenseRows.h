//===- DenseRows.h - Rows that factorizations combine -----------*- C++ -*-===//
//
// The inner loops of QR, LU, singular values and eigenvalues on rows of doubles and of
// complex numbers, for every instruction set (SimdDenseRows.cpp). Rows are `step`
// elements apart.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_KERNELS_LINEARALGEBRA_DENSEROWS_H
#define TSC_LIB_KERNELS_LINEARALGEBRA_DENSEROWS_H

#include <complex>
#include <cstdint>

namespace tsc::cpu::linalg {

/// How many reflections go over rows as one.
constexpr int64_t joinedReflections = 4;

/// Between them, a sum of squares has neither overflown nor lost what counts. That of a Householder vector is above the
/// lower bound without its first element, and below the upper one with it.
constexpr double leastModerate = 1e-280, mostModerate = 1e280;

/// The loops of decompositions over rows of doubles and of complex numbers, compiled for every instruction set
/// (SimdDenseRows.cpp). Rows are `step` doubles apart.
struct RowKernels {
  /// x -= tau (x . v) v for each of `count` rows x of n elements.
  void (*reflect)(double *rows, int64_t step, int64_t count, const double *v, double tau, int64_t n);
  /// x -= the sum over i of v_i times the sum over k of factors[i * joinedReflections + k] (x . v_k), for each of
  /// `count` rows x of n elements; the v are rows of their own.
  void (*reflectTogether)(double *rows, int64_t step, int64_t count, const double *vectors, int64_t vectorStep,
                          const double *factors, int64_t n);
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
  /// row -= the sum of factors[i] other row i
  void (*subtractRows)(double *row, const double *others, int64_t step, const double *factors, int64_t count,
                       int64_t n);
  /// sum += the sum of squares[i] / (offsets[i] - x), and slope += that of squares[i] / (offsets[i] - x)^2.
  void (*poles)(const double *offsets, const double *squares, double x, int64_t n, double *sum, double *slope);
  // Of complex numbers, which are pairs of doubles: steps and n count doubles. Products with the v of reflections are
  // with their conjugates; elsewhere nothing is conjugated.
  void (*reflectComplexTogether)(double *rows, int64_t step, int64_t count, const double *vectors, int64_t vectorStep,
                                 const double *factors, int64_t n);
  void (*multiplyComplex)(const double *rows, int64_t step, int64_t count, const double *v, double *out, int64_t n);
  void (*subtractComplexOuter)(double *rows, int64_t step, int64_t count, const double *factors, const double *other,
                               int64_t n);
  void (*subtractComplexRows)(double *row, const double *others, int64_t step, const double *factors, int64_t count,
                              int64_t n);
};
/// Returns the kernels for the best instruction set that the processor has.
const RowKernels &rowKernels();

// For code that is written once for both kinds of elements; steps and n count elements.

inline double *parts(double *x) { return x; }
inline const double *parts(const double *x) { return x; }
inline double *parts(std::complex<double> *x) { return reinterpret_cast<double *>(x); }
inline const double *parts(const std::complex<double> *x) { return reinterpret_cast<const double *>(x); }

/// out[i] = row i . v
inline void multiplyRows(const double *rows, int64_t step, int64_t count, const double *v, double *out, int64_t n) {
  rowKernels().multiply(rows, step, count, v, out, n);
}
inline void multiplyRows(const std::complex<double> *rows, int64_t step, int64_t count, const std::complex<double> *v,
                         std::complex<double> *out, int64_t n) {
  rowKernels().multiplyComplex(parts(rows), 2 * step, count, parts(v), parts(out), 2 * n);
}
/// row i -= factors[i] other
inline void subtractOuter(double *rows, int64_t step, int64_t count, const double *factors, const double *other,
                          int64_t n) {
  rowKernels().subtractOuter(rows, step, count, factors, other, n);
}
inline void subtractOuter(std::complex<double> *rows, int64_t step, int64_t count, const std::complex<double> *factors,
                          const std::complex<double> *other, int64_t n) {
  rowKernels().subtractComplexOuter(parts(rows), 2 * step, count, parts(factors), parts(other), 2 * n);
}
/// row -= the sum of factors[i] other row i
inline void subtractRows(double *row, const double *others, int64_t step, const double *factors, int64_t count,
                         int64_t n) {
  rowKernels().subtractRows(row, others, step, factors, count, n);
}
inline void subtractRows(std::complex<double> *row, const std::complex<double> *others, int64_t step,
                         const std::complex<double> *factors, int64_t count, int64_t n) {
  rowKernels().subtractComplexRows(parts(row), parts(others), 2 * step, parts(factors), count, 2 * n);
}

} // namespace tsc::cpu::linalg

#endif
