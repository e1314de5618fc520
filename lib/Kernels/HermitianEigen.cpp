//===- HermitianEigen.cpp - Eigenvalues of Hermitian matrices -------------===//
//
// Reflections to tridiagonal form, then implicit QL or QR steps, whichever starts
// at the smaller end. Eigenvectors are only known up to a factor of absolute value
// 1; going LAPACK's way gives the one that PyTorch shows. Eigenvectors are rows of
// memory; the rotations of a step go over all of them at once.
//
//===----------------------------------------------------------------------===//
#include "Bidiagonal.h"
#include "Decompose.h"
#include "DenseRows.h"
#include "Reflections.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace tsc::cpu::linalg;

namespace {

double realPart(double x) { return x; }
double realPart(std::complex<double> x) { return x.real(); }

template <typename T> struct Tridiagonal {
  std::vector<double> diagonal, off;
  Matrix<T> columns; ///< Rows are the columns of q where they are wanted, a = q tridiagonal q^H.
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
  for (int64_t i = 0; i + 1 != n; ++i) {
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
  for (int64_t i = 0; i + 1 != n; ++i) {
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

/// Reads the lower triangle.
template <typename T> Tridiagonal<T> reduce(Matrix<T> a, Vectors wanted) {
  const int64_t n = a.rows;
  Tridiagonal<T> result{std::vector<double>(n), std::vector<double>(std::max<int64_t>(n - 1, 0)), Matrix<T>()};
  if (n == 0)
    return result;
  mirror(a);
  const ReflectionsOf<T> reflections = reduceRows(a, result.diagonal, result.off);
  if (wanted == Vectors::Wanted) {
    result.columns = Matrix<T>::identity(n);
    applyReflections(reflections, 1, result.columns, RowsAre::Identity);
  }
  return result;
}

struct Rotation {
  double c, s, r;
};
/// c f + s g = r, -s f + c g = 0
Rotation makeRotation(double f, double g) {
  if (g == 0)
    return {1, 0, f};
  if (f == 0)
    return {0, std::copysign(1.0, g), std::fabs(g)};
  double r = std::copysign(std::hypot(f, g), f);
  return {std::fabs(f) / std::fabs(r), g / r, r};
}

/// Eigenvalues of ((a, b), (b, c)), the larger in size first, and that one's eigenvector (cosine, sine).
struct SmallEigen {
  double large, small, cosine, sine;
};
SmallEigen solveTwoByTwo(double a, double b, double c) {
  double sum = a + c, difference = a - c, root = std::hypot(difference, 2 * b);
  double big = std::fabs(a) > std::fabs(c) ? a : c, little = std::fabs(a) > std::fabs(c) ? c : a;
  SmallEigen result;
  bool negative = sum < 0;
  if (sum == 0) {
    result.large = root / 2;
    result.small = -root / 2;
  } else {
    result.large = (sum + (negative ? -root : root)) / 2;
    result.small = (big / result.large) * little - (b / result.large) * b;
  }
  bool rising = difference >= 0;
  double cs = difference + (rising ? root : -root);
  if (std::fabs(cs) > std::fabs(2 * b)) {
    double t = -2 * b / cs;
    result.sine = 1 / std::sqrt(1 + t * t);
    result.cosine = t * result.sine;
  } else if (b == 0) {
    result.cosine = 1;
    result.sine = 0;
  } else {
    double t = -cs / (2 * b);
    result.cosine = 1 / std::sqrt(1 + t * t);
    result.sine = t * result.cosine;
  }
  if (negative != rising) { // the vector found belongs to the other eigenvalue
    double t = result.cosine;
    result.cosine = -result.sine;
    result.sine = t;
  }
  return result;
}

/// The iteration on one tridiagonal matrix; rows are the vectors, where there are any.
class TridiagonalIteration {
public:
  TridiagonalIteration(std::vector<double> &diagonal, std::vector<double> &off, VectorRows rows, Precision precision)
      : d(diagonal), e(off), rows(rows), n(static_cast<int64_t>(d.size())), stepsLeft(30 * n), cosines(n), sines(n),
        epsilon(precision == Precision::Single ? 0x1p-24 : 0x1p-53),
        smallest(precision == Precision::Single ? std::numeric_limits<float>::min()
                                                : std::numeric_limits<double>::min()) {}

  void run() {
    iterate();
    rows.flush();
  }

private:
  void iterate() {
    for (int64_t begin = 0; begin < n;) {
      int64_t end = begin; // the block up to the next negligible element
      while (end + 1 < n && !isNegligible(end))
        ++end;
      if (end + 1 < n)
        e[end] = 0;
      int64_t first = begin, last = end;
      begin = end + 1;
      if (first == last)
        continue;
      if (std::fabs(d[last]) < std::fabs(d[first]))
        upwards(last, first);
      else
        downwards(first, last);
      if (stepsLeft <= 0)
        return;
      if (!isDiagonal(first, last))
        begin = first; // a part converged; look for blocks again
    }
  }

  bool isNegligible(int64_t i) const {
    return std::fabs(e[i]) <= std::sqrt(std::fabs(d[i])) * std::sqrt(std::fabs(d[i + 1])) * epsilon;
  }
  bool isTiny(int64_t i, int64_t a, int64_t b) const {
    return e[i] * e[i] <= epsilon * epsilon * std::fabs(d[a]) * std::fabs(d[b]) + smallest;
  }
  bool isDiagonal(int64_t first, int64_t last) const {
    return std::all_of(e.begin() + first, e.begin() + last, [](double x) { return x == 0; });
  }
  void rotatePair(int64_t j, const SmallEigen &pair) {
    rows.add(j, RotationQueue::Order::Rising, &pair.cosine, &pair.sine, 1);
  }
  double shift(double here, double next, double coupling, double far) const {
    double g = (next - here) / (2 * coupling);
    return far - here + coupling / (g + std::copysign(std::hypot(g, 1.0), g));
  }

  /// QL: eigenvalues appear from `l` on.
  void downwards(int64_t l, int64_t last) {
    while (l <= last) {
      int64_t m = l;
      while (m < last && !isTiny(m, m, m + 1))
        ++m;
      if (m < last)
        e[m] = 0;
      if (m == l) {
        ++l;
        continue;
      }
      if (m == l + 1) {
        SmallEigen pair = solveTwoByTwo(d[l], e[l], d[l + 1]);
        rotatePair(l, pair);
        d[l] = pair.large;
        d[l + 1] = pair.small;
        e[l] = 0;
        l += 2;
        continue;
      }
      if (stepsLeft-- <= 0)
        return;
      stepDown(l, m);
    }
  }
  void stepDown(int64_t l, int64_t m) {
    double g = shift(d[l], d[l + 1], e[l], d[m]), s = 1, c = 1, p = 0;
    for (int64_t i = m - 1; i >= l; --i) {
      double f = s * e[i], b = c * e[i];
      Rotation rotation = makeRotation(g, f);
      c = rotation.c;
      s = rotation.s;
      if (i != m - 1)
        e[i + 1] = rotation.r;
      g = d[i + 1] - p;
      double r = (d[i] - g) * s + 2 * c * b;
      p = s * r;
      d[i + 1] = g + p;
      g = c * r - b;
      cosines[m - 1 - i] = c, sines[m - 1 - i] = s;
    }
    d[l] -= p;
    e[l] = g;
    rows.add(m, RotationQueue::Order::Falling, cosines.data(), sines.data(), m - l);
  }

  /// QR: eigenvalues appear from `l` down.
  void upwards(int64_t l, int64_t first) {
    while (l >= first) {
      int64_t m = l;
      while (m > first && !isTiny(m - 1, m, m - 1))
        --m;
      if (m > first)
        e[m - 1] = 0;
      if (m == l) {
        --l;
        continue;
      }
      if (m == l - 1) {
        SmallEigen pair = solveTwoByTwo(d[l - 1], e[l - 1], d[l]);
        rotatePair(l - 1, pair);
        d[l - 1] = pair.large;
        d[l] = pair.small;
        e[l - 1] = 0;
        l -= 2;
        continue;
      }
      if (stepsLeft-- <= 0)
        return;
      stepUp(l, m);
    }
  }
  void stepUp(int64_t l, int64_t m) {
    double g = shift(d[l], d[l - 1], e[l - 1], d[m]), s = 1, c = 1, p = 0;
    for (int64_t i = m; i < l; ++i) {
      double f = s * e[i], b = c * e[i];
      Rotation rotation = makeRotation(g, f);
      c = rotation.c;
      s = rotation.s;
      if (i != m)
        e[i - 1] = rotation.r;
      g = d[i] - p;
      double r = (d[i + 1] - g) * s + 2 * c * b;
      p = s * r;
      d[i] = g + p;
      g = c * r - b;
      cosines[i - m] = c, sines[i - m] = s;
    }
    d[l] -= p;
    e[l - 1] = g;
    rows.add(m, RotationQueue::Order::Rising, cosines.data(), sines.data(), l - m);
  }

  std::vector<double> &d, &e;
  RotationQueue rows;
  const int64_t n;
  int64_t stepsLeft;
  std::vector<double> cosines, sines; ///< Of a step.
  double epsilon, smallest;
};

template <typename T> Matrix<T> reversed(const Matrix<T> &a) {
  Matrix<T> result = a;
  std::reverse(result.data.begin(), result.data.end());
  return result;
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

template <typename T>
std::vector<double> tsc::cpu::linalg::eigh(const Matrix<T> &a, Triangle triangle, Precision precision, Vectors wanted,
                                           Matrix<T> &vectors) {
  bool upper = triangle == Triangle::Upper; // as the lower triangle, seen from the other end
  Tridiagonal<T> t = reduce(upper ? reversed(a) : a, wanted);
  if (upper) {
    std::reverse(t.diagonal.begin(), t.diagonal.end());
    std::reverse(t.off.begin(), t.off.end());
    t.columns = reversed(t.columns);
  }
  TridiagonalIteration(t.diagonal, t.off, rowsOf(t.columns), precision).run();
  sortEigenvalues(t.diagonal, t.columns);
  vectors = Matrix<T>(t.columns.columns, t.columns.rows);
  for (int64_t i = 0; i != vectors.rows; ++i)
    for (int64_t j = 0; j != vectors.columns; ++j)
      vectors(i, j) = t.columns(j, i);
  return std::move(t.diagonal);
}
template std::vector<double> tsc::cpu::linalg::eigh(const Matrix<double> &, Triangle, Precision, Vectors,
                                                    Matrix<double> &);
template std::vector<double> tsc::cpu::linalg::eigh(const Matrix<std::complex<double>> &, Triangle, Precision, Vectors,
                                                    Matrix<std::complex<double>> &);
