//===- FactsOfTensor.h - What a type says of one tensor ---------*- C++ -*-===//
#ifndef TSC_IR_FACTSOFTENSOR_H
#define TSC_IR_FACTSOFTENSOR_H

#include "tsc/IR/Type.h"

namespace tsc {

class Tensor;

/// Returns a tensor's dtype, device, sizes and strides, each a number. Returns nothing known of an undefined tensor,
/// and of one of another layout than strided.
TensorFacts factsOfTensor(const Tensor &tensor);

} // namespace tsc

#endif
