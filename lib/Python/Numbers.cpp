//===- Numbers.cpp - Python's ints and floats -----------------------------===//
#include "tsc/Python/Numbers.h"
#include "tsc/Python/Repr.h"
#include "tsc/Python/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include <charconv>
#include <cstdlib>
#include <limits>
#include <numeric>

using namespace tsc;
using llvm::StringRef;

static uint64_t magnitudeOf(int64_t value) {
  return value < 0 ? uint64_t{0} - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
}

//===----------------------------------------------------------------------===//
// Ints
//===----------------------------------------------------------------------===//

static Status noRoom(int64_t a, llvm::StringRef op, int64_t b) {
  return python::intTooLarge(llvm::Twine(a) + " " + op + " " + llvm::Twine(b));
}

StatusOr<int64_t> python::add(int64_t a, int64_t b) {
  int64_t result;
  return __builtin_add_overflow(a, b, &result) ? StatusOr<int64_t>(noRoom(a, "+", b)) : result;
}
StatusOr<int64_t> python::subtract(int64_t a, int64_t b) {
  int64_t result;
  return __builtin_sub_overflow(a, b, &result) ? StatusOr<int64_t>(noRoom(a, "-", b)) : result;
}
StatusOr<int64_t> python::multiply(int64_t a, int64_t b) {
  int64_t result;
  return __builtin_mul_overflow(a, b, &result) ? StatusOr<int64_t>(noRoom(a, "*", b)) : result;
}
StatusOr<int64_t> python::negate(int64_t a) { return subtract(0, a); }
StatusOr<int64_t> python::absolute(int64_t a) { return a < 0 ? negate(a) : a; }

