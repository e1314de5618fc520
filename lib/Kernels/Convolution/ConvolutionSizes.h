//===- ConvolutionSizes.h - What convolutions share -------------*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_CONVOLUTION_CONVOLUTIONSIZES_H
#define TSC_LIB_KERNELS_CONVOLUTION_CONVOLUTIONSIZES_H

#include "tsc/Tensor/Tensor.h"

namespace tsc::cpu {

/// What a convolution does besides its operands; one number for each spatial dimension.
struct ConvParams {
  Dims stride, padding, dilation, outputPadding;
  int64_t groups = 1;
  bool transposed = false;
};

/// The sizes of a convolution's result; PyTorch's refusal of operands that do not fit together. The bias may be
/// undefined.
StatusOr<Dims> convolvedSizes(const Tensor &input, const Tensor &weight, const Tensor &bias, const ConvParams &params);

/// An operator's list as one number for each of `spatial` dimensions; `name` is the parameter's.
StatusOr<Dims> perDimension(ArrayRef<int64_t> list, const char *name, size_t spatial);

/// Returns the parameters of a convolution of images, from an operator's lists of one or two numbers.
StatusOr<ConvParams> conv2dParams(ArrayRef<int64_t> stride, ArrayRef<int64_t> padding, ArrayRef<int64_t> dilation,
                                  int64_t groups);

} // namespace tsc::cpu

#endif
