//===- HermitianEigen.cpp - Eigenvalues of Hermitian matrices -------------===//
//
// Reflections to tridiagonal form, whose eigenvalues Tridiagonal.h gives. Eigenvectors
// are only known up to a factor of absolute value 1; going LAPACK's way gives the one
// that PyTorch shows. Eigenvectors are rows of memory.
//
//===----------------------------------------------------------------------===//
#include "Decompose.h"
#include "DenseRows.h"
#include "Reflections.h"
#include "Scaling.h"
#include "Tridiagonal.h"
#include "tsc/Support/WorkMeter.h"
#include <algorithm>
#include <limits>
#include <optional>

using namespace tsc::cpu::linalg;

namespace {

template <typename T> struct Tridiagonal {
  std::vector<double> diagonal, off;
  ReflectionsOf<T> q; ///< Whose number k touches elements from k + 1 on; a = q tridiagonal q^H.
};

/// The upper triangle from the lower one.
template <typename T> void mirror(Matrix<T> &a) {
  for (int64_t i = 0; i != a.rows; ++i) {
    a(i, i) = T(realPart(a(i, i)));
    for (int64_t j = 0; j != i; ++j)
      a(j, i) = conjugate(a(i, j));
  }
}

/// Half of what a reflection takes from the rest of a matrix, v w^H + w v^H; w comes as a v.
template <typename T> void finishHalf(const T *v, T *w, T tau, int64_t n) {
  T overlap(0);
  for (int64_t k = 0; k != n; ++k) {
    w[k] *= tau;
    overlap += conjugate(w[k]) * v[k];
  }
  for (int64_t k = 0; k != n; ++k)
    w[k] -= T(0.5) * tau * overlap * v[k];
}

/// To tridiagonal form by reflections that touch elements from k + 1 on. What one takes from the rest waits for the
/// next one, so that each goes over the rest once.
ReflectionsOf<double> reduceRows(Matrix<double> &a, std::vector<double> &diagonal, std::vector<double> &off) {
  const int64_t n = a.rows;
  const auto steps = static_cast<size_t>(n - 1);
  ReflectionsOf<double> result{Matrix<double>(n - 1, n), {steps, 0}};
  Elements<double> w(n, 0), sum(n, 0);
  const Elements<double> none(n, 0);
  const double *u = none.data(); // of the last reflection
  for (int64_t i = 0; i + 1 != n && !tsc::work::wasStopped(); ++i) {
    const int64_t rest = n - i - 1;
    double *const v = &result.vectors(i, 0);
    diagonal[i] = a(i, i) - 2 * u[i] * w[i];
    for (int64_t k = i + 1; k != n; ++k)
      v[k] = a(k, i) - u[k] * w[i] - w[k] * u[i];
    off[i] = makeReflection(v + i + 1, rest, result.taus[i]);
    std::fill_n(sum.data(), n, 0.0);
    rowKernels().updateTwice(&a(i + 1, i + 1), n, rest, u + i + 1, &w[i + 1], &w[i + 1], u + i + 1, v + i + 1,
                             &sum[i + 1], rest);
    std::swap(w, sum);
    finishHalf(v + i + 1, &w[i + 1], result.taus[i], rest);
    u = v;
  }
  diagonal[n - 1] = a(n - 1, n - 1) - 2 * u[n - 1] * w[n - 1];
  return result;
}
ReflectionsOf<std::complex<double>> reduceRows(Matrix<std::complex<double>> &a, std::vector<double> &diagonal,
                                               std::vector<double> &off) {
  using T = std::complex<double>;
  const int64_t n = a.rows;
  const auto steps = static_cast<size_t>(n - 1);
  ReflectionsOf<T> result{Matrix<T>(n - 1, n), {steps, 0}};
  Elements<T> w(n, 0), adjoint(n, 0);
  auto conjugates = [&](const T *x, int64_t count) {
    std::transform(x, x + count, adjoint.data(), [](T element) { return std::conj(element); });
    return adjoint.data();
  };
  for (int64_t i = 0; i + 1 != n && !tsc::work::wasStopped(); ++i) {
    const int64_t rest = n - i - 1;
    T *const v = &result.vectors(i, i + 1), *const below = &a(i + 1, i + 1);
    diagonal[i] = a(i, i).real();
    for (int64_t k = 0; k != rest; ++k)
      v[k] = a(i + 1 + k, i);
    off[i] = makeReflection(v, rest, result.taus[i]);
    multiplyRows(below, n, rest, v, w.data(), rest);
    finishHalf(v, w.data(), result.taus[i], rest);
    subtractOuter(below, n, rest, v, conjugates(w.data(), rest), rest);
    subtractOuter(below, n, rest, w.data(), conjugates(v, rest), rest);
  }
  diagonal[n - 1] = a(n - 1, n - 1).real();
  return result;
}

/// Of a whole matrix.
template <typename T> Tridiagonal<T> toTridiagonal(Matrix<T> a) {
  const int64_t n = a.rows;
  Tridiagonal<T> result{std::vector<double>(n), std::vector<double>(std::max<int64_t>(n - 1, 0)), {}};
  if (n != 0)
    result.q = reduceRows(a, result.diagonal, result.off);
  return result;
}

template <typename T> Matrix<T> reversed(const Matrix<T> &a) {
  Matrix<T> result = a;
  std::reverse(result.data.begin(), result.data.end());
  return result;
}

/// Of vectors that are rows.
template <typename T> void reverseRows(Matrix<T> &rows) {
  for (int64_t i = 0; i < rows.rows; ++i)
    std::reverse(&rows.data[i * rows.columns], &rows.data[(i + 1) * rows.columns]);
}

} // namespace

