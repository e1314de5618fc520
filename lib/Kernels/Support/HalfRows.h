//===- HalfRows.h - Rows of half types and floats ---------------*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_SUPPORT_HALFROWS_H
#define TSC_LIB_KERNELS_SUPPORT_HALFROWS_H

#include "tsc/Tensor/Scalar.h"

namespace tsc::cpu::halves {

/// Dense rows, for every instruction set (SimdHalves.cpp): what convertTo gives for each element.
struct Kernels {
  void (*widenHalf)(float *to, const Half *from, int64_t count);
  void (*widenBFloat16)(float *to, const BFloat16 *from, int64_t count);
  void (*roundToHalf)(Half *to, const float *from, int64_t count);
  void (*roundToBFloat16)(BFloat16 *to, const float *from, int64_t count);
  /// The sum of products with a row of floats.
  float (*dotHalf)(const float *x, const Half *row, int64_t count);
  float (*dotBFloat16)(const float *x, const BFloat16 *row, int64_t count);
  /// Computes to = from * scale + shift in floats, rounded after each step and then to the half type.
  void (*affineHalf)(Half *to, const Half *from, float scale, float shift, int64_t count);
  void (*affineBFloat16)(BFloat16 *to, const BFloat16 *from, float scale, float shift, int64_t count);
  /// Computes to = from where that is above 0, else from * slope, in floats and rounded once.
  void (*preluHalf)(Half *to, const Half *from, float slope, int64_t count);
  void (*preluBFloat16)(BFloat16 *to, const BFloat16 *from, float slope, int64_t count);
};
/// Returns the kernels for the best instruction set that the processor has.
const Kernels &kernels();

} // namespace tsc::cpu::halves

#endif
