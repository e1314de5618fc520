//===- Letters.h - Classes and case of letters ------------------*- C++ -*-===//
#ifndef TSC_LIB_PYTHON_LETTERS_H
#define TSC_LIB_PYTHON_LETTERS_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace tsc::python {

/// What a letter is. Digits that are decimals are `isDecimal` only, and so on: a letter has one of the first four, or
/// none.
bool isAlphaPoint(uint32_t point);
bool isDecimalPoint(uint32_t point);
bool isDigitPoint(uint32_t point);
bool isNumericPoint(uint32_t point);
bool isSpacePoint(uint32_t point);
bool isUpperPoint(uint32_t point);
bool isLowerPoint(uint32_t point);
/// Two letters in one, of which the first is upper case.
bool isTitlePoint(uint32_t point);
bool isCasedPoint(uint32_t point);
/// What may stand between the letters of a word, for the sigma at a word's end.
bool isCaseIgnorable(uint32_t point);
bool isIdentifierStart(uint32_t point);
/// What may stand in an identifier behind its beginning, and does not begin one.
bool isIdentifierPart(uint32_t point);
std::optional<unsigned> decimalValue(uint32_t point);

// They append what a letter is in another case: one letter, or several.
void appendUpper(std::string &text, uint32_t point);
void appendLower(std::string &text, uint32_t point);
void appendTitle(std::string &text, uint32_t point);
void appendFolded(std::string &text, uint32_t point);
void appendPoint(std::string &text, uint32_t point);

} // namespace tsc::python

#endif
