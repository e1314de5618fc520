//===- Tridiagonal.h - Eigenvalues of tridiagonal matrices ------*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_LINEARALGEBRA_TRIDIAGONAL_H
#define TSC_LIB_KERNELS_LINEARALGEBRA_TRIDIAGONAL_H

#include "Bidiagonal.h"
#include "Decompose.h"

namespace tsc::cpu::linalg {

/// The eigenvalues, in no order, of a symmetric matrix with these elements on and beside its diagonal, whose squares
/// are numbers. Rows, where there are any, come as columns of a q, and become the eigenvectors of q times the matrix
/// times q^H. False: no convergence, or the call is to end.
bool iterate(std::vector<double> &diagonal, std::vector<double> &off, VectorRows rows, Precision precision);

/// The largest size at which matrices are diagonalized by iteration rather than by halves, as in LAPACK.
constexpr int64_t mostIterated = 25;

/// Finds the same of a matrix with elements by divide and conquer: the eigenvalues rise, and row i of `rows` becomes
/// the vector of value i. All elements are finite.
bool divideAndConquer(std::vector<double> &diagonal, std::vector<double> &off, Precision precision,
                      Matrix<double> &rows);

} // namespace tsc::cpu::linalg

#endif
