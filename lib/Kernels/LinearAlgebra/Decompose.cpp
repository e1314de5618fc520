//===- Decompose.cpp - Factorizations of one dense matrix -----------------===//
//
// LU with partial pivoting, Cholesky, triangular solves and the completion of bases:
// the simplest algorithms that are accurate.
//
//===----------------------------------------------------------------------===//
#include "Decompose.h"
#include "DenseRows.h"
#include "Products/Gemm.h"
#include "Scaling.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Support/AtSimdLevel.h"
#include "tsc/Support/WorkMeter.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>

using namespace tsc::cpu::linalg;

using Complex = std::complex<double>;

/// row -= factor * other, the inner loop of nearly all that is here.
LLVM_ATTRIBUTE_ALWAYS_INLINE static void subtractMultiple(double *__restrict row, const double *__restrict other,
                                                          double factor, int64_t n) {
  for (int64_t j = 0; j < n; ++j)
    row[j] -= factor * other[j];
}

/// row -= the sum of four rows, `step` apart, times factors: the row is loaded and stored once for all.
LLVM_ATTRIBUTE_ALWAYS_INLINE static void subtractFour(double *__restrict row, const double *__restrict others,
                                                      int64_t step, const double *__restrict factors, int64_t n) {
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
    tsc::atSimdLevel<subtractFour, tsc::Overlap::None>(row, others + k * step, step, factors + k, n);
  for (; k < count; ++k)
    tsc::atSimdLevel<subtractMultiple, tsc::Overlap::None>(row, others + k * step, factors[k], n);
}
static void subtractMultiples(Complex *row, const Complex *others, int64_t step, const Complex *factors, int64_t count,
                              int64_t n) {
  subtractRows(row, others, step, factors, count, n);
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
  assert(a.columns == b.rows && "matrices that can be multiplied");
  Matrix<T> c(a.rows, b.columns);
  if (b.columns == 0)
    return c;
  constexpr int64_t leastColumns = 8; // for which panels pay
  if constexpr (std::is_same_v<T, double>)
    if (b.columns >= leastColumns && a.columns != 0) {
      simd::gemmDouble(a.rows, b.columns, a.columns, a.data.data(), a.columns, 1, b.data.data(), b.columns, 1,
                       c.data.data(), c.columns, false);
      return c;
    }
  Elements<T> negative(a.columns, T(0));
  for (int64_t i = 0; i < a.rows && !tsc::work::wasStopped(); ++i) {
    for (int64_t p = 0; p < a.columns; ++p)
      negative[p] = -a(i, p);
    subtractMultiples(&c.data[i * c.columns], b.data.data(), b.columns, negative.data(), a.columns, b.columns);
  }
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
  Elements<double> negative(m * k, 0);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t p = 0; p < k; ++p)
      negative[i * k + p] = -a[i * aRow + p];
  tsc::cpu::simd::gemmDouble(m, n, k, negative.data(), k, 1, b, bRow, 1, c, cRow, true);
}
static void subtractProduct(int64_t m, int64_t n, int64_t k, const Complex *a, int64_t aRow, const Complex *b,
                            int64_t bRow, Complex *c, int64_t cRow) {
  for (int64_t i = 0; i < m && !tsc::work::wasStopped(); ++i)
    subtractMultiples(c + i * cRow, b, bRow, a + i * aRow, k, n);
}

