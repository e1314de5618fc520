//===- RequiresGrad.cpp - Results of operands that require gradients ------===//
#include "RequiresGrad.h"
#include "llvm/ADT/STLExtras.h"
using namespace tsc;

bool tsc::someElementRequiresGrad(const IValue &list) {
  if (list.isTensorList())
    return llvm::any_of(list.toTensorList().elements,
                        [](const Tensor &tensor) { return tensor.defined() && tensor.requiresGrad(); });
  for (size_t i = 0; list.isGenericList() && i != list.listSize(); ++i) // of optional tensors
    if (IValue element = list.listElement(i);
        element.isTensor() && element.asTensor().defined() && element.asTensor().requiresGrad())
      return true;
  return false;
}

static bool isAmong(const Tensor &tensor, llvm::ArrayRef<const IValue *> operands) {
  return llvm::any_of(operands, [&](const IValue *operand) {
    if (operand->isTensorList())
      return llvm::any_of(operand->toTensorList().elements, [&](const Tensor &t) { return t.isSameAs(tensor); });
    return operand->isTensor() && operand->asTensor().isSameAs(tensor);
  });
}

static void setMark(const Tensor &tensor, bool writes, llvm::ArrayRef<const IValue *> operands) {
  if (tensor.defined() && (isFloating(tensor.dtype()) || isComplex(tensor.dtype())) &&
      (writes || !isAmong(tensor, operands)))
    tensor.get()->requiresGrad = true;
}

void tsc::setRequiresGrad(IValue &result, bool writes, llvm::ArrayRef<const IValue *> operands) {
  if (result.isTensor())
    setMark(result.asTensor(), writes, operands);
  else if (result.isTensorList())
    for (const Tensor &tensor : result.toTensorList().elements)
      setMark(tensor, writes, operands);
}
