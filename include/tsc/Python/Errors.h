//===- Errors.h - What Python raises ----------------------------*- C++ -*-===//
//
// An exception of Python's is a Status whose message is its class, a colon and its
// text: "ZeroDivisionError: division by zero". A number that Python has and that 64
// bits have not is an OverflowError with the code OutOfRange; what Python computes
// and this library doesn't is Unimplemented.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_PYTHON_ERRORS_H
#define TSC_PYTHON_ERRORS_H

#include "tsc/Support/Status.h"

namespace tsc::python {

Status divisionByZero();
Status floorDivisionByZero();
Status moduloByZero();
Status floatDivisionByZero();
Status complexDivisionByZero();
Status floatFloorDivisionByZero();
Status floatModuloByZero();
Status floatDivmodByZero();
Status zeroToNegativePower();
Status negativeShiftCount();
/// Returns the OverflowError of `**` whose result is infinite. CPython's exception has two arguments, of which
/// powerTooLargeText is the text.
Status powerTooLarge();
inline constexpr llvm::StringLiteral powerTooLargeText = "(34, 'Numerical result out of range')";
Status mathDomainError();
Status mathRangeError();
/// Returns the OverflowError of an int of more than 64 bits, which `number` shows.
Status intTooLarge(const llvm::Twine &number);
/// Returns why a float is no int of 64 bits: it is not a number, infinite, or too large.
Status notAnInt(double value);
Status stringIndexOutOfRange();
Status zeroSliceStep();

/// Whether a function failed only because its result is an int of more than 64 bits, which Python has.
bool needsLargerInt(const Status &status);

/// The class and the text of an exception.
struct ExceptionParts {
  llvm::StringRef type, text;
};
/// Returns the class and the text of the exception in a status, whose message they borrow.
ExceptionParts exceptionParts(const Status &status);

} // namespace tsc::python

#endif
