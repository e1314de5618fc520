//===- IntegerProducts.h - Products of small integers by kernels of our own *- C++ -*-===//
#ifndef TSC_LIB_KERNELS_QUANTIZED_INTEGERPRODUCTS_H
#define TSC_LIB_KERNELS_QUANTIZED_INTEGERPRODUCTS_H

#include "tsc/Tensor/Tensor.h"
#include <memory>
#include <vector>

namespace tsc::cpu::quantized {

/// A weight of int8, in the order in which kernels read it. Does not change once it is made.
struct PackedWeight {
  int64_t groups = 1;
  int64_t channels = 0;     ///< The number of channels of the result, of all groups.
  int64_t depth = 0;        ///< Products in a sum.
  bool isDepthwise = false; ///< Each channel of the result has one of the input for itself.
  Tensor panels;            ///< int8: [group, panel, pair, column, 2]; zeros fill the last panel and the last pair.
  Tensor pairs;             ///< int16: [pair, channel, 2], where `isDepthwise`.
  std::vector<int32_t> weightSums; ///< The sum of each channel's weights, where `isDepthwise`.
};

/// Packs a dense weight [channels, input channels of a group, kernel...] or [channels, depth].
StatusOr<std::shared_ptr<const PackedWeight>> packWeight(const Tensor &weight, int64_t groups);

/// Computes the exact sums of (input - zero point) * weight as dense int32, of rows [rows, weight.depth]. The sums have
/// to fit int32, and the zero point is between 0 and 255. The only error is a lack of memory.
Status multiplyRows(int32_t *sums, const uint8_t *rows, int64_t numRows, int64_t zeroPoint, const PackedWeight &weight);

/// One number for each of one to three spatial dimensions.
struct Windows {
  ArrayRef<int64_t> kernel, stride, padding, dilation;
};

/// Computes the sums of a convolution in the same way, of images in memory with the channels innermost, of sizes
/// [batch, channels, spatial...], in the same order, of sizes `outSizes`. What a window has outside of its image counts
/// as the zero point.
Status convolveIntegers(int32_t *sums, const uint8_t *input, ArrayRef<int64_t> inputSizes, ArrayRef<int64_t> outSizes,
                        const Windows &windows, int64_t zeroPoint, const PackedWeight &weight);

} // namespace tsc::cpu::quantized

#endif
