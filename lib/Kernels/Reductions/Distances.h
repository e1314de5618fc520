//===- Distances.h - Distances of one row to many ---------------*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_REDUCTIONS_DISTANCES_H
#define TSC_LIB_KERNELS_REDUCTIONS_DISTANCES_H

#include <cstdint>

namespace tsc::cpu::distances {

/// What is done with the magnitudes of the differences: their p-norm, for p = 0 the number of those that are not 0.
enum class Norm : uint8_t { Zero, One, Two, Largest, Power };

/// A row, and the rows from which its distances are computed. Borrows all memory.
template <typename T> struct Row {
  const T *row;    ///< `length` elements.
  const T *others; ///< `count` rows of `length` elements, transposed: element k of row i is others[k * stride + i].
  T *out;          ///< `count` distances.
  int64_t length, count, stride;
  T p; ///< The exponent of Norm::Power; the others do not read it.
};

/// Computes the distances of one row, for every instruction set (SimdDistances.cpp). T is float or double. A sum takes
/// the differences in their order.
template <typename T> using Kernel = void (*)(Norm norm, const Row<T> &row);
/// Returns the computation of distances for the best instruction set that the processor has.
template <typename T> Kernel<T> kernel();

} // namespace tsc::cpu::distances

#endif
