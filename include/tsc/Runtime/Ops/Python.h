//===- Python.h - Operators that mean what Python means ---------*- C++ -*-===//
//
// Kernels of nodes that are marked (IR/PythonMeaning.h), where Python's meaning is
// not PyTorch's: divisions by zero raise, text counts code points, numbers are
// written as repr writes them. The meaning itself stands in tsc/Python.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_OPS_PYTHON_H
#define TSC_RUNTIME_OPS_PYTHON_H

#include "tsc/IR/IValue.h"
#include "tsc/IR/OpRecord.h"
#include "tsc/Runtime/CallContext.h"

namespace tsc::ops {

/// Null for an operator that has one meaning only.
BoxedKernel pythonKernel(OpKind kind);

/// As str() writes a value: a str as it is, all else as repr does.
void writePythonText(llvm::raw_ostream &os, const IValue &value);

/// An error where the text of a value shows a tensor that has none (tsc/Tensor/TensorHistory.h).
Status checkTexts(llvm::ArrayRef<const IValue *> values);

} // namespace tsc::ops

#endif
