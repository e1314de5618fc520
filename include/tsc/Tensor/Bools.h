//===- Bools.h - Bytes that stand for bools ---------------------*- C++ -*-===//
//
// Kernels take a bool's byte to be 0 or 1. Files and hosts may hold any other.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_TENSOR_BOOLS_H
#define TSC_TENSOR_BOOLS_H

#include <cstddef>
#include <cstdint>

namespace tsc {

/// Whether each of `count` bytes is 0 or 1.
inline bool areBools(const void *bytes, size_t count) {
  const auto *each = static_cast<const uint8_t *>(bytes);
  uint8_t all = 0;
  for (size_t i = 0; i != count; ++i)
    all |= each[i];
  return all <= 1;
}

} // namespace tsc

#endif
