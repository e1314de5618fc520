//===- Bidiagonal.cpp - Singular values of bidiagonal matrices ------------===//
//
// QR steps with or without shift (Demmel and Kahan, "Accurate singular values of
// bidiagonal matrices", 1990), which keep the small values accurate relative to
// themselves. Vectors are rows of memory; the rotations of a step go over all of them
// at once.
//
//===----------------------------------------------------------------------===//
#include "Bidiagonal.h"
#include "DenseRows.h"
#include "Scaling.h"
#include "tsc/Support/WorkMeter.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace tsc::cpu::linalg;

void RotationQueue::add(int64_t row, Order order, const double *c, const double *s, int64_t count) {
  assert(count >= 0 && row >= 0 && (order == Order::Rising || row >= count) && "rows that there are");
  constexpr size_t most = 4096; // whose numbers stay in the cache beside the strip
  if (rows.length == 0)
    return;
  sweeps.push_back({row, count, order, cosines.size()});
  cosines.insert(cosines.end(), c, c + count);
  sines.insert(sines.end(), s, s + count);
  if (cosines.size() > most)
    flush();
}

void RotationQueue::flush() {
  constexpr int64_t strip = 64;
  for (int64_t column = 0; column < rows.length && !tsc::work::wasStopped(); column += strip)
    for (const Sweep &sweep : sweeps)
      rowKernels().rotate(rows.first + sweep.row * rows.length + column,
                          sweep.order == Order::Rising ? rows.length : -rows.length, &cosines[sweep.begin],
                          &sines[sweep.begin], sweep.count, std::min(strip, rows.length - column));
  sweeps.clear();
  cosines.clear();
  sines.clear();
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
    r = lengthOf(f, g);
    c = f / r, s = g / r;
  }
};

/// The iteration on one bidiagonal matrix. Rows of u and v, where there are any, are the vectors.
class BidiagonalIteration {
public:
  BidiagonalIteration(Elements<double> &d, Elements<double> &e, Precision precision, VectorRows u, VectorRows v)
      : d(d), e(e), u(u), v(v), n(static_cast<int64_t>(d.size())),
        epsilon(precision == Precision::Single ? 0x1p-40 : 0x1p-53), tolerance(64 * epsilon), cosines(2 * n, 0),
        sines(2 * n, 0) {}

  /// False: no convergence, or the call is to end.
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
      if (left < 0 || tsc::work::wasStopped())
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
    u.flush();
    v.flush();
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

  /// Sets a negligible element above the diagonal to 0; else gives a lower bound of the singular values.
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

  void apply(RotationQueue &rows, const double *c, const double *s, int64_t count) const {
    using Order = RotationQueue::Order;
    rows.add(flipped ? last : first, flipped ? Order::Falling : Order::Rising, c, s, count);
  }

  Elements<double> &d, &e;
  RotationQueue u, v;
  const int64_t n;
  const double epsilon, tolerance;
  double threshold = 0;
  Elements<double> cosines, sines; ///< Of a step: of the right side, then from n on of the left.
  int64_t first = 0, last = 0;
  bool flipped = false; ///< The step goes from the last element to the first.
};
} // namespace

static void reorder(VectorRows rows, const Elements<int64_t> &order) {
  if (rows.length == 0)
    return;
  const int64_t length = rows.length, count = static_cast<int64_t>(order.size());
  Elements<double> before(count * length, 0);
  std::copy_n(rows.first, count * length, before.data());
  for (int64_t i = 0; i != count; ++i)
    std::copy_n(&before[order[i] * length], length, rows.first + i * length);
}

bool tsc::cpu::linalg::diagonalize(Elements<double> &diagonal, Elements<double> &above, Precision precision,
                                   VectorRows u, VectorRows v) {
  assert(above.size() + 1 == diagonal.size() && "an element between two of the diagonal");
  if (!BidiagonalIteration(diagonal, above, precision, u, v).run())
    return false;
  const int64_t n = static_cast<int64_t>(diagonal.size());
  Elements<int64_t> order(n, 0);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int64_t i, int64_t j) { return std::fabs(diagonal[i]) > std::fabs(diagonal[j]); });
  for (int64_t i = 0; i != n; ++i) {
    if (!std::signbit(diagonal[i]))
      continue;
    diagonal[i] = -diagonal[i];
    std::transform(v.first + i * v.length, v.first + (i + 1) * v.length, v.first + i * v.length,
                   [](double x) { return -x; });
  }
  reorder({diagonal.data(), 1}, order);
  reorder(u, order);
  reorder(v, order);
  return true;
}
