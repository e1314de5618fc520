//===- SearchRows.h - Places among sorted bounds ----------------*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_SORTING_SEARCHROWS_H
#define TSC_LIB_KERNELS_SORTING_SEARCHROWS_H

#include <cstdint>

namespace tsc::cpu::search {

/// How many of `width` sorted bounds, mostBounds at most, come before each value; those that equal it do where `upper`.
/// For every instruction set (SimdSearch.cpp). T is float, double, int32_t or int64_t.
template <typename T>
using FindPlaces = void (*)(const T *bounds, int64_t width, const T *values, int64_t count, bool upper,
                            int64_t *places);
/// Returns the search for the best instruction set that the processor has.
template <typename T> FindPlaces<T> findPlaces();

/// With wider rows positions are no elements of vectors of 32 bits.
constexpr int64_t mostBounds = INT32_MAX;

} // namespace tsc::cpu::search

#endif
