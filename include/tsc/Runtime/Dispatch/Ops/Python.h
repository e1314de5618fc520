//===- Python.h - Operators that mean what Python means ---------*- C++ -*-===//
//
// Kernels of nodes that are marked (IR/PythonMeaning.h), where Python's meaning is
// not PyTorch's: divisions by zero raise, text counts code points, numbers are
// written as repr writes them. The meaning itself stands in tsc/Python.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_DISPATCH_OPS_PYTHON_H
#define TSC_RUNTIME_DISPATCH_OPS_PYTHON_H

#include "tsc/IR/IValue.h"
#include "tsc/IR/OpRecord.h"
#include "tsc/Runtime/Dispatch/CallContext.h"

namespace tsc::ops {

/// Returns the kernel of an operator with Python's meaning, or null where that is no other than PyTorch's.
BoxedKernel pythonKernel(OpKind kind);

/// Writes a value as Python's str() does.
void writePythonText(llvm::raw_ostream &os, const IValue &value);

/// Fails where the text of a value cannot be written because it would name the node that made a tensor, which is not
/// known (tsc/Tensor/TensorHistory.h).
Status checkTexts(llvm::ArrayRef<const IValue *> values);

} // namespace tsc::ops

#endif
