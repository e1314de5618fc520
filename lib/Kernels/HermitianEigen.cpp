//===- HermitianEigen.cpp - Eigenvalues of Hermitian matrices -------------===//
//
// Reflections to tridiagonal form, then implicit QL or QR steps, whichever starts
// at the smaller end. Eigenvectors are only known up to a factor of absolute value
// 1; going LAPACK's way gives the one that PyTorch shows.
//
//===----------------------------------------------------------------------===//
#include "Decompose.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace tsc::cpu::linalg;

namespace {

double realPart(double x) { return x; }
double realPart(std::complex<double> x) { return x.real(); }
double imaginaryPart(double) { return 0; }
double imaginaryPart(std::complex<double> x) { return x.imag(); }
double makeScalar(double re, double, double *) { return re; }
std::complex<double> makeScalar(double re, double im, std::complex<double> *) { return {re, im}; }

/// A reflection I - tau v v^H, v(0) = 1, that takes a column (alpha, x) to (beta, 0) with beta real: gives beta and
/// tau, and leaves v's tail in x.
template <typename T> std::pair<double, T> makeReflection(T alpha, std::vector<T> &x) {
  double norm = 0;
  for (const T &element : x)
    norm = std::hypot(norm, std::abs(element));
  if (norm == 0 && imaginaryPart(alpha) == 0)
    return {realPart(alpha), T(0)};
  double beta = -std::copysign(std::hypot(std::abs(alpha), norm), realPart(alpha));
  T tau = makeScalar((beta - realPart(alpha)) / beta, -imaginaryPart(alpha) / beta, static_cast<T *>(nullptr));
  for (T &element : x)
    element /= alpha - beta;
  return {beta, tau};
}

template <typename T> struct Tridiagonal {
  std::vector<double> diagonal, off;
  Matrix<T> q; ///< a = q tridiagonal q^H
};

/// Reads the lower triangle.
template <typename T> Tridiagonal<T> reduce(Matrix<T> a) {
  int64_t n = a.rows;
  for (int64_t i = 0; i != n; ++i)
    a(i, i) = T(realPart(a(i, i)));
  Tridiagonal<T> result{std::vector<double>(n), std::vector<double>(std::max<int64_t>(n - 1, 0)),
                        Matrix<T>::identity(n)};
  for (int64_t i = 0; i + 1 < n; ++i) {
    std::vector<T> tail;
    for (int64_t k = i + 2; k < n; ++k)
      tail.push_back(a(k, i));
    auto [beta, tau] = makeReflection(a(i + 1, i), tail);
    result.off[i] = beta;
    result.diagonal[i] = realPart(a(i, i));
    if (tau == T(0))
      continue;
    std::vector<T> v{T(1)}, w(n - i - 1);
    v.insert(v.end(), tail.begin(), tail.end());
    auto element = [&](int64_t r, int64_t c) { // of the remaining matrix
      return r >= c ? a(i + 1 + r, i + 1 + c) : conjugate(a(i + 1 + c, i + 1 + r));
    };
    T overlap(0);
    for (size_t r = 0; r != v.size(); ++r) {
      for (size_t c = 0; c != v.size(); ++c)
        w[r] += tau * element(r, c) * v[c];
      overlap += conjugate(w[r]) * v[r];
    }
    for (size_t r = 0; r != v.size(); ++r)
      w[r] -= T(0.5) * tau * overlap * v[r];
    for (size_t c = 0; c != v.size(); ++c)
      for (size_t r = c; r != v.size(); ++r)
        a(i + 1 + r, i + 1 + c) -= v[r] * conjugate(w[c]) + w[r] * conjugate(v[c]);
    for (int64_t r = 0; r != n; ++r) { // q <- q (I - tau v v^H)
      T sum(0);
      for (size_t c = 0; c != v.size(); ++c)
        sum += result.q(r, i + 1 + c) * v[c];
      for (size_t c = 0; c != v.size(); ++c)
        result.q(r, i + 1 + c) -= tau * sum * conjugate(v[c]);
    }
  }
  if (n > 0)
    result.diagonal[n - 1] = realPart(a(n - 1, n - 1));
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

/// The iteration on one tridiagonal matrix; rotations are applied to the columns of z.
template <typename T> class TridiagonalIteration {
public:
  TridiagonalIteration(Tridiagonal<T> &t, Precision precision)
      : d(t.diagonal), e(t.off), z(t.q), n(static_cast<int64_t>(d.size())), stepsLeft(30 * n),
        epsilon(precision == Precision::Single ? 0x1p-24 : 0x1p-53),
        smallest(precision == Precision::Single ? std::numeric_limits<float>::min()
                                                : std::numeric_limits<double>::min()) {}

  void run() {
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

private:
  bool isNegligible(int64_t i) const {
    return std::fabs(e[i]) <= std::sqrt(std::fabs(d[i])) * std::sqrt(std::fabs(d[i + 1])) * epsilon;
  }
  bool isTiny(int64_t i, int64_t a, int64_t b) const {
    return e[i] * e[i] <= epsilon * epsilon * std::fabs(d[a]) * std::fabs(d[b]) + smallest;
  }
  bool isDiagonal(int64_t first, int64_t last) const {
    return std::all_of(e.begin() + first, e.begin() + last, [](double x) { return x == 0; });
  }
  /// Columns j and j + 1 of z.
  void rotate(int64_t j, double c, double s) {
    for (int64_t i = 0; i != n; ++i) {
      T right = z(i, j + 1);
      z(i, j + 1) = c * right - s * z(i, j);
      z(i, j) = s * right + c * z(i, j);
    }
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
        rotate(l, pair.cosine, pair.sine);
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
      rotate(i, c, -s);
    }
    d[l] -= p;
    e[l] = g;
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
        rotate(l - 1, pair.cosine, pair.sine);
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
      rotate(i, c, s);
    }
    d[l] -= p;
    e[l - 1] = g;
  }

  std::vector<double> &d, &e;
  Matrix<T> &z;
  int64_t n, stepsLeft;
  double epsilon, smallest;
};

template <typename T> Matrix<T> reversed(const Matrix<T> &a) {
  Matrix<T> result = a;
  std::reverse(result.data.begin(), result.data.end());
  return result;
}

} // namespace

