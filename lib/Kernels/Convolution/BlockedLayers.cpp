//===- BlockedLayers.cpp - Operators of networks on channels in blocks ----===//
//
// What the pass block-convolutions makes chains of. A value between them is a
// BlockedImage, or a plain tensor where the sizes are not worth blocks. What follows a
// convolution rounds as its operators do one by one.
//
//===----------------------------------------------------------------------===//
#include "BlockedRows.h"
#include "ConvolutionBlocked.h"
#include "Normalization/NormalizationAffine.h"
#include "Support/MemoryFormats.h"
#include "tsc/Kernels/Convolution.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Kernels/Normalization.h"
#include "tsc/Kernels/PointwiseOps.h"
#include "tsc/Kernels/Views.h"
#include <cstring>

using namespace tsc;
using namespace tsc::cpu;

StatusOr<Tensor> tsc::cpu::fromBlocked(const Tensor &self) {
  std::optional<BlockedImage> image = blockedImage(self);
  return image ? arrangeInPlanes(*image) : StatusOr<Tensor>(self);
}

StatusOr<Tensor> tsc::cpu::toBlocked(const Tensor &self) {
  if (!self.defined() || self.dim() != 4 || self.dtype() != DType::Float || self.size(1) < blocked::width)
    return self;
  TSC_ASSIGN_OR_RETURN(BlockedImage image, arrangeInBlocks(self));
  return image.asTensor();
}

namespace {
/// The operands of a convolution and what follows it.
struct Layer {
  const Tensor &input, &weight, &bias, &normWeight, &normBias, &mean, &variance, &summand;
  double eps;
  int64_t summed;
  const std::optional<Scalar> &min, &max;
};
} // namespace

/// The operators one by one, on plain tensors.
static StatusOr<Tensor> onPlanes(const Layer &layer, const ConvParams &params) {
  TSC_ASSIGN_OR_RETURN(Tensor x, fromBlocked(layer.input));
  TSC_ASSIGN_OR_RETURN(
      x, conv2d(x, layer.weight, layer.bias, params.stride, params.padding, params.dilation, params.groups));
  if (layer.mean.defined()) {
    TSC_ASSIGN_OR_RETURN(
        x, batchNorm(x, layer.normWeight, layer.normBias, layer.mean, layer.variance, false, 0, layer.eps, false));
  }
  if (layer.summand.defined()) {
    TSC_ASSIGN_OR_RETURN(Tensor summand, fromBlocked(layer.summand));
    TSC_ASSIGN_OR_RETURN(Tensor sum, pointwise(PointwiseKind::Aten_add_Tensor, {x, summand, int64_t{1}}));
    if (layer.summed != 0) {
      TSC_ASSIGN_OR_RETURN(sum, written(sum, layer.summed == 1 ? x : summand));
    }
    x = std::move(sum);
  }
  if (layer.min || layer.max) {
    auto bound = [](const std::optional<Scalar> &scalar) { return scalar ? PointwiseArg(*scalar) : PointwiseArg(); };
    TSC_ASSIGN_OR_RETURN(x, pointwise(PointwiseKind::Aten_clamp, {x, bound(layer.min), bound(layer.max)}));
  }
  return x;
}

/// What follows the convolution, on blocks; nullopt where an operand is of another kind.
static StatusOr<std::optional<BlockedFinish>> finishOf(const Layer &layer, ArrayRef<int64_t> outSizes) {
  BlockedFinish finish;
  if (layer.mean.defined()) {
    for (const Tensor *t : {&layer.mean, &layer.variance, &layer.normWeight, &layer.normBias}) {
      const bool isNeeded = t == &layer.mean || t == &layer.variance;
      if (!t->defined() ? isNeeded : t->numel() != outSizes[1] || t->dtype() != DType::Float)
        return std::nullopt;
    }
    TSC_ASSIGN_OR_RETURN(auto affine,
                         batchNormAffine(layer.normWeight, layer.normBias, layer.mean, layer.variance, layer.eps));
    finish.scale = std::move(affine.first), finish.shift = std::move(affine.second);
  }
  if (layer.summand.defined()) {
    std::optional<BlockedImage> image = blockedImage(layer.summand);
    if (!image) {
      if (layer.summand.dtype() != DType::Float || layer.summand.sizes() != outSizes)
        return std::nullopt;
      TSC_ASSIGN_OR_RETURN(image, arrangeInBlocks(layer.summand));
    }
    if (ArrayRef<int64_t>(image->sizes()) != outSizes)
      return std::nullopt;
    finish.summand = image->elements;
  }
  if (layer.min)
    finish.low = static_cast<float>(layer.min->toDouble());
  if (layer.max)
    finish.high = static_cast<float>(layer.max->toDouble());
  return finish;
}

