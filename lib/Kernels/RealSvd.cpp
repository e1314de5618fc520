//===- RealSvd.cpp - Singular values of real matrices ---------------------===//
//
// Reflections from both sides to bidiagonal form (Golub and Kahan), then QR steps
// with or without shift (Demmel and Kahan, "Accurate singular values of bidiagonal
// matrices", 1990), which keep the small values accurate relative to themselves.
// Vectors are rows of memory; the rotations of a step go over all of them at once.
//
//===----------------------------------------------------------------------===//
#include "DenseRows.h"
#include "Reflections.h"
#include <cmath>
#include <limits>
#include <numeric>

using namespace tsc::cpu::linalg;

namespace {
/// a = U B V^T with B upper bidiagonal, as the vectors of U's and V's reflections.
struct Bidiagonal {
  Elements<double> diagonal, above;
  Reflections left, right;
};
} // namespace

/// Of a matrix with at least as many rows as columns. What a step does to the rest of the matrix waits for the next
/// one, which needs the rest twice: once by columns, and then by rows.
static Bidiagonal reduce(Matrix<double> a) {
  const int64_t m = a.rows, n = a.columns;
  const RowKernels &kernels = rowKernels();
  const auto last = static_cast<size_t>(n) - 1;
  Bidiagonal result{{last + 1, 0}, {last, 0}, {Matrix<double>(n, m), {last + 1, 0}}, {Matrix<double>(n, n), {last, 0}}};
  // The last step: what it takes from the rest is u y^T + x v^T.
  Elements<double> y(n, 0), x(m, 0), sum(n, 0);
  const Elements<double> none(m, 0);
  const double *u = none.data(), *v = none.data();
  for (int64_t k = 0; k != n; ++k) {
    double *const left = &result.left.vectors(k, 0);
    for (int64_t i = k; i != m; ++i)
      left[i] = a(i, k) - u[i] * y[k] - x[i] * v[k];
    result.diagonal[k] = makeReflection(left + k, m - k, result.left.taus[k]);
    const int64_t rest = n - k - 1;
    if (rest == 0)
      break;
    std::fill_n(sum.data(), rest, 0.0);
    kernels.updateTwice(&a(k, k + 1), n, m - k, u + k, y.data() + k + 1, x.data() + k, v + k + 1, left + k, sum.data(),
                        rest);
    for (int64_t j = 0; j != rest; ++j)
      y[k + 1 + j] = result.left.taus[k] * sum[j];
    double *const right = &result.right.vectors(k, 0);
    for (int64_t j = k + 1; j != n; ++j)
      right[j] = a(k, j) - y[j];
    double &turn = result.right.taus[k];
    result.above[k] = makeReflection(right + k + 1, rest, turn);
    double overlap = 0;
    kernels.multiply(&y[k + 1], 0, 1, right + k + 1, &overlap, rest);
    if (k + 1 != m)
      kernels.multiply(&a(k + 1, k + 1), n, m - k - 1, right + k + 1, &x[k + 1], rest);
    for (int64_t i = k + 1; i != m; ++i)
      x[i] = turn * (x[i] - left[i] * overlap);
    u = left;
    v = right;
  }
  return result;
}

namespace {
/// c f + s g = r, c g - s f = 0
struct Rotation {
  double c, s, r;
  Rotation(double f, double g) {
    if (g == 0) {
      c = 1, s = 0, r = f;
      return;
    }
    const double squares = f * f + g * g;
    r = squares > 1e-280 ? std::sqrt(squares) : std::hypot(f, g); // elements are at most about 1
    c = f / r, s = g / r;
  }
};

/// The iteration on one bidiagonal matrix. Rows of u and v, where there are any, are the vectors.
class BidiagonalIteration {
public:
  BidiagonalIteration(Elements<double> &d, Elements<double> &e, Precision precision, Matrix<double> *u,
                      Matrix<double> *v)
      : d(d), e(e), u(u), v(v), n(static_cast<int64_t>(d.size())),
        epsilon(precision == Precision::Single ? 0x1p-40 : 0x1p-53), tolerance(64 * epsilon), cosines(2 * n, 0),
        sines(2 * n, 0) {}

