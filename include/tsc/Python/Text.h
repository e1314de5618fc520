//===- Text.h - Python's str ------------------------------------*- C++ -*-===//
//
// Texts are UTF-8, and their letters are code points, as Python counts them. PyTorch
// counts bytes, and knows the case of ASCII letters only: functions of both meanings
// take `Letters`. A byte that is no part of UTF-8 counts as a letter of its own.
//
// The time is linear in the lengths of texts, whatever these are, and counted
// (Support/WorkMeter.h).
//
//===----------------------------------------------------------------------===//
#ifndef TSC_PYTHON_TEXT_H
#define TSC_PYTHON_TEXT_H

#include "tsc/Python/Errors.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace tsc::python {

using llvm::StringRef;

/// What one letter of a text is: a code point, as in Python, or a byte, as in PyTorch.
enum class Letters { CodePoints, Bytes };

/// Says whether the caller has the memory for a text of so many bytes. Null: it has for all texts up to the largest
/// length, 2^31 bytes.
using HasRoom = bool (*)(size_t bytes);
/// Refuses (ResourceExhausted) a text that is longer than any may be, so that no program asks for all memory by one
/// number, or for which there is no room.
Status checkLength(int64_t bytes, HasRoom hasRoom = nullptr);

//===-- Letters ------------------------------------------------------------===//

/// Returns len(text).
int64_t countLetters(StringRef text);
/// Returns the bytes of the letter that begins at `offset`.
size_t letterSize(StringRef text, size_t offset);
/// Returns the byte at which the letter of this number begins; the size of the text for the number of letters and more.
size_t letterOffset(StringRef text, int64_t number);
/// Returns the letters of a text, which they borrow.
std::vector<StringRef> lettersOf(StringRef text);
/// Returns text[index], where a negative index counts from the end, or Python's IndexError.
StatusOr<StringRef> letterAt(StringRef text, int64_t index, Letters letters = Letters::CodePoints);
/// Returns text[start:stop:step], or the ValueError of a step of 0.
StatusOr<std::string> slice(StringRef text, std::optional<int64_t> start, std::optional<int64_t> stop, int64_t step,
                            Letters letters = Letters::CodePoints);
/// Returns the code point of a letter; nothing for bytes that are none.
std::optional<uint32_t> codePointOf(StringRef letter);
/// Returns ord(text), or the error of a text that is no one letter.
StatusOr<int64_t> ord(StringRef text);
/// Returns chr(code). Unimplemented for half of a surrogate pair, which UTF-8 does not have.
StatusOr<std::string> chr(int64_t code);
/// Returns hex(value), as in "-0x1f".
std::string hex(int64_t value);
/// Returns oct(value), as in "-0o17".
std::string oct(int64_t value);
/// Returns bin(value), as in "-0b101".
std::string bin(int64_t value);

/// Whether repr() shows the code point as it is, and not as an escape.
bool isPrintable(uint32_t point);
/// Whether the letter is white space to Python, as in split(); false for bytes that are no letter.
bool isSpace(StringRef letter);
/// Returns the value of a decimal digit of any script; nothing for other letters.
std::optional<unsigned> decimalDigit(StringRef letter);

//===-- Classes and case ---------------------------------------------------===//

// Python's methods of str.
/// Whether all letters, of which there is at least one, are letters of an alphabet.
bool isAlpha(StringRef text, Letters letters = Letters::CodePoints);
/// Whether all letters, of which there is at least one, are decimal digits of some script.
bool isDecimal(StringRef text, Letters letters = Letters::CodePoints);
/// Whether all letters, of which there is at least one, are digits, superscripts among them.
bool isDigit(StringRef text, Letters letters = Letters::CodePoints);
/// Whether all letters, of which there is at least one, are numbers, fractions and Roman numerals among them.
bool isNumeric(StringRef text, Letters letters = Letters::CodePoints);
/// Whether of all letters, of which there is at least one, isAlpha() or isNumeric() holds.
bool isAlnum(StringRef text, Letters letters = Letters::CodePoints);
/// Whether all letters, of which there is at least one, are white space.
bool isSpaces(StringRef text, Letters letters = Letters::CodePoints);
/// Whether the text may be the name of a variable, keywords among them.
bool isIdentifier(StringRef text, Letters letters = Letters::CodePoints);
/// Whether isPrintable() holds of all letters; true for an empty text.
bool isPrintableText(StringRef text, Letters letters = Letters::CodePoints);
/// Whether there is a letter in upper case and none in lower case.
bool isUpper(StringRef text, Letters letters = Letters::CodePoints);
/// Whether there is a letter in lower case and none in upper case.
bool isLower(StringRef text, Letters letters = Letters::CodePoints);
/// Whether each word begins with a letter in upper case, goes on in lower case, and there is a word.
bool isTitle(StringRef text, Letters letters = Letters::CodePoints);

/// Returns the text in upper case.
std::string upper(StringRef text, Letters letters = Letters::CodePoints);
/// Returns the text in lower case.
std::string lower(StringRef text, Letters letters = Letters::CodePoints);
/// Returns the text with each word beginning in upper case and going on in lower case.
std::string title(StringRef text, Letters letters = Letters::CodePoints);
/// Returns the text with its first letter in upper case and the others in lower case.
std::string capitalize(StringRef text, Letters letters = Letters::CodePoints);
/// Returns the text with upper and lower case exchanged.
std::string swapcase(StringRef text, Letters letters = Letters::CodePoints);
/// Returns the text as it is compared where case does not count: lower case, and further, as in "ss" for "ß".
std::string casefold(StringRef text);

//===-- Searching ----------------------------------------------------------===//

/// The part of a text in which a method searches, as `find(part, start, end)` takes it.
struct Section {
  std::optional<int64_t> start, end;
};

