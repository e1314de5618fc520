//===- LeastSquares.cpp - Least squares of any rank -----------------------===//
//
// A complete orthogonal decomposition (Golub and Van Loan, "Matrix Computations",
// section 5.5): QR with columns exchanged, the largest first, finds the rank; where
// that is less than there are columns, a QR of the adjoint of what is left gives the
// solution of least norm. Columns are kept as rows of memory.
//
//===----------------------------------------------------------------------===//
#include "DenseRows.h"
#include "Reflections.h"
#include "Scaling.h"
#include "tsc/Support/WorkMeter.h"
#include <cmath>
#include <numeric>

using namespace tsc::cpu::linalg;

namespace {
/// The squared norms of what is left of each column, which a step makes smaller by what it takes; computed anew where
/// little is left of what they were.
template <typename T> class RemainingNorms {
public:
  explicit RemainingNorms(const Matrix<T> &columns) : norms(columns.rows), exact(columns.rows) {
    for (int64_t j = 0; j != columns.rows; ++j)
      norms[j] = exact[j] = squaredNorm(&columns.data.data()[j * columns.columns], columns.columns);
  }
  int64_t largestFrom(int64_t first) const {
    return std::max_element(norms.begin() + first, norms.end()) - norms.begin();
  }
  void exchange(int64_t a, int64_t b) {
    std::swap(norms[a], norms[b]);
    std::swap(exact[a], exact[b]);
  }
  /// After step `k`, which left its part of each column in its element k.
  void update(Matrix<T> &columns, int64_t k) {
    constexpr double little = 1e-8;
    for (int64_t j = k + 1; j < columns.rows; ++j) {
      norms[j] -= squared(columns(j, k));
      if (!(norms[j] > little * exact[j]))
        norms[j] = exact[j] = squaredNorm(&columns.data.data()[j * columns.columns] + k + 1, columns.columns - k - 1);
    }
  }

private:
  std::vector<double> norms, exact;
};
} // namespace

template <typename T>
int64_t tsc::cpu::linalg::leastSquares(const Matrix<T> &a, const Matrix<T> &b, double threshold, Matrix<T> &x) {
  assert(a.rows == b.rows && "a right side for each equation");
  const int64_t m = a.rows, n = a.columns, count = b.columns, most = std::min(m, n);
  Matrix<T> columns = transposed(a), right = transposed(b);
  std::vector<int64_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::vector<double> diagonal(most);
  RemainingNorms<T> norms(columns);
  int64_t rank = 0;
  for (; rank != most && !tsc::work::wasStopped(); ++rank) {
    const int64_t pivot = norms.largestFrom(rank);
    if (pivot != rank) {
      std::swap_ranges(&columns(pivot, 0), &columns(pivot, 0) + m, &columns(rank, 0));
      std::swap(order[pivot], order[rank]);
      norms.exchange(pivot, rank);
    }
    T *v = &columns(rank, rank);
    T tau;
    diagonal[rank] = makeReflection(v, m - rank, tau);
    // A first pivot that is no number counts, so that nothing of the solution is a number either.
    if (rank == 0 ? diagonal[0] == 0 : !(std::fabs(diagonal[rank]) > threshold * std::fabs(diagonal[0])))
      break;
    reflectRows(v + m, m, n - rank - 1, v, conjugate(tau), m - rank);
    reflectRows(right.data.data() + rank, m, count, v, conjugate(tau), m - rank);
    norms.update(columns, rank);
  }

  Matrix<T> solved(count, n); // a solution in each row, in the order of the exchanged columns
  for (int64_t c = 0; c != count; ++c)
    std::copy_n(right.data.data() + c * m, rank, solved.data.data() + c * n);
  Elements<T> factors(count, T(0));
  /// Divides the elements k of the solutions, and takes them times `other` from the n elements at `first`.
  auto eliminate = [&](int64_t k, double pivot, const T *other, int64_t first, int64_t length) {
    for (int64_t c = 0; c != count; ++c)
      factors.data()[c] = solved(c, k) /= pivot;
    if (length > 0 && count > 0)
      subtractOuter(solved.data.data() + first, n, count, factors.data(), other, length);
  };
  if (rank == n) {
    for (int64_t k = rank; k-- != 0 && !tsc::work::wasStopped();)
      eliminate(k, diagonal[k], &columns(k, 0), 0, k);
  } else if (rank != 0) {
    // Row i: column i of the adjoint of R's first rows, of which there are `rank`.
    Matrix<T> rows(rank, n);
    for (int64_t i = 0; i != rank; ++i) {
      rows(i, i) = diagonal[i];
      for (int64_t j = i + 1; j != n; ++j)
        rows(i, j) = conjugate(columns(j, i));
    }
    std::vector<T> taus(rank);
    for (int64_t k = 0; k != rank && !tsc::work::wasStopped(); ++k) {
      T *v = &rows(k, k);
      diagonal[k] = makeReflection(v, n - k, taus[k]);
      reflectRows(v + n, n, rank - k - 1, v, conjugate(taus[k]), n - k);
    }
    std::vector<T> below(rank);
    for (int64_t k = 0; k != rank && !tsc::work::wasStopped(); ++k) {
      for (int64_t i = k + 1; i != rank; ++i)
        below[i] = conjugate(rows(i, k));
      eliminate(k, diagonal[k], below.data() + k + 1, k + 1, rank - k - 1);
    }
    for (int64_t k = rank; k-- != 0 && !tsc::work::wasStopped();)
      reflectRows(solved.data.data() + k, n, count, &rows(k, k), taus[k], n - k);
  }
  x = Matrix<T>(n, count);
  for (int64_t j = 0; j != n; ++j)
    for (int64_t c = 0; c != count; ++c)
      x(order[j], c) = solved(c, j);
  return rank;
}

template int64_t tsc::cpu::linalg::leastSquares(const Matrix<double> &, const Matrix<double> &, double,
                                                Matrix<double> &);
template int64_t tsc::cpu::linalg::leastSquares(const Matrix<std::complex<double>> &,
                                                const Matrix<std::complex<double>> &, double,
                                                Matrix<std::complex<double>> &);
