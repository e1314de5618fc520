//===- Special.h - Kernels of Special.td ------------------------*- C++ -*-===//
//
// Each function is the kernel of an operator whose record in include/tsc/IR/Ops
// names it, and computes what PyTorch computes for that operator, or fails with its
// message. Arguments are those of the schema, in its order; an undefined tensor
// stands for None.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_KERNELS_SPECIAL_H
#define TSC_KERNELS_SPECIAL_H

#include "tsc/Tensor/Tensor.h"
#include <tuple>

namespace tsc::cpu {

/// Returns mantissas, of sizes in [0.5, 1), and int32 exponents.
StatusOr<std::tuple<Tensor, Tensor>> frexp(const Tensor &self);

} // namespace tsc::cpu

#endif
