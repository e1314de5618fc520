//===- Bidiagonal.h - Singular values of bidiagonal matrices ----*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_BIDIAGONAL_H
#define TSC_LIB_KERNELS_BIDIAGONAL_H

#include "Decompose.h"
#include "DenseRows.h"
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
  enum class Order { Rising, Falling };
  /// Rotates rows k and k + 1 for `count` k from `row` on, or k and k - 1 from there down, one after the other:
  /// (x, y) <- (c x + s y, c y - s x).
  void add(int64_t row, Order order, const double *c, const double *s, int64_t count);
  void flush();

private:
  struct Sweep {
    int64_t row, count;
    Order order;
    size_t begin; ///< Of its cosines and sines.
  };
  const VectorRows rows;
  std::vector<Sweep> sweeps;
  std::vector<double> cosines, sines;
};

/// Of an upper bidiagonal matrix U^T B V: `diagonal` becomes the singular values, falling, and row i of u and v, which
/// come as what the matrix was multiplied by, the vectors of value i. False: no convergence.
bool diagonalize(Elements<double> &diagonal, Elements<double> &above, Precision precision, VectorRows u, VectorRows v);

} // namespace tsc::cpu::linalg

#endif
