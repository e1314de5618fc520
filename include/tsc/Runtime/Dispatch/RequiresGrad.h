//===- RequiresGrad.h - Results of operands that require gradients -*- C++ -*-===//
#ifndef TSC_RUNTIME_DISPATCH_REQUIRESGRAD_H
#define TSC_RUNTIME_DISPATCH_REQUIRESGRAD_H

#include "tsc/IR/FunctionSchema.h"
#include "tsc/IR/IValue.h"
#include "tsc/IR/OpRecord.h"
#include "tsc/Support/Status.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/bit.h"

namespace tsc {

/// Whether a tensor of the list requires a gradient.
bool someElementRequiresGrad(const IValue &list);
/// Whether the value is a tensor that requires a gradient, or a list that holds one.
inline bool requiresGrad(const IValue &value) {
  if (value.isTensor())
    return value.asTensor().defined() && value.asTensor().requiresGrad();
  return value.isList() && someElementRequiresGrad(value);
}

/// Whether one of the arguments in the set requires a gradient. Called around every operator: most have one or two
/// tensors, which the kernel reads anyway.
inline bool anyRequiresGrad(uint32_t set, const IValue *const *args) {
  for (; set; set &= set - 1)
    if (requiresGrad(*args[llvm::countr_zero(set)]))
      return true;
  return false;
}

/// Gives a result the mark that it has, in grad mode, after an operator with an operand that requires a gradient. One
/// of `operands` that is handed on keeps its own, unless the operator `writes` to operands. (Outside of grad mode new
/// tensors have no mark, and views that of what they view.)
void setRequiresGrad(IValue &result, bool writes, llvm::ArrayRef<const IValue *> operands);

/// Whether a call writes to its first operand, as operators in place do.
bool writesToFirst(const FunctionSchema &schema);

/// Returns PyTorch's error for an operator that writes to a leaf that requires a gradient, or to a view of one.
Status leafIsWritten(bool isView);
/// Fails where `self`, to which the operator writes, is a leaf or a view of one as far as the tensor itself tells (see
/// TensorImpl::LeafOfFile). It is asked in a call without a tape, in grad mode; a tape knows all leaves.
Status checkNoLeafOfFile(const IValue &self);

} // namespace tsc

#endif
