//===- Reflections.cpp - Householder reflections --------------------------===//
//
// Columns are kept as rows of memory. A reflection goes over four of them at a time,
// and a block of reflections over four while they are in the nearest cache.
//
//===----------------------------------------------------------------------===//
#include "Reflections.h"
#include "DenseRows.h"
#include "tsc/Kernels/Copy.h"
#include <algorithm>
#include <cmath>

using namespace tsc::cpu::linalg;

using Complex = std::complex<double>;

/// Reflections that go over rows together, and rows that stay in the nearest cache meanwhile.
static constexpr int64_t blockReflections = 32, blockRows = 4;

double tsc::cpu::linalg::makeReflection(double *x, int64_t n, double &tau) {
  double squares = 0;
  rowKernels().multiply(x + 1, 0, n > 1, x + 1, &squares, n - 1);
  const double alpha = x[0];
  if (!(squares > 1e-280 && squares < 1e280)) { // what is left of squares may be nothing
    double largest = 0;
    for (int64_t i = 1; i < n; ++i)
      largest = std::max(largest, std::fabs(x[i]));
    if (largest == 0 && squares == 0) { // and not NaN
      tau = 0;
      x[0] = 1;
      return alpha;
    }
    largest = std::max(largest, std::fabs(alpha));
    const int scale = largest != 0 && std::isfinite(largest) ? std::ilogb(largest) : 0;
    if (std::abs(scale) > 400) {
      for (int64_t i = 0; i < n; ++i)
        x[i] = std::ldexp(x[i], -scale);
      return std::ldexp(makeReflection(x, n, tau), scale);
    }
  }
  const double size = std::sqrt(alpha * alpha + squares);
  const double beta = -std::copysign(size, alpha), scale = 1 / (alpha - beta);
  tau = (beta - alpha) / beta;
  x[0] = 1;
  for (int64_t i = 1; i < n; ++i)
    x[i] *= scale;
  return beta;
}

double tsc::cpu::linalg::makeReflection(Complex *x, int64_t n, Complex &tau) {
  double squares = 0;
  rowKernels().multiply(parts(x + 1), 0, n > 1, parts(x + 1), &squares, 2 * (n - 1));
  const Complex alpha = x[0];
  if (!(squares > 1e-280 && squares < 1e280)) {
    double largest = 0;
    for (const double *part = parts(x + 1); part != parts(x + n); ++part)
      largest = std::max(largest, std::fabs(*part));
    if (largest == 0 && squares == 0 && alpha.imag() == 0) {
      tau = 0;
      x[0] = 1;
      return alpha.real();
    }
    largest = std::max({largest, std::fabs(alpha.real()), std::fabs(alpha.imag())});
    const int scale = largest != 0 && std::isfinite(largest) ? std::ilogb(largest) : 0;
    if (std::abs(scale) > 400) {
      for (double *part = parts(x); part != parts(x + n); ++part)
        *part = std::ldexp(*part, -scale);
      return std::ldexp(makeReflection(x, n, tau), scale);
    }
  }
  const double beta = -std::copysign(std::sqrt(std::norm(alpha) + squares), alpha.real());
  const Complex scale = 1.0 / (alpha - beta);
  tau = {(beta - alpha.real()) / beta, -alpha.imag() / beta};
  x[0] = 1;
  for (int64_t i = 1; i < n; ++i)
    x[i] *= scale;
  return beta;
}

/// x <- (1 - tau v v^H) x for each of `count` rows x of n elements, `step` elements apart.
static void reflectRows(Complex *rows, int64_t step, int64_t count, const Complex *v, Complex tau, int64_t n) {
  if (tau == Complex(0))
    return;
  Elements<Complex> adjoint(n, 0);
  std::transform(v, v + n, adjoint.data(), [](Complex x) { return std::conj(x); });
  for (; count > 0; count -= blockRows, rows += blockRows * step) {
    const int64_t block = std::min(blockRows, count);
    Complex factors[blockRows];
    multiplyRows(rows, step, block, adjoint.data(), factors, n);
    for (Complex &factor : factors)
      factor *= tau;
    subtractOuter(rows, step, block, factors, v, n);
  }
}

Reflections tsc::cpu::linalg::reflectColumns(Matrix<double> &columns) {
  const int64_t n = columns.rows, m = columns.columns, steps = std::min(m, n);
  const RowKernels &kernels = rowKernels();
  Reflections result{Matrix<double>(steps, m), Elements<double>(steps, 0)};
  for (int64_t begin = 0; begin < steps; begin += blockReflections) {
    const int64_t end = std::min(begin + blockReflections, steps);
    for (int64_t k = begin; k != end; ++k) {
      double *v = &result.vectors(k, k);
      std::copy_n(&columns(k, k), m - k, v);
      columns(k, k) = makeReflection(v, m - k, result.taus[k]);
      if (k + 1 < end)
        kernels.reflect(&columns(k + 1, k), m, end - k - 1, v, result.taus[k], m - k);
    }
    for (int64_t j = end; j < n; j += blockRows)
      for (int64_t k = begin; k != end; ++k)
        kernels.reflect(&columns(j, k), m, std::min(blockRows, n - j), &result.vectors(k, k), result.taus[k], m - k);
  }
  return result;
}

