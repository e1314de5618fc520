//===- LazyOperands.h - Operands that are conjugated lazily -----*- C++ -*-===//
//
// torch.conj and the imaginary part of a conjugate are views with a note: their elements
// are to be conjugated or negated. Kernels read and write memory; whoever calls one with
// such an operand gives it a tensor that needs no note.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_DISPATCH_LAZYOPERANDS_H
#define TSC_RUNTIME_DISPATCH_LAZYOPERANDS_H

#include "tsc/IR/FunctionSchema.h"
#include "tsc/IR/IValue.h"
#include "tsc/IR/OpRecord.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Support/Status.h"

namespace tsc {

/// Returns the arguments, among the first 32, whose elements an operator reads or writes where they stand, one bit
/// each. Those that it may give a view of take the note along and are none of them; nor are those of a mere question.
uint32_t operandsToResolve(const OpRecord &record, const FunctionSchema &schema);

/// Whether the value is a tensor that is conjugated or negated lazily, or a list that holds one.
inline bool isLazy(const IValue &value) {
  auto is = [](const Tensor &tensor) { return tensor.defined() && cpu::isLazy(tensor); };
  if (value.isTensor())
    return is(value.asTensor());
  return value.isTensorList() && llvm::any_of(value.toTensorList().elements, is);
}
/// Whether one of the arguments in the set `operands`, which operandsToResolve() gives, is lazy.
inline bool anyLazy(uint32_t operands, const IValue *const *args) {
  for (; operands; operands &= operands - 1)
    if (isLazy(*args[llvm::countr_zero(operands)]))
      return true;
  return false;
}

/// Calls the kernel with plain tensors in the place of lazy ones among these operands. What it writes into one of them
/// is copied back.
Status callResolved(uint32_t operands, const FunctionSchema &schema, llvm::ArrayRef<const IValue *> args,
                    llvm::MutableArrayRef<IValue> results,
                    llvm::function_ref<Status(const IValue *const *args, IValue *results)> kernel);

} // namespace tsc

#endif
