//===- Decompose.cpp - Factorizations of one dense matrix -----------------===//
//
// LU with partial pivoting, Cholesky, triangular solves and the completion of bases:
// the simplest algorithms that are accurate.
//
//===----------------------------------------------------------------------===//
#include "Decompose.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace tsc::cpu::linalg;

using Complex = std::complex<double>;

static double realPart(double x) { return x; }
static double realPart(Complex x) { return x.real(); }
static double pivotSize(double x) { return std::fabs(x); }
static double pivotSize(Complex x) { return std::fabs(x.real()) + std::fabs(x.imag()); }

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
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t p = 0; p < a.columns; ++p) {
      T x = a(i, p);
      for (int64_t j = 0; j < b.columns; ++j)
        c(i, j) += x * b(p, j);
    }
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
      T factor = a(i, k) /= a(k, k);
      for (int64_t j = k + 1; j < a.columns; ++j)
        a(i, j) -= factor * a(k, j);
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
      T s = a(i, j);
      for (int64_t k = 0; k < j; ++k)
        s -= a(i, k) * conjugate(a(j, k));
      a(i, j) = s / root;
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
  for (int64_t step = 0; step < n; ++step) {
    int64_t i = triangle == Triangle::Lower ? step : n - 1 - step;
    int64_t from = triangle == Triangle::Lower ? 0 : i + 1, to = triangle == Triangle::Lower ? i : n;
    for (int64_t k = from; k < to; ++k) {
      T x = a(i, k);
      for (int64_t j = 0; j < b.columns; ++j)
        b(i, j) -= x * b(k, j);
    }
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
