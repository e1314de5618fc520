//===- Scalars.cpp - Arithmetic of int, float, bool, complex --------------===//
#include "tsc/Runtime/Ops/Scalars.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <charconv>
#include <limits>
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
    return invalidArgument("ValueError: negative shift count");
  return arithmetic::shiftLeft(a, b);
}

StatusOr<int64_t> ops::shiftRight(int64_t a, int64_t b) {
  if (b < 0)
    return invalidArgument("ValueError: negative shift count");
  return arithmetic::shiftRight(a, b);
}

Status ops::noIntegerFor(double a) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("Cannot convert float %f to integer", a);
  return invalidArgument(text);
}

Status ops::notInt(double a) {
  if (std::isnan(a))
    return invalidArgument("ValueError: cannot convert float NaN to integer");
  if (std::isinf(a))
    return invalidArgument("OverflowError: cannot convert float infinity to integer");
  return invalidArgument("OverflowError: " + llvm::Twine(shortString(a)) + " does not fit an int of 64 bits");
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

Status ops::zeroToNegativePower() {
  return invalidArgument("ZeroDivisionError: 0.0 cannot be raised to a negative power");
}

static StatusOr<int64_t> integerOf(double a) {
  if (!ops::fitsInt(a))
    return ops::noIntegerFor(a);
  return static_cast<int64_t>(a);
}
StatusOr<int64_t> ops::floorToInt(double a) { return integerOf(std::floor(a)); }
StatusOr<int64_t> ops::ceilToInt(double a) { return integerOf(std::ceil(a)); }

std::tuple<double, int64_t> ops::splitExponent(double a) {
  int exponent = 0;
  double mantissa = std::frexp(a, &exponent);
  return {mantissa, exponent};
}

std::tuple<double, double> ops::splitFraction(double a) {
  double whole = 0;
  double fraction = std::modf(a, &whole);
  return {fraction, whole};
}

double ops::scaleByPowerOfTwo(double x, int64_t exponent) {
  constexpr int64_t limit = 100000; // beyond any double's range, within int's
  return std::ldexp(x, static_cast<int>(std::clamp(exponent, -limit, limit)));
}

StatusOr<int64_t> ops::factorial(int64_t a) {
  if (a < 0)
    return invalidArgument("ValueError: factorial() not defined for negative values");
  int64_t result = 1;
  for (int64_t i = 2; i <= std::min<int64_t>(a, 66); ++i) // 66! and all above are 0 modulo 2^64
    result = mul(result, i);
  return result;
}

/// The number that `text` spells, without what Python ignores: spaces around it, and underscores between digits.
static std::string spelledNumber(llvm::StringRef text) {
  llvm::StringRef spelled = text.trim();
  std::string number;
  for (size_t i = 0; i != spelled.size(); ++i)
    if (spelled[i] != '_' || i == 0 || i + 1 == spelled.size() || !llvm::isDigit(spelled[i - 1]) ||
        !llvm::isDigit(spelled[i + 1]))
      number += spelled[i];
  return number;
}

StatusOr<int64_t> ops::parseInt(llvm::StringRef text) {
  const std::string number = spelledNumber(text);
  llvm::StringRef digits = number;
  if (digits.consume_front("+") && digits.starts_with("-"))
    digits = "";
  int64_t value = 0;
  auto [end, error] = std::from_chars(digits.begin(), digits.end(), value);
  if (error != std::errc() || end != digits.end())
    return invalidArgument("ValueError: invalid literal for int() with base 10: '" + text + "'");
  return value;
}

StatusOr<double> ops::parseFloat(llvm::StringRef text) {
  const std::string lower = llvm::StringRef(spelledNumber(text)).lower();
  llvm::StringRef magnitude(lower);
  const double sign = magnitude.starts_with("-") ? -1.0 : 1.0;
  if (!magnitude.consume_front("-"))
    magnitude.consume_front("+");
  if (magnitude == "inf" || magnitude == "infinity")
    return sign * std::numeric_limits<double>::infinity();
  if (magnitude == "nan")
    return std::numeric_limits<double>::quiet_NaN();
  double value = 0;
  auto [end, error] = std::from_chars(magnitude.begin(), magnitude.end(), value);
  if (magnitude.empty() || !(llvm::isDigit(magnitude[0]) || magnitude[0] == '.') || end != magnitude.end() ||
      (error != std::errc() && error != std::errc::result_out_of_range))
    return invalidArgument("ValueError: could not convert string to float: '" + text + "'");
  if (error == std::errc::result_out_of_range)
    value = std::strtod(magnitude.str().c_str(), nullptr);
  return sign * value;
}

StatusOr<int64_t> ops::rangeLength(int64_t low, int64_t high, int64_t step) {
  if (step == 0)
    return invalidArgument("range() arg 3 must not be zero");
  return arithmetic::rangeLength(low, high, step);
}
