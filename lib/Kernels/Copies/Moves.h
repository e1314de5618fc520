//===- Moves.h - Rows of memory, as they are or backwards -------*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_COPIES_MOVES_H
#define TSC_LIB_KERNELS_COPIES_MOVES_H

#include <cstddef>
#include <cstdint>

namespace tsc::cpu::moves {

/// Copies `rows` rows of `bytes` bytes; the steps are bytes from one row to the next. What is read is not written.
void copyRows(char *to, int64_t toStep, const char *from, int64_t fromStep, int64_t rows, int64_t bytes);

/// Reverses rows: to[i] = from[-i] for `count` elements of each, of `item` bytes: 1, 2, 4, 8 or 16. The steps are bytes
/// from one row to the next.
void reverseRows(char *to, int64_t toStep, const char *from, int64_t fromStep, int64_t rows, int64_t count,
                 size_t item);

} // namespace tsc::cpu::moves

#endif
