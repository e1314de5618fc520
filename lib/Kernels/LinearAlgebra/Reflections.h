//===- Reflections.h - Householder reflections ------------------*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_LINEARALGEBRA_REFLECTIONS_H
#define TSC_LIB_KERNELS_LINEARALGEBRA_REFLECTIONS_H

#include "Decompose.h"

namespace tsc::cpu::linalg {

/// Vectors v of reflections 1 - tau v v^H, one in a row, with the leading ones that LAPACK leaves out.
template <typename T> struct ReflectionsOf {
  Matrix<T> vectors; ///< Row k: zeros up to its first element, which is 1.
  Elements<T> taus;
};
/// Reflections of real vectors.
using Reflections = ReflectionsOf<double>;

/// Takes a vector of n elements, at least one, to (beta, 0, …), which is returned; x becomes v.
double makeReflection(double *x, int64_t n, double &tau);

/// Makes a reflection of complex numbers: 1 - tau v v^H, whose adjoint takes the vector to (beta, 0, …) with a real
/// beta.
double makeReflection(std::complex<double> *x, int64_t n, std::complex<double> &tau);

/// x <- (1 - tau v v^H) x for each of `count` rows x of n elements, `step` elements apart.
void reflectRows(double *rows, int64_t step, int64_t count, const double *v, double tau, int64_t n);
void reflectRows(std::complex<double> *rows, int64_t step, int64_t count, const std::complex<double> *v,
                 std::complex<double> tau, int64_t n);

/// QR of the matrix whose columns are the rows of `columns`: they become those of R, zeros below the diagonal left out
/// of account, and the reflections whose product is Q are returned.
template <typename T> ReflectionsOf<T> reflectColumns(Matrix<T> &columns);

/// What is known of the rows that reflections are applied to.
enum class RowsAre { Any, Identity };
/// Whether the product of reflections is applied, or its adjoint.
enum class Side { Product, Adjoint };
/// x <- H(0) H(1) … x for each row x of `rows`, or its adjoint; reflection k touches elements from k + `shift` on, of
/// as many as a row has. Of the identity the rows before that are left alone, which nothing would change.
template <typename T>
void applyReflections(const ReflectionsOf<T> &reflections, int64_t shift, Matrix<T> &rows, RowsAre rowsAre,
                      Side side = Side::Product);

/// The transpose of a matrix; nothing is conjugated.
Matrix<double> transposed(const Matrix<double> &a);
Matrix<std::complex<double>> transposed(const Matrix<std::complex<double>> &a);

} // namespace tsc::cpu::linalg

#endif