/// Columns [begin, end) of the rows from `begin` on: exchanges rows, and leaves L and U in place.
template <typename T>
static void factorColumns(Matrix<T> &a, int64_t begin, int64_t end, std::vector<int64_t> &pivots, Pivoting pivoting,
                          int64_t &info) {
  Elements<T> factors(a.rows, T(0));
  auto at = [&](int64_t i, int64_t j) { return &a.data[i * a.columns + j]; };
  for (int64_t k = begin; k < end && !tsc::work::wasStopped(); ++k) {
    int64_t best = k;
    if (pivoting == Pivoting::Partial)
      for (int64_t i = k + 1; i < a.rows; ++i)
        if (sizeOf(a(i, k)) > sizeOf(a(best, k)))
          best = i;
    pivots[k] = best;
    if (a(best, k) == T(0)) {
      if (info == 0)
        info = k + 1;
      continue;
    }
    if (best != k)
      std::swap_ranges(at(k, begin), at(k, begin) + end - begin, at(best, begin));
    for (int64_t i = k + 1; i < a.rows; ++i)
      factors[i] = a(i, k) /= a(k, k);
    if (k + 1 < end && k + 1 < a.rows)
      subtractOuter(at(k + 1, k + 1), a.columns, a.rows - k - 1, &factors[k + 1], at(k, k + 1), end - k - 1);
  }
}
/// The same with the columns as rows of memory, where vectors run along them.
static void factorColumns(Matrix<double> &a, int64_t begin, int64_t end, std::vector<int64_t> &pivots,
                          Pivoting pivoting, int64_t &info) {
  constexpr int64_t leastRows = 24;
  if (a.rows - begin < leastRows)
    return factorColumns<double>(a, begin, end, pivots, pivoting, info);
  const RowKernels &kernels = rowKernels();
  const int64_t rows = a.rows - begin, count = end - begin, item = sizeof(double);
  Elements<double> panel(count * rows, 0), factors(count, 0);
  char *const here = reinterpret_cast<char *>(&a(begin, begin)), *const there = reinterpret_cast<char *>(panel.data());
  tsc::cpu::transposeElements(there, rows * item, here, a.columns * item, count, rows, item);
  for (int64_t k = 0; k < count && !tsc::work::wasStopped(); ++k) {
    double *const column = &panel[k * rows];
    const int64_t best = k + (pivoting == Pivoting::Partial ? kernels.largest(column + k, rows - k) : 0);
    pivots[begin + k] = begin + best;
    if (column[best] == 0) {
      if (info == 0)
        info = begin + k + 1;
      continue;
    }
    for (int64_t j = 0; j < count; ++j)
      std::swap(panel[j * rows + k], panel[j * rows + best]);
    for (int64_t i = k + 1; i < rows; ++i)
      column[i] /= column[k];
    for (int64_t j = k + 1; j < count; ++j)
      factors[j] = panel[j * rows + k];
    if (k + 1 < count && k + 1 < rows)
      kernels.subtractOuter(&panel[(k + 1) * rows + k + 1], rows, count - k - 1, &factors[k + 1], column + k + 1,
                            rows - k - 1);
  }
  tsc::cpu::transposeElements(here, a.columns * item, there, rows * item, rows, count, item);
}

template <typename T>
int64_t tsc::cpu::linalg::luFactor(Matrix<T> &a, std::vector<int64_t> &pivots, Pivoting pivoting) {
  const int64_t n = std::min(a.rows, a.columns), block = blockSize<T>(n);
  int64_t info = 0;
  pivots.assign(n, 0); // rows of the matrix, also where the factorization stops
  auto at = [&](int64_t i, int64_t j) { return &a.data[i * a.columns + j]; };
  for (int64_t begin = 0; begin < n && !tsc::work::wasStopped(); begin += block) {
    const int64_t end = std::min(begin + block, n), columns = a.columns - end;
    factorColumns(a, begin, end, pivots, pivoting, info);
    for (int64_t k = begin; k < end; ++k)
      if (const int64_t best = pivots[k]; best != k) {
        std::swap_ranges(at(k, 0), at(k, 0) + begin, at(best, 0));
        std::swap_ranges(at(k, end), at(k, end) + columns, at(best, end));
      }
    if (columns == 0)
      continue;
    // What stands behind the block: its rows of U, then all below.
    for (int64_t i = begin + 1; i < end && !tsc::work::wasStopped(); ++i)
      subtractMultiples(at(i, end), at(begin, end), a.columns, at(i, begin), i - begin, columns);
    subtractProduct(a.rows - end, columns, end - begin, at(end, begin), a.columns, at(begin, end), a.columns,
                    at(end, end), a.columns);
  }
  return info;
}

/// The lower triangle in place: 0, or the number of the column at which the matrix shows to be no positive one, from 1.
template <typename T> static int64_t choleskyOfRows(Matrix<T> &a) {
  const int64_t n = a.rows;
  Elements<T> products(n, T(0)), row(n, T(0));
  for (int64_t j = 0; j < n; ++j) {
    double d = realPart(a(j, j));
    for (int64_t k = 0; k < j; ++k) {
      d -= squared(a(j, k));
      row[k] = conjugate(a(j, k));
    }
    if (!(d > 0) || tsc::work::wasStopped())
      return j + 1;
    const double root = std::sqrt(d);
    a(j, j) = root;
    if (j != 0 && j + 1 != n)
      multiplyRows(&a(j + 1, 0), n, n - j - 1, row.data(), &products[j + 1], j);
    for (int64_t i = j + 1; i < n; ++i)
      a(i, j) = (a(i, j) - products[i]) / root;
  }
  return 0;
}

