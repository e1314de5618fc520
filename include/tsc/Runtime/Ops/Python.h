//===- Python.h - Operators that mean what Python means ---------*- C++ -*-===//
//
// Kernels of nodes that are marked (IR/PythonMeaning.h), where Python's meaning is
// not PyTorch's: divisions by zero raise, text counts code points, numbers are
// written as repr writes them.
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

/// `text.format(values…)`.
StatusOr<std::string> pythonFormat(llvm::StringRef text, llvm::ArrayRef<const IValue *> values);

// The quotient rounded down and the remainder of floats, as CPython computes them; `divisor` is not zero.
double pythonFloorDivide(double a, double divisor);
double pythonRemainder(double a, double divisor);
Status floatDivisionByZero();
Status floatFloorDivisionByZero();
Status floatModuloByZero();
Status mathDomainError();
Status mathRangeError();

/// chr(code) in UTF-8.
StatusOr<std::string> letterOf(int64_t code);
/// The number of code points in UTF-8. A byte that is no part of one counts alone.
int64_t countLetters(llvm::StringRef text);
bool isAsciiText(llvm::StringRef text);
/// The byte at which the code point of this number begins; the size for the number of code points.
size_t letterOffset(llvm::StringRef text, int64_t number);
/// Bytes of the code point that begins at `offset`.
size_t letterSize(llvm::StringRef text, size_t offset);

} // namespace tsc::ops

#endif
