//===- Slices.h - Short runs of memory that an index chooses ----*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_SLICES_H
#define TSC_LIB_KERNELS_SLICES_H

#include <cstdint>

namespace tsc::cpu::slices {

/// Slices of more bytes than this are better left to memcpy, which is called for each.
constexpr int64_t mostBytes = 2048;

/// to[i] = from[indices[i]] for `count` slices of `bytes` bytes, one behind the other on both sides; at least 16 and at
/// most mostBytes.
void gather(char *to, const char *from, const int64_t *indices, int64_t count, int64_t bytes);

} // namespace tsc::cpu::slices

#endif
