//===- GeneralEigen.cpp - Eigenvalues of matrices without symmetry --------===//
//
// Reflections to Hessenberg form, then implicitly shifted QR steps: double ones on a
// real form, single ones on a complex form. Nothing but the iteration orders the
// eigenvalues; with LAPACK's shifts and tests they stand where PyTorch has them.
//
//===----------------------------------------------------------------------===//
#include "Hessenberg.h"
#include "Products/Gemm.h"
#include "tsc/Support/AtSimdLevel.h"
#include "tsc/Support/WorkMeter.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

using namespace tsc::cpu::linalg;

using Complex = std::complex<double>;

namespace {

/// Steps without deflation after which a shift is made up.
constexpr int64_t exceptional = 10;

/// The Hessenberg form on its way to a triangular one: rows from `last` on are done. Where no vectors are wanted,
/// nothing but the block in work is kept true. Of a real matrix q is the transpose, in whose rows vectors run.
template <typename T> class Iteration {
public:
  Iteration(Matrix<T> &h, Matrix<T> &q, Precision precision, Vectors wanted)
      : h(h), q(q), n(h.rows), wanted(wanted), ulp(precision == Precision::Single ? 0x1p-23 : 0x1p-52),
        smallest(
            (precision == Precision::Single ? std::numeric_limits<float>::min() : std::numeric_limits<double>::min()) *
            (static_cast<double>(n) / ulp)) {}

  /// Leaves blocks of at most `block` rows on the diagonal. False: no convergence, or the call is to end.
  bool run(int64_t block) {
    for (last = n - 1; last >= 0; last = first - 1) {
      first = 0;
      const int64_t most = 30 * std::max<int64_t>(10, n);
      bool isDone = false;
      for (int64_t steps = 0; !isDone && steps <= most && !tsc::work::wasStopped(); ++steps) {
        first = start();
        if (first > 0)
          h(first, first - 1) = 0;
        isDone = first > last - block;
        if (!isDone)
          step(steps + 1);
      }
      if (!isDone)
        return false;
    }
    return true;
  }

private:
  /// Where the block that ends at `last` begins: below an element that counts for nothing (Ahues and Tisseur).
  int64_t start() const {
    int64_t k = last;
    for (; k > first; --k) {
      const double below = sizeOf(h(k, k - 1));
      if (below <= smallest)
        break;
      double around = sizeOf(h(k - 1, k - 1)) + sizeOf(h(k, k));
      if (around == 0) {
        if (k >= 2)
          around += sizeOf(h(k - 1, k - 2));
        if (k + 1 < n)
          around += sizeOf(h(k + 1, k));
      }
      if (below > ulp * around)
        continue;
      const double beside = sizeOf(h(k - 1, k)), gap = sizeOf(h(k - 1, k - 1) - h(k, k)), corner = sizeOf(h(k, k));
      const double ab = std::max(below, beside), ba = std::min(below, beside);
      const double aa = std::max(corner, gap), bb = std::min(corner, gap), s = aa + ab;
      if (ba * (ab / s) <= std::max(smallest, ulp * (bb * (aa / s))))
        break;
    }
    return k;
  }

  void step(int64_t count);

  Matrix<T> &h, &q;
  const int64_t n;
  const Vectors wanted;
  const double ulp, smallest;
  int64_t first = 0, last = 0;
};

/// Applies 1 - tau v v^T to three rows or two, of n elements; v begins with 1.
LLVM_ATTRIBUTE_ALWAYS_INLINE void reflectThree(double *__restrict x, double *__restrict y, double *__restrict z,
                                               double v, double w, double tau, int64_t n) {
  const double a = tau, b = tau * v, c = tau * w;
  for (int64_t j = 0; j < n; ++j) {
    const double sum = x[j] + v * y[j] + w * z[j];
    x[j] -= sum * a;
    y[j] -= sum * b;
    z[j] -= sum * c;
  }
}
LLVM_ATTRIBUTE_ALWAYS_INLINE void reflectTwo(double *__restrict x, double *__restrict y, double v, double tau,
                                             int64_t n) {
  const double a = tau, b = tau * v;
  for (int64_t j = 0; j < n; ++j) {
    const double sum = x[j] + v * y[j];
    x[j] -= sum * a;
    y[j] -= sum * b;
  }
}
/// The same to three or two neighbours in each of n rows.
void reflectNeighbours(double *rows, int64_t step, int64_t size, double v, double w, double tau, int64_t n) {
  const double a = tau, b = tau * v, c = tau * w;
  if (size == 3) {
    for (int64_t i = 0; i < n; ++i, rows += step) {
      const double sum = rows[0] + v * rows[1] + w * rows[2];
      rows[0] -= sum * a;
      rows[1] -= sum * b;
      rows[2] -= sum * c;
    }
    return;
  }
  for (int64_t i = 0; i < n; ++i, rows += step) {
    const double sum = rows[0] + v * rows[1];
    rows[0] -= sum * a;
    rows[1] -= sum * b;
  }
}
/// A double step of a real matrix, by a pair of shifts.
template <> void Iteration<double>::step(int64_t count) {
  double h11 = h(last - 1, last - 1), h12 = h(last - 1, last), h21 = h(last, last - 1), h22 = h(last, last);
  if (count % exceptional == 0) {
    const bool atEnd = count % (2 * exceptional) == 0;
    const double s = atEnd ? std::fabs(h(last, last - 1)) + std::fabs(h(last - 1, last - 2))
                           : std::fabs(h(first + 1, first)) + std::fabs(h(first + 2, first + 1));
    h11 = h22 = 0.75 * s + (atEnd ? h(last, last) : h(first, first));
    h12 = -0.4375 * s;
    h21 = s;
  }
  double re1 = 0, im1 = 0, re2 = 0, im2 = 0;
  if (const double s = std::fabs(h11) + std::fabs(h12) + std::fabs(h21) + std::fabs(h22); s != 0) {
    h11 /= s, h12 /= s, h21 /= s, h22 /= s;
    const double half = (h11 + h22) / 2, determinant = (h11 - half) * (h22 - half) - h12 * h21;
    const double root = std::sqrt(std::fabs(determinant));
    if (determinant >= 0) {
      re1 = re2 = half * s;
      im1 = root * s;
      im2 = -im1;
    } else { // of two real ones the nearer to the corner, twice
      const double one = half + root, other = half - root;
      re1 = re2 = (std::fabs(one - h22) <= std::fabs(other - h22) ? one : other) * s;
    }
  }
  double v[3];
  int64_t m = last - 2;
  for (;; --m) { // two consecutive small elements below the diagonal let it begin there
    const double s = std::fabs(h(m, m) - re2) + std::fabs(im2) + std::fabs(h(m + 1, m)), below = h(m + 1, m) / s;
    v[0] = below * h(m, m + 1) + (h(m, m) - re1) * ((h(m, m) - re2) / s) - im1 * (im2 / s);
    v[1] = below * (h(m, m) + h(m + 1, m + 1) - re1 - re2);
    v[2] = below * h(m + 2, m + 1);
    const double sum = std::fabs(v[0]) + std::fabs(v[1]) + std::fabs(v[2]);
    for (double &x : v)
      x /= sum;
    if (m == first ||
        std::fabs(h(m, m - 1)) * (std::fabs(v[1]) + std::fabs(v[2])) <=
            ulp * std::fabs(v[0]) * (std::fabs(h(m - 1, m - 1)) + std::fabs(h(m, m)) + std::fabs(h(m + 1, m + 1))))
      break;
  }
  for (int64_t k = m; k < last && !tsc::work::wasStopped(); ++k) {
    const int64_t size = std::min<int64_t>(3, last - k + 1);
    if (k > m)
      for (int64_t i = 0; i < size; ++i)
        v[i] = h(k + i, k - 1);
    const double tail = size == 3 ? lengthOf(v[1], v[2]) : std::fabs(v[1]);
    double tau = 0;
    if (tail != 0) {
      const double beta = -std::copysign(lengthOf(v[0], tail), v[0]);
      tau = (beta - v[0]) / beta;
      for (int64_t i = 1; i < size; ++i)
        v[i] /= v[0] - beta;
      v[0] = beta;
    }
    if (k > m) {
      h(k, k - 1) = v[0];
      for (int64_t i = 1; i < size; ++i)
        h(k + i, k - 1) = 0;
    } else if (m > first) {
      h(k, k - 1) *= 1 - tau;
    }
    v[0] = 1;
    const bool isWanted = wanted == Vectors::Wanted;
    const int64_t columns = (isWanted ? n : last + 1) - k, top = isWanted ? 0 : first;
    auto reflectRows = [&](Matrix<double> &x, int64_t from, int64_t count) {
      if (size == 3)
        tsc::atSimdLevel<reflectThree, tsc::Overlap::None>(&x(k, from), &x(k + 1, from), &x(k + 2, from), v[1], v[2],
                                                           tau, count);
      else
        tsc::atSimdLevel<reflectTwo, tsc::Overlap::None>(&x(k, from), &x(k + 1, from), v[1], tau, count);
    };
    reflectRows(h, k, columns);
    reflectNeighbours(&h(top, k), n, size, v[1], v[2], tau, std::min(k + 3, last) + 1 - top);
    if (isWanted)
      reflectRows(q, 0, n);
  }
}

/// A single step of a complex matrix whose elements below the diagonal are real.
template <> void Iteration<Complex>::step(int64_t count) {
  // Without vectors what stands outside the block has no part in its eigenvalues.
  const bool isWanted = wanted == Vectors::Wanted;
  const int64_t end = isWanted ? n : last + 1, begin = isWanted ? 0 : first;
  auto turnRow = [&](int64_t row, int64_t from, Complex factor) {
    for (int64_t j = from; j < end; ++j)
      h(row, j) *= factor;
  };
  auto turnColumn = [&](int64_t column, Complex factor) {
    for (int64_t i = begin; i < column; ++i)
      h(i, column) *= factor;
    if (isWanted)
      for (int64_t i = 0; i < n; ++i)
        q(i, column) *= factor;
  };
  Complex shift = h(last, last);
  if (count % (2 * exceptional) == 0) {
    shift += 0.75 * std::fabs(h(last, last - 1).real());
  } else if (count % exceptional == 0) {
    shift = h(first, first) + 0.75 * std::fabs(h(first + 1, first).real());
  } else { // Wilkinson's
    const Complex u = std::sqrt(h(last - 1, last)) * std::sqrt(h(last, last - 1));
    if (double s = sizeOf(u); s != 0) {
      const Complex x = 0.5 * (h(last - 1, last - 1) - shift);
      const double sx = sizeOf(x);
      s = std::max(s, sx);
      Complex y = s * std::sqrt((x / s) * (x / s) + (u / s) * (u / s));
      if (sx > 0 && (x / sx).real() * y.real() + (x / sx).imag() * y.imag() < 0)
        y = -y;
      shift -= u * (u / (x + y));
    }
  }
  Complex v[2];
  int64_t m = last - 1;
  for (;; --m) {
    Complex top = h(m, m) - shift;
    double below = h(m + 1, m).real();
    const double s = sizeOf(top) + std::fabs(below);
    v[0] = top /= s;
    v[1] = below /= s;
    if (m == first || std::fabs(h(m, m - 1).real()) * std::fabs(below) <=
                          ulp * (sizeOf(top) * (sizeOf(h(m, m)) + sizeOf(h(m + 1, m + 1)))))
      break;
  }
  for (int64_t k = m; k < last && !tsc::work::wasStopped(); ++k) {
    if (k > m)
      v[0] = h(k, k - 1), v[1] = h(k + 1, k - 1);
    Complex tau = 0;
    if (v[1] != 0.0 || v[0].imag() != 0) {
      const double beta = -std::copysign(std::hypot(std::abs(v[0]), std::abs(v[1])), v[0].real());
      tau = {(beta - v[0].real()) / beta, -v[0].imag() / beta};
      v[1] /= v[0] - beta;
      v[0] = beta;
    }
    if (k > m)
      h(k, k - 1) = v[0], h(k + 1, k - 1) = 0;
    for (int64_t j = k; j < end; ++j) {
      const Complex sum = std::conj(tau) * (h(k, j) + std::conj(v[1]) * h(k + 1, j));
      h(k, j) -= sum;
      h(k + 1, j) -= sum * v[1];
    }
    auto reflectColumns = [&](Matrix<Complex> &x, int64_t from, int64_t rows) {
      for (int64_t j = from; j < rows; ++j) {
        const Complex sum = tau * (x(j, k) + v[1] * x(j, k + 1));
        x(j, k) -= sum;
        x(j, k + 1) -= sum * std::conj(v[1]);
      }
    };
    reflectColumns(h, begin, std::min(k + 2, last) + 1);
    if (isWanted)
      reflectColumns(q, 0, n);
    if (k == m && m > first) { // what is above it turned: h(m, m - 1) stays real
      Complex turn = 1.0 - tau;
      turn /= std::abs(turn);
      h(m + 1, m) *= std::conj(turn);
      if (m + 2 <= last)
        h(m + 2, m + 1) *= turn;
      for (int64_t j = m; j <= last && !tsc::work::wasStopped(); ++j) {
        if (j == m + 1)
          continue;
        turnRow(j, j + 1, turn);
        turnColumn(j, std::conj(turn));
      }
    }
  }
  if (Complex below = h(last, last - 1); below.imag() != 0) {
    const double size = std::abs(below);
    h(last, last - 1) = size;
    below /= size;
    turnRow(last, last + 1, std::conj(below));
    turnColumn(last, below);
  }
}

/// Makes the elements below the diagonal real.
void turnToReal(Matrix<Complex> &h, Matrix<Complex> &q) {
  const int64_t n = h.rows;
  for (int64_t i = 1; i < n && !tsc::work::wasStopped(); ++i) {
    const Complex below = h(i, i - 1);
    if (below.imag() == 0)
      continue;
    const Complex turn = std::conj(below) / std::abs(below);
    h(i, i - 1) = std::abs(below);
    for (int64_t j = i; j < n; ++j)
      h(i, j) *= turn;
    for (int64_t j = 0; j <= std::min(n - 1, i + 1); ++j)
      h(j, i) *= std::conj(turn);
    for (int64_t j = 0; j < n; ++j)
      q(j, i) *= std::conj(turn);
  }
}

/// The eigenvalues of ((a, b), (c, d)), c not being 0: of a conjugate pair the one above the real axis comes first.
std::pair<Complex, Complex> valuesOfBlock(double a, double b, double c, double d) {
  const double p = (a - d) / 2, scale = std::max({std::fabs(p), std::fabs(b), std::fabs(c)});
  const double z = (p / scale) * p + (b / scale) * c, root = std::sqrt(scale) * std::sqrt(std::fabs(z));
  const Complex above = {(a + d) / 2, root};
  if (z < 0)
    return {above, std::conj(above)};
  const double far = p + std::copysign(root, p);
  return {d + far, far == 0 ? d : d - b * (c / far)};
}

/// Makes blocks of two rows triangular.
void splitBlocks(Matrix<Complex> &h, Matrix<Complex> &q) {
  const int64_t n = h.rows;
  for (int64_t k = 0; k + 1 < n && !tsc::work::wasStopped(); ++k) {
    const double c = h(k + 1, k).real(), d = h(k + 1, k + 1).real();
    if (c == 0)
      continue;
    const auto [value, other] = valuesOfBlock(h(k, k).real(), h(k, k + 1).real(), c, d);
    Complex x = value - d, y = c;
    const double size = std::hypot(std::abs(x), std::abs(y));
    x /= size;
    y /= size;
    auto rotateColumns = [&](Matrix<Complex> &of, int64_t rows) {
      for (int64_t i = 0; i < rows; ++i) {
        const Complex u = of(i, k), v = of(i, k + 1);
        of(i, k) = u * x + v * y;
        of(i, k + 1) = v * std::conj(x) - u * std::conj(y);
      }
    };
    for (int64_t j = k; j < n; ++j) {
      const Complex u = h(k, j), v = h(k + 1, j);
      h(k, j) = std::conj(x) * u + std::conj(y) * v;
      h(k + 1, j) = x * v - y * u;
    }
    rotateColumns(h, k + 2);
    rotateColumns(q, n);
    h(k, k) = value;
    h(k + 1, k) = 0;
    h(k + 1, k + 1) = other;
  }
}

Matrix<Complex> toComplex(const Matrix<double> &from) {
  Matrix<Complex> to(from.rows, from.columns);
  std::copy(from.data.begin(), from.data.end(), to.data.begin());
  return to;
}

/// The triangular factor and its basis.
std::optional<std::pair<Matrix<Complex>, Matrix<Complex>>> schur(Matrix<double> h, Precision precision) {
  const Balance<double> balance(h);
  Matrix<double> qt = Matrix<double>::identity(h.rows);
  toHessenberg(h, &qt);
  if (!Iteration<double>(h, qt, precision, Vectors::Wanted).run(2))
    return std::nullopt;
  Matrix<double> q = transposed(qt);
  balance.undo(q);
  auto factors = std::pair(toComplex(h), toComplex(q));
  splitBlocks(factors.first, factors.second);
  return factors;
}
/// The eigenvalues alone; false: no convergence, or the call is to end.
bool valuesOf(Matrix<double> h, Precision precision, std::vector<Complex> &values) {
  const Balance<double> balance(h);
  Matrix<double> none;
  toHessenberg(h, nullptr);
  if (!Iteration<double>(h, none, precision, Vectors::Unwanted).run(2))
    return false;
  const int64_t n = h.rows;
  for (int64_t k = 0; k < n; ++k) {
    if (k + 1 == n || h(k + 1, k) == 0) {
      values.push_back(h(k, k));
      continue;
    }
    const auto [one, other] = valuesOfBlock(h(k, k), h(k, k + 1), h(k + 1, k), h(k + 1, k + 1));
    values.insert(values.end(), {one, other});
    ++k;
  }
  return true;
}
bool valuesOf(Matrix<Complex> h, Precision precision, std::vector<Complex> &values) {
  const Balance<Complex> balance(h);
  Matrix<Complex> q = Matrix<Complex>::identity(h.rows);
  toHessenberg(h, q);
  turnToReal(h, q);
  if (!Iteration<Complex>(h, q, precision, Vectors::Unwanted).run(1))
    return false;
  for (int64_t k = 0; k < h.rows; ++k)
    values.push_back(h(k, k));
  return true;
}
std::optional<std::pair<Matrix<Complex>, Matrix<Complex>>> schur(Matrix<Complex> h, Precision precision) {
  const Balance<Complex> balance(h);
  Matrix<Complex> q = Matrix<Complex>::identity(h.rows);
  toHessenberg(h, q);
  turnToReal(h, q);
  if (!Iteration<Complex>(h, q, precision, Vectors::Wanted).run(1))
    return std::nullopt;
  balance.undo(q);
  return std::pair(std::move(h), std::move(q));
}

} // namespace

