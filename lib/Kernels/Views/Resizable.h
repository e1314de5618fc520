//===- Resizable.h - Whose sizes may change in place ------------*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_VIEWS_RESIZABLE_H
#define TSC_LIB_KERNELS_VIEWS_RESIZABLE_H

#include "tsc/Tensor/Tensor.h"

namespace tsc::cpu {

/// Fails with InvalidArgument for a tensor with a companion that goes by its sizes: one that is sparse, nested, or
/// quantized with a scale for each index of a dimension.
Status checkResizable(const Tensor &self);

} // namespace tsc::cpu

#endif
