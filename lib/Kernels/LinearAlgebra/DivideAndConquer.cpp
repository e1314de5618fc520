//===- DivideAndConquer.cpp - Eigenvectors of tridiagonal matrices --------===//
//
// Cuppen's method: both halves of a matrix are solved, and what joins them is put back as a correction of rank one,
// whose eigenvalues are the roots of a rational function. The vectors are those of a correction for which the roots are
// exact as they were computed, so that they are orthogonal however close eigenvalues are (M. Gu and S. Eisenstat, "A
// divide-and-conquer algorithm for the symmetric tridiagonal eigenproblem", 1995). Halves, deflation and signs are
// LAPACK's. Most of the work are products of matrices.
//
// Vectors are rows. Those of a part stand in the part's rows and columns, in no order.
//
//===----------------------------------------------------------------------===//
#include "DenseRows.h"
#include "Products/Gemm.h"
#include "Scaling.h"
#include "SecularEquation.h"
#include "Tridiagonal.h"
#include "tsc/Support/AtSimdLevel.h"
#include "tsc/Support/WorkMeter.h"
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace tsc::cpu::linalg;

/// weights[i] *= deltas[i] / (poles[i] - pole), a part of the product of which a weight is the root.
LLVM_ATTRIBUTE_ALWAYS_INLINE static void multiplyRatios(double *__restrict weights, const double *__restrict deltas,
                                                        const double *__restrict poles, double pole, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    weights[i] *= deltas[i] / (poles[i] - pole);
}
/// out = weights / deltas
LLVM_ATTRIBUTE_ALWAYS_INLINE static void divide(double *__restrict out, const double *__restrict weights,
                                                const double *__restrict deltas, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    out[i] = weights[i] / deltas[i];
}

/// Equal values stay in the order of their numbers.
static void sortByValue(std::vector<int64_t> &order, const std::vector<double> &values) {
  std::sort(order.begin(), order.end(),
            [&](int64_t i, int64_t j) { return values[i] != values[j] ? values[i] < values[j] : i < j; });
}

namespace {

class Halves {
public:
  Halves(std::vector<double> &diagonal, std::vector<double> &off, Matrix<double> &rows, Precision precision)
      : d(diagonal), e(off), rows(rows), z(d.size()), kinds(d.size()), precision(precision),
        epsilon(precision == Precision::Single ? 0x1p-32 : 0x1p-53) {}

  /// False: no convergence, or the call is to end.
  bool solve(int64_t begin, int64_t end) {
    const int64_t middle = begin + (end - begin) / 2;
    if (end - begin <= mostIterated)
      return solveSmall(begin, end);
    const double coupling = e[middle - 1];
    d[middle - 1] -= std::fabs(coupling);
    d[middle] -= std::fabs(coupling);
    if (!solve(begin, middle) || !solve(middle, end))
      return false;
    return coupling == 0 || merge(begin, middle, end, coupling);
  }

private:
  /// What of a part's vectors is not zero.
  enum class Support : char { First, Both, Second };

  bool solveSmall(int64_t begin, int64_t end) {
    const int64_t n = end - begin;
    std::vector<double> diagonal(d.begin() + begin, d.begin() + end), off(e.begin() + begin, e.begin() + end - 1);
    Matrix<double> part = Matrix<double>::identity(n);
    if (!iterate(diagonal, off, rowsOf(part), precision))
      return false;
    std::copy(diagonal.begin(), diagonal.end(), d.begin() + begin);
    for (int64_t i = 0; i != n; ++i)
      std::copy_n(&part(i, 0), n, &rows(begin + i, begin));
    return true;
  }

  /// False: the call is to end.
  bool merge(int64_t begin, int64_t middle, int64_t end, double coupling) {
    constexpr double rootOfHalf = 0.70710678118654752440;
    double largest = 0, largestWeight = 0;
    for (int64_t i = begin; i != end; ++i) {
      const bool isFirst = i < middle;
      z[i] = rootOfHalf * (isFirst ? rows(i, middle - 1) : std::copysign(rows(i, middle), rows(i, middle) * coupling));
      kinds[i] = isFirst ? Support::First : Support::Second;
      largest = std::max(largest, std::fabs(d[i]));
      largestWeight = std::max(largestWeight, std::fabs(z[i]));
    }
    const std::vector<int64_t> active =
        deflate(begin, end, 2 * std::fabs(coupling), 8 * epsilon * std::max(largest, largestWeight));
    return active.empty() || replace(active, begin, middle, end, 2 * std::fabs(coupling));
  }

  /// The vectors that the correction changes, by rising eigenvalues. Where two values are equal, a rotation makes one
  /// of two weights 0.
  std::vector<int64_t> deflate(int64_t begin, int64_t end, double rho, double tolerance) {
    std::vector<int64_t> order(end - begin), active;
    std::iota(order.begin(), order.end(), begin);
    sortByValue(order, d);
    int64_t last = -1;
    for (int64_t i : order) {
      if (rho * std::fabs(z[i]) <= tolerance)
        continue;
      if (last >= 0) {
        const double size = std::hypot(z[i], z[last]), c = z[i] / size, s = -z[last] / size, gap = d[i] - d[last];
        if (std::fabs(gap * c * s) <= tolerance) {
          z[i] = size;
          if (kinds[i] != kinds[last])
            kinds[i] = Support::Both;
          rowKernels().rotate(&rows(last, begin), (i - last) * rows.columns, &c, &s, 1, end - begin);
          const double low = d[last] * c * c + d[i] * s * s;
          d[i] = d[last] * s * s + d[i] * c * c;
          d[last] = low;
        } else {
          active.push_back(last);
        }
      }
      last = i;
    }
    if (last >= 0)
      active.push_back(last);
    return active;
  }