  /// False: no convergence.
  bool run() {
    findThreshold();
    last = n - 1;
    int64_t before = -1, beforeFirst = -1;
    for (int64_t left = 6 * n * n; last > 0;) {
      double largest = findBlock();
      if (first == last) {
        --last;
        continue;
      }
      if (left < 0)
        return false;
      // From the end with the larger element; a block that goes on keeps its direction.
      if (first > before || last < beforeFirst)
        flipped = std::fabs(d[first]) < std::fabs(d[last]);
      before = last, beforeFirst = first;
      double smallest = 0;
      if (converges(smallest))
        continue;
      left -= last - first;
      step(largest, smallest);
    }
    return true;
  }

private:
  // Elements as seen from the end where a step begins.
  double &diagonal(int64_t i) { return d[flipped ? last + first - i : i]; }
  double &above(int64_t i) { return e[flipped ? last + first - 1 - i : i]; }

  /// Below which an element is none: it changes no singular value by more than the tolerance.
  void findThreshold() {
    double smallest = std::fabs(d[0]), mu = smallest;
    for (int64_t i = 1; i < n && smallest != 0; ++i) {
      mu = std::fabs(d[i]) * (mu / (mu + std::fabs(e[i - 1])));
      smallest = std::min(smallest, mu);
    }
    smallest /= std::sqrt(static_cast<double>(n));
    const double count = static_cast<double>(n);
    threshold = std::max(tolerance * smallest, 6 * count * count * std::numeric_limits<double>::min());
  }

  /// The block that ends at `last`; returns its largest element.
  double findBlock() {
    if (std::fabs(d[last]) <= threshold)
      d[last] = 0;
    double largest = std::fabs(d[last]);
    for (first = last; first > 0; --first) {
      const double side = std::fabs(e[first - 1]);
      if (std::fabs(d[first - 1]) <= threshold)
        d[first - 1] = 0;
      if (side <= threshold) {
        e[first - 1] = 0;
        break;
      }
      largest = std::max({largest, std::fabs(d[first - 1]), side});
    }
    return largest;
  }

  /// Whether an element above the diagonal counts for nothing, which is then 0; else what the singular values are not
  /// below.
  bool converges(double &smallest) {
    if (double &end = above(last - 1); std::fabs(end) <= tolerance * std::fabs(diagonal(last))) {
      end = 0;
      return true;
    }
    double mu = std::fabs(diagonal(first));
    smallest = mu;
    for (int64_t i = first; i < last; ++i) {
      const double side = std::fabs(above(i));
      if (side <= tolerance * mu) {
        above(i) = 0;
        return true;
      }
      mu = std::fabs(diagonal(i + 1)) * (mu / (mu + side));
      smallest = std::min(smallest, mu);
    }
    return false;
  }

  /// The smaller singular value of ((f, g), (0, h)).
  static double smallerOf(double f, double g, double h) {
    f = std::fabs(f), g = std::fabs(g), h = std::fabs(h);
    const double low = std::min(f, h), high = std::max(f, h);
    if (low == 0)
      return 0;
    const double sum = 1 + low / high, difference = (high - low) / high;
    if (g < high) {
      const double ratio = (g / high) * (g / high);
      return low * (2 / (std::sqrt(sum * sum + ratio) + std::sqrt(difference * difference + ratio)));
    }
    const double ratio = high / g;
    if (ratio == 0)
      return low * high / g;
    const double a = sum * ratio, b = difference * ratio;
    return 2 * (low * (1 / (std::sqrt(1 + a * a) + std::sqrt(1 + b * b)))) * ratio;
  }

