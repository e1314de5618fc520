//===- IntegerProducts.h - Products of small integers by kernels of our own *- C++ -*-===//
#ifndef TSC_LIB_KERNELS_QUANTIZED_INTEGERPRODUCTS_H
#define TSC_LIB_KERNELS_QUANTIZED_INTEGERPRODUCTS_H

#include "tsc/Tensor/Tensor.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <memory>
#include <mutex>
#include <vector>

namespace tsc::cpu::quantized {

/// A weight of int8, in the order in which kernels read it. Does not change once it is made.
struct PackedWeight {
  int64_t groups = 1;
  int64_t channels = 0;            ///< The number of channels of the result, of all groups.
  int64_t depth = 0;               ///< Products in a sum.
  bool isDepthwise = false;        ///< Each channel of the result has one of the input for itself.
  Tensor panels;                   ///< int8: [group, panel, quad, column, 4]; zeros fill the last panel and quad.
  Tensor pairs;                    ///< int16: [pair, channel, 2], where `isDepthwise`.
  std::vector<int32_t> weightSums; ///< The sum of each channel's weights.
  /// What IntegerKernels::multiplyBytes takes as `splits` for bytes of any size: for one panel after another, of which
  /// each begins where `splitsOf` says. Empty where there is no such kernel, or splits were too many for it.
  std::vector<int32_t> splits;
  std::vector<int64_t> splitsOf;

  /// Returns the weight of a convolution of 3 x 3 and one group as Winograd's method has it: [position, panel, pair,
  /// column, 2], for 16 positions. Made by the first call, of which several may come at once.
  const int16_t *transformed() const;

private:
  mutable std::once_flag once;
  mutable std::vector<int16_t> wide;
};

/// Packs a dense weight [channels, input channels of a group, kernel...] or [channels, depth].
StatusOr<std::shared_ptr<const PackedWeight>> packWeight(const Tensor &weight, int64_t groups);

/// The sums of the products of `numRows` rows from `firstRow` on with `numColumns` columns from `firstColumn` on:
/// sums[row * step + column]. Borrowed for a call.
struct SumsBlock {
  const int32_t *sums;
  int64_t step, firstRow, numRows, firstColumn, numColumns;
};
/// Takes blocks that together are all sums, each while a core's cache still holds it. Called by many threads at once.
using TakeSums = llvm::function_ref<void(const SumsBlock &)>;

/// Computes the exact sums of (input - zero point) * weight, of rows [rows, weight.depth]. The sums have to fit int32,
/// and the zero point is between 0 and 255. Throws std::bad_alloc, as convolveIntegers() does.
void multiplyRows(const uint8_t *rows, int64_t numRows, int64_t zeroPoint, const PackedWeight &weight, TakeSums take);

/// One number for each of one to three spatial dimensions.
struct Windows {
  ArrayRef<int64_t> kernel, stride, padding, dilation;
};

/// Computes the sums of a convolution in the same way, of images in memory with the channels innermost, of sizes
/// [batch, channels, spatial...]. A row of the result is a pixel of one of sizes `outSizes`, which has the same order.
/// What a window has outside of its image counts as the zero point.
void convolveIntegers(const uint8_t *input, ArrayRef<int64_t> inputSizes, ArrayRef<int64_t> outSizes,
                      const Windows &windows, int64_t zeroPoint, const PackedWeight &weight, TakeSums take);

/// Computes these sums by Winograd's method, with 4 products for 9, if the convolution is one it works for: of 3 x 3,
/// in steps of one pixel. Else returns false, and has not called `take`.
bool convolveByTransforms(const uint8_t *input, ArrayRef<int64_t> inputSizes, ArrayRef<int64_t> outSizes,
                          const Windows &windows, int64_t zeroPoint, const PackedWeight &weight, TakeSums take);

} // namespace tsc::cpu::quantized

#endif
