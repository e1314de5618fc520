//===- Numbers.h - Python's ints and floats ---------------------*- C++ -*-===//
//
// The one definition of what Python computes with numbers, for the interpreter's
// handlers, boxed kernels, folding, and files that are walked while they load. Ints
// have 64 bits, and fail where Python's would have more (Errors.h). TorchScript's own
// ints, which wrap, are those of Support/IntegerArithmetic.h; what else PyTorch
// computes in another way stands in Runtime/Dispatch/Ops/Scalars.h.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_PYTHON_NUMBERS_H
#define TSC_PYTHON_NUMBERS_H

#include "tsc/Python/Errors.h"
#include "tsc/Support/IntegerArithmetic.h"
#include "llvm/ADT/StringRef.h"
#include <cmath>
#include <compare>
#include <complex>
#include <cstdint>

namespace tsc::python {

//===-- Ints ---------------------------------------------------------------===//

/// Returns `a + b`, or an OverflowError where that has no room in 64 bits, as all functions of ints here do.
StatusOr<int64_t> add(int64_t a, int64_t b);
/// Returns `a - b`.
StatusOr<int64_t> subtract(int64_t a, int64_t b);
/// Returns `a * b`.
StatusOr<int64_t> multiply(int64_t a, int64_t b);
/// Returns `-a`.
StatusOr<int64_t> negate(int64_t a);
/// Returns abs(a).
StatusOr<int64_t> absolute(int64_t a);
/// Returns `a / b`: the float that is nearest to the quotient, also where the operands are beyond those that a float
/// can hold.
StatusOr<double> divide(int64_t a, int64_t b);
/// Returns `a // b`, rounded down, or a ZeroDivisionError.
StatusOr<int64_t> floorDivide(int64_t a, int64_t b);
/// Returns `a % b`, which has the sign of `b`, or a ZeroDivisionError.
StatusOr<int64_t> modulo(int64_t a, int64_t b);
/// Returns `a << count`, or a ValueError where the count is negative.
StatusOr<int64_t> shiftLeft(int64_t a, int64_t count);
/// Returns `a >> count`, rounded down, or a ValueError where the count is negative.
StatusOr<int64_t> shiftRight(int64_t a, int64_t count);
/// Returns `a ** b` for an exponent of at least 0; one below gives a float, for which there is the function of floats.
StatusOr<int64_t> power(int64_t a, int64_t b);
/// Returns math.gcd(a, b), the largest int that divides both.
StatusOr<int64_t> greatestCommonDivisor(int64_t a, int64_t b);

//===-- Floats -------------------------------------------------------------===//

/// Returns `a / b`, or a ZeroDivisionError.
StatusOr<double> divide(double a, double b);
/// Returns `a // b`, rounded down, or a ZeroDivisionError.
StatusOr<double> floorDivide(double a, double b);
/// Returns `a % b`, which has the sign of `b`, or a ZeroDivisionError.
StatusOr<double> modulo(double a, double b);
/// Returns `a ** b`. Unimplemented where that is complex: a negative number to the power of a fraction.
StatusOr<double> power(double a, double b);

/// Returns `abs(value)` of a complex number; an OverflowError where it is too large for a float.
StatusOr<double> absolute(std::complex<double> value);

/// Returns the remainder with the sign of the divisor, which is not zero.
double floorRemainder(double a, double divisor);
/// Returns the quotient rounded down; the divisor is not zero. It is computed from the remainder, and not from the
/// quotient: 1.0 // 0.1 is 9.0, though 1.0 / 0.1 is 10.0.
double floorQuotient(double a, double divisor);

//===-- From one to the other ----------------------------------------------===//

/// Whether a float, rounded towards zero, is an int of 64 bits.
inline bool fitsInt(double value) { return value >= -0x1p63 && value < 0x1p63; }
/// Returns `int(value)`, which rounds towards zero.
inline StatusOr<int64_t> toInt(double value) {
  if (!fitsInt(value)) [[unlikely]]
    return notAnInt(value);
  return static_cast<int64_t>(value);
}
/// Returns `round(value)` as a float, halves to even.
inline double roundHalfEven(double value) { return std::nearbyint(value); }
/// Return `round(value)`, math.floor(value) and math.ceil(value).
inline StatusOr<int64_t> roundToInt(double value) { return toInt(roundHalfEven(value)); }
inline StatusOr<int64_t> floorToInt(double value) { return toInt(std::floor(value)); }
inline StatusOr<int64_t> ceilToInt(double value) { return toInt(std::ceil(value)); }
/// Returns `value.is_integer()`.
inline bool isWhole(double value) { return std::isfinite(value) && value == std::floor(value); }

/// Compares an int and a float by their exact values, without rounding the int to a float; unordered beside a NaN.
std::partial_ordering compare(int64_t a, double b);

/// Returns `int(text, base)`: spaces around it, a sign, underscores between digits, a prefix where the base has one;
/// the base 0 takes that of the prefix.
StatusOr<int64_t> parseInt(llvm::StringRef text, int64_t base = 10);
/// Returns `float(text)`, or Python's ValueError.
StatusOr<double> parseFloat(llvm::StringRef text);

} // namespace tsc::python

#endif
