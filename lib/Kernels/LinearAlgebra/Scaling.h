//===- Scaling.h - Powers of two that keep squares in range -----*- C++ -*-===//
//
// Sums of squares overflow, or lose what counts, long before numbers do. Factorizations
// take a power of two out of such elements, and give it back to their results.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_KERNELS_LINEARALGEBRA_SCALING_H
#define TSC_LIB_KERNELS_LINEARALGEBRA_SCALING_H

#include "Decompose.h"
#include "DenseRows.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

namespace tsc::cpu::linalg {

/// The sum of the squares of what may be complex numbers.
template <typename T> double squaredNorm(const T *x, int64_t n) {
  return std::accumulate(x, x + n, 0.0, [](double sum, T value) { return sum + squared(value); });
}

/// The length of (a, b).
inline double lengthOf(double a, double b) {
  const double squares = a * a + b * b;
  return squares > leastModerate && squares < mostModerate ? std::sqrt(squares) : std::hypot(a, b);
}

/// values <- values 2^power
inline void scaleBy(double *values, int64_t count, int power) {
  if (power == 0)
    return;
  for (int64_t i = 0; i < count; ++i)
    values[i] = std::ldexp(values[i], power);
}
inline void scaleBy(std::vector<double> &values, int power) {
  scaleBy(values.data(), static_cast<int64_t>(values.size()), power);
}
template <typename T> void scaleBy(Matrix<T> &a, int power) {
  scaleBy(parts(a.data.data()), static_cast<int64_t>(a.data.size() * (sizeof(T) / sizeof(double))), power);
}

/// The power of 2 that is taken out of a matrix whose squares would overflow or vanish, else 0; none where an element
/// is not finite.
template <typename T> std::optional<int> scaleOf(const Matrix<T> &a) {
  const double *const all = parts(a.data.data());
  const auto count = static_cast<int64_t>(a.data.size() * (sizeof(T) / sizeof(double)));
  double squares = 0;
  rowKernels().multiply(all, 0, 1, all, &squares, count);
  if (squares > 1e-100 && squares < 1e100)
    return 0;
  double largest = 0;
  for (int64_t i = 0; i < count; ++i)
    largest = std::max(largest, std::isfinite(all[i]) ? std::fabs(all[i]) : std::numeric_limits<double>::infinity());
  if (!std::isfinite(largest))
    return std::nullopt;
  return largest == 0 ? 0 : std::ilogb(largest);
}

} // namespace tsc::cpu::linalg

#endif
