//===- Slices.h - Short runs of memory that an index chooses ----*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_INDEXING_SLICES_H
#define TSC_LIB_KERNELS_INDEXING_SLICES_H

#include <cstdint>

namespace tsc::cpu::slices {

/// to[i] = from[indices[i]] for `count` slices of `bytes` bytes, one behind the other on both sides.
void gather(char *to, const char *from, const int64_t *indices, int64_t count, int64_t bytes);

/// Rows that are a run of another row between borders, whose elements an index chooses.
struct BorderedRow {
  int64_t before, length, after; ///< Elements of a row of the result.
  int64_t first;                 ///< Where the run begins in a row of the source.
  /// The places in a row of the source of the elements that the `before` and the `after` ones copy.
  const int64_t *left, *right;
};
/// Copies `count` rows to `to`, one behind the other; row i is of the row at from + starts[i]. T is uint8_t to
/// uint64_t.
template <typename T>
using CopyBordered = void (*)(T *to, const T *from, const int64_t *starts, int64_t count, const BorderedRow &row);
/// Returns the copy of bordered rows for the best instruction set that the processor has.
template <typename T> CopyBordered<T> copyBordered();

} // namespace tsc::cpu::slices

#endif