/// The same in blocks of columns that are rows of memory where they are worked on.
static int64_t choleskyOfLarge(Matrix<double> &a) {
  const RowKernels &kernels = rowKernels();
  const int64_t n = a.rows, item = sizeof(double);
  Elements<double> panel(blockRows * n, 0), factors(blockRows, 0), negative(n * n, 0);
  for (int64_t begin = 0; begin < n; begin += blockRows) {
    const int64_t end = std::min(begin + blockRows, n), rows = n - begin, count = end - begin;
    if (begin != 0) { // what the columns before take away
      for (int64_t i = 0; i != rows; ++i)
        for (int64_t p = 0; p != begin; ++p)
          negative[i * begin + p] = -a(begin + i, p);
      tsc::cpu::simd::gemmDouble(rows, count, begin, negative.data(), begin, 1, &a(begin, 0), 1, n, &a(begin, begin), n,
                                 true);
    }
    char *const here = reinterpret_cast<char *>(&a(begin, begin)), *const there =
                                                                       reinterpret_cast<char *>(panel.data());
    tsc::cpu::transposeElements(there, rows * item, here, n * item, count, rows, item);
    for (int64_t k = 0; k < count; ++k) {
      double *const column = &panel[k * rows];
      if (!(column[k] > 0) || tsc::work::wasStopped())
        return begin + k + 1;
      const double root = std::sqrt(column[k]);
      column[k] = root;
      for (int64_t i = k + 1; i < rows; ++i)
        column[i] /= root;
      std::copy(column + k + 1, column + count, &factors[k + 1]);
      if (k + 1 < count)
        kernels.subtractOuter(&panel[(k + 1) * rows + k + 1], rows, count - k - 1, &factors[k + 1], column + k + 1,
                              rows - k - 1);
    }
    tsc::cpu::transposeElements(here, n * item, there, rows * item, rows, count, item);
  }
  return 0;
}

template <typename T> int64_t tsc::cpu::linalg::cholesky(Matrix<T> &a) {
  assert(a.rows == a.columns && "a square matrix");
  constexpr int64_t leastOfLarge = 24;
  const int64_t n = a.rows;
  int64_t info = 0;
  if constexpr (std::is_same_v<T, double>)
    info = n < leastOfLarge ? choleskyOfRows(a) : choleskyOfLarge(a);
  else
    info = choleskyOfRows(a);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = i + 1; j < n; ++j)
      a(i, j) = T(0);
  return info;
}

template <typename T>
void tsc::cpu::linalg::solveTriangularInPlace(const Matrix<T> &a, Triangle triangle, Diagonal diagonal, Matrix<T> &b) {
  assert(a.rows == a.columns && a.columns == b.rows && "a square system and its right sides");
  const int64_t n = a.rows, block = b.columns == 1 ? std::max<int64_t>(n, 1) : blockSize<T>(n);
  if (b.columns == 0)
    return;
  const bool isLower = triangle == Triangle::Lower;
  for (int64_t done = 0; done < n; done += block) {
    const int64_t size = std::min(block, n - done), first = isLower ? done : n - done - size, end = first + size;
    const int64_t known = isLower ? 0 : end; // rows [known, known + done) of b are solved
    if (done != 0)
      subtractProduct(size, b.columns, done, &a(first, known), n, &b(known, 0), b.columns, &b(first, 0), b.columns);
    for (int64_t step = 0; step < size && !tsc::work::wasStopped(); ++step) {
      const int64_t i = isLower ? first + step : end - 1 - step;
      const int64_t from = isLower ? first : i + 1, to = isLower ? i : end;
      if (from < to && b.columns == 1) {
        T product(0);
        multiplyRows(&a(i, from), 0, 1, &b(from, 0), &product, to - from);
        b(i, 0) -= product;
      } else if (from < to)
        subtractMultiples(&b(i, 0), &b(from, 0), b.columns, &a(i, from), to - from, b.columns);
      if (diagonal == Diagonal::General)
        for (int64_t j = 0; j < b.columns; ++j)
          b(i, j) /= a(i, i);
    }
  }
}

