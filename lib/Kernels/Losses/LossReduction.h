//===- LossReduction.h - How losses end -------------------------*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_LOSSES_LOSSREDUCTION_H
#define TSC_LIB_KERNELS_LOSSES_LOSSREDUCTION_H

#include "Support/Compute.h"
#include "tsc/Kernels/Loss.h"

namespace tsc::cpu {

/// A dense Double tensor of losses as it is (0), its mean (1) or its sum (2), rounded to `dtype`.
StatusOr<Tensor> reduceLoss(const Tensor &loss, int64_t reduction, DType dtype);

} // namespace tsc::cpu

#endif
