//===- LossRows.h - Losses of pairs, row by row -----------------*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_LOSSES_LOSSROWS_H
#define TSC_LIB_KERNELS_LOSSES_LOSSROWS_H

#include <cstdint>

namespace tsc::cpu::losses {

/// What a number x and its target t give. Squared to Huber give, bit for bit, what the operators give that their
/// definitions in the records are made of.
enum class Kind : uint8_t {
  Squared,
  Absolute,
  SmoothL1,     ///< `limit` is beta.
  Huber,        ///< `limit` is delta.
  CrossEntropy, ///< -(t log x + (1 - t) log(1 - x)) of a probability x, with logarithms of at least -100.
  PoissonLog,   ///< exp(x) - t x.
  Poisson,      ///< x - t log(x + limit).
};

/// The losses of rows of `n` numbers and their targets, for every instruction set (SimdLosses.cpp). T is float or
/// double.
template <typename T> struct Kernels {
  void (*each)(Kind kind, T *out, const T *x, const T *t, double limit, int64_t n);
  /// Returns the sum of the losses, in the order of a fold.
  T (*sum)(Kind kind, const T *x, const T *t, double limit, int64_t n);
};
/// Returns the kernels for the best instruction set that the processor has.
template <typename T> const Kernels<T> &kernels();

/// One step of a connectionist temporal classification: after[s] is the logarithm of the sum over what before[s],
/// before[s - 1] and before[s - 2] + skips[s] are logarithms of, and emitted[s]. Rows may be read and written to the
/// end of a vector, which `alignmentRoom` numbers hold.
constexpr int64_t alignmentRoom = 8;
/// Computes the `n` numbers of `after` in one such step.
using AlignmentStep = void (*)(double *after, const double *before, const double *emitted, const double *skips,
                               int64_t n);
/// Returns the step for the best instruction set that the processor has.
AlignmentStep alignmentStep();

} // namespace tsc::cpu::losses

#endif