/// Returns where the first place of `part` in a text begins, in bytes; npos when there is none.
size_t findText(StringRef text, StringRef part);
/// Returns where the last place of `part` in a text begins, in bytes; npos when there is none.
size_t findLastText(StringRef text, StringRef part);

/// Returns the number of the letter at which the first place of `part` in the section begins; -1 when it is not there.
int64_t find(StringRef text, StringRef part, Section in = {}, Letters letters = Letters::CodePoints);
/// Returns the number of the letter at which the last place of `part` in the section begins; -1 when it is not there.
int64_t rfind(StringRef text, StringRef part, Section in = {}, Letters letters = Letters::CodePoints);
/// Returns what find() gives, or a ValueError where `part` is not there.
StatusOr<int64_t> index(StringRef text, StringRef part, Section in = {}, Letters letters = Letters::CodePoints);
/// Returns what rfind() gives, or a ValueError where `part` is not there.
StatusOr<int64_t> rindex(StringRef text, StringRef part, Section in = {}, Letters letters = Letters::CodePoints);
/// Returns at how many places, which do not overlap, `part` is in the section; between all letters if it is empty.
int64_t count(StringRef text, StringRef part, Section in = {}, Letters letters = Letters::CodePoints);
/// Whether the section begins with `part`.
bool startsWith(StringRef text, StringRef part, Section in = {}, Letters letters = Letters::CodePoints);
/// Whether the section ends with `part`.
bool endsWith(StringRef text, StringRef part, Section in = {}, Letters letters = Letters::CodePoints);

//===-- Parts --------------------------------------------------------------===//

/// Returns the text without the letters at its ends that are among `chars`; without `chars`, without the white space
/// there.
StringRef strip(StringRef text, std::optional<StringRef> chars = std::nullopt, Letters letters = Letters::CodePoints);
/// Returns the text without such letters at its beginning.
StringRef stripLeft(StringRef text, std::optional<StringRef> chars = std::nullopt,
                    Letters letters = Letters::CodePoints);
/// Returns the text without such letters at its end.
StringRef stripRight(StringRef text, std::optional<StringRef> chars = std::nullopt,
                     Letters letters = Letters::CodePoints);

/// Returns the parts of `split(separator, most)`, which borrow the text: without a separator it is split at runs of
/// white space, and at all places where `most` is negative. An empty separator is a ValueError.
StatusOr<std::vector<StringRef>> split(StringRef text, std::optional<StringRef> separator, int64_t most,
                                       Letters letters = Letters::CodePoints);
/// Returns the parts of `rsplit(separator, most)`, which counts the places from the end.
StatusOr<std::vector<StringRef>> splitFromRight(StringRef text, std::optional<StringRef> separator, int64_t most,
                                                Letters letters = Letters::CodePoints);
/// Returns the lines of a text, which they borrow, with or without their ends.
std::vector<StringRef> splitLines(StringRef text, bool keepsEnds, Letters letters = Letters::CodePoints);
/// What partition() makes of a text: what stands in front of the separator, the separator, and what stands behind.
/// Where the separator is not there, it is empty, and the text is the first part, or for partitionFromRight the last
/// one.
struct Partition {
  StringRef before, separator, after;
};
/// Returns the parts around the first place of the separator. An empty one is a ValueError.
StatusOr<Partition> partition(StringRef text, StringRef separator);
/// Returns the parts around the last place of the separator. An empty one is a ValueError.
StatusOr<Partition> partitionFromRight(StringRef text, StringRef separator);

//===-- Longer texts -------------------------------------------------------===//

/// Returns `a + b`, or a MemoryError where `hasRoom` says that there is no room for it.
StatusOr<std::string> concat(StringRef a, StringRef b, HasRoom hasRoom = nullptr);
/// Returns text * times.
StatusOr<std::string> repeat(StringRef text, int64_t times, HasRoom hasRoom = nullptr);
/// Returns the text with `with` in place of the first `most` places of `old`, or of all where `most` is negative. An
/// empty `old` is between every two letters and at both ends.
StatusOr<std::string> replace(StringRef text, StringRef old, StringRef with, int64_t most, HasRoom hasRoom = nullptr,
                              Letters letters = Letters::CodePoints);
/// Returns the text with spaces in place of tabs, up to the next column that is a multiple of `tabSize`.
StatusOr<std::string> expandTabs(StringRef text, int64_t tabSize, HasRoom hasRoom = nullptr,
                                 Letters letters = Letters::CodePoints);
/// Returns the text, and behind it `fill` up to a width in letters. A `fill` that is not one letter is a TypeError.
StatusOr<std::string> ljust(StringRef text, int64_t width, StringRef fill, HasRoom hasRoom = nullptr,
                            Letters letters = Letters::CodePoints);
/// Returns the text with `fill` in front of it, as ljust() does behind it.
StatusOr<std::string> rjust(StringRef text, int64_t width, StringRef fill, HasRoom hasRoom = nullptr,
                            Letters letters = Letters::CodePoints);
/// Returns the text with `fill` on both sides of it, as ljust() does behind it.
StatusOr<std::string> center(StringRef text, int64_t width, StringRef fill, HasRoom hasRoom = nullptr,
                             Letters letters = Letters::CodePoints);
/// Returns the text filled up to a width in letters with zeros behind its sign.
StatusOr<std::string> zfill(StringRef text, int64_t width, HasRoom hasRoom = nullptr,
                            Letters letters = Letters::CodePoints);
/// Returns the texts that `part` gives for the numbers below `count`, with `separator` between them.
StatusOr<std::string> join(StringRef separator, size_t count, llvm::function_ref<StringRef(size_t)> part,
                           HasRoom hasRoom = nullptr);

} // namespace tsc::python

#endif