/// Rising, by selection: equal eigenvalues stay as they came.
template <typename T> static void sortEigenvalues(std::vector<double> &values, Matrix<T> &vectors) {
  for (size_t i = 0; i + 1 < values.size(); ++i) {
    size_t least = std::min_element(values.begin() + i, values.end()) - values.begin();
    if (values[least] == values[i])
      continue;
    std::swap(values[least], values[i]);
    for (int64_t row = 0; row != vectors.rows; ++row)
      std::swap(vectors(row, least), vectors(row, i));
  }
}

template <typename T>
std::vector<double> tsc::cpu::linalg::eigh(const Matrix<T> &a, Triangle triangle, Precision precision, Vectors wanted,
                                           Matrix<T> &vectors) {
  constexpr int64_t largestSmall = 32; // whose time is not that of the iteration
  if (a.rows > largestSmall)
    return eighOfLarge(a, triangle, precision, wanted, vectors);
  bool upper = triangle == Triangle::Upper; // as the lower triangle, seen from the other end
  Tridiagonal<T> t = reduce(upper ? reversed(a) : a);
  if (upper) {
    std::reverse(t.diagonal.begin(), t.diagonal.end());
    std::reverse(t.off.begin(), t.off.end());
    t.q = reversed(t.q);
  }
  TridiagonalIteration<T>(t, precision).run();
  sortEigenvalues(t.diagonal, t.q);
  vectors = std::move(t.q);
  return std::move(t.diagonal);
}
template std::vector<double> tsc::cpu::linalg::eigh(const Matrix<double> &, Triangle, Precision, Vectors,
                                                    Matrix<double> &);
template std::vector<double> tsc::cpu::linalg::eigh(const Matrix<std::complex<double>> &, Triangle, Precision, Vectors,
                                                    Matrix<std::complex<double>> &);
