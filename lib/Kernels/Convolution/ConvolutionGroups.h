//===- ConvolutionGroups.h - Convolutions of few channels a group -*- C++ -*-===//
//
// Where a group has few channels, a matrix product has nothing to do. Operands are of
// the type that is convolved in and, but for convolveDepthwiseInside, contiguous; the
// bias may be undefined.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_KERNELS_CONVOLUTION_CONVOLUTIONGROUPS_H
#define TSC_LIB_KERNELS_CONVOLUTION_CONVOLUTIONGROUPS_H

#include "ConvolutionColumns.h"
#include "tsc/Tensor/Tensor.h"

namespace tsc::cpu {

/// Convolves each channel of floats alone: one plane after another, as it lies, with its borders written out. Returns
/// false when it does not apply.
StatusOr<bool> convolveDepthwise(const WindowGeometry &g, const Tensor &input, const Tensor &weight, const Tensor &bias,
                                 const Tensor &out, int64_t groups);

/// Convolves each channel of images whose channels lie inside, with a kernel for each: pixel by pixel, along the
/// channels. Returns an undefined tensor when it does not apply.
StatusOr<Tensor> convolveDepthwiseInside(const WindowGeometry &g, const Tensor &input, const Tensor &weight,
                                         const Tensor &bias, ArrayRef<int64_t> outShape, int64_t groups);

/// A transposed convolution of groups with few channels, of float or double: elements that lie a stride apart form a
/// phase, which is a convolution of the input with some elements of the kernel. False when it does not apply.
template <typename T>
StatusOr<bool> convolvePhases(const WindowGeometry &g, const Tensor &input, const Tensor &weight, const Tensor &bias,
                              const Tensor &out, int64_t groups);

/// Groups of channels along a line, with wide kernels, of float or double: a channel's windows are a matrix as they
/// lie, whose rows overlap. False when it does not apply.
template <typename T>
StatusOr<bool> convolveLines(const WindowGeometry &g, const Tensor &input, const Tensor &weight, const Tensor &bias,
                             const Tensor &out, int64_t groups);

} // namespace tsc::cpu

#endif
