//===- ComplexRows.h - Products of complex numbers --------------*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_PRODUCTS_COMPLEXROWS_H
#define TSC_LIB_KERNELS_PRODUCTS_COMPLEXROWS_H

#include <complex>
#include <cstdint>

namespace tsc::cpu::complexes {

/// Products of complex numbers, compiled for every instruction set (SimdComplex.cpp); T is float or double. Steps of
/// rows and columns count complex numbers.
template <typename T> struct Kernels {
  using Number = std::complex<T>;
  /// The sum of a b, or of conj(a) b.
  Number (*dot)(const Number *a, const Number *b, int64_t n, bool conjugated);
  /// c = a b, or c += a b, for a b whose rows are contiguous, and which stays in the nearest cache.
  void (*product)(int64_t m, int64_t n, int64_t k, const Number *a, int64_t aRow, int64_t aColumn, const Number *b,
                  int64_t bRow, Number *c, int64_t cRow, bool accumulate);
};
/// Returns the kernels for the best instruction set that the processor has.
template <typename T> const Kernels<T> &kernels();

} // namespace tsc::cpu::complexes

#endif
