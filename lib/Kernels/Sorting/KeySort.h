//===- KeySort.h - Order of keys with positions -----------------*- C++ -*-===//
//
// A stable order is one of keys that are all different: each is followed by its
// position, and the two are sorted as one number. Highway's vectorized quicksort
// (Blacher, Giesen, Kühne, "Fast and Robust Vectorized In-Place Sorting of
// Primitive Types", 2021) does that, for every instruction set (SimdSort.cpp).
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_KERNELS_SORTING_KEYSORT_H
#define TSC_LIB_KERNELS_SORTING_KEYSORT_H

#include <cstddef>
#include <cstdint>

namespace tsc::cpu {

/// A key of 64 bits and its position.
struct WideKey {
  uint64_t position, key;
};

/// Ascending. No two are equal.
void sortKeys(uint64_t *keys, size_t count);
void sortKeys(WideKey *keys, size_t count);

} // namespace tsc::cpu

#endif
