//===- Fft.h - The discrete Fourier transform -------------------*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_FOURIER_FFT_H
#define TSC_LIB_KERNELS_FOURIER_FFT_H

#include "tsc/Tensor/Tensor.h"

namespace tsc::cpu {

/// The sign in the exponent of a transform: Forward is exp(-2 pi i jk / n), Backward exp(+2 pi i jk / n).
enum class FftDirection { Forward, Backward };

/// Unscaled transform along one dimension of a dense ComplexFloat or ComplexDouble tensor, in place.
Status transformAlong(const Tensor &x, int64_t dim, FftDirection direction);

/// The first n / 2 + 1 elements of the unscaled forward transform of each row of n real numbers. `rows` is a dense
/// Float or Double tensor; the last dimension, which is not empty, is transformed.
StatusOr<Tensor> transformReal(const Tensor &rows);

/// The n real numbers, at least one, of each row of which n / 2 + 1 elements of a Hermitian sequence are given, by the
/// unscaled backward transform. Imaginary parts that such a sequence cannot have are not read. `rows` is a dense
/// ComplexFloat or ComplexDouble tensor whose last dimension has at least n / 2 + 1 elements.
StatusOr<Tensor> transformHermitian(const Tensor &rows, int64_t n);

} // namespace tsc::cpu

#endif
