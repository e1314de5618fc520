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

/// Returns the ZeroDivisionError of `a / b` of ints.
Status divisionByZero();
/// Returns the ZeroDivisionError of `a // b` of ints.
Status floorDivisionByZero();
/// Returns the ZeroDivisionError of `a % b` of ints.
Status moduloByZero();
/// Returns the ZeroDivisionError of `a / b` of floats.
Status floatDivisionByZero();
/// Returns the ZeroDivisionError of `a / b` of complex numbers.
Status complexDivisionByZero();
/// Returns the ZeroDivisionError of `a // b` of floats.
Status floatFloorDivisionByZero();
/// Returns the ZeroDivisionError of `a % b` of floats.
Status floatModuloByZero();
/// Returns the ZeroDivisionError of divmod(a, b) of floats.
Status floatDivmodByZero();
/// Returns the ZeroDivisionError of 0.0 to a negative power.
Status zeroToNegativePower();
/// Returns the ValueError of `<<` and `>>` by a negative number.
Status negativeShiftCount();
/// Returns the OverflowError of `**` whose result is infinite. CPython's exception has two arguments, of which
/// powerTooLargeText is the text.
Status powerTooLarge();
inline constexpr llvm::StringLiteral powerTooLargeText = "(34, 'Numerical result out of range')";
/// Returns the ValueError of a function of `math` that is not defined for its argument.
Status mathDomainError();
/// Returns the OverflowError of a function of `math` whose result is too large for a float.
Status mathRangeError();
/// Returns the OverflowError of an int of more than 64 bits, which `number` shows.
Status intTooLarge(const llvm::Twine &number);
/// Returns why a float is no int of 64 bits: it is not a number, infinite, or too large.
Status notAnInt(double value);
/// Returns the IndexError of a string without a letter at the index.
Status stringIndexOutOfRange();
/// Returns the ValueError of a slice whose step is 0.
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
