//===- Fft.h - The discrete Fourier transform -------------------*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_FFT_H
#define TSC_LIB_KERNELS_FFT_H

#include "tsc/Tensor/Tensor.h"

namespace tsc::cpu {

enum class FftDirection { Forward, Backward };

/// Unscaled transform along one dimension of a dense ComplexDouble tensor, in place.
void transformAlong(const Tensor &x, int64_t dim, FftDirection direction);

} // namespace tsc::cpu

#endif
