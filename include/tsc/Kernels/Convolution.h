//===- Convolution.h - Convolutions ----------------------------*- C++ -*-===//
//
// Unless its comment says otherwise, a function is the kernel of an operator whose
// record in include/tsc/IR/Ops names it, and computes what PyTorch computes for that
// operator, or fails with its message. Arguments are those of the schema, in its
// order; an undefined tensor stands for None.
//
//===----------------------------------------------------------------------===//
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

// Operators of the pass block-convolutions (lib/Kernels/Convolution/BlockedLayers.cpp). A blocked image is an opaque
// tensor of sizes N, C, H, W whose floats lie N, blocks, H, W, 16: 16 channels side by side.

/// Convolves an image, plain or blocked, then normalizes (where `mean` is defined), adds `summand` (where it is
/// defined) and clamps to `min` and `max`. `summed` says what the sum is written into, and so must have its sizes: 0 a
/// new tensor, 1 the result before it, 2 the summand. The result is blocked where the sizes are worth it, else plain.
StatusOr<Tensor> blockedConv2d(const Tensor &input, const Tensor &weight, const Tensor &bias, ArrayRef<int64_t> stride,
                               ArrayRef<int64_t> padding, ArrayRef<int64_t> dilation, int64_t groups,
                               const Tensor &normWeight, const Tensor &normBias, const Tensor &mean,
                               const Tensor &variance, double eps, const Tensor &summand, int64_t summed,
                               const std::optional<Scalar> &min, const std::optional<Scalar> &max);
/// Returns the maxima of windows of an image, plain or blocked.
StatusOr<Tensor> blockedMaxPool2d(const Tensor &self, ArrayRef<int64_t> kernelSize, ArrayRef<int64_t> stride,
                                  ArrayRef<int64_t> padding, ArrayRef<int64_t> dilation, bool ceilMode);
/// Joins images, plain or blocked, along their channels.
StatusOr<Tensor> blockedCat(ArrayRef<Tensor> tensors);
/// Returns a plain image of floats in blocks. One of fewer channels than a block, and what is no image, is returned as
/// it is.
StatusOr<Tensor> toBlocked(const Tensor &self);
/// Returns the plain tensor of a blocked image; any other tensor as it is.
StatusOr<Tensor> fromBlocked(const Tensor &self);

} // namespace tsc::cpu

#endif
