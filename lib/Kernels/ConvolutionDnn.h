//===- ConvolutionDnn.h - Convolutions through oneDNN -----------*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_CONVOLUTIONDNN_H
#define TSC_LIB_KERNELS_CONVOLUTIONDNN_H

#include "tsc/Tensor/Tensor.h"

namespace tsc::cpu {

/// What a convolution does besides its operands; one number for each spatial dimension.
struct ConvParams {
  Dims stride, padding, dilation, outputPadding;
  int64_t groups = 1;
  bool transposed = false;
};

/// Float convolution of row-major operands into `out`. False when oneDNN has no implementation: nothing was written.
bool convolveDnn(const Tensor &input, const Tensor &weight, const Tensor &bias, const ConvParams &params,
                 const Tensor &out);

} // namespace tsc::cpu

#endif
