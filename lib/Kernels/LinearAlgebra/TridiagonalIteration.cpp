//===- TridiagonalIteration.cpp - QL and QR steps on tridiagonal matrices -===//
//
// With vectors, implicit steps whose rotations go over all vectors at once. Without them the steps are those of Pal,
// Walker and Kahan, which need no roots (B. Parlett, "The Symmetric Eigenvalue Problem", 8.15): one element waits for
// the one before, so that what counts is how long a division takes.
//
//===----------------------------------------------------------------------===//
#include "Scaling.h"
#include "Tridiagonal.h"
#include "tsc/Support/WorkMeter.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace tsc::cpu::linalg;

namespace {

struct Rotation {
  double c, s, r;
};
/// c f + s g = r, -s f + c g = 0
Rotation makeRotation(double f, double g) {
  if (g == 0)
    return {1, 0, f};
  if (f == 0)
    return {0, std::copysign(1.0, g), std::fabs(g)};
  const double size = lengthOf(f, g), r = std::copysign(size, f);
  return {std::fabs(f) / size, g / r, r};
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

  /// False: no convergence, or the call is to end.
  bool run() {
    const bool isDone = iterate();
    rows.flush();
    return isDone;
  }

private:
  bool iterate() {
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
      if (isDiagonal(first, last))
        continue;
      if (stepsLeft <= 0)
        return false;
      begin = first; // a part converged; look for blocks again
    }
    return true;
  }

  /// Whether there are no steps left to be made.
  bool mustEnd() {
    if (tsc::work::wasStopped())
      stepsLeft = 0;
    return stepsLeft-- <= 0;
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
    return far - here + coupling / (g + std::copysign(std::fabs(g) < 1e140 ? std::sqrt(g * g + 1) : std::fabs(g), g));
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
      if (mustEnd())
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
      if (mustEnd())
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

/// Eigenvalues alone, from squares of the elements beside the diagonal.
class RootFreeIteration {
public:
  RootFreeIteration(std::vector<double> &diagonal, std::vector<double> &off, Precision precision)
      : d(diagonal), e(off), n(static_cast<int64_t>(d.size())), stepsLeft(30 * n),
        epsilon(precision == Precision::Single ? 0x1p-26 : 0x1p-53) {}

  /// False: no convergence, or the call is to end.
  bool run() {
    for (int64_t begin = 0; begin < n;) {
      int64_t last = begin; // of the block up to the next negligible element
      while (last + 1 < n &&
             std::fabs(e[last]) > std::sqrt(std::fabs(d[last])) * std::sqrt(std::fabs(d[last + 1])) * epsilon)
        ++last;
      if (!block(begin, last))
        return false;
      begin = last + 1;
    }
    return true;
  }

private:
  bool block(int64_t first, int64_t last) {
    if (first == last)
      return true;
    double largest = 0;
    for (int64_t i = first; i <= last; ++i)
      largest = std::max({largest, std::fabs(d[i]), i != last ? std::fabs(e[i]) : 0});
    const int scale = std::ilogb(largest); // so that no square is too large, nor too small to count
    scaleBy(&d[first], last - first + 1, -scale);
    scaleBy(&e[first], last - first, -scale);
    for (int64_t i = first; i != last; ++i)
      e[i] *= e[i];
    if (std::fabs(d[last]) < std::fabs(d[first])) { // eigenvalues appear at the smaller end
      std::reverse(d.begin() + first, d.begin() + last + 1);
      std::reverse(e.begin() + first, e.begin() + last);
    }
    for (int64_t l = first; l <= last;) {
      int64_t m = l;
      while (m < last && e[m] > epsilon * epsilon * std::fabs(d[m] * d[m + 1]))
        ++m;
      if (m < last)
        e[m] = 0;
      if (m == l) {
        ++l;
      } else if (m == l + 1) {
        const SmallEigen pair = solveTwoByTwo(d[l], std::sqrt(e[l]), d[m]);
        d[l] = pair.large, d[m] = pair.small;
        e[l] = 0;
        l += 2;
      } else {
        if (stepsLeft-- <= 0 || tsc::work::wasStopped())
          return false;
        step(l, m);
      }
    }
    scaleBy(&d[first], last - first + 1, scale);
    return true;
  }
  void step(int64_t l, int64_t m) {
    const double root = std::sqrt(e[l]), half = (d[l + 1] - d[l]) / (2 * root);
    const double sigma = d[l] - root / (half + std::copysign(std::sqrt(half * half + 1), half));
    double c = 1, s = 0, gamma = d[m] - sigma, p = gamma * gamma;
    for (int64_t i = m - 1; i >= l; --i) {
      const double square = e[i], r = p + square, before = c, gammaBefore = gamma;
      if (i != m - 1)
        e[i + 1] = s * r;
      c = p / r, s = square / r;
      const double inverse = r / p; // beside c and not behind it
      gamma = c * (d[i] - sigma) - s * gammaBefore;
      d[i + 1] = gammaBefore + (d[i] - gamma);
      p = c > 1e-280 ? gamma * gamma * inverse : before * square;
    }
    e[l] = s * p;
    d[l] = sigma + gamma;
  }

  std::vector<double> &d, &e;
  const int64_t n;
  int64_t stepsLeft;
  double epsilon;
};

} // namespace

bool tsc::cpu::linalg::iterate(std::vector<double> &diagonal, std::vector<double> &off, VectorRows rows,
                               Precision precision) {
  assert(off.size() + 1 >= diagonal.size() && "an element between two of the diagonal");
  return rows.length == 0 ? RootFreeIteration(diagonal, off, precision).run()
                          : TridiagonalIteration(diagonal, off, rows, precision).run();
}
