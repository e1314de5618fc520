//===- Repr.cpp - Numbers and texts as repr() writes them -----------------===//
#include "tsc/Python/Repr.h"
#include "tsc/Python/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <charconv>
#include <cmath>

using namespace tsc;
using llvm::StringRef;

void python::writeRepr(llvm::raw_ostream &os, double value) {
  if (!std::isfinite(value)) {
    os << (std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
    return;
  }
  char buffer[64];
  const double size = std::abs(value);
  const bool isScientific = size != 0 && (size < 1e-4 || size >= 1e16);
  const char *end = std::to_chars(buffer, buffer + sizeof buffer, value,
                                  isScientific ? std::chars_format::scientific : std::chars_format::fixed)
                        .ptr;
  const StringRef text(buffer, end - buffer);
  os << text;
  if (!isScientific && !text.contains('.'))
    os << ".0";
}

void python::writeRepr(llvm::raw_ostream &os, std::complex<double> value) {
  auto part = [&](double number) {
    const std::string text = reprOf(number);
    StringRef digits = text;
    digits.consume_back(".0");
    os << digits;
  };
  const bool isImaginary = value.real() == 0 && !std::signbit(value.real());
  if (!isImaginary) {
    os << '(';
    part(value.real());
    if (!std::signbit(value.imag()) || std::isnan(value.imag()))
      os << '+';
  }
  part(value.imag());
  os << (isImaginary ? "j" : "j)");
}

/// A letter that cannot be printed, by its number.
static void writeEscape(llvm::raw_ostream &os, uint32_t point) {
  const unsigned digits = point < 0x100 ? 2 : point < 0x10000 ? 4 : 8;
  os << (digits == 2 ? "\\x" : digits == 4 ? "\\u" : "\\U");
  for (unsigned shift = 4 * digits; shift != 0;)
    os << llvm::hexdigit((point >> (shift -= 4)) & 15, /*LowerCase=*/true);
}

void python::writeRepr(llvm::raw_ostream &os, StringRef text) {
  const char quote = text.contains('\'') && !text.contains('"') ? '"' : '\'';
  os << quote;
  for (size_t at = 0, size = 0; at != text.size(); at += size) {
    size = letterSize(text, at);
    const StringRef letter = text.substr(at, size);
    const auto c = static_cast<unsigned char>(letter[0]);
    if (c >= 0x80) { // bytes that are no text stay as they are
      std::optional<uint32_t> point = codePointOf(letter);
      if (point && !isPrintable(*point))
        writeEscape(os, *point);
      else
        os << letter;
    } else if (c == '\n') {
      os << "\\n";
    } else if (c == '\t') {
      os << "\\t";
    } else if (c == '\r') {
      os << "\\r";
    } else if (c == '\\' || letter[0] == quote) {
      os << '\\' << letter;
    } else if (c < 0x20 || c == 0x7f) {
      writeEscape(os, c);
    } else {
      os << letter;
    }
  }
  os << quote;
}

std::string python::reprOf(double value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  writeRepr(os, value);
  return text;
}
std::string python::reprOf(StringRef text) {
  std::string written;
  llvm::raw_string_ostream os(written);
  writeRepr(os, text);
  return written;
}
std::string python::asciiOf(StringRef repr) {
  std::string written;
  llvm::raw_string_ostream os(written);
  for (StringRef letter : lettersOf(repr))
    if (const std::optional<uint32_t> point = codePointOf(letter); point && *point >= 0x80)
      writeEscape(os, *point);
    else
      os << letter;
  return written;
}
