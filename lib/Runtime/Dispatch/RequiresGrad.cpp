//===- RequiresGrad.cpp - Results of operands that require gradients ------===//
#include "tsc/Runtime/Dispatch/RequiresGrad.h"
#include "tsc/Tensor/Opaque.h"
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

/// Floats, also those of an image whose channels lie in blocks.
static bool mayHaveGradient(const Tensor &tensor) {
  if (tensor.dtype() == DType::Opaque)
    return !sparseOf(tensor) && !nestedOf(tensor);
  return isFloating(tensor.dtype()) || isComplex(tensor.dtype());
}

static void setMark(const Tensor &tensor, bool writes, llvm::ArrayRef<const IValue *> operands) {
  if (tensor.defined() && mayHaveGradient(tensor) && (writes || !isAmong(tensor, operands)))
    tensor.get()->requiresGrad = true;
}

bool tsc::writesToFirst(const FunctionSchema &schema) {
  if (schema.arguments().empty())
    return false;
  const std::optional<AliasInfo> &first = schema.arguments().front().alias;
  return first && first->isWrite;
}

Status tsc::leafIsWritten(bool isView) {
  return invalidArgument(isView ? "a view of a leaf Variable that requires grad is being used in an in-place operation."
                                : "a leaf Variable that requires grad is being used in an in-place operation.");
}

Status tsc::checkNoLeafOfFile(const IValue &self) {
  if (!self.isTensor() || !self.asTensor().defined() || !self.asTensor().requiresGrad())
    return okStatus();
  switch (self.asTensor().get()->leafOfFile) {
  case TensorImpl::LeafOfFile::None: return okStatus();
  case TensorImpl::LeafOfFile::Whole: return leafIsWritten(/*isView=*/false);
  case TensorImpl::LeafOfFile::View: return leafIsWritten(/*isView=*/true);
  }
  llvm_unreachable("an unknown kind of leaf");
}

void tsc::setRequiresGrad(IValue &result, bool writes, llvm::ArrayRef<const IValue *> operands) {
  if (result.isTensor())
    setMark(result.asTensor(), writes, operands);
  else if (result.isTensorList())
    for (const Tensor &tensor : result.toTensorList().elements)
      setMark(tensor, writes, operands);
}
