//===- Rows.h - Softmax and normalization of one row ------------*- C++ -*-===//
//
// The inner loops of softmax and the normalizations, for every instruction set
// (SimdRows.cpp). Each gives, bit for bit, what the operators give that it is made
// of: extrema and sums in the order of Reduce.h, point-wise steps with the scalar
// bodies of their records, nothing contracted. So the composition of operators,
// alone or in a fused kernel, may stand in their place:
//
//   softmax      e * (1 / sum(e)),  e = exp(x - amax(x))
//   log_softmax  x - amax(x) - log(sum(exp(x - amax(x))))
//   mean         sum(x) / n
//   normalize    (x - mean) * rstd [* weight] [+ bias]
//   affine       x * scale + shift, rounded twice
//
// A dot product is none of these: its terms are added in an order of its own.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_KERNELS_NORMALIZATION_ROWS_H
#define TSC_LIB_KERNELS_NORMALIZATION_ROWS_H

#include <cstdint>

namespace tsc::cpu::rows {

/// Whether a softmax gives probabilities or their logarithms.
enum class SoftmaxKind : uint8_t { Plain, Log };

/// What is folded together: `count` runs of `length` neighbours, `step` apart.
struct Runs {
  int64_t length, count = 1, step = 0;
  int64_t elements() const { return length * count; }
};

/// T is float or double. Nothing here is empty.
template <typename T> struct Kernels {
  /// `out` may be `x`.
  void (*softmax)(SoftmaxKind kind, T *out, const T *x, int64_t n);
  /// `columns` neighbouring columns of `n` rows, which are so far apart; `out` may be `x` where whole vectors fill
  /// them.
  void (*softmaxColumns)(SoftmaxKind kind, T *out, int64_t outStride, const T *x, int64_t stride, int64_t n,
                         int64_t columns);
  /// Finds for each column the maximum and the logarithm of the sum of powers: log_softmax is element - shift - logSum.
  void (*logSums)(T *shifts, T *logSums, const T *x, int64_t stride, int64_t n, int64_t columns);
  T (*mean)(const T *x, const Runs &runs);
  /// The sum of (x - mean)^2.
  T (*squaredDeviations)(const T *x, T mean, const Runs &runs);
  /// Weight and bias may be null.
  void (*normalize)(T *out, const T *x, T mean, T rstd, const T *weight, const T *bias, int64_t n);
  void (*affine)(T *out, const T *x, T scale, T shift, int64_t n);
  /// n may be 0.
  T (*dot)(const T *x, const T *y, int64_t n);
};
/// Returns the kernels for the best instruction set that the processor has.
template <typename T> const Kernels<T> &kernels();

} // namespace tsc::cpu::rows

#endif
