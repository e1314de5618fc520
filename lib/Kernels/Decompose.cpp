//===- Decompose.cpp - Factorizations of one dense matrix -----------------===//
//
// LU with partial pivoting, Cholesky, triangular solves and the completion of bases:
// the simplest algorithms that are accurate.
//
//===----------------------------------------------------------------------===//
#include "Decompose.h"
#include "tsc/Support/FunctionClones.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>

using namespace tsc::cpu::linalg;

using Complex = std::complex<double>;

static double realPart(double x) { return x; }
static double realPart(Complex x) { return x.real(); }
static double pivotSize(double x) { return std::fabs(x); }
static double pivotSize(Complex x) { return std::fabs(x.real()) + std::fabs(x.imag()); }

/// row -= factor * other, the inner loop of nearly all that is here.
TSC_CLONES static void subtractMultiple(double *__restrict row, const double *__restrict other, double factor,
                                        int64_t n) {
  for (int64_t j = 0; j < n; ++j)
    row[j] -= factor * other[j];
}
static void subtractMultiple(Complex *row, const Complex *other, Complex factor, int64_t n) {
  for (int64_t j = 0; j < n; ++j)
    row[j] -= factor * other[j];
}

/// row -= the sum of four rows, `step` apart, times factors: the row is loaded and stored once for all.
TSC_CLONES static void subtractFour(double *__restrict row, const double *__restrict others, int64_t step,
                                    const double *__restrict factors, int64_t n) {
  const double a = factors[0], b = factors[1], c = factors[2], d = factors[3];
  const double *x = others, *y = x + step, *z = y + step, *w = z + step;
  for (int64_t j = 0; j < n; ++j)
    row[j] -= a * x[j] + b * y[j] + (c * z[j] + d * w[j]);
}

/// row -= the sum of `count` rows times factors.
static void subtractMultiples(double *row, const double *others, int64_t step, const double *factors, int64_t count,
                              int64_t n) {
  int64_t k = 0;
  for (; k + 4 <= count; k += 4)
    subtractFour(row, others + k * step, step, factors + k, n);
  for (; k < count; ++k)
    subtractMultiple(row, others + k * step, factors[k], n);
}
static void subtractMultiples(Complex *row, const Complex *others, int64_t step, const Complex *factors, int64_t count,
                              int64_t n) {
  for (int64_t k = 0; k < count; ++k)
    subtractMultiple(row, others + k * step, factors[k], n);
}

TSC_CLONES static double dot(const double *__restrict x, const double *__restrict y, int64_t n) {
  constexpr int64_t lanes = 8;
  double sums[lanes] = {};
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes)
    for (int64_t k = 0; k < lanes; ++k)
      sums[k] += x[i + k] * y[i + k];
  for (; i < n; ++i)
    sums[0] += x[i] * y[i];
  return ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
}
/// The sum of x times the conjugate of y.
static Complex dot(const Complex *x, const Complex *y, int64_t n) {
  Complex sum = 0;
  for (int64_t i = 0; i < n; ++i)
    sum += x[i] * std::conj(y[i]);
  return sum;
}

template <typename T> Matrix<T> Matrix<T>::identity(int64_t n) {
  Matrix m(n, n);
  for (int64_t i = 0; i < n; ++i)
    m(i, i) = T(1);
  return m;
}

template <typename T> Matrix<T> Matrix<T>::adjoint() const {
  Matrix m(columns, rows);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      m(j, i) = conjugate((*this)(i, j));
  return m;
}

template <typename T> Matrix<T> tsc::cpu::linalg::multiply(const Matrix<T> &a, const Matrix<T> &b) {
  Matrix<T> c(a.rows, b.columns);
  if (b.columns == 0)
    return c;
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t p = 0; p < a.columns; ++p)
      subtractMultiple(&c.data[i * c.columns], &b.data[p * b.columns], -a(i, p), b.columns);
  return c;
}

template <typename T>
int64_t tsc::cpu::linalg::luFactor(Matrix<T> &a, std::vector<int64_t> &pivots, Pivoting pivoting) {
  int64_t n = std::min(a.rows, a.columns), info = 0;
  pivots.resize(n);
  for (int64_t k = 0; k < n; ++k) {
    int64_t best = k;
    if (pivoting == Pivoting::Partial)
      for (int64_t i = k + 1; i < a.rows; ++i)
        if (pivotSize(a(i, k)) > pivotSize(a(best, k)))
          best = i;
    pivots[k] = best;
    if (a(best, k) == T(0)) {
      if (info == 0)
        info = k + 1;
      continue;
    }
    if (best != k)
      std::swap_ranges(&a(k, 0), &a(k, 0) + a.columns, &a(best, 0));
    for (int64_t i = k + 1; i < a.rows; ++i) {
      const T factor = a(i, k) /= a(k, k);
      if (k + 1 < a.columns)
        subtractMultiple(&a(i, k + 1), &a(k, k + 1), factor, a.columns - k - 1);
    }
  }
  return info;
}

