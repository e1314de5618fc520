//===- Errors.cpp - What Python raises ------------------------------------===//
#include "tsc/Python/Errors.h"
#include "tsc/Python/Repr.h"
#include <cmath>

using namespace tsc;

Status python::divisionByZero() { return invalidArgument("ZeroDivisionError: division by zero"); }
Status python::floorDivisionByZero() {
  return invalidArgument("ZeroDivisionError: integer division or modulo by zero");
}
Status python::moduloByZero() { return invalidArgument("ZeroDivisionError: integer modulo by zero"); }
Status python::floatDivisionByZero() { return invalidArgument("ZeroDivisionError: float division by zero"); }
Status python::complexDivisionByZero() { return invalidArgument("ZeroDivisionError: complex division by zero"); }
Status python::floatFloorDivisionByZero() { return invalidArgument("ZeroDivisionError: float floor division by zero"); }
Status python::floatModuloByZero() { return invalidArgument("ZeroDivisionError: float modulo"); }
Status python::floatDivmodByZero() { return invalidArgument("ZeroDivisionError: float divmod()"); }
Status python::zeroToNegativePower() {
  return invalidArgument("ZeroDivisionError: 0.0 cannot be raised to a negative power");
}
Status python::negativeShiftCount() { return invalidArgument("ValueError: negative shift count"); }
Status python::powerTooLarge() { return invalidArgument("OverflowError: " + powerTooLargeText); }
Status python::mathDomainError() { return invalidArgument("ValueError: math domain error"); }
Status python::mathRangeError() { return invalidArgument("OverflowError: math range error"); }
Status python::intTooLarge(const llvm::Twine &number) {
  return outOfRange("OverflowError: " + number + " does not fit an int of 64 bits");
}
Status python::notAnInt(double value) {
  if (std::isnan(value))
    return invalidArgument("ValueError: cannot convert float NaN to integer");
  if (std::isinf(value))
    return invalidArgument("OverflowError: cannot convert float infinity to integer");
  return intTooLarge(reprOf(value));
}
Status python::stringIndexOutOfRange() { return outOfRange("IndexError: string index out of range"); }
Status python::zeroSliceStep() { return invalidArgument("ValueError: List slice should have non-zero step"); }

bool python::needsLargerInt(const Status &status) {
  return status.code() == StatusCode::OutOfRange && messageOf(status).starts_with("OverflowError: ");
}

python::ExceptionParts python::exceptionParts(const Status &status) {
  auto [type, text] = messageOf(status).split(": ");
  return {type, text};
}
