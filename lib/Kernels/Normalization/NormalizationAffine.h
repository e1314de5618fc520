//===- NormalizationAffine.h - Batch norm as scale and shift ----*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_NORMALIZATION_NORMALIZATIONAFFINE_H
#define TSC_LIB_KERNELS_NORMALIZATION_NORMALIZATIONAFFINE_H

#include "tsc/Tensor/Tensor.h"
#include <utility>
#include <vector>

namespace tsc::cpu {

/// What batch_norm with running statistics makes of a float x, channel by channel: x * first + second, rounded twice.
/// Mean and variance have an element a channel, and so have weight and bias, which may be undefined.
StatusOr<std::pair<std::vector<float>, std::vector<float>>>
batchNormAffine(const Tensor &weight, const Tensor &bias, const Tensor &mean, const Tensor &variance, double eps);

} // namespace tsc::cpu

#endif
