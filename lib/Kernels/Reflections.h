//===- Reflections.h - Householder reflections of real vectors --*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_REFLECTIONS_H
#define TSC_LIB_KERNELS_REFLECTIONS_H

#include "Decompose.h"

namespace tsc::cpu::linalg {

/// Vectors v of reflections 1 - tau v v^T, one in a row, with the leading ones that LAPACK leaves out.
struct Reflections {
  Matrix<double> vectors; ///< Row k: zeros up to its first element, which is 1.
  Elements<double> taus;
};

/// Takes a vector of n elements to (beta, 0, …), which is returned; x becomes v.
double makeReflection(double *x, int64_t n, double &tau);

/// QR of the matrix whose columns are the rows of `columns`: they become those of R, zeros below the diagonal left out
/// of account, and the reflections whose product is Q are returned.
Reflections reflectColumns(Matrix<double> &columns);

enum class RowsAre { Any, Identity };
/// x <- H(0) H(1) … x for each row x of `rows`; reflection k touches elements from k + `shift` on. Of the identity the
/// rows before that are left alone, which nothing would change.
void applyReflections(const Reflections &reflections, int64_t shift, Matrix<double> &rows, RowsAre rowsAre);

/// The transpose of a matrix, in blocks.
Matrix<double> transposed(const Matrix<double> &a);

} // namespace tsc::cpu::linalg

#endif
