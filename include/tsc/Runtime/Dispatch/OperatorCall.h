//===- OperatorCall.h - An operator as it is called -------------*- C++ -*-===//
//
// What a call has to know of an operator before it may run the operator's kernel:
// which operands have to be tensors, which may be quantized or lazy, which let
// gradients through. It is found out once, when code is made or when a host first
// asks for the operator, so that a call only compares bits.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_DISPATCH_OPERATORCALL_H
#define TSC_RUNTIME_DISPATCH_OPERATORCALL_H

#include "tsc/IR/IValue.h"
#include "tsc/IR/OpRecord.h"
#include "tsc/IR/Operator.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "llvm/ADT/bit.h"
#include <string>

namespace tsc {

class Accelerator;

/// An operator as it is called. Sets of operands have one bit for each of the first 32.
///
/// Ownership: borrows the operator's schema and custom kernel, and the context's accelerator.
struct OperatorCall {
  BoxedKernel kernel = nullptr; ///< The kernel of an operator with a record; null where there is none.
  /// The kernel of an operator that was registered at run time; null for one whose kernels are made for nodes, where
  /// there is no node.
  const CustomKernel *custom = nullptr;
  /// The place of the call. For an operator whose number of operands varies, it is that of one call.
  CallSite site;
  Accelerator *accelerator = nullptr; ///< The context's devices. Null: all tensors are the processor's.
  uint32_t gradientOperands = 0;      ///< The operands that gradientOperands() gives.
  uint32_t dequantized = 0;           ///< The operands that operandsToDequantize() gives.
  uint32_t resolved = 0;              ///< The operands that operandsToResolve() gives.
  uint32_t tensorOperands = 0;        ///< The operands that have to be tensors: programs may have None there.
  uint32_t tensorLists = 0;           ///< The operands that are lists in which None may stand for no tensor.
  bool writes = false;                ///< Whether it writes to an operand.
  /// Whether it writes to the first operand, which in grad mode is no leaf that requires a gradient.
  bool refusesLeaf = false;
  bool placesTensors = false;             ///< What placesTensors() says.
  OpKind op = OpKind::Unknown;            ///< Unknown for an operator without a record.
  const FunctionSchema *schema = nullptr; ///< The schema of an operator with a record; null for others.
  std::string name;                       ///< The name for messages, with its overload: "aten::add.Tensor".

  bool hasKernel() const { return kernel || custom; }
};

/// Describes an operator as it is called with one operand for each argument of its schema.
OperatorCall describeCall(Context &context, const Operator &op);
/// Describes a call of a kernel that a pass inserts and that no record describes. Its first `numTensors` operands have
/// to be tensors.
OperatorCall describeCall(Context &context, llvm::StringRef name, BoxedKernel kernel, unsigned numTensors);
/// Returns the description of an operator with a record, made when it is first asked for. It is valid as long as the
/// context, and until setAccelerator().
const OperatorCall &operatorCallOf(Context &context, OpKind op);
/// Does the same for any operator of the context, also one without a record.
const OperatorCall &operatorCallOf(Context &context, const Operator &op);

/// Whether each of these operands is a tensor, and each of these lists holds tensors alone. A variable that was never
/// set is none, and None that a program passes off as a tensor.
inline bool areDefined(uint32_t tensors, uint32_t lists, const IValue *const *operands) {
  for (; tensors; tensors &= tensors - 1)
    if (operands[llvm::countr_zero(tensors)]->isNone()) [[unlikely]]
      return false;
  for (; lists; lists &= lists - 1)
    if (const IValue &list = *operands[llvm::countr_zero(lists)]; list.isTensorList())
      for (const Tensor &element : list.toTensorList().elements)
        if (!element.defined()) [[unlikely]]
          return false;
  return true;
}

} // namespace tsc

#endif
