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

/// What one letter of a text is: a code point, or, as in PyTorch, a byte.
enum class Letters { CodePoints, Bytes };

/// Whether the caller has the memory for a text of so many bytes. Null: for all up to the largest length of a text.
using HasRoom = bool (*)(size_t bytes);
/// Refuses a text that is longer than any may be, so that no program asks for all memory by one number, or for which
/// there is no room.
Status checkLength(int64_t bytes, HasRoom hasRoom = nullptr);

//===-- Letters ------------------------------------------------------------===//

/// len(text)
int64_t countLetters(StringRef text);
/// Bytes of the letter that begins at `offset`.
size_t letterSize(StringRef text, size_t offset);
/// The byte at which the letter of this number begins; the size for the number of letters and more.
size_t letterOffset(StringRef text, int64_t number);
std::vector<StringRef> lettersOf(StringRef text);
/// text[index], where a negative index counts from the end.
StatusOr<StringRef> letterAt(StringRef text, int64_t index, Letters letters = Letters::CodePoints);
/// text[start:stop:step]
StatusOr<std::string> slice(StringRef text, std::optional<int64_t> start, std::optional<int64_t> stop, int64_t step,
                            Letters letters = Letters::CodePoints);
/// The number of a letter; nothing for bytes that are none.
std::optional<uint32_t> codePointOf(StringRef letter);
/// ord(text)
StatusOr<int64_t> ord(StringRef text);
/// chr(code). Refused for half of a surrogate pair, which UTF-8 does not have.
StatusOr<std::string> chr(int64_t code);
/// hex(), oct() and bin()
std::string hex(int64_t value);
std::string oct(int64_t value);
std::string bin(int64_t value);

bool isPrintable(uint32_t point);
bool isSpace(StringRef letter);
/// The value of a decimal digit of any script.
std::optional<unsigned> decimalDigit(StringRef letter);

//===-- Classes and case ---------------------------------------------------===//

bool isAlpha(StringRef text, Letters letters = Letters::CodePoints);
bool isDecimal(StringRef text, Letters letters = Letters::CodePoints);
bool isDigit(StringRef text, Letters letters = Letters::CodePoints);
bool isNumeric(StringRef text, Letters letters = Letters::CodePoints);
bool isAlnum(StringRef text, Letters letters = Letters::CodePoints);
bool isSpaces(StringRef text, Letters letters = Letters::CodePoints);
bool isIdentifier(StringRef text, Letters letters = Letters::CodePoints);
bool isPrintableText(StringRef text, Letters letters = Letters::CodePoints);
bool isUpper(StringRef text, Letters letters = Letters::CodePoints);
bool isLower(StringRef text, Letters letters = Letters::CodePoints);
bool isTitle(StringRef text, Letters letters = Letters::CodePoints);

std::string upper(StringRef text, Letters letters = Letters::CodePoints);
std::string lower(StringRef text, Letters letters = Letters::CodePoints);
std::string title(StringRef text, Letters letters = Letters::CodePoints);
std::string capitalize(StringRef text, Letters letters = Letters::CodePoints);
std::string swapcase(StringRef text, Letters letters = Letters::CodePoints);
std::string casefold(StringRef text);

//===-- Searching ----------------------------------------------------------===//

/// The part of a text in which a method searches, as `find(part, start, end)` takes it.
struct Section {
  std::optional<int64_t> start, end;
};

/// Where the first, or the last, place of `part` in a text begins, in bytes; npos when there is none.
size_t findText(StringRef text, StringRef part);
size_t findLastText(StringRef text, StringRef part);

/// The number of the letter at which `part` begins; -1 when it is not there.
int64_t find(StringRef text, StringRef part, Section in = {}, Letters letters = Letters::CodePoints);
int64_t rfind(StringRef text, StringRef part, Section in = {}, Letters letters = Letters::CodePoints);
StatusOr<int64_t> index(StringRef text, StringRef part, Section in = {}, Letters letters = Letters::CodePoints);
StatusOr<int64_t> rindex(StringRef text, StringRef part, Section in = {}, Letters letters = Letters::CodePoints);
int64_t count(StringRef text, StringRef part, Section in = {}, Letters letters = Letters::CodePoints);
bool startsWith(StringRef text, StringRef part, Section in = {}, Letters letters = Letters::CodePoints);
bool endsWith(StringRef text, StringRef part, Section in = {}, Letters letters = Letters::CodePoints);

//===-- Parts --------------------------------------------------------------===//

/// The text without the letters at its ends that are among `chars`; without it, without white space.
StringRef strip(StringRef text, std::optional<StringRef> chars = std::nullopt, Letters letters = Letters::CodePoints);
StringRef stripLeft(StringRef text, std::optional<StringRef> chars = std::nullopt,
                    Letters letters = Letters::CodePoints);
StringRef stripRight(StringRef text, std::optional<StringRef> chars = std::nullopt,
                     Letters letters = Letters::CodePoints);

/// `split(separator, most)` and `rsplit`: without a separator at runs of white space; all of them where `most` is
/// negative.
StatusOr<std::vector<StringRef>> split(StringRef text, std::optional<StringRef> separator, int64_t most,
                                       Letters letters = Letters::CodePoints);
StatusOr<std::vector<StringRef>> splitFromRight(StringRef text, std::optional<StringRef> separator, int64_t most,
                                                Letters letters = Letters::CodePoints);
std::vector<StringRef> splitLines(StringRef text, bool keepsEnds, Letters letters = Letters::CodePoints);
/// What stands in front of a separator, the separator, and what stands behind.
struct Partition {
  StringRef before, separator, after;
};
StatusOr<Partition> partition(StringRef text, StringRef separator);
StatusOr<Partition> partitionFromRight(StringRef text, StringRef separator);

//===-- Longer texts -------------------------------------------------------===//

StatusOr<std::string> concat(StringRef a, StringRef b, HasRoom hasRoom = nullptr);
/// text * times
StatusOr<std::string> repeat(StringRef text, int64_t times, HasRoom hasRoom = nullptr);
StatusOr<std::string> replace(StringRef text, StringRef old, StringRef with, int64_t most, HasRoom hasRoom = nullptr,
                              Letters letters = Letters::CodePoints);
StatusOr<std::string> expandTabs(StringRef text, int64_t tabSize, HasRoom hasRoom = nullptr,
                                 Letters letters = Letters::CodePoints);
/// Fill up to a width in letters. `fill` is one letter.
StatusOr<std::string> ljust(StringRef text, int64_t width, StringRef fill, HasRoom hasRoom = nullptr,
                            Letters letters = Letters::CodePoints);
StatusOr<std::string> rjust(StringRef text, int64_t width, StringRef fill, HasRoom hasRoom = nullptr,
                            Letters letters = Letters::CodePoints);
StatusOr<std::string> center(StringRef text, int64_t width, StringRef fill, HasRoom hasRoom = nullptr,
                             Letters letters = Letters::CodePoints);
StatusOr<std::string> zfill(StringRef text, int64_t width, HasRoom hasRoom = nullptr,
                            Letters letters = Letters::CodePoints);
/// Appends the texts that `part` gives for the numbers below `count`, with `separator` between them.
StatusOr<std::string> join(StringRef separator, size_t count, llvm::function_ref<StringRef(size_t)> part,
                           HasRoom hasRoom = nullptr);

} // namespace tsc::python

#endif
