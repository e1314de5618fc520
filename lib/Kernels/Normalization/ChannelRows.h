//===- ChannelRows.h - Group norm where channels lie innermost --*- C++ -*-===//
//
// Group norm of images whose places are rows of channels (channels_last in PyTorch),
// for every instruction set (SimdChannelRows.cpp). Sums have the order of Reduce.h: a
// group's elements are numbered channel by channel, as if these were rows, so that
// the result has the same bits in either format. A block of a fold is then part of a
// column, and begins in every channel of the group at another row. What a channel
// leaves of its last block is carried to the beginning of the next.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_KERNELS_NORMALIZATION_CHANNELROWS_H
#define TSC_LIB_KERNELS_NORMALIZATION_CHANNELROWS_H

#include "tsc/Kernels/Folds.h"
#include <cstdint>

namespace tsc::cpu::rows {

/// Groups of neighbouring channels at the places of an image.
struct GroupShape {
  int64_t places;   ///< There are at least foldBlock, so that no block has elements of three channels.
  int64_t step;     ///< The distance between two neighbouring places.
  int64_t groups;   ///< The number of groups, which may be some of those at a place.
  int64_t perGroup; ///< The number of channels in a group.

  int64_t columns() const { return groups * perGroup; }
  int64_t blocksPerGroup() const { return (perGroup * places + foldBlock - 1) / foldBlock; }
  /// Returns how many numbers `sums` works on.
  int64_t scratch() const { return 2 * foldLanes * columns() + groups * blocksPerGroup(); }
};

/// T is float or double.
template <typename T> struct ChannelKernels {
  /// Adds up the elements of each group or, where there are means, one for each channel, the squares of their
  /// deviations.
  void (*sums)(T *sums, const T *x, const T *means, const GroupShape &shape, T *scratch);
  /// Computes (x - mean) * rstd [* weight + bias] for a row of n channels, each with numbers of its own.
  void (*normalize)(T *out, const T *x, const T *means, const T *rstds, const T *weights, const T *biases, int64_t n);
};
/// Returns the kernels for the best instruction set that the processor has.
template <typename T> const ChannelKernels<T> &channelKernels();

} // namespace tsc::cpu::rows

#endif
