//===- Hessenberg.h - Matrices before eigenvalues are sought ----*- C++ -*-===//
//
// Balanced, and by reflections zero below the first subdiagonal.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_KERNELS_LINEARALGEBRA_HESSENBERG_H
#define TSC_LIB_KERNELS_LINEARALGEBRA_HESSENBERG_H

#include "DenseRows.h"
#include "Reflections.h"
#include "Scaling.h"
#include "tsc/Support/WorkMeter.h"
#include <cmath>
#include <utility>

namespace tsc::cpu::linalg {

/// Rows and columns exchanged, so that eigenvalues which stand alone are outside, and those between them scaled, so
/// that a row is about as long as its column.
template <typename T> class Balance {
public:
  explicit Balance(Matrix<T> &a) : a(a), scales(a.rows, 1.0) {
    end = a.rows;
    while (isolate(/*isRow=*/true))
      ;
    while (isolate(/*isRow=*/false))
      ;
    while (scaleOnce())
      ;
  }

  /// Turns the columns of q from vectors of the balanced matrix into those of the given one.
  void undo(Matrix<T> &q) const {
    for (int64_t i = 0; i != q.rows; ++i)
      for (int64_t j = 0; j != q.columns; ++j)
        q(i, j) *= scales[i];
    for (size_t k = exchanges.size(); k-- != 0;)
      exchangeRows(q, exchanges[k].first, exchanges[k].second);
  }

private:
  static void exchangeRows(Matrix<T> &x, int64_t i, int64_t j) {
    for (int64_t c = 0; c != x.columns && i != j; ++c)
      std::swap(x(i, c), x(j, c));
  }

  /// Moves a row that has zeros beside the diagonal to the end, or such a column to the beginning.
  bool isolate(bool isRow) {
    for (int64_t step = begin; step < end; ++step) {
      if (work::wasStopped())
        return false;
      const int64_t j = isRow ? end - 1 - (step - begin) : step;
      bool isAlone = true;
      for (int64_t i = begin; i < end; ++i)
        isAlone &= i == j || (isRow ? a(j, i) : a(i, j)) == T(0);
      if (!isAlone)
        continue;
      const int64_t to = isRow ? --end : begin++;
      exchangeRows(a, j, to);
      for (int64_t r = 0; r != a.rows && j != to; ++r)
        std::swap(a(r, j), a(r, to));
      exchanges.push_back({j, to});
      return begin < end;
    }
    return false;
  }

  bool scaleOnce() {
    bool changes = false;
    for (int64_t i = begin; i < end; ++i) {
      if (work::wasStopped())
        return false;
      double column = 0, row = 0;
      for (int64_t j = begin; j < end; ++j) {
        column += std::norm(a(j, i));
        row += std::norm(a(i, j));
      }
      column = std::sqrt(column);
      row = std::sqrt(row);
      if (column == 0 || row == 0 || !std::isfinite(column + row))
        continue;
      const double sum = column + row;
      double factor = 1;
      for (; column < row / 2 && factor < 0x1p500; factor *= 2)
        column *= 2, row /= 2;
      for (; column / 2 >= row && factor > 0x1p-500; factor /= 2)
        column /= 2, row *= 2;
      if (column + row >= 0.95 * sum)
        continue;
      changes = true;
      scales[i] *= factor;
      for (int64_t j = begin; j != a.columns; ++j)
        a(i, j) /= factor;
      for (int64_t j = 0; j != end; ++j)
        a(j, i) *= factor;
    }
    return changes;
  }

  Matrix<T> &a;
  std::vector<double> scales;
  std::vector<std::pair<int64_t, int64_t>> exchanges;
  int64_t begin = 0, end = 0; ///< What is not alone.
};

/// Reduces a real square matrix to Hessenberg form by reflections, with SIMD kernels. `qt`, the identity or null,
/// becomes the transpose of their product.
inline void toHessenberg(Matrix<double> &h, Matrix<double> *qt) {
  const int64_t n = h.rows;
  const RowKernels &kernels = rowKernels();
  Reflections reflections{Matrix<double>(std::max<int64_t>(n - 2, 0), n),
                          Elements<double>(std::max<int64_t>(n - 2, 0), 0)};
  const Elements<double> zeros(n, 0);
  Elements<double> sum(n, 0), factors(n, 0);
  for (int64_t k = 0; k + 2 < n && !work::wasStopped(); ++k) {
    const int64_t rest = n - k - 1;
    double *const v = &reflections.vectors(k, k + 1), &tau = reflections.taus[k];
    for (int64_t i = 0; i != rest; ++i)
      v[i] = h(k + 1 + i, k);
    h(k + 1, k) = makeReflection(v, rest, tau);
    for (int64_t i = k + 2; i < n; ++i)
      h(i, k) = 0;
    if (tau == 0)
      continue;
    std::fill_n(sum.data(), rest, 0.0);
    kernels.updateTwice(&h(k + 1, k + 1), n, rest, zeros.data(), zeros.data(), zeros.data(), zeros.data(), v,
                        sum.data(), rest);
    for (int64_t i = 0; i != rest; ++i)
      factors[i] = tau * v[i];
    kernels.subtractOuter(&h(k + 1, k + 1), n, rest, factors.data(), sum.data(), rest);
    kernels.reflect(&h(0, k + 1), n, n, v, tau, rest);
  }
  if (!qt)
    return;
  // Rows of the transpose are columns of H(0) H(1) ….
  applyReflections(reflections, 1, *qt, RowsAre::Identity);
}

/// Reduces to Hessenberg form by reflections, accumulated in q.
template <typename T> void toHessenberg(Matrix<T> &h, Matrix<T> &q) {
  int64_t n = h.rows;
  std::vector<T> v(n);
  for (int64_t k = 0; k + 2 < n && !work::wasStopped(); ++k) {
    double below = 0;
    for (int64_t i = k + 2; i < n; ++i)
      below += std::norm(h(i, k));
    if (below == 0)
      continue;
    T first = h(k + 1, k), phase = first == T(0) ? T(1) : first / std::abs(first);
    const double size = std::sqrt(below + std::norm(first));
    double norm = 0;
    for (int64_t i = k + 1; i < n; ++i) {
      v[i] = h(i, k) + (i == k + 1 ? phase * size : T(0));
      norm += std::norm(v[i]);
    }
    auto reflectColumns = [&](Matrix<T> &x) { // x <- x (I - 2 v v^H / norm)
      for (int64_t i = 0; i < n; ++i) {
        T dot = 0;
        for (int64_t j = k + 1; j < n; ++j)
          dot += x(i, j) * v[j];
        dot *= 2 / norm;
        for (int64_t j = k + 1; j < n; ++j)
          x(i, j) -= dot * conjugate(v[j]);
      }
    };
    for (int64_t j = 0; j < n && !work::wasStopped(); ++j) {
      T dot = 0;
      for (int64_t i = k + 1; i < n; ++i)
        dot += conjugate(v[i]) * h(i, j);
      dot *= 2 / norm;
      for (int64_t i = k + 1; i < n; ++i)
        h(i, j) -= dot * v[i];
    }
    for (int64_t i = k + 2; i < n; ++i)
      h(i, k) = 0;
    reflectColumns(h);
    reflectColumns(q);
  }
}

} // namespace tsc::cpu::linalg

#endif