/// The sum of x[i] y[i].
LLVM_ATTRIBUTE_ALWAYS_INLINE static void complexProduct(const double *x, const double *y, int64_t n, double *sum) {
#pragma clang fp reassociate(on) contract(fast)
  double re = 0, im = 0;
  for (int64_t i = 0; i < n; ++i) {
    re += x[2 * i] * y[2 * i] - x[2 * i + 1] * y[2 * i + 1];
    im += x[2 * i] * y[2 * i + 1] + x[2 * i + 1] * y[2 * i];
  }
  sum[0] = re;
  sum[1] = im;
}

template <typename T>
bool tsc::cpu::linalg::eig(const Matrix<T> &a, Precision precision, Vectors wanted, std::vector<Complex> &values,
                           Matrix<Complex> &vectors) {
  assert(a.rows == a.columns && "a square matrix");
  const int64_t n = a.rows;
  if (wanted == Vectors::Unwanted)
    return valuesOf(a, precision, values);
  auto factors = schur(a, precision);
  if (!factors)
    return false;
  const auto &[h, q] = *factors;
  for (int64_t k = 0; k < n; ++k)
    values.push_back(h(k, k));
  if (n == 0)
    return true;
  double scale = std::numeric_limits<double>::min();
  for (const Complex &x : h.data)
    scale = std::max(scale, std::abs(x));
  const double least = std::numeric_limits<double>::epsilon() * scale;
  Matrix<Complex> rows(n, n); // of each an eigenvector of the triangular factor
  for (int64_t k = 0; k < n; ++k) {
    if (tsc::work::wasStopped())
      return false;
    Complex *const x = &rows(k, 0);
    x[k] = 1;
    for (int64_t i = k - 1; i >= 0; --i) {
      Complex sum;
      tsc::atSimdLevel<complexProduct>(reinterpret_cast<const double *>(&h(i, i + 1)),
                                       reinterpret_cast<const double *>(x + i + 1), k - i,
                                       reinterpret_cast<double *>(&sum));
      const Complex gap = h(i, i) - values[k];
      x[i] = -sum / (std::abs(gap) < least ? least : gap);
    }
  }
  vectors = Matrix<Complex>(n, n);
  if (!gemm(DType::ComplexDouble, 1, n, n, n, {q.data.data(), n, 1}, {rows.data.data(), 1, n}, {vectors.data.data(), n},
            GemmMode::Assign)
           .ok())
    return false;
  for (int64_t k = 0; k < n; ++k) {
    double norm = 0, largest = 0;
    Complex phase = 1;
    for (int64_t i = 0; i < n; ++i) {
      const Complex y = vectors(i, k);
      norm += std::norm(y);
      if (const double size = std::abs(y); size > largest * (1 + 1e-9))
        largest = size, phase = std::conj(y) / size;
    }
    // The largest element is real; a real matrix has real vectors for real values.
    const bool isReal = std::is_same_v<T, double> && values[k].imag() == 0;
    for (int64_t i = 0; i < n; ++i)
      vectors(i, k) = isReal ? vectors(i, k).real() / std::sqrt(norm) : vectors(i, k) * phase / std::sqrt(norm);
  }
  return true;
}

template bool tsc::cpu::linalg::eig(const Matrix<double> &, Precision, Vectors, std::vector<Complex> &,
                                    Matrix<Complex> &);
template bool tsc::cpu::linalg::eig(const Matrix<Complex> &, Precision, Vectors, std::vector<Complex> &,
                                    Matrix<Complex> &);