  void step(double largest, double smallest) {
    double shift = 0;
    if (static_cast<double>(n) * tolerance * (smallest / largest) > std::max(epsilon, 0.01 * tolerance)) {
      shift = smallerOf(diagonal(last - 1), above(last - 1), diagonal(last));
      const double top = std::fabs(diagonal(first)), ratio = shift / top;
      if (top > 0 && ratio * ratio < epsilon)
        shift = 0;
    }
    const int64_t count = last - first;
    double *const rightC = cosines.data(), *const rightS = sines.data();
    double *const leftC = rightC + n, *const leftS = rightS + n;
    shift == 0 ? withoutShift(rightC, rightS, leftC, leftS) : withShift(shift, rightC, rightS, leftC, leftS);
    if (std::fabs(above(last - 1)) <= threshold)
      above(last - 1) = 0;
    // Seen from the other end the matrix is transposed, so that left is right.
    apply(flipped ? u : v, rightC, rightS, count);
    apply(flipped ? v : u, leftC, leftS, count);
  }

  void withShift(double shift, double *rightC, double *rightS, double *leftC, double *leftS) {
    const double top = diagonal(first);
    double f = (std::fabs(top) - shift) * (std::copysign(1.0, top) + shift / top), g = above(first);
    for (int64_t i = first; i < last; ++i) {
      const Rotation right(f, g);
      if (i > first)
        above(i - 1) = right.r;
      f = right.c * diagonal(i) + right.s * above(i);
      above(i) = right.c * above(i) - right.s * diagonal(i);
      g = right.s * diagonal(i + 1);
      diagonal(i + 1) *= right.c;
      const Rotation left(f, g);
      diagonal(i) = left.r;
      f = left.c * above(i) + left.s * diagonal(i + 1);
      diagonal(i + 1) = left.c * diagonal(i + 1) - left.s * above(i);
      if (i + 1 < last) {
        g = left.s * above(i + 1);
        above(i + 1) *= left.c;
      }
      rightC[i - first] = right.c, rightS[i - first] = right.s;
      leftC[i - first] = left.c, leftS[i - first] = left.s;
    }
    above(last - 1) = f;
  }

  void withoutShift(double *rightC, double *rightS, double *leftC, double *leftS) {
    double c = 1, oldC = 1, oldS = 0;
    for (int64_t i = first; i < last; ++i) {
      const Rotation right(diagonal(i) * c, above(i));
      if (i > first)
        above(i - 1) = oldS * right.r;
      const Rotation left(oldC * right.r, diagonal(i + 1) * right.s);
      diagonal(i) = left.r;
      c = right.c, oldC = left.c, oldS = left.s;
      rightC[i - first] = right.c, rightS[i - first] = right.s;
      leftC[i - first] = left.c, leftS[i - first] = left.s;
    }
    const double h = diagonal(last) * c;
    diagonal(last) = h * oldC;
    above(last - 1) = h * oldS;
  }

  void apply(Matrix<double> *rows, const double *c, const double *s, int64_t count) const {
    if (!rows)
      return;
    const int64_t step = rows->columns;
    rowKernels().rotate(rows->data.data() + (flipped ? last : first) * step, flipped ? -step : step, c, s, count, step);
  }

  Elements<double> &d, &e;
  Matrix<double> *u, *v;
  const int64_t n;
  const double epsilon, tolerance;
  double threshold = 0;
  Elements<double> cosines, sines; ///< Of a step: of the right side, then from n on of the left.
  int64_t first = 0, last = 0;
  bool flipped = false; ///< The step goes from the last element to the first.
};
} // namespace

/// The rows in another order.
static Matrix<double> reordered(const Matrix<double> &rows, const Elements<int64_t> &order) {
  Matrix<double> result(static_cast<int64_t>(order.size()), rows.columns);
  for (size_t i = 0; i != order.size(); ++i)
    std::copy_n(&rows.data[order[i] * rows.columns], rows.columns, &result.data[i * rows.columns]);
  return result;
}