void tsc::cpu::linalg::applyReflections(const Reflections &reflections, int64_t shift, Matrix<double> &rows,
                                        RowsAre rowsAre) {
  const int64_t count = static_cast<int64_t>(reflections.taus.size()), n = rows.columns;
  const RowKernels &kernels = rowKernels();
  for (int64_t end = count; end > 0; end -= blockReflections) {
    const int64_t begin = std::max<int64_t>(0, end - blockReflections);
    for (int64_t j = rowsAre == RowsAre::Identity ? begin + shift : 0; j < rows.rows; j += blockRows)
      for (int64_t k = end - 1; k >= begin; --k)
        kernels.reflect(&rows(j, k + shift), n, std::min(blockRows, rows.rows - j),
                        &reflections.vectors.data[k * reflections.vectors.columns + k + shift], reflections.taus[k],
                        n - k - shift);
  }
}

void tsc::cpu::linalg::applyReflections(const ReflectionsOf<Complex> &reflections, int64_t shift, Matrix<Complex> &rows,
                                        RowsAre rowsAre) {
  const int64_t n = rows.columns;
  for (int64_t k = static_cast<int64_t>(reflections.taus.size()) - 1; k >= 0; --k) {
    const int64_t first = k + shift, row = rowsAre == RowsAre::Identity ? first : 0;
    if (row < rows.rows)
      reflectRows(&rows(row, first), n, rows.rows - row,
                  &reflections.vectors.data[k * reflections.vectors.columns + first], reflections.taus[k], n - first);
  }
}

Matrix<double> tsc::cpu::linalg::transposed(const Matrix<double> &a) {
  constexpr int64_t item = sizeof(double);
  Matrix<double> t(a.columns, a.rows);
  if (!a.data.size())
    return t;
  transposeElements(reinterpret_cast<char *>(t.data.data()), a.rows * item,
                    reinterpret_cast<const char *>(a.data.data()), a.columns * item, a.columns, a.rows, item);
  return t;
}

Matrix<Complex> tsc::cpu::linalg::transposed(const Matrix<Complex> &a) {
  Matrix<Complex> t(a.columns, a.rows);
  for (int64_t i = 0; i < t.rows; ++i)
    for (int64_t j = 0; j < t.columns; ++j)
      t(i, j) = a(j, i);
  return t;
}

template <> void tsc::cpu::linalg::qrFactor(Matrix<double> &a, std::vector<double> &tau) {
  Matrix<double> columns = transposed(a);
  Reflections reflections = reflectColumns(columns);
  for (int64_t k = 0; k != reflections.vectors.rows; ++k) // below the diagonal LAPACK keeps the vectors
    std::copy(&reflections.vectors(k, k) + 1, &reflections.vectors(k, 0) + a.rows, &columns(k, k) + 1);
  tau.assign(reflections.taus.begin(), reflections.taus.end());
  a = transposed(columns);
}

template <> void tsc::cpu::linalg::qrFactor(Matrix<Complex> &a, std::vector<Complex> &tau) {
  Matrix<Complex> columns = transposed(a);
  const int64_t n = columns.rows, m = columns.columns;
  tau.assign(std::min(m, n), 0);
  for (int64_t k = 0; k != std::min(m, n); ++k) {
    Complex *const v = &columns(k, k);
    const double beta = makeReflection(v, m - k, tau[k]);
    if (k + 1 != n)
      reflectRows(&columns(k + 1, k), m, n - k - 1, v, std::conj(tau[k]), m - k);
    *v = beta; // where v has a 1, which LAPACK leaves out
  }
  a = transposed(columns);
}

template <typename T>
Matrix<T> tsc::cpu::linalg::householderProduct(const Matrix<T> &a, const std::vector<T> &tau, int64_t columns) {
  Matrix<T> q(columns, a.rows);
  for (int64_t i = 0; i < std::min(a.rows, columns); ++i)
    q(i, i) = 1;
  ReflectionsOf<T> reflections{transposed(a), Elements<T>(tau.size(), T(0))};
  std::copy(tau.begin(), tau.end(), reflections.taus.begin());
  for (int64_t k = 0; k != static_cast<int64_t>(tau.size()); ++k)
    reflections.vectors(k, k) = 1;
  applyReflections(reflections, 0, q, RowsAre::Identity);
  return transposed(q);
}
template Matrix<double> tsc::cpu::linalg::householderProduct(const Matrix<double> &, const std::vector<double> &,
                                                             int64_t);
template Matrix<Complex> tsc::cpu::linalg::householderProduct(const Matrix<Complex> &, const std::vector<Complex> &,
                                                              int64_t);
