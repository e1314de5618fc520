//===- Decompose.h - Factorizations of one dense matrix ---------*- C++ -*-===//
//
// Row-major matrices of double or complex<double>; other element types are
// converted by the callers. Signs and the meaning of `info` follow LAPACK.
//
// A factorization asks for each column, row or step whether its call is to end
// (work::wasStopped), and then returns at once. What it returns has the right shapes,
// and means nothing: the caller gives work::stopped() in its place (LinalgBatch.h).
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_KERNELS_LINEARALGEBRA_DECOMPOSE_H
#define TSC_LIB_KERNELS_LINEARALGEBRA_DECOMPOSE_H

#include "Elements.h"
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <vector>

namespace tsc::cpu::linalg {

inline double conjugate(double x) { return x; }
inline std::complex<double> conjugate(std::complex<double> x) { return std::conj(x); }
inline double realPart(double x) { return x; }
inline double realPart(std::complex<double> x) { return x.real(); }
/// How large a number is where it is only compared: the sum of its parts' absolute values.
inline double sizeOf(double x) { return std::fabs(x); }
inline double sizeOf(std::complex<double> x) { return std::fabs(x.real()) + std::fabs(x.imag()); }
inline double squared(double x) { return x * x; }
inline double squared(std::complex<double> x) { return std::norm(x); }

/// A matrix that owns its elements.
template <typename T> struct Matrix {
  int64_t rows = 0, columns = 0;
  Elements<T> data;
  Matrix() = default;
  Matrix(int64_t rows, int64_t columns) : rows(rows), columns(columns), data(rows * columns, T(0)) {}
  T &operator()(int64_t i, int64_t j) { return data[i * columns + j]; }
  const T &operator()(int64_t i, int64_t j) const { return data[i * columns + j]; }
  /// Returns a matrix whose elements have no values yet.
  static Matrix unset(int64_t rows, int64_t columns) {
    Matrix m;
    m.rows = rows, m.columns = columns;
    m.data = Elements<T>::unset(rows * columns);
    return m;
  }
  /// Returns the identity matrix of n rows.
  static Matrix identity(int64_t n);
  Matrix adjoint() const;
};
/// a b, of which a has as many columns as b has rows.
template <typename T> Matrix<T> multiply(const Matrix<T> &a, const Matrix<T> &b);

/// Whether rows are exchanged so that the largest element of a column becomes its pivot.
enum class Pivoting { Partial, None };
/// LU in place; pivots[i] is the row (from 0) that row i was exchanged with. Returns 0, or the number (from 1) of the
/// first zero on U's diagonal.
template <typename T>
int64_t luFactor(Matrix<T> &a, std::vector<int64_t> &pivots, Pivoting pivoting = Pivoting::Partial);
/// The lower Cholesky factor of a square matrix in place (the upper part becomes zero); reads the lower triangle.
/// Returns 0, or the order of the first leading minor that is not positive.
template <typename T> int64_t cholesky(Matrix<T> &a);

/// Which half of a matrix holds the elements of a triangular one; the other half is not read.
enum class Triangle { Lower, Upper };
/// Whether the diagonal is read, or is all ones.
enum class Diagonal { General, Unit };
/// b = a^-1 b for a square triangular matrix a, which has as many rows as b.
template <typename T>
void solveTriangularInPlace(const Matrix<T> &a, Triangle triangle, Diagonal diagonal, Matrix<T> &b);

/// Returns the inverse of the lower triangle of a square matrix.
template <typename T> Matrix<T> lowerInverse(const Matrix<T> &a, Diagonal diagonal);
/// Returns a^H a, where a is square and lower triangular: its upper part has to be zero.
template <typename T> Matrix<T> squareOfLower(const Matrix<T> &a);

/// Householder QR in place, LAPACK's geqrf: R above, reflectors below the diagonal.
template <typename T> void qrFactor(Matrix<T> &a, std::vector<T> &tau);
/// The first `columns` columns of the product of the reflectors in a, of which there are as many as factors.
template <typename T> Matrix<T> householderProduct(const Matrix<T> &a, const std::vector<T> &tau, int64_t columns);

/// Finds the x of least norm among those with least norm of a x - b, where a and b have equally many rows, by a
/// rank-revealing QR; directions whose pivots are at most `threshold` of the largest count as none. Returns the rank.
template <typename T> int64_t leastSquares(const Matrix<T> &a, const Matrix<T> &b, double threshold, Matrix<T> &x);

/// Solves the same problem by a QR without exchanges for a matrix whose rank is full beyond doubt; returns false for
/// others.
template <typename T> bool solveRegular(const Matrix<T> &a, const Matrix<T> &b, double threshold, Matrix<T> &x);

/// How exact the caller's elements are, and so the results.
enum class Precision { Single, Double };
/// Whether a decomposition computes its vectors, or its values alone.
enum class Vectors { Unwanted, Wanted };

/// a = q r with the first k columns of an orthogonal q, which may be unwanted, and the first k rows of r; k is at
/// most the number of rows.
template <typename T> struct Qr {
  Matrix<T> q, r;
};
template <typename T> Qr<T> qr(const Matrix<T> &a, int64_t k, Vectors vectors);

/// a = u diag(s) vh, s falling; u is rows x k, vh is k x columns with k = min(rows, columns). u and vh are empty where
/// they are not wanted. All is NaN where something in `a` is not finite.
template <typename T> struct Svd {
  Matrix<T> u, vh;
  std::vector<double> s;
};
template <typename T> Svd<T> svd(const Matrix<T> &a, Precision precision, Vectors vectors);
/// All NaN: elements are not finite, or there is no convergence.
template <typename T> Svd<T> failedSvd(const Matrix<T> &a) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const int64_t k = std::min(a.rows, a.columns);
  Svd<T> out{Matrix<T>(a.rows, k), Matrix<T>(k, a.columns), std::vector<double>(k, nan)};
  out.u.data.assign(out.u.data.size(), T(nan));
  out.vh.data.assign(out.vh.data.size(), T(nan));
  return out;
}

template <> Svd<double> svd(const Matrix<double> &a, Precision precision, Vectors vectors);
template <> Svd<std::complex<double>> svd(const Matrix<std::complex<double>> &a, Precision precision, Vectors vectors);
/// Appends orthonormal columns to u, which has at most as many as rows, until it is square.
template <typename T> Matrix<T> completeBasis(const Matrix<T> &u);

/// Eigenvalues (rising) and, where they are wanted, eigenvectors (columns) of a Hermitian matrix, given by one
/// triangle; all NaN where elements are not finite. False: no convergence.
template <typename T>
bool eigh(const Matrix<T> &a, Triangle triangle, Precision precision, Vectors wanted, std::vector<double> &values,
          Matrix<T> &vectors);
/// Appends eigenvalues, and right eigenvectors (columns of norm 1) where they are wanted, of any square matrix. False
/// when the iteration did not converge.
template <typename T>
bool eig(const Matrix<T> &a, Precision precision, Vectors wanted, std::vector<std::complex<double>> &values,
         Matrix<std::complex<double>> &vectors);

} // namespace tsc::cpu::linalg

#endif
