//===- Python.h - Operators that mean what Python means ---------*- C++ -*-===//
//
// Kernels of the operators of Ops/Python.td, where Python's meaning is not PyTorch's:
// divisions by zero raise, text counts code points, numbers are written as repr writes
// them. The meaning itself stands in tsc/Python.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_DISPATCH_OPS_PYTHON_H
#define TSC_RUNTIME_DISPATCH_OPS_PYTHON_H

#include "tsc/IR/IValue.h"
#include "tsc/IR/OpRecord.h"
#include "tsc/Python/Math.h"
#include "tsc/Python/Text.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Runtime/Dispatch/Ops/Strings.h"
#include "tsc/Tensor/MemoryAccount.h"

namespace tsc::ops {

/// Writes a value as Python's str() does.
void writePythonText(llvm::raw_ostream &os, const IValue &value);

/// Fails where the text of a value cannot be written because it would name the node that made a tensor, which is not
/// known (tsc/Tensor/TensorHistory.h).
Status checkTexts(llvm::ArrayRef<const IValue *> values);

/// Returns the ZeroDivisionError that dividing two numbers raises in Python, or success where the divisor is not 0.
Status checkDivision(const IValue &dividend, const IValue &divisor);

/// Calls the kernel of `plain`, PyTorch's operator for a function of the module math or a power, and fails where Python
/// raises an exception because of the result.
Status callPlainMath(CallContext &context, const IValue *const *args, IValue *results, OpKind plain,
                     python::MathFunction function);

// Each of these is a BoxedKernel (CallContext.h) that a record of Python.td names, which has its schema.
#define TSC_BOXED(NAME) Status NAME(CallContext &context, const IValue *const *args, IValue *results);
// clang-format off
TSC_BOXED(pythonFloorDivide) TSC_BOXED(pythonRemainder) TSC_BOXED(pythonDivmod) TSC_BOXED(pythonPowerOfInts)
TSC_BOXED(pythonStr) TSC_BOXED(pythonFormat) TSC_BOXED(pythonPercentFormat)
TSC_BOXED(pythonLength) TSC_BOXED(pythonLetterAt) TSC_BOXED(pythonLetters) TSC_BOXED(pythonSlice) TSC_BOXED(pythonZfill)
TSC_BOXED(pythonReplace) TSC_BOXED(pythonExpandTabs) TSC_BOXED(pythonSplit) TSC_BOXED(pythonSplitLines) TSC_BOXED(pythonOrd)
TSC_BOXED(pythonChr)
/// Takes the entry out of a dict, of keys of any type, that came last.
TSC_BOXED(pythonPopItem)
// clang-format on
#undef TSC_BOXED

/// Divides as PyTorch's operator `Plain` does, ints too, where the divisor is not 0.
template <OpKind Plain> Status pythonDivide(CallContext &context, const IValue *const *args, IValue *results) {
  TSC_RETURN_IF_ERROR(checkDivision(*args[0], *args[1]));
  return boxedKernels[static_cast<unsigned>(Plain)](context, args, results);
}

/// Runs `Function` of the module math, or a power, as callPlainMath() does.
template <OpKind Plain, python::MathFunction Function>
Status pythonMath(CallContext &context, const IValue *const *args, IValue *results) {
  return callPlainMath(context, args, results, Plain, Function);
}

/// Calls `Function`, of tsc/Python/Text.h, with a text.
template <auto Function> Status pythonText(CallContext &, const IValue *const *args, IValue *results) {
  results[0] = IValue(Function(args[0]->toString(), python::Letters::CodePoints));
  return okStatus();
}

namespace detail {
/// Puts the value of a function into a kernel's result, or returns why there is none.
template <typename T> Status store(T value, IValue &result) {
  result = IValue(value);
  return okStatus();
}
template <typename T> Status store(const StatusOr<T> &value, IValue &result) {
  return value.ok() ? store(*value, result) : value.status();
}
} // namespace detail

/// Calls `Function`, of tsc/Python/Text.h, with a text, a part to look for, and the section in which to look.
template <auto Function> Status pythonSearch(CallContext &, const IValue *const *args, IValue *results) {
  return detail::store(Function(args[0]->toString(), args[1]->toString(), sectionOf(args[2]->toInt(), args[3]->toInt()),
                                python::Letters::CodePoints),
                       results[0]);
}

/// Calls `Function`, of tsc/Python/Text.h, with a text, the width to fill and the letter to fill it with.
template <auto Function> Status pythonFill(CallContext &, const IValue *const *args, IValue *results) {
  TSC_ASSIGN_OR_RETURN(results[0], Function(args[0]->toString(), args[1]->toInt(), args[2]->toString(), memory::hasRoom,
                                            python::Letters::CodePoints));
  return okStatus();
}

/// Calls `Function`, of tsc/Python/Text.h, with a text and the letters to take away at its ends. TorchScript has white
/// space as the default of these letters; Python takes more for space.
template <auto Function> Status pythonStrip(CallContext &, const IValue *const *args, IValue *results) {
  const llvm::StringRef chars = args[1]->toString();
  const bool isDefault = chars == " \n\t\f\v";
  results[0] = IValue(
      Function(args[0]->toString(), isDefault ? std::nullopt : std::optional(chars), python::Letters::CodePoints));
  return okStatus();
}

} // namespace tsc::ops

#endif
