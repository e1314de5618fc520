//===- ConvolutionDnn.h - Convolutions through oneDNN -----------*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_CONVOLUTIONDNN_H
#define TSC_LIB_KERNELS_CONVOLUTIONDNN_H

#include "ConvolutionSizes.h"

namespace tsc::cpu {

/// Float convolution of row-major operands into `out`. False when oneDNN has no implementation: nothing was written.
bool convolveDnn(const Tensor &input, const Tensor &weight, const Tensor &bias, const ConvParams &params,
                 const Tensor &out);

} // namespace tsc::cpu

#endif
