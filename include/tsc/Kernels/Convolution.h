//===- Convolution.h - Convolutions ----------------------------*- C++ -*-===//
#ifndef TSC_KERNELS_CONVOLUTION_H
#define TSC_KERNELS_CONVOLUTION_H

#include "tsc/Tensor/Tensor.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <tuple>
#include <vector>

namespace tsc::cpu {

StatusOr<Tensor> convolutionFlags(const Tensor &input, const Tensor &weight, const Tensor &bias,
                                  ArrayRef<int64_t> stride, ArrayRef<int64_t> padding, ArrayRef<int64_t> dilation,
                                  bool transposed, ArrayRef<int64_t> outputPadding, int64_t groups, bool benchmark,
                                  bool deterministic, bool cudnnEnabled, bool allowTf32);
StatusOr<Tensor> convolutionDeprecated(const Tensor &input, const Tensor &weight, const Tensor &bias,
                                       ArrayRef<int64_t> stride, ArrayRef<int64_t> padding, ArrayRef<int64_t> dilation,
                                       bool transposed, ArrayRef<int64_t> outputPadding, int64_t groups, bool benchmark,
                                       bool deterministic, bool cudnnEnabled);
StatusOr<Tensor> convolution(const Tensor &input, const Tensor &weight, const Tensor &bias, ArrayRef<int64_t> stride,
                             ArrayRef<int64_t> padding, ArrayRef<int64_t> dilation, bool transposed,
                             ArrayRef<int64_t> outputPadding, int64_t groups);
StatusOr<Tensor> convolutionMode(const Tensor &input, const Tensor &weight, const Tensor &bias,
                                 ArrayRef<int64_t> stride, llvm::StringRef padding, ArrayRef<int64_t> dilation,
                                 int64_t groups);
StatusOr<Tensor> conv1d(const Tensor &input, const Tensor &weight, const Tensor &bias, ArrayRef<int64_t> stride,
                        ArrayRef<int64_t> padding, ArrayRef<int64_t> dilation, int64_t groups);
StatusOr<Tensor> conv1dPadding(const Tensor &input, const Tensor &weight, const Tensor &bias, ArrayRef<int64_t> stride,
                               llvm::StringRef padding, ArrayRef<int64_t> dilation, int64_t groups);
StatusOr<Tensor> conv2d(const Tensor &input, const Tensor &weight, const Tensor &bias, ArrayRef<int64_t> stride,
                        ArrayRef<int64_t> padding, ArrayRef<int64_t> dilation, int64_t groups);
StatusOr<Tensor> conv2dPadding(const Tensor &input, const Tensor &weight, const Tensor &bias, ArrayRef<int64_t> stride,
                               llvm::StringRef padding, ArrayRef<int64_t> dilation, int64_t groups);
StatusOr<Tensor> conv3d(const Tensor &input, const Tensor &weight, const Tensor &bias, ArrayRef<int64_t> stride,
                        ArrayRef<int64_t> padding, ArrayRef<int64_t> dilation, int64_t groups);
StatusOr<Tensor> conv3dPadding(const Tensor &input, const Tensor &weight, const Tensor &bias, ArrayRef<int64_t> stride,
                               llvm::StringRef padding, ArrayRef<int64_t> dilation, int64_t groups);
StatusOr<Tensor> convTranspose1d(const Tensor &input, const Tensor &weight, const Tensor &bias,
                                 ArrayRef<int64_t> stride, ArrayRef<int64_t> padding, ArrayRef<int64_t> outputPadding,
                                 int64_t groups, ArrayRef<int64_t> dilation);
StatusOr<Tensor> convTranspose2d(const Tensor &input, const Tensor &weight, const Tensor &bias,
                                 ArrayRef<int64_t> stride, ArrayRef<int64_t> padding, ArrayRef<int64_t> outputPadding,
                                 int64_t groups, ArrayRef<int64_t> dilation);
StatusOr<Tensor> convTranspose3d(const Tensor &input, const Tensor &weight, const Tensor &bias,
                                 ArrayRef<int64_t> stride, ArrayRef<int64_t> padding, ArrayRef<int64_t> outputPadding,
                                 int64_t groups, ArrayRef<int64_t> dilation);
StatusOr<Tensor> convTbc(const Tensor &self, const Tensor &weight, const Tensor &bias, int64_t pad);
StatusOr<Tensor> mkldnnConvolution(const Tensor &self, const Tensor &weight, const Tensor &bias,
                                   ArrayRef<int64_t> padding, ArrayRef<int64_t> stride, ArrayRef<int64_t> dilation,
                                   int64_t groups);
StatusOr<Tensor> thnnConv2d(const Tensor &self, const Tensor &weight, ArrayRef<int64_t> kernelSize, const Tensor &bias,
                            ArrayRef<int64_t> stride, ArrayRef<int64_t> padding);
StatusOr<Tensor> convDepthwise3d(const Tensor &self, const Tensor &weight, ArrayRef<int64_t> kernelSize,
                                 const Tensor &bias, ArrayRef<int64_t> stride, ArrayRef<int64_t> padding,
                                 ArrayRef<int64_t> dilation);
StatusOr<Tensor> slowConv3d(const Tensor &self, const Tensor &weight, ArrayRef<int64_t> kernelSize, const Tensor &bias,
                            ArrayRef<int64_t> stride, ArrayRef<int64_t> padding);
StatusOr<Tensor> slowConvDilated2d(const Tensor &self, const Tensor &weight, ArrayRef<int64_t> kernelSize,
                                   const Tensor &bias, ArrayRef<int64_t> stride, ArrayRef<int64_t> padding,
                                   ArrayRef<int64_t> dilation);
StatusOr<Tensor> slowConvDilated3d(const Tensor &self, const Tensor &weight, ArrayRef<int64_t> kernelSize,
                                   const Tensor &bias, ArrayRef<int64_t> stride, ArrayRef<int64_t> padding,
                                   ArrayRef<int64_t> dilation);
StatusOr<Tensor> slowConvTranspose2d(const Tensor &self, const Tensor &weight, ArrayRef<int64_t> kernelSize,
                                     const Tensor &bias, ArrayRef<int64_t> stride, ArrayRef<int64_t> padding,
                                     ArrayRef<int64_t> outputPadding, ArrayRef<int64_t> dilation);
StatusOr<Tensor> slowConvTranspose3d(const Tensor &self, const Tensor &weight, ArrayRef<int64_t> kernelSize,
                                     const Tensor &bias, ArrayRef<int64_t> stride, ArrayRef<int64_t> padding,
                                     ArrayRef<int64_t> outputPadding, ArrayRef<int64_t> dilation);

// Images whose channels lie in blocks: see lib/Kernels/BlockedLayers.cpp.

StatusOr<Tensor> blockedConv2d(const Tensor &input, const Tensor &weight, const Tensor &bias, ArrayRef<int64_t> stride,
                               ArrayRef<int64_t> padding, ArrayRef<int64_t> dilation, int64_t groups,
                               const Tensor &normWeight, const Tensor &normBias, const Tensor &mean,
                               const Tensor &variance, double eps, const Tensor &summand, int64_t summed,
                               const std::optional<Scalar> &min, const std::optional<Scalar> &max);
StatusOr<Tensor> blockedMaxPool2d(const Tensor &self, ArrayRef<int64_t> kernelSize, ArrayRef<int64_t> stride,
                                  ArrayRef<int64_t> padding, ArrayRef<int64_t> dilation, bool ceilMode);
StatusOr<Tensor> blockedCat(ArrayRef<Tensor> tensors);
/// A plain image in blocks; one of few channels, and what is no image, as it is.
StatusOr<Tensor> toBlocked(const Tensor &self);
StatusOr<Tensor> fromBlocked(const Tensor &self);

} // namespace tsc::cpu

#endif