static Svd<double> failed(const Matrix<double> &a) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const int64_t k = std::min(a.rows, a.columns);
  Svd<double> out{Matrix<double>(a.rows, k), Matrix<double>(k, a.columns), std::vector<double>(k, nan)};
  out.u.data.assign(out.u.data.size(), nan);
  out.vh.data.assign(out.vh.data.size(), nan);
  return out;
}

/// Of a matrix with at least as many rows as columns, whose largest element is about 1: rows of `ut` are columns of u.
/// False: no convergence.
static bool decompose(const Matrix<double> &a, Precision precision, Vectors vectors, Matrix<double> &ut,
                      Matrix<double> &vt, std::vector<double> &s) {
  const int64_t n = a.columns;
  Bidiagonal b = reduce(a);
  const bool wanted = vectors == Vectors::Wanted;
  if (wanted) {
    ut = Matrix<double>(n, a.rows);
    for (int64_t i = 0; i != n; ++i)
      ut(i, i) = 1;
    vt = Matrix<double>::identity(n);
    applyReflections(b.left, 0, ut, RowsAre::Identity);
    applyReflections(b.right, 1, vt, RowsAre::Identity);
  }
  if (!BidiagonalIteration(b.diagonal, b.above, precision, wanted ? &ut : nullptr, wanted ? &vt : nullptr).run())
    return false;
  Elements<int64_t> order(n, 0);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int64_t i, int64_t j) { return std::fabs(b.diagonal[i]) > std::fabs(b.diagonal[j]); });
  for (int64_t i : order)
    s.push_back(std::fabs(b.diagonal[i]));
  if (!wanted)
    return true;
  for (int64_t i = 0; i != n; ++i)
    if (std::signbit(b.diagonal[i]))
      std::transform(&vt.data[i * n], &vt.data[i * n] + n, &vt.data[i * n], [](double x) { return -x; });
  ut = reordered(ut, order);
  vt = reordered(vt, order);
  return true;
}

template <> Svd<double> tsc::cpu::linalg::svd(const Matrix<double> &a, Precision precision, Vectors vectors) {
  if (std::min(a.rows, a.columns) == 0)
    return {Matrix<double>(a.rows, 0), Matrix<double>(0, a.columns), {}};
  double largest = 0;
  for (double x : a.data)
    largest = std::max(std::isfinite(x) ? std::fabs(x) : std::numeric_limits<double>::infinity(), largest);
  if (!std::isfinite(largest))
    return failed(a);
  const bool isWide = a.rows < a.columns, wanted = vectors == Vectors::Wanted;
  Matrix<double> columns = isWide ? a : transposed(a); // of the taller of the matrix and its transpose
  const int scale = largest == 0 ? 0 : std::ilogb(largest);
  if (scale != 0)
    for (double &x : columns.data)
      x = std::ldexp(x, -scale);
  const int64_t n = columns.rows, m = columns.columns;
  Matrix<double> ut, vt;
  Svd<double> out;
  if (m >= 2 * n) { // by way of R, which is much smaller
    const Reflections q = reflectColumns(columns);
    Matrix<double> r(n, n), inner;
    for (int64_t i = 0; i != n; ++i)
      for (int64_t j = i; j != n; ++j)
        r(i, j) = columns(j, i);
    if (!decompose(r, precision, vectors, inner, vt, out.s))
      return failed(a);
    if (wanted) {
      ut = Matrix<double>(n, m);
      for (int64_t i = 0; i != n; ++i)
        std::copy_n(&inner(i, 0), n, &ut(i, 0));
      applyReflections(q, 0, ut, RowsAre::Any);
    }
  } else if (!decompose(transposed(columns), precision, vectors, ut, vt, out.s)) {
    return failed(a);
  }
  for (double &s : out.s)
    s = std::ldexp(s, scale);
  if (wanted) {
    out.u = isWide ? transposed(vt) : transposed(ut);
    out.vh = isWide ? std::move(ut) : std::move(vt);
  }
  return out;
}
