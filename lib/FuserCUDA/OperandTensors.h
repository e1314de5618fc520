//===- OperandTensors.h - Tensors that operators are given ------*- C++ -*-===//
#ifndef TSC_LIB_FUSERCUDA_OPERANDTENSORS_H
#define TSC_LIB_FUSERCUDA_OPERANDTENSORS_H

#include "tsc/IR/IValue.h"
#include <vector>

namespace tsc::fuser {

/// Undefined where the operand is no tensor.
inline Tensor tensorOrNone(const IValue &value) { return value.isTensor() ? value.asTensor() : Tensor(); }

/// Those of a list, of tensors or of anything that may be None.
inline std::vector<Tensor> tensorsIn(const IValue &list) {
  if (list.isTensorList())
    return {list.toTensorList().elements.begin(), list.toTensorList().elements.end()};
  std::vector<Tensor> tensors;
  if (list.getTag() == IValue::Tag::GenericList)
    for (const IValue &element : list.toGenericList().elements)
      tensors.push_back(tensorOrNone(element));
  return tensors;
}

} // namespace tsc::fuser

#endif
