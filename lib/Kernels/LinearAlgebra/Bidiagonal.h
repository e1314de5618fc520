//===- Bidiagonal.h - Singular values of bidiagonal matrices ----*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_LINEARALGEBRA_BIDIAGONAL_H
#define TSC_LIB_KERNELS_LINEARALGEBRA_BIDIAGONAL_H

#include "Decompose.h"
#include "DenseRows.h"
#include "Reflections.h"
#include <vector>

namespace tsc::cpu::linalg {

/// Rows of so many doubles; none where that is 0. Complex numbers are two.
struct VectorRows {
  double *first = nullptr;
  int64_t length = 0;
};
template <typename T> VectorRows rowsOf(Matrix<T> &rows) {
  return {parts(rows.data.data()), static_cast<int64_t>(sizeof(T) / sizeof(double)) * rows.columns};
}

/// Rotations of neighbouring rows, which wait until there are enough to go over a strip of columns while it is in the
/// cache.
class RotationQueue {
public:
  explicit RotationQueue(VectorRows rows) : rows(rows) {}
  /// The direction in which the rows of a sweep follow each other.
  enum class Order { Rising, Falling };
  /// Rotates rows k and k + 1 for `count` k from `row` on, or k and k - 1 from there down, one after the other:
  /// (x, y) <- (c x + s y, c y - s x).
  void add(int64_t row, Order order, const double *c, const double *s, int64_t count);
  /// Applies the rotations that wait. To be called before anyone reads the rows.
  void flush();

private:
  struct Sweep {
    int64_t row, count;
    Order order;
    size_t begin; ///< Where its cosines and sines begin.
  };
  const VectorRows rows;
  std::vector<Sweep> sweeps;
  std::vector<double> cosines, sines;
};

/// Finds the singular values of an upper bidiagonal matrix U^T B V: `diagonal` becomes the values, falling, and row i
/// of u and v, which come as what the matrix was multiplied by, the vectors of value i. Returns false where there is no
/// convergence, or the call is to end.
bool diagonalize(Elements<double> &diagonal, Elements<double> &above, Precision precision, VectorRows u, VectorRows v);

/// A matrix with at least as many rows as columns as U B V^H, with B upper bidiagonal and real.
template <typename T> struct BidiagonalOf {
  Elements<double> diagonal, above;
  /// Reflections whose products are U and V; the right one with number k touches elements from k + 1 on.
  ReflectionsOf<T> left, right;
};

/// The singular values of a matrix of so many rows, and where vectors are wanted the columns of u and v, as rows of
/// `ut` and `vt`. False: no convergence, or the call is to end.
template <typename T>
bool decompose(BidiagonalOf<T> b, int64_t rows, Precision precision, Vectors vectors, Matrix<T> &ut, Matrix<T> &vt,
               std::vector<double> &s) {
  const auto n = static_cast<int64_t>(b.diagonal.size());
  assert(rows >= n && "at least as many rows as columns");
  if (vectors == Vectors::Wanted) {
    ut = Matrix<T>(n, rows);
    for (int64_t i = 0; i != n; ++i)
      ut(i, i) = 1;
    vt = Matrix<T>::identity(n);
    applyReflections(b.left, 0, ut, RowsAre::Identity);
    applyReflections(b.right, 1, vt, RowsAre::Identity);
  }
  if (!diagonalize(b.diagonal, b.above, precision, rowsOf(ut), rowsOf(vt)))
    return false;
  s.assign(b.diagonal.begin(), b.diagonal.end());
  return true;
}

} // namespace tsc::cpu::linalg

#endif
