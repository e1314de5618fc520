//===- QuantizedCall.h - Operators called with quantized tensors *- C++ -*-===//
#ifndef TSC_RUNTIME_DISPATCH_QUANTIZEDCALL_H
#define TSC_RUNTIME_DISPATCH_QUANTIZEDCALL_H

#include "tsc/IR/FunctionSchema.h"
#include "tsc/IR/IValue.h"
#include "tsc/IR/OpRecord.h"
#include "tsc/Runtime/CallContext.h"

namespace tsc {

/// Tensors, or lists of such, or None in the place of one.
bool isOfTensors(const Type *type);

/// The arguments, among the first 32, whose numbers an operator reads and which it does not take when they are
/// quantized: as bits. None of an operator that takes such tensors as they are.
uint32_t operandsToDequantize(const OpRecord &record, const FunctionSchema &schema);

inline bool isQuantizedArgument(const IValue &value) {
  auto is = [](const Tensor &tensor) {
    return tensor.defined() && tensor.dtype() >= DType::QInt8 && tensor.dtype() <= DType::QInt32;
  };
  if (value.isTensor())
    return is(value.asTensor());
  return value.isTensorList() && llvm::any_of(value.toTensorList().elements, is);
}
/// `operands`: what operandsToDequantize gives.
inline bool anyQuantized(uint32_t operands, const IValue *const *args) {
  for (; operands; operands &= operands - 1)
    if (isQuantizedArgument(*args[llvm::countr_zero(operands)]))
      return true;
  return false;
}

/// Calls the kernel with the real numbers of its quantized operands, as the record's traits say; what it writes into a
/// quantized operand is quantized again. PyTorch's refusal for an operator without such a trait.
Status callOnReals(const OpRecord &record, const FunctionSchema &schema, llvm::StringRef name,
                   llvm::ArrayRef<const IValue *> args, llvm::MutableArrayRef<IValue> results,
                   llvm::function_ref<Status(const IValue *const *args, IValue *results)> kernel);

} // namespace tsc

#endif