StatusOr<Tensor> tsc::cpu::blockedConv2d(const Tensor &input, const Tensor &weight, const Tensor &bias,
                                         ArrayRef<int64_t> stride, ArrayRef<int64_t> padding,
                                         ArrayRef<int64_t> dilation, int64_t groups, const Tensor &normWeight,
                                         const Tensor &normBias, const Tensor &mean, const Tensor &variance, double eps,
                                         const Tensor &summand, int64_t summed, const std::optional<Scalar> &min,
                                         const std::optional<Scalar> &max) {
  const Layer layer{input, weight, bias, normWeight, normBias, mean, variance, summand, eps, summed, min, max};
  TSC_ASSIGN_OR_RETURN(ConvParams params, conv2dParams(stride, padding, dilation, groups));
  std::optional<BlockedImage> image = blockedImage(input);
  const Tensor shape = image ? image->shape() : input;
  if (shape.dim() != 4 || shape.dtype() != DType::Float || weight.dim() != 4 || weight.dtype() != DType::Float ||
      (bias.defined() && bias.dtype() != DType::Float))
    return onPlanes(layer, params);
  TSC_ASSIGN_OR_RETURN(Dims outSizes, convolvedSizes(shape, weight, bias, params));
  if (!convolvesInBlocks(shape.sizes(), weight, params) && !convolvesChannelsInBlocks(shape.sizes(), weight, params))
    return onPlanes(layer, params);
  TSC_ASSIGN_OR_RETURN(std::optional<BlockedFinish> finish, finishOf(layer, outSizes));
  TSC_ASSIGN_OR_RETURN(Tensor packed, packedWeights(weight, params));
  if (!finish || !packed.defined())
    return onPlanes(layer, params);
  TSC_ASSIGN_OR_RETURN(BlockedImage out, convolveInBlocks(input, image ? &*image : nullptr, weight, packed, bias,
                                                          params, outSizes, *finish));
  out.isChannelsLast = (image ? image->isChannelsLast : suggestsChannelsLast(input)) || suggestsChannelsLast(weight);
  return out.asTensor();
}

StatusOr<Tensor> tsc::cpu::blockedCat(ArrayRef<Tensor> tensors) {
  std::vector<BlockedImage> images;
  int64_t channels = 0;
  bool areWhole = true; // every image but the last ends with a whole block
  for (const Tensor &tensor : tensors) {
    std::optional<BlockedImage> image = blockedImage(tensor);
    if (!image)
      break;
    areWhole &= channels % blocked::width == 0;
    channels += image->channels;
    if (!images.empty() && (image->elements.size(0) != images[0].elements.size(0) ||
                            image->elements.size(2) != images[0].elements.size(2) ||
                            image->elements.size(3) != images[0].elements.size(3)))
      break;
    images.push_back(std::move(*image));
  }
  if (images.size() != tensors.size() || images.empty() || !areWhole) {
    std::vector<Tensor> plain;
    for (const Tensor &tensor : tensors) {
      TSC_ASSIGN_OR_RETURN(Tensor planes, fromBlocked(tensor));
      plain.push_back(std::move(planes));
    }
    return cat(plain, 1);
  }
  Dims sizes = images[0].sizes();
  sizes[1] = channels;
  TSC_ASSIGN_OR_RETURN(BlockedImage out, emptyBlocked(sizes));
  out.isChannelsLast = llvm::all_of(images, [](const BlockedImage &image) { return image.isChannelsLast; });
  float *to = out.elements.mutableData<float>();
  for (int64_t sample = 0; sample != sizes[0]; ++sample)
    for (const BlockedImage &image : images) {
      const int64_t count = image.elements.numel() / sizes[0];
      std::memcpy(to, image.elements.data<float>() + sample * count, static_cast<size_t>(count) * sizeof(float));
      to += count;
    }
  return out.asTensor();
}