StatusOr<double> python::divide(int64_t a, int64_t b) {
  if (b == 0)
    return divisionByZero();
  constexpr uint64_t exact = uint64_t{1} << std::numeric_limits<double>::digits;
  const uint64_t dividend = magnitudeOf(a), divisor = magnitudeOf(b);
  if (dividend <= exact && divisor <= exact)
    return static_cast<double>(a) / static_cast<double>(b);
  // A quotient of 56 bits or more, of which the last one tells whether there is a rest, rounds once.
  const int shift = std::max(0, 56 + llvm::bit_width(divisor) - llvm::bit_width(dividend));
  const auto shifted = static_cast<unsigned __int128>(dividend) << shift;
  const auto quotient = static_cast<uint64_t>(shifted / divisor) | (shifted % divisor != 0 ? 1 : 0);
  const double size = std::ldexp(static_cast<double>(quotient), -shift);
  return (a < 0) != (b < 0) ? -size : size;
}
StatusOr<int64_t> python::floorDivide(int64_t a, int64_t b) {
  if (b == 0)
    return floorDivisionByZero();
  return b == -1 ? negate(a) : arithmetic::floorQuotient(a, b);
}
StatusOr<int64_t> python::modulo(int64_t a, int64_t b) {
  if (b == 0)
    return moduloByZero();
  return arithmetic::floorRemainder(a, b);
}
StatusOr<int64_t> python::shiftLeft(int64_t a, int64_t count) {
  if (count < 0)
    return negativeShiftCount();
  const int64_t shifted = arithmetic::shiftLeft(a, count);
  if (a != 0 && (count > 63 || arithmetic::shiftRight(shifted, count) != a))
    return noRoom(a, "<<", count);
  return shifted;
}
StatusOr<int64_t> python::shiftRight(int64_t a, int64_t count) {
  if (count < 0)
    return negativeShiftCount();
  return arithmetic::shiftRight(a, count);
}
StatusOr<int64_t> python::power(int64_t a, int64_t b) {
  assert(b >= 0 && "such a power is a float");
  if (a >= -1 && a <= 1)
    return b == 0 ? 1 : a < 0 && b % 2 == 0 ? 1 : a;
  int64_t result = 1;
  for (int64_t i = 0; i != b; ++i) // 63 times at most
    if (__builtin_mul_overflow(result, a, &result))
      return noRoom(a, "**", b);
  return result;
}
StatusOr<int64_t> python::greatestCommonDivisor(int64_t a, int64_t b) {
  const uint64_t divisor = std::gcd(magnitudeOf(a), magnitudeOf(b));
  if (divisor >> 63)
    return intTooLarge(llvm::Twine(divisor));
  return static_cast<int64_t>(divisor);
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

double python::floorRemainder(double a, double divisor) {
  const double rest = std::fmod(a, divisor);
  if (rest == 0)
    return std::copysign(0.0, divisor);
  return (rest < 0) != (divisor < 0) ? rest + divisor : rest;
}

double python::floorQuotient(double a, double divisor) {
  const double rest = std::fmod(a, divisor);
  double quotient = (a - rest) / divisor;
  if (rest != 0 && (rest < 0) != (divisor < 0))
    quotient -= 1;
  if (quotient == 0)
    return std::copysign(0.0, a / divisor);
  const double whole = std::floor(quotient);
  return quotient - whole > 0.5 ? whole + 1 : whole;
}

StatusOr<double> python::divide(double a, double b) {
  if (b == 0)
    return floatDivisionByZero();
  return a / b;
}
StatusOr<double> python::floorDivide(double a, double b) {
  if (b == 0)
    return floatFloorDivisionByZero();
  return floorQuotient(a, b);
}
StatusOr<double> python::modulo(double a, double b) {
  if (b == 0)
    return floatModuloByZero();
  return floorRemainder(a, b);
}
StatusOr<double> python::power(double a, double b) {
  if (a == 0 && b < 0 && !std::isinf(b)) // 0.0 ** -inf is infinite
    return zeroToNegativePower();
  if (a < 0 && std::isfinite(a) && std::isfinite(b) && b != std::floor(b))
    return unimplemented("complex powers of negative numbers");
  const double result = std::pow(a, b);
  if (std::isinf(result) && std::isfinite(a) && std::isfinite(b))
    return powerTooLarge();
  return result;
}

StatusOr<double> python::absolute(std::complex<double> value) {
  const double size = std::hypot(value.real(), value.imag());
  if (std::isinf(size) && std::isfinite(value.real()) && std::isfinite(value.imag()))
    return invalidArgument("OverflowError: absolute value too large");
  return size;
}

std::partial_ordering python::compare(int64_t a, double b) {
  if (std::isnan(b))
    return std::partial_ordering::unordered;
  if (!fitsInt(b))
    return b > 0 ? std::partial_ordering::less : std::partial_ordering::greater;
  const auto whole = static_cast<int64_t>(b);
  if (a != whole)
    return a < whole ? std::partial_ordering::less : std::partial_ordering::greater;
  return 0.0 <=> b - static_cast<double>(whole);
}

//===----------------------------------------------------------------------===//
// Numbers that are written
//===----------------------------------------------------------------------===//

/// The text without spaces around it, with the digits of all scripts as ASCII.
static std::string plainDigits(StringRef text) {
  const StringRef trimmed = python::strip(text);
  if (llvm::isASCII(trimmed))
    return trimmed.str();
  std::string plain;
  for (StringRef letter : python::lettersOf(trimmed)) {
    std::optional<unsigned> digit = python::decimalDigit(letter);
    plain += digit ? std::string(1, static_cast<char>('0' + *digit)) : letter.str();
  }
  return plain;
}

StatusOr<int64_t> python::parseInt(StringRef text, int64_t base) {
  if (base < 0 || base == 1 || base > 36)
    return invalidArgument("ValueError: int() base must be >= 2 and <= 36, or 0");
  auto invalid = [&] {
    return invalidArgument("ValueError: invalid literal for int() with base " + llvm::Twine(base) + ": " +
                           reprOf(text));
  };
  const std::string plain = plainDigits(text);
  StringRef digits = plain;
  const bool isNegative = digits.consume_front("-");
  if (!isNegative)
    digits.consume_front("+");
  auto radix = static_cast<unsigned>(base);
  for (auto [prefix, of] : {std::pair("0x", 16U), std::pair("0o", 8U), std::pair("0b", 2U)})
    if ((base == 0 || radix == of) && digits.starts_with_insensitive(prefix)) {
      radix = of;
      digits = digits.drop_front(2);
      digits.consume_front("_");
      break;
    }
  if (radix == 0) {
    radix = 10;
    if (digits.starts_with("0") && digits.find_first_not_of("0_") != StringRef::npos)
      return invalid();
  }
  constexpr auto limit = static_cast<unsigned __int128>(1) << 63;
  unsigned __int128 number = 0;
  bool isAfterDigit = false;
  for (char c : digits) {
    if (c == '_' && isAfterDigit) {
      isAfterDigit = false;
      continue;
    }
    const unsigned digit = llvm::isDigit(c) ? c - '0' : llvm::isAlpha(c) ? llvm::toLower(c) - 'a' + 10 : 99;
    if (digit >= radix)
      return invalid();
    isAfterDigit = true;
    number = std::min(number * radix + digit, limit + 1);
  }
  if (!isAfterDigit)
    return invalid();
  if (number > limit || (number == limit && !isNegative))
    return intTooLarge(reprOf(text));
  const auto magnitude = static_cast<uint64_t>(number);
  return static_cast<int64_t>(isNegative ? 0 - magnitude : magnitude);
}

StatusOr<double> python::parseFloat(StringRef text) {
  const std::string plain = StringRef(plainDigits(text)).lower();
  StringRef magnitude = plain;
  const double sign = magnitude.consume_front("-") ? -1.0 : 1.0;
  if (sign > 0)
    magnitude.consume_front("+");
  if (magnitude == "inf" || magnitude == "infinity")
    return sign * std::numeric_limits<double>::infinity();
  if (magnitude == "nan")
    return std::numeric_limits<double>::quiet_NaN();
  auto invalid = [&] { return invalidArgument("ValueError: could not convert string to float: " + reprOf(text)); };
  std::string number; // without the underscores between digits
  for (size_t i = 0; i != magnitude.size(); ++i) {
    if (magnitude[i] != '_')
      number += magnitude[i];
    else if (i == 0 || i + 1 == magnitude.size() || !llvm::isDigit(magnitude[i - 1]) ||
             !llvm::isDigit(magnitude[i + 1]))
      return invalid();
  }
  if (number.empty() || !(llvm::isDigit(number[0]) || number[0] == '.'))
    return invalid();
  double value = 0;
  const char *end = number.data() + number.size();
  auto [stop, error] = std::from_chars(number.data(), end, value);
  if (stop != end || (error != std::errc() && error != std::errc::result_out_of_range))
    return invalid();
  if (error == std::errc::result_out_of_range) // infinite, or zero
    value = std::strtod(number.c_str(), nullptr);
  return sign * value;
}
