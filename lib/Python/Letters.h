//===- Letters.h - Classes and case of letters ------------------*- C++ -*-===//
#ifndef TSC_LIB_PYTHON_LETTERS_H
#define TSC_LIB_PYTHON_LETTERS_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace tsc::python {

// Of the first four predicates, one holds of a letter, or none: of a digit that is a decimal only isDecimalPoint()
// does.
/// Whether the letter is one of an alphabet, or of a script like it.
bool isAlphaPoint(uint32_t point);
/// Whether the letter is a digit of decimal numbers, in any script.
bool isDecimalPoint(uint32_t point);
/// Whether the letter is another digit, such as a superscript.
bool isDigitPoint(uint32_t point);
/// Whether the letter is another number, such as a fraction.
bool isNumericPoint(uint32_t point);
/// Whether the letter is white space.
bool isSpacePoint(uint32_t point);
/// Whether the letter is upper case.
bool isUpperPoint(uint32_t point);
/// Whether the letter is lower case.
bool isLowerPoint(uint32_t point);
/// Whether the letter is two in one, of which the first is upper case.
bool isTitlePoint(uint32_t point);
/// Whether the letter has a case, as Unicode says: it is upper, lower or title case, or like such a letter.
bool isCasedPoint(uint32_t point);
/// Whether the letter may stand between those of a word, for the sigma at a word's end.
bool isCaseIgnorable(uint32_t point);
/// Whether an identifier may begin with the letter.
bool isIdentifierStart(uint32_t point);
/// Whether the letter may stand in an identifier behind its beginning, and does not begin one.
bool isIdentifierPart(uint32_t point);
/// Returns the value, 0 to 9, of a letter of which isDecimalPoint() holds; nothing for others.
std::optional<unsigned> decimalValue(uint32_t point);

// They append what a letter is in another case: one letter, or several.
void appendUpper(std::string &text, uint32_t point);
void appendLower(std::string &text, uint32_t point);
void appendTitle(std::string &text, uint32_t point);
void appendFolded(std::string &text, uint32_t point);
void appendPoint(std::string &text, uint32_t point);

} // namespace tsc::python

#endif
