//===- Interleave.h - Elements of a few rows in turn ------------*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_COPIES_INTERLEAVE_H
#define TSC_LIB_KERNELS_COPIES_INTERLEAVE_H

#include <cstdint>

namespace tsc::cpu::interleaved {

/// `count` rows, 2 to 4 of them, `rowBytes` apart, and the same elements mixed: of each column the rows in turn. Rows
/// to mix may be those of several objects. For every instruction set (SimdInterleave.cpp). T: uint8_t to uint64_t.
template <typename T> struct Kernels {
  void (*separate)(char *rows, int64_t rowBytes, const T *mixed, int64_t count, int64_t columns);
  void (*mix)(T *mixed, const char *rows, int64_t rowBytes, int64_t count, int64_t columns);
};
/// Returns the kernels for the best instruction set that the processor has.
template <typename T> const Kernels<T> &kernels();

} // namespace tsc::cpu::interleaved

#endif