/// Rising, by selection: equal eigenvalues stay as they came. Vectors are rows.
template <typename T> static void sortEigenvalues(std::vector<double> &values, Matrix<T> &vectors) {
  for (size_t i = 0; i + 1 < values.size(); ++i) {
    size_t least = std::min_element(values.begin() + i, values.end()) - values.begin();
    if (values[least] == values[i])
      continue;
    std::swap(values[least], values[i]);
    if (vectors.rows != 0)
      std::swap_ranges(&vectors(least, 0), &vectors(least, 0) + vectors.columns, &vectors(i, 0));
  }
}

/// Eigenvectors as rows; of a few, whose rotations go over the columns of q. False: no convergence, or the call is to
/// end.
template <typename T>
static bool iterateVectors(Tridiagonal<T> &t, bool reversedOrder, Precision precision, Matrix<T> &rows) {
  const auto n = static_cast<int64_t>(t.diagonal.size());
  rows = Matrix<T>::identity(n);
  applyReflections(t.q, 1, rows, RowsAre::Identity);
  if (reversedOrder)
    rows = reversed(rows);
  if (!iterate(t.diagonal, t.off, rowsOf(rows), precision))
    return false;
  sortEigenvalues(t.diagonal, rows);
  return true;
}
/// Of more, whose q goes over the tridiagonal matrix's vectors.
template <typename T>
static bool divideVectors(Tridiagonal<T> &t, bool reversedOrder, Precision precision, Matrix<T> &rows) {
  Matrix<double> real;
  if (!divideAndConquer(t.diagonal, t.off, precision, real))
    return false;
  rows = Matrix<T>(real.rows, real.columns);
  std::copy(real.data.begin(), real.data.end(), rows.data.begin());
  if (reversedOrder)
    reverseRows(rows);
  applyReflections(t.q, 1, rows, RowsAre::Any);
  if (reversedOrder)
    reverseRows(rows);
  return true;
}

template <typename T>
bool tsc::cpu::linalg::eigh(const Matrix<T> &a, Triangle triangle, Precision precision, Vectors wanted,
                            std::vector<double> &values, Matrix<T> &vectors) {
  assert(a.rows == a.columns && "a square matrix");
  const int64_t n = a.rows;
  const bool upper = triangle == Triangle::Upper; // as the lower triangle, seen from the other end
  Matrix<T> whole = upper ? reversed(a) : a;
  mirror(whole);
  const std::optional<int> scale = scaleOf(whole);
  if (!scale) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    vectors = wanted == Vectors::Wanted ? Matrix<T>(n, n) : Matrix<T>();
    std::fill(vectors.data.begin(), vectors.data.end(), T(nan));
    values.assign(n, nan);
    return true;
  }
  scaleBy(whole, -*scale);
  Tridiagonal<T> t = toTridiagonal(std::move(whole));
  if (upper) {
    std::reverse(t.diagonal.begin(), t.diagonal.end());
    std::reverse(t.off.begin(), t.off.end());
  }
  if (wanted == Vectors::Wanted) {
    Matrix<T> rows;
    if (!(n <= mostIterated ? iterateVectors(t, upper, precision, rows) : divideVectors(t, upper, precision, rows)))
      return false;
    vectors = transposed(rows);
  } else {
    vectors = Matrix<T>();
    if (!iterate(t.diagonal, t.off, VectorRows(), precision))
      return false;
    std::sort(t.diagonal.begin(), t.diagonal.end());
  }
  scaleBy(t.diagonal, *scale);
  values = std::move(t.diagonal);
  return true;
}
template bool tsc::cpu::linalg::eigh(const Matrix<double> &, Triangle, Precision, Vectors, std::vector<double> &,
                                     Matrix<double> &);
template bool tsc::cpu::linalg::eigh(const Matrix<std::complex<double>> &, Triangle, Precision, Vectors,
                                     std::vector<double> &, Matrix<std::complex<double>> &);
