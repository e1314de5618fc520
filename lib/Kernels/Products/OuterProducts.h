//===- OuterProducts.h - Sums of products of few terms ----------*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_PRODUCTS_OUTERPRODUCTS_H
#define TSC_LIB_KERNELS_PRODUCTS_OUTERPRODUCTS_H

#include <cstdint>

namespace tsc::cpu::simd {

constexpr int64_t mostOuterTerms = 16;

/// c[i][j] += sum over p of x[p][i] * y[p][j], with the bits of as many products as there are parts of `terms` rows,
/// each added up from zero and then added to c in its turn. k is a multiple of `terms`, which are one at least and
/// mostOuterTerms at most; all three are row-major. (SimdOuterProducts.cpp)
void addOuterProducts(int64_t m, int64_t n, int64_t k, int64_t terms, const float *x, const float *y, float *c);
void addOuterProducts(int64_t m, int64_t n, int64_t k, int64_t terms, const double *x, const double *y, double *c);

} // namespace tsc::cpu::simd

#endif