template <typename T> int64_t tsc::cpu::linalg::cholesky(Matrix<T> &a) {
  int64_t n = a.rows, info = 0;
  for (int64_t j = 0; j < n && info == 0; ++j) {
    double d = realPart(a(j, j));
    for (int64_t k = 0; k < j; ++k)
      d -= squared(a(j, k));
    if (!(d > 0)) {
      info = j + 1;
      break;
    }
    double root = std::sqrt(d);
    a(j, j) = root;
    for (int64_t i = j + 1; i < n; ++i) {
      a(i, j) = (a(i, j) - dot(&a(i, 0), &a(j, 0), j)) / root;
    }
  }
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = i + 1; j < n; ++j)
      a(i, j) = T(0);
  return info;
}

template <typename T>
void tsc::cpu::linalg::solveTriangularInPlace(const Matrix<T> &a, Triangle triangle, Diagonal diagonal, Matrix<T> &b) {
  int64_t n = a.rows;
  if (b.columns == 0)
    return;
  for (int64_t step = 0; step < n; ++step) {
    int64_t i = triangle == Triangle::Lower ? step : n - 1 - step;
    int64_t from = triangle == Triangle::Lower ? 0 : i + 1, to = triangle == Triangle::Lower ? i : n;
    if (from < to && b.columns == 1 && std::is_same_v<T, double>)
      b(i, 0) -= dot(&a(i, from), &b(from, 0), to - from);
    else if (from < to)
      subtractMultiples(&b(i, 0), &b(from, 0), b.columns, &a(i, from), to - from, b.columns);
    if (diagonal == Diagonal::General)
      for (int64_t j = 0; j < b.columns; ++j)
        b(i, j) /= a(i, i);
  }
}

/// One orthonormal vector more, against the columns below `have` of u.
template <typename T> static void addColumn(Matrix<T> &u, int64_t have) {
  double best = -1;
  std::vector<T> chosen(u.rows);
  for (int64_t e = 0; e < u.rows && best < 0.5; ++e) { // the first unit vector that is not nearly spanned
    std::vector<T> v(u.rows, T(0));
    v[e] = T(1);
    for (int pass = 0; pass < 2; ++pass)
      for (int64_t j = 0; j < have; ++j) {
        T dot(0);
        for (int64_t i = 0; i < u.rows; ++i)
          dot += conjugate(u(i, j)) * v[i];
        for (int64_t i = 0; i < u.rows; ++i)
          v[i] -= dot * u(i, j);
      }
    double norm = 0;
    for (const T &x : v)
      norm += squared(x);
    norm = std::sqrt(norm);
    if (norm > best) {
      best = norm;
      for (int64_t i = 0; i < u.rows; ++i)
        chosen[i] = v[i] / norm;
    }
  }
  for (int64_t i = 0; i < u.rows; ++i)
    u(i, have) = chosen[i];
}

template <typename T> Matrix<T> tsc::cpu::linalg::completeBasis(const Matrix<T> &u) {
  Matrix<T> q(u.rows, u.rows);
  for (int64_t i = 0; i < u.rows; ++i)
    for (int64_t j = 0; j < u.columns; ++j)
      q(i, j) = u(i, j);
  for (int64_t j = u.columns; j < u.rows; ++j)
    addColumn(q, j);
  return q;
}

#define TSC_INSTANTIATE(T)                                                                                             \
  template struct tsc::cpu::linalg::Matrix<T>;                                                                         \
  template Matrix<T> tsc::cpu::linalg::multiply(const Matrix<T> &, const Matrix<T> &);                                 \
  template int64_t tsc::cpu::linalg::luFactor(Matrix<T> &, std::vector<int64_t> &, Pivoting);                          \
  template int64_t tsc::cpu::linalg::cholesky(Matrix<T> &);                                                            \
  template void tsc::cpu::linalg::solveTriangularInPlace(const Matrix<T> &, Triangle, Diagonal, Matrix<T> &);          \
  template Matrix<T> tsc::cpu::linalg::completeBasis(const Matrix<T> &);
TSC_INSTANTIATE(double)
TSC_INSTANTIATE(Complex)
