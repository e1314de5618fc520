//===- BlockedRows.h - Convolutions of channels in blocks -------*- C++ -*-===//
//
// The kernels behind ConvolutionBlocked.cpp, for every instruction set
// (SimdBlocked.cpp). A tile is a few neighbouring results in a few blocks of channels:
// its sums stay in registers.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_KERNELS_CONVOLUTION_BLOCKEDROWS_H
#define TSC_LIB_KERNELS_CONVOLUTION_BLOCKEDROWS_H

#include <cstdint>

namespace tsc::cpu::blocked {

/// Channels that lie side by side.
inline constexpr int64_t width = 16;

/// What becomes of a convolution's result before it is stored, in this order; each step rounds as its operator does.
/// Pointers are those of the tile's first channel, and null where there is no such step.
struct Finish {
  const float *scale = nullptr, *shift = nullptr; ///< Normalization: result * scale + shift.
  const float *summand = nullptr;                 ///< Where the tile's results are, in another tensor of their layout.
  float low = 0, high = 0;
  bool hasLow = false, hasHigh = false; ///< Clamps keep NaN.
};

/// What a kernel call computes: some neighbouring results of some blocks of channels. Steps count floats.
/// Ownership: borrows all memory for the call.
struct Tile {
  const float *in = nullptr;      ///< Channel 0 of the first element in the first result's window.
  const float *weights = nullptr; ///< Packed weights: kernel elements and channels in the order in which they are read.
  float *out = nullptr;           ///< Block 0 of the first result.
  const float *bias = nullptr;    ///< The first channel's bias, one number a channel; null for zeros.
  int64_t outBlockStep = 0;
  int64_t outStep = width; ///< Distance of neighbouring results.
  int64_t pixelStep = 0, channelStep = 1, blockStep = 0, rowStep = 0, columnStep = 0; ///< Steps in the input.
  int64_t kernelRows = 1, kernelColumns = 1;
  int64_t inBlocks = 1, lastChannels = width; ///< Blocks to sum over, and the channels in the last one.
  bool isFirst = true, isLast = true;         ///< Otherwise the sum goes on from what is in `out`, or will go on.
  Finish finish;
};

/// Results of a dense convolution that one call computes: `count` rows of `columns`. Steps count floats.
struct Rows {
  int64_t count, columns;
  int64_t inStep, outStep; ///< They lead from a row to the next one, in the input and in the results.
  int64_t weights;         ///< How many numbers Tile::weights has. Behind them are those of the next call.
};

/// How channels that have planes of their own correspond to a block, in which they are neighbours.
struct Arrangement {
  int64_t planeStep, count, channels; ///< `count` elements of each plane, one behind the other; at most a block.
};

/// The elements of one block over which a pool goes for one result. Steps count floats.
struct Window {
  const float *in; ///< The first element, of one block.
  int64_t rows, columns, rowStep, columnStep;
};

/// The functions that compute on blocks, compiled for every instruction set (SimdBlocked.cpp).
struct Kernels {
  int64_t mostBlocks; ///< How many blocks of output channels a dense tile has at most.
  /// Computes rows of results, the first of which is the tile's first.
  void (*dense)(const Tile &tile, int64_t blocks, const Rows &rows);
  /// Computes any number of neighbouring results, from the tile's first on, in one block, each channel of which is
  /// convolved alone.
  void (*depthwise)(const Tile &tile, int64_t pixels);
  /// Gathers planes into a block, with zeros for channels that are not there; toPlanes is the reverse.
  void (*toBlock)(float *block, const float *planes, const Arrangement &arrangement);
  void (*toPlanes)(float *planes, const float *block, const Arrangement &arrangement);
  /// Finds each channel's largest element in a window: -inf where it is empty, and NaN where there is one.
  void (*largest)(float *out, const Window &window);
};
/// Returns the kernels for the best instruction set that the processor has.
const Kernels &kernels();

} // namespace tsc::cpu::blocked

#endif
