//===- ConvolutionBlocked.h - Convolutions of channels in blocks *- C++ -*-===//
//
// Of N x C x H x W floats, channels in blocks of 16: N, blocks, H, W, 16. The last
// block may be filled up; what is there is no channel's, and nobody reads it.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_KERNELS_CONVOLUTION_CONVOLUTIONBLOCKED_H
#define TSC_LIB_KERNELS_CONVOLUTION_CONVOLUTIONBLOCKED_H

#include "ConvolutionSizes.h"
#include <optional>

namespace tsc::cpu {

/// The result of operators that work on blocks, as those that follow them take it: an opaque tensor of the image's
/// sizes, whose companion has the elements.
struct BlockedImage {
  Tensor elements; ///< Sizes N, blocks, H, W, 16, contiguous.
  int64_t channels = 0;
  bool isChannelsLast = false; ///< Where it becomes a plain tensor, whether that has its channels innermost.
  Dims sizes() const { return {elements.size(0), channels, elements.size(2), elements.size(3)}; }
  StatusOr<Tensor> asTensor() const;
  /// A tensor of the sizes, for functions that look at these alone.
  Tensor shape() const { return elements.alias(sizes(), Dims(4, 0), elements.storageOffset()); }
};
/// Returns the image that an opaque tensor holds, or nullopt for other tensors.
std::optional<BlockedImage> blockedImage(const Tensor &tensor);
/// An image of these four sizes without values.
StatusOr<BlockedImage> emptyBlocked(ArrayRef<int64_t> sizes);
/// Copies a float tensor of four dimensions into blocks. Fails where memory is lacking.
StatusOr<BlockedImage> arrangeInBlocks(const Tensor &plain);
/// Copies an image into a float tensor of its four sizes, row-major or, where isChannelsLast says so, in channels_last.
/// Fails where memory is lacking.
StatusOr<Tensor> arrangeInPlanes(const BlockedImage &image);

/// What is done to a convolution's result, in this order.
struct BlockedFinish {
  std::vector<float> scale, shift; ///< Empty, or one a channel: result * scale + shift, rounded twice.
  Tensor summand;                  ///< Undefined, or elements of a BlockedImage of the result's sizes.
  std::optional<float> low, high;
};

/// How many terms a part of a result's sum has; where the kernel has so many elements that less than a block of input
/// channels would be a part, it is one block.
inline constexpr int64_t convolvedTerms = 128;

/// Whether a convolution of these float operands is worth blocks, by its sizes.
bool convolvesInBlocks(ArrayRef<int64_t> inputSizes, const Tensor &weight, const ConvParams &params);
/// Whether a convolution of each channel alone is worth blocks, by its sizes.
bool convolvesChannelsInBlocks(ArrayRef<int64_t> inputSizes, const Tensor &weight, const ConvParams &params);

/// Returns the weights of a convolution for which one of these holds, packed as it reads them. Undefined where it would
/// multiply weights that are not finite by the zeros around the image.
StatusOr<Tensor> packedWeights(const Tensor &weight, const ConvParams &params);

/// Computes a convolution for which one of the two holds, with its packed weights. The input is `input`, or `blocked`
/// where that is not null.
StatusOr<BlockedImage> convolveInBlocks(const Tensor &input, const BlockedImage *blocked, const Tensor &weight,
                                        const Tensor &packed, const Tensor &bias, const ConvParams &params,
                                        ArrayRef<int64_t> outSizes, const BlockedFinish &finish);
/// Computes a convolution for which convolvesInBlocks holds, with its packed weights, from a tensor to a row-major one.
StatusOr<Tensor> convolveByBlocks(const Tensor &input, const Tensor &weight, const Tensor &packed, const Tensor &bias,
                                  const ConvParams &params, ArrayRef<int64_t> outSizes);
/// Computes such a convolution as a matrix product where that costs less, with the same bits, and otherwise in blocks.
/// Returns an undefined tensor where the weights have no packed form.
StatusOr<Tensor> convolvePlanes(const Tensor &input, const Tensor &weight, const Tensor &bias, const ConvParams &params,
                                ArrayRef<int64_t> outSizes);

} // namespace tsc::cpu

#endif
