//===- QuantizedCall.h - Operators called with quantized tensors *- C++ -*-===//
#ifndef TSC_RUNTIME_DISPATCH_QUANTIZEDCALL_H
#define TSC_RUNTIME_DISPATCH_QUANTIZEDCALL_H

#include "tsc/IR/FunctionSchema.h"
#include "tsc/IR/IValue.h"
#include "tsc/IR/OpRecord.h"
#include "tsc/Runtime/Dispatch/CallContext.h"

namespace tsc {

/// Whether the type is Tensor, a list of tensors, or an Optional of either.
bool isOfTensors(const Type *type);

/// Returns the arguments, among the first 32, whose numbers an operator reads and which it does not take when they are
/// quantized, one bit each: none for an operator that takes such tensors as they are.
uint32_t operandsToDequantize(const OpRecord &record, const FunctionSchema &schema);

/// Whether the value is a quantized tensor, or a list that holds one.
inline bool isQuantizedArgument(const IValue &value) {
  auto is = [](const Tensor &tensor) {
    return tensor.defined() && tensor.dtype() >= DType::QInt8 && tensor.dtype() <= DType::QInt32;
  };
  if (value.isTensor())
    return is(value.asTensor());
  return value.isTensorList() && llvm::any_of(value.toTensorList().elements, is);
}
/// Whether one of the arguments in the set `operands`, which operandsToDequantize() gives, is quantized.
inline bool anyQuantized(uint32_t operands, const IValue *const *args) {
  for (; operands; operands &= operands - 1)
    if (isQuantizedArgument(*args[llvm::countr_zero(operands)]))
      return true;
  return false;
}

/// Calls the kernel with the real numbers of its quantized operands, as the record's traits say; what it writes into a
/// quantized operand is quantized again. Fails in PyTorch's words for an operator without such a trait.
Status callOnReals(const OpRecord &record, const FunctionSchema &schema, llvm::StringRef name,
                   llvm::ArrayRef<const IValue *> args, llvm::MutableArrayRef<IValue> results,
                   llvm::function_ref<Status(const IValue *const *args, IValue *results)> kernel);

} // namespace tsc

#endif