  /// Puts the eigenvalues and vectors of the corrected matrix in place of those of the active ones. False: the call is
  /// to end, and some are missing.
  bool replace(const std::vector<int64_t> &active, int64_t begin, int64_t middle, int64_t end, double rho) {
    const auto count = static_cast<int64_t>(active.size());
    SecularEquation equation(active.size(), rho, epsilon);
    for (int64_t i = 0; i != count; ++i)
      equation.setPole(i, d[active[i]], z[active[i]]);
    Matrix<double> deltas(count, count); // row j: the poles less root j
    for (int64_t j = 0; j != count; ++j) {
      if (tsc::work::wasStopped())
        return false;
      d[active[j]] = equation.solve(j, &deltas(j, 0));
    }
    std::vector<int64_t> places(active.size()); // of poles in `deltas` when it holds vectors: by what they support
    int64_t place = 0, firstEnd = 0, secondBegin = 0;
    for (Support kind : {Support::First, Support::Both, Support::Second}) {
      if (kind == Support::Second)
        firstEnd = place;
      else if (kind == Support::Both)
        secondBegin = place;
      for (int64_t i = 0; i != count; ++i)
        if (kinds[active[i]] == kind)
          places[i] = place++;
    }
    makeVectors(equation, deltas, places);
    multiplyPart(active, places, deltas, 0, firstEnd, begin, middle);
    multiplyPart(active, places, deltas, secondBegin, count, middle, end);
    return true;
  }

  /// From differences of poles and roots the vectors of the correction, whose elements go to their places.
  void makeVectors(const SecularEquation &equation, Matrix<double> &deltas, const std::vector<int64_t> &places) const {
    const int64_t count = deltas.rows;
    const double *const poles = equation.poles();
    Elements<double> weights(count, 1), vector(count, 0);
    for (int64_t j = 0; j != count; ++j) {
      const double *const row = &deltas(j, 0);
      tsc::atSimdLevel<multiplyRatios, tsc::Overlap::None>(weights.data(), row, poles, poles[j], j);
      weights[j] *= row[j];
      tsc::atSimdLevel<multiplyRatios, tsc::Overlap::None>(&weights[j] + 1, row + j + 1, poles + j + 1, poles[j],
                                                           count - j - 1);
    }
    for (int64_t i = 0; i != count; ++i)
      weights[i] = std::copysign(std::sqrt(std::fabs(weights[i])), equation.weight(i));
    for (int64_t j = 0; j != count; ++j) {
      double *const row = &deltas(j, 0);
      tsc::atSimdLevel<divide, tsc::Overlap::None>(vector.data(), weights.data(), row, count);
      double squares = 0;
      rowKernels().multiply(vector.data(), 0, 1, vector.data(), &squares, count);
      const double scale = 1 / std::sqrt(squares);
      for (int64_t i = 0; i != count; ++i)
        row[places[i]] = vector[i] * scale;
    }
  }

  /// In columns [begin, end) the active rows become the vectors' products with them, of which those at places
  /// [first, last) are not zero.
  void multiplyPart(const std::vector<int64_t> &active, const std::vector<int64_t> &places,
                    const Matrix<double> &vectors, int64_t first, int64_t last, int64_t begin, int64_t end) {
    const auto count = static_cast<int64_t>(active.size());
    const int64_t columns = end - begin, inner = last - first;
    Matrix<double> before(inner, columns), after(count, columns);
    for (int64_t i = 0; i != count; ++i)
      if (places[i] >= first && places[i] < last)
        std::copy_n(&rows(active[i], begin), columns, &before(places[i] - first, 0));
    if (inner != 0)
      tsc::cpu::simd::gemmDouble(count, columns, inner, vectors.data.data() + first, count, 1, before.data.data(),
                                 columns, 1, after.data.data(), columns, false);
    for (int64_t j = 0; j != count; ++j)
      std::copy_n(&after(j, 0), columns, &rows(active[j], begin));
  }

  std::vector<double> &d, &e;
  Matrix<double> &rows;
  std::vector<double> z; ///< The correction is rho z z^T, in the basis of the vectors.
  std::vector<Support> kinds;
  Precision precision;
  double epsilon;
};

} // namespace

bool tsc::cpu::linalg::divideAndConquer(std::vector<double> &diagonal, std::vector<double> &off, Precision precision,
                                        Matrix<double> &sorted) {
  assert(!diagonal.empty() && off.size() + 1 >= diagonal.size() && "an element between two of the diagonal");
  const auto n = static_cast<int64_t>(diagonal.size());
  double largest = 0;
  for (double x : diagonal)
    largest = std::max(largest, std::fabs(x));
  for (double x : off)
    largest = std::max(largest, std::fabs(x));
  const int scale = largest == 0 ? 0 : std::ilogb(largest); // to about 1, as the tolerances are for
  scaleBy(diagonal, -scale);
  scaleBy(off, -scale);
  Matrix<double> rows(n, n);
  if (!Halves(diagonal, off, rows, precision).solve(0, n))
    return false;
  sorted = Matrix<double>(n, n);
  std::vector<int64_t> order(diagonal.size());
  std::iota(order.begin(), order.end(), 0);
  sortByValue(order, diagonal);
  std::vector<double> values(diagonal.size());
  for (int64_t i = 0; i != n; ++i) {
    values[i] = diagonal[order[i]];
    std::copy_n(&rows(order[i], 0), n, &sorted(i, 0));
  }
  scaleBy(values, scale);
  diagonal = std::move(values);
  return true;
}
