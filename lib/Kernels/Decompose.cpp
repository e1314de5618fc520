//===- Decompose.cpp - Factorizations of one dense matrix -----------------===//
//
// LU with partial pivoting, Cholesky, triangular solves and the completion of bases:
// the simplest algorithms that are accurate.
//
//===----------------------------------------------------------------------===//
#include "Decompose.h"
#include "Gemm.h"
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

/// Rows and columns that are factored or solved before what follows is updated by one product; smaller matrices are one
/// block.
static constexpr int64_t blockRows = 32, leastBlocked = 96;
template <typename T> static int64_t blockSize(int64_t n) {
  return std::is_same_v<T, double> && n >= leastBlocked ? blockRows : std::max<int64_t>(n, 1);
}

/// c[m, n] -= a[m, k] b[k, n], parts of matrices whose rows are so far apart.
static void subtractProduct(int64_t m, int64_t n, int64_t k, const double *a, int64_t aRow, const double *b,
                            int64_t bRow, double *c, int64_t cRow) {
  if (m == 0 || n == 0 || k == 0)
    return;
  std::vector<double> negative(static_cast<size_t>(m * k));
  for (int64_t i = 0; i < m; ++i)
    for (int64_t p = 0; p < k; ++p)
      negative[i * k + p] = -a[i * aRow + p];
  tsc::cpu::simd::gemmDouble(m, n, k, negative.data(), k, 1, b, bRow, 1, c, cRow, true);
}
static void subtractProduct(int64_t m, int64_t n, int64_t k, const Complex *a, int64_t aRow, const Complex *b,
                            int64_t bRow, Complex *c, int64_t cRow) {
  for (int64_t i = 0; i < m; ++i)
    subtractMultiples(c + i * cRow, b, bRow, a + i * aRow, k, n);
}

template <typename T>
int64_t tsc::cpu::linalg::luFactor(Matrix<T> &a, std::vector<int64_t> &pivots, Pivoting pivoting) {
  const int64_t n = std::min(a.rows, a.columns), block = blockSize<T>(n);
  int64_t info = 0;
  pivots.resize(n);
  T *data = a.data.data();
  auto at = [&](int64_t i, int64_t j) { return data + i * a.columns + j; };
  for (int64_t begin = 0; begin < n; begin += block) {
    const int64_t end = std::min(begin + block, n), behind = end == n && block != blockRows ? a.columns : end;
    // The columns of the block, or all where there is one block.
    for (int64_t k = begin; k < end; ++k) {
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
        std::swap_ranges(at(k, 0), at(k, 0) + a.columns, at(best, 0));
      for (int64_t i = k + 1; i < a.rows; ++i)
        subtractMultiple(at(i, k + 1), at(k, k + 1), a(i, k) /= a(k, k), behind - k - 1);
    }
    // What stands behind the block: its rows of U, then all below.
    const int64_t columns = a.columns - behind;
    if (columns == 0)
      continue;
    for (int64_t i = begin + 1; i < end; ++i)
      subtractMultiples(at(i, behind), at(begin, behind), a.columns, at(i, begin), i - begin, columns);
    subtractProduct(a.rows - end, columns, end - begin, at(end, begin), a.columns, at(begin, behind), a.columns,
                    at(end, behind), a.columns);
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
  const int64_t n = a.rows, block = b.columns == 1 ? std::max<int64_t>(n, 1) : blockSize<T>(n);
  if (b.columns == 0)
    return;
  const bool isLower = triangle == Triangle::Lower;
  for (int64_t done = 0; done < n; done += block) {
    const int64_t size = std::min(block, n - done), first = isLower ? done : n - done - size, end = first + size;
    const int64_t known = isLower ? 0 : end; // rows [known, known + done) of b are solved
    if (done != 0)
      subtractProduct(size, b.columns, done, &a(first, known), n, &b(known, 0), b.columns, &b(first, 0), b.columns);
    for (int64_t step = 0; step < size; ++step) {
      const int64_t i = isLower ? first + step : end - 1 - step;
      const int64_t from = isLower ? first : i + 1, to = isLower ? i : end;
      if (from < to && b.columns == 1 && std::is_same_v<T, double>)
        b(i, 0) -= dot(&a(i, from), &b(from, 0), to - from);
      else if (from < to)
        subtractMultiples(&b(i, 0), &b(from, 0), b.columns, &a(i, from), to - from, b.columns);
      if (diagonal == Diagonal::General)
        for (int64_t j = 0; j < b.columns; ++j)
          b(i, j) /= a(i, i);
    }
  }
}

/// Rows of `count` elements, `step` apart: row i -= factors[i] * scale * other.
TSC_CLONES static void subtractOuter(double *__restrict rows, int64_t step, const double *__restrict factors,
                                     double scale, const double *__restrict other, int64_t m, int64_t count) {
  for (int64_t i = 0; i < m; ++i) {
    const double factor = factors[i] * scale;
    double *row = rows + i * step;
    for (int64_t j = 0; j < count; ++j)
      row[j] -= factor * other[j];
  }
}

/// Applies the reflector 1 - tau (1, v) (1, v)^T to rows [k, rows) and columns [column, columns) of a matrix.
static void reflect(Matrix<double> &a, int64_t k, int64_t column, double tau, const std::vector<double> &v,
                    std::vector<double> &negative, std::vector<double> &product) {
  const int64_t below = a.rows - k - 1, count = a.columns - column;
  if (tau == 0 || count <= 0)
    return;
  for (int64_t i = 0; i < below; ++i)
    negative[i] = -v[i];
  double *first = &a(k, column), *rest = first + a.columns;
  std::copy_n(first, count, product.data());
  if (below != 0)
    subtractMultiples(product.data(), rest, a.columns, negative.data(), below, count);
  subtractMultiple(first, product.data(), tau, count);
  if (below != 0)
    subtractOuter(rest, a.columns, v.data(), tau, product.data(), below, count);
}

template <> void tsc::cpu::linalg::qrFactor(Matrix<double> &a, std::vector<double> &tau) {
  const int64_t steps = std::min(a.rows, a.columns);
  tau.assign(steps, 0);
  std::vector<double> v(a.rows), negative(a.rows), product(a.columns);
  for (int64_t k = 0; k < steps; ++k) {
    double squares = 0;
    for (int64_t i = k + 1; i < a.rows; ++i)
      v[i - k - 1] = a(i, k), squares += a(i, k) * a(i, k);
    if (squares == 0)
      continue;
    const double alpha = a(k, k), beta = -std::copysign(std::sqrt(alpha * alpha + squares), alpha);
    tau[k] = (beta - alpha) / beta;
    const double scale = 1 / (alpha - beta);
    for (int64_t i = k + 1; i < a.rows; ++i)
      a(i, k) = v[i - k - 1] *= scale;
    a(k, k) = beta;
    reflect(a, k, k + 1, tau[k], v, negative, product);
  }
}

template <>
Matrix<double> tsc::cpu::linalg::householderProduct(const Matrix<double> &a, const std::vector<double> &tau,
                                                    int64_t columns) {
  Matrix<double> q(a.rows, columns);
  for (int64_t i = 0; i < std::min(a.rows, columns); ++i)
    q(i, i) = 1;
  std::vector<double> v(a.rows), negative(a.rows), product(columns);
  for (int64_t k = static_cast<int64_t>(tau.size()) - 1; k >= 0; --k) {
    for (int64_t i = k + 1; i < a.rows; ++i)
      v[i - k - 1] = a(i, k);
    reflect(q, k, k, tau[k], v, negative, product);
  }
  return q;
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
