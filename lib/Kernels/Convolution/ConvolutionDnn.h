//===- ConvolutionDnn.h - Convolutions through oneDNN -----------*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_CONVOLUTION_CONVOLUTIONDNN_H
#define TSC_LIB_KERNELS_CONVOLUTION_CONVOLUTIONDNN_H

#include "ConvolutionSizes.h"

namespace tsc::cpu {

/// Convolution of row-major operands of Float, or of BFloat16 where hasBFloat16Products(), into `out`, of their dtype.
/// The bias may be undefined. False when oneDNN has no implementation: nothing was written.
bool convolveDnn(const Tensor &input, const Tensor &weight, const Tensor &bias, const ConvParams &params,
                 const Tensor &out);

} // namespace tsc::cpu

#endif
