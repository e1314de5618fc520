//===- Distances.h - Distances of one row to many ---------------*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_REDUCTIONS_DISTANCES_H
#define TSC_LIB_KERNELS_REDUCTIONS_DISTANCES_H

#include <cstdint>

namespace tsc::cpu::distances {

/// What is done with the magnitudes of the differences: their p-norm, for p = 0 the number of those that are not 0.
enum class Norm : uint8_t { Zero, One, Two, Largest, Power };

template <typename T> struct Row {
  const T *row;    ///< `length` elements.
  const T *others; ///< `count` rows of `length` elements, transposed: element k of row i is others[k * stride + i].
  T *out;          ///< `count` distances.
  int64_t length, count, stride;
  T p; ///< For Norm::Power.
};

/// For every instruction set (SimdDistances.cpp). T is float or double. A sum takes the differences in their order.
template <typename T> using Kernel = void (*)(Norm norm, const Row<T> &row);
template <typename T> Kernel<T> kernel();

} // namespace tsc::cpu::distances

#endif
