//===- Special.h - Kernels of Special.td ------------------------*- C++ -*-===//
#ifndef TSC_KERNELS_SPECIAL_H
#define TSC_KERNELS_SPECIAL_H

#include "tsc/Tensor/Tensor.h"
#include <tuple>

namespace tsc::cpu {

/// Mantissas in [0.5, 1) and int32 exponents.
StatusOr<std::tuple<Tensor, Tensor>> frexp(const Tensor &self);

} // namespace tsc::cpu

#endif