template <typename T> Matrix<T> tsc::cpu::linalg::lowerInverse(const Matrix<T> &a, Diagonal diagonal) {
  assert(a.rows == a.columns && "a square matrix");
  const int64_t n = a.rows, block = blockSize<T>(n);
  Matrix<T> b = Matrix<T>::identity(n);
  for (int64_t first = 0; first < n && !tsc::work::wasStopped(); first += block) {
    const int64_t end = std::min(n, first + block);
    if (first != 0)
      subtractProduct(end - first, first, first, &a(first, 0), n, &b(0, 0), n, &b(first, 0), n);
    for (int64_t i = first; i < end && !tsc::work::wasStopped(); ++i) {
      subtractMultiples(&b(i, 0), &b(first, 0), n, &a(i, first), i - first, i);
      if (diagonal == Diagonal::Unit)
        continue;
      for (int64_t j = 0; j <= i; ++j)
        b(i, j) /= a(i, i);
    }
  }
  return b;
}

/// Computes rows [first, end) of a^H a up to the diagonal. The overload for doubles also fills each row up to column
/// `end`.
static void squareRows(const Matrix<double> &a, int64_t first, int64_t end, Matrix<double> &square) {
  const int64_t n = a.rows;
  tsc::cpu::simd::gemmDouble(end - first, end, n - first, &a(first, first), 1, n, &a(first, 0), n, 1, &square(first, 0),
                             n, false);
}
static void squareRows(const Matrix<Complex> &a, int64_t first, int64_t end, Matrix<Complex> &square) {
  const int64_t n = a.rows;
  Elements<Complex> factors(n, 0);
  for (int64_t i = first; i < end && !tsc::work::wasStopped(); ++i) {
    for (int64_t k = i; k < n; ++k)
      factors[k] = -conjugate(a(k, i));
    subtractMultiples(&square(i, 0), &a(i, 0), n, &factors[i], n - i, i + 1);
  }
}

template <typename T> Matrix<T> tsc::cpu::linalg::squareOfLower(const Matrix<T> &a) {
  assert(a.rows == a.columns && "a square matrix");
  const int64_t n = a.rows, block = blockSize<T>(n);
  Matrix<T> square(n, n);
  for (int64_t first = 0; first < n && !tsc::work::wasStopped(); first += block)
    squareRows(a, first, std::min(n, first + block), square);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < i; ++j)
      square(j, i) = conjugate(square(i, j));
  return square;
}

/// One orthonormal vector more, against the columns below `have` of u.
template <typename T> static void addColumn(Matrix<T> &u, int64_t have) {
  double best = -1;
  std::vector<T> chosen(u.rows);
  for (int64_t e = 0; e < u.rows && best < 0.5 && !tsc::work::wasStopped();
       ++e) { // the first unit vector that is not nearly spanned
    std::vector<T> v(u.rows, T(0));
    v[e] = T(1);
    for (int pass = 0; pass < 2; ++pass)
      for (int64_t j = 0; j < have && !tsc::work::wasStopped(); ++j) {
        T dot(0);
        for (int64_t i = 0; i < u.rows; ++i)
          dot += conjugate(u(i, j)) * v[i];
        for (int64_t i = 0; i < u.rows; ++i)
          v[i] -= dot * u(i, j);
      }
    const double norm = std::sqrt(squaredNorm(v.data(), u.rows));
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
  assert(u.columns <= u.rows && "no more columns than a basis has");
  Matrix<T> q(u.rows, u.rows);
  for (int64_t i = 0; i < u.rows; ++i)
    for (int64_t j = 0; j < u.columns; ++j)
      q(i, j) = u(i, j);
  for (int64_t j = u.columns; j < u.rows && !tsc::work::wasStopped(); ++j)
    addColumn(q, j);
  return q;
}

#define TSC_INSTANTIATE(T)                                                                                             \
  template struct tsc::cpu::linalg::Matrix<T>;                                                                         \
  template Matrix<T> tsc::cpu::linalg::multiply(const Matrix<T> &, const Matrix<T> &);                                 \
  template int64_t tsc::cpu::linalg::luFactor(Matrix<T> &, std::vector<int64_t> &, Pivoting);                          \
  template int64_t tsc::cpu::linalg::cholesky(Matrix<T> &);                                                            \
  template Matrix<T> tsc::cpu::linalg::lowerInverse(const Matrix<T> &, Diagonal);                                      \
  template Matrix<T> tsc::cpu::linalg::squareOfLower(const Matrix<T> &);                                               \
  template void tsc::cpu::linalg::solveTriangularInPlace(const Matrix<T> &, Triangle, Diagonal, Matrix<T> &);          \
  template Matrix<T> tsc::cpu::linalg::completeBasis(const Matrix<T> &);
TSC_INSTANTIATE(double)
TSC_INSTANTIATE(Complex)
