//===- HalfSums.h - Blocks of half types, added up in float -----*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_REDUCTIONS_HALFSUMS_H
#define TSC_LIB_KERNELS_REDUCTIONS_HALFSUMS_H

#include "tsc/Tensor/Scalar.h"

namespace tsc::cpu {

/// The blocks of a sum of floats (BlockKernels in Folds.h) over elements of a half type, with the bits that converted
/// elements give.
template <typename From> struct HalfSumKernels {
  float (*row)(const From *data, int64_t count);
  void (*rows)(float *out, const From *const *data, int64_t count, int64_t ahead);
  void (*columns)(float *out, const From *data, int64_t stride, int64_t rows, int64_t columns);
};
/// Returns the sums, or null where the processor has no instructions for the conversion.
template <typename From> const HalfSumKernels<From> *halfSumKernels();
template <> const HalfSumKernels<Half> *halfSumKernels();
template <> const HalfSumKernels<BFloat16> *halfSumKernels();

} // namespace tsc::cpu

#endif
