//===- Scalars.cpp - Arithmetic of int, float, bool, complex --------------===//
#include "tsc/Runtime/Dispatch/Ops/Scalars.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
using namespace tsc;

int64_t ops::integerPower(int64_t base, int64_t exponent) {
  if (exponent < 0) // 1 and -1 have integer inverses, 0 has none, the others' truncate to 0
    return base == 1 ? 1 : base == -1 ? (exponent % 2 ? -1 : 1) : 0;
  int64_t result = 1;
  for (; exponent; exponent >>= 1, base = mul(base, base))
    if (exponent & 1)
      result = mul(result, base);
  return result;
}

StatusOr<int64_t> ops::shiftLeft(int64_t a, int64_t b) {
  if (b < 0)
    return python::negativeShiftCount();
  return arithmetic::shiftLeft(a, b);
}

StatusOr<int64_t> ops::shiftRight(int64_t a, int64_t b) {
  if (b < 0)
    return python::negativeShiftCount();
  return arithmetic::shiftRight(a, b);
}

Status ops::noIntegerFor(double a) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("Cannot convert float %f to integer", a);
  return invalidArgument(text);
}

StatusOr<int64_t> ops::toInt(const Scalar &a) {
  if (a.isComplex())
    return invalidArgument("value cannot be converted to type int64_t without overflow");
  if (a.isIntegral())
    return a.toInt();
  return toInt(a.toDouble());
}

StatusOr<double> ops::toReal(const Scalar &a) {
  if (a.isComplex())
    return invalidArgument("value cannot be converted to type double without overflow");
  return a.toDouble();
}

static StatusOr<int64_t> integerOf(double a) {
  if (!python::fitsInt(a))
    return ops::noIntegerFor(a);
  return static_cast<int64_t>(a);
}
StatusOr<int64_t> ops::floorToInt(double a) { return integerOf(std::floor(a)); }
StatusOr<int64_t> ops::ceilToInt(double a) { return integerOf(std::ceil(a)); }

StatusOr<int64_t> ops::factorial(int64_t a) {
  if (a < 0)
    return invalidArgument("ValueError: factorial() not defined for negative values");
  int64_t result = 1;
  for (int64_t i = 2; i <= std::min<int64_t>(a, 66); ++i) // 66! and all above are 0 modulo 2^64
    result = mul(result, i);
  return result;
}

StatusOr<int64_t> ops::rangeLength(int64_t low, int64_t high, int64_t step) {
  if (step == 0)
    return invalidArgument("range() arg 3 must not be zero");
  return arithmetic::rangeLength(low, high, step);
}
