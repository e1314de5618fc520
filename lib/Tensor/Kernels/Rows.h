//===- Rows.h - Loops over contiguous rows ----------------------*- C++ -*-===//
//
// The inner loops of softmax and the normalizations, compiled for several
// instruction sets (Rows.cpp); the double forms are plain.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_TENSOR_KERNELS_ROWS_H
#define TSC_LIB_TENSOR_KERNELS_ROWS_H

#include <cstdint>

namespace tsc::cpu::rows {

struct Moments {
  double mean, variance; ///< The variance is the mean of squared deviations.
};

/// The largest element (NaN if there is one); -inf for an empty row.
float maximum(const float *x, int64_t n);
double maximum(const double *x, int64_t n);
/// out = exp(x - shift); returns the sum.
double expShifted(float *out, const float *x, float shift, int64_t n);
double expShifted(double *out, const double *x, double shift, int64_t n);
/// The sum of exp(x - shift) alone.
double sumExpShifted(const float *x, float shift, int64_t n);
double sumExpShifted(const double *x, double shift, int64_t n);
/// out = x * scale + shift.
void affine(float *out, const float *x, float scale, float shift, int64_t n);
void affine(double *out, const double *x, double scale, double shift, int64_t n);
/// out = (x * scale + shift) * weight + bias; weight and bias may be null.
void normalize(float *out, const float *x, float scale, float shift, const float *weight, const float *bias, int64_t n);
void normalize(double *out, const double *x, double scale, double shift, const double *weight, const double *bias, int64_t n);
Moments moments(const float *x, int64_t n);
Moments moments(const double *x, int64_t n);

} // namespace tsc::cpu::rows

#endif
