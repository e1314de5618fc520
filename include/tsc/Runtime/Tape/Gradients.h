//===- Gradients.h - Gradients of values that hosts hold --------*- C++ -*-===//
//
// What the C interface and the Python package ask of values and tensors before and
// between calls, outside of any tape.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_TAPE_GRADIENTS_H
#define TSC_RUNTIME_TAPE_GRADIENTS_H

#include "tsc/IR/IValue.h"
#include "tsc/Support/Status.h"

namespace tsc {

/// Whether the value is a tensor that requires a gradient, or a list, tuple, dict or object that holds one, however
/// deeply. Values that hold themselves are no problem. Linear in what the value holds.
bool holdsGradients(const IValue &value);

/// Does what an assignment to `tensor.data` does: the tensor has the memory, sizes, strides and dtype of `source` from
/// here on, and keeps its history, its gradient, and whether it requires one. InvalidArgument, with nothing changed,
/// where the tensor requires a gradient and `source` has a dtype that has none. No other thread may use the tensor
/// meanwhile.
Status setTensorData(const Tensor &tensor, const Tensor &source);

} // namespace tsc

#endif
