//===- Text.cpp - Python's str --------------------------------------------===//
#include "tsc/Python/Text.h"
#include "Letters.h"
#include "tsc/Python/Slices.h"
#include "tsc/Support/WorkMeter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include <algorithm>
#include <cstring>
#include <limits>

using namespace tsc;
using namespace tsc::python;

/// A result longer than this is refused: a program should not be able to ask for all memory by one number.
static constexpr int64_t maxTextLength = int64_t{1} << 31;

Status python::checkLength(int64_t bytes, HasRoom hasRoom) {
  return bytes > maxTextLength || (bytes > 0 && hasRoom && !hasRoom(static_cast<size_t>(bytes)))
             ? resourceExhausted("MemoryError: a str of " + llvm::Twine(bytes) + " bytes")
             : okStatus();
}

static void countBytes(StringRef text) { work::count(static_cast<int64_t>(text.size())); }

//===----------------------------------------------------------------------===//
// Letters
//===----------------------------------------------------------------------===//

static bool isContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// Whether a text has as many letters as bytes.
static bool areBytes(StringRef text, Letters letters) { return letters == Letters::Bytes || llvm::isASCII(text); }

int64_t python::countLetters(StringRef text) {
  countBytes(text);
  return static_cast<int64_t>(text.size()) - llvm::count_if(text, isContinuation);
}
static int64_t countLetters(StringRef text, Letters letters) {
  return letters == Letters::Bytes ? static_cast<int64_t>(text.size()) : python::countLetters(text);
}
size_t python::letterSize(StringRef text, size_t offset) {
  size_t end = offset + 1;
  while (end < text.size() && isContinuation(text[end]))
    ++end;
  return end - offset;
}
/// Bytes of the last letter.
static size_t lastLetterSize(StringRef text) {
  size_t size = 1;
  while (size < text.size() && isContinuation(text[text.size() - size]))
    ++size;
  return size;
}
size_t python::letterOffset(StringRef text, int64_t number) {
  size_t at = 0;
  for (; number > 0 && at < text.size(); --number)
    at += letterSize(text, at);
  return at;
}
std::vector<StringRef> python::lettersOf(StringRef text) {
  std::vector<StringRef> letters;
  letters.reserve(text.size());
  for (size_t at = 0; at < text.size(); at += letters.back().size())
    letters.push_back(text.substr(at, letterSize(text, at)));
  return letters;
}

StatusOr<StringRef> python::letterAt(StringRef text, int64_t index, Letters letters) {
  const std::optional<int64_t> place = elementPlace(index, ::countLetters(text, letters));
  if (!place)
    return stringIndexOutOfRange();
  if (letters == Letters::Bytes)
    return text.substr(*place, 1);
  const size_t begin = letterOffset(text, *place);
  return text.substr(begin, letterSize(text, begin));
}

StatusOr<std::string> python::slice(StringRef text, std::optional<int64_t> start, std::optional<int64_t> stop,
                                    int64_t step, Letters letters) {
  if (step == 0)
    return zeroSliceStep();
  const bool isOfBytes = areBytes(text, letters);
  std::vector<StringRef> all = isOfBytes ? std::vector<StringRef>() : lettersOf(text);
  const SliceElements taken =
      sliceElements(start, stop, step, static_cast<int64_t>(isOfBytes ? text.size() : all.size()));
  work::count(taken.count);
  if (isOfBytes && step == 1)
    return text.substr(taken.start, taken.count).str();
  std::string result;
  for (int64_t i = 0; i != taken.count; ++i)
    if (isOfBytes)
      result += text[taken[i]];
    else
      result += all[taken[i]];
  return result;
}

std::optional<uint32_t> python::codePointOf(StringRef letter) {
  if (letter.size() == 1 && static_cast<unsigned char>(letter[0]) < 0x80)
    return static_cast<unsigned char>(letter[0]);
  const auto *begin = reinterpret_cast<const llvm::UTF8 *>(letter.begin()), *end = begin + letter.size();
  llvm::UTF32 point = 0, *target = &point;
  if (letter.empty() ||
      llvm::ConvertUTF8toUTF32(&begin, end, &target, &point + 1, llvm::strictConversion) != llvm::conversionOK)
    return std::nullopt;
  return point;
}

StatusOr<int64_t> python::ord(StringRef text) {
  if (python::countLetters(text) != 1)
    return invalidArgument("TypeError: ord() expected a character, but string of length " +
                           llvm::Twine(python::countLetters(text)) + " found");
  const std::optional<uint32_t> point = codePointOf(text);
  if (!point)
    return invalidArgument("ValueError: the text is not UTF-8");
  return static_cast<int64_t>(*point);
}

StatusOr<std::string> python::chr(int64_t code) {
  if (code < 0 || code > 0x10ffff)
    return invalidArgument("ValueError: chr() arg not in range(0x110000)");
  if (code >= 0xd800 && code < 0xe000)
    return unimplemented("ValueError: chr(" + llvm::Twine(code) + ") is half of a surrogate pair, and no character");
  std::string text;
  appendPoint(text, static_cast<uint32_t>(code));
  return text;
}

static std::string inBase(int64_t value, unsigned bits, const char *prefix) {
  uint64_t magnitude = value < 0 ? -static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  std::string digits;
  do
    digits += llvm::hexdigit(magnitude & ((1u << bits) - 1), /*LowerCase=*/true);
  while (magnitude >>= bits);
  std::reverse(digits.begin(), digits.end());
  return (value < 0 ? "-" : "") + std::string(prefix) + digits;
}
std::string python::hex(int64_t value) { return inBase(value, 4, "0x"); }
std::string python::oct(int64_t value) { return inBase(value, 3, "0o"); }
std::string python::bin(int64_t value) { return inBase(value, 1, "0b"); }

//===----------------------------------------------------------------------===//
// Classes and case
//===----------------------------------------------------------------------===//

/// What a byte that is no part of UTF-8 is taken for: it has no class, and no case.
static constexpr uint32_t noLetter = 0xfffd;

/// Calls `visit` with each letter's number and its bytes until it says no; false then. Beyond ASCII a byte is none.
template <typename F> static bool eachLetter(StringRef text, Letters letters, F visit) {
  countBytes(text);
  for (size_t at = 0, size = 0; at != text.size(); at += size) {
    size = letters == Letters::Bytes ? 1 : letterSize(text, at);
    const StringRef letter = text.substr(at, size);
    if (!visit(codePointOf(letter).value_or(noLetter), letter))
      return false;
  }
  return true;
}
/// Whether all letters have a property, of which there is one at least.
template <typename F> static bool areAll(StringRef text, Letters letters, F holds) {
  return !text.empty() && eachLetter(text, letters, [&](uint32_t point, StringRef) { return holds(point); });
}

bool python::isSpace(StringRef letter) {
  const std::optional<uint32_t> point = codePointOf(letter);
  return point && isSpacePoint(*point);
}
std::optional<unsigned> python::decimalDigit(StringRef letter) {
  const std::optional<uint32_t> point = codePointOf(letter);
  return point ? decimalValue(*point) : std::nullopt;
}

bool python::isAlpha(StringRef text, Letters letters) { return areAll(text, letters, isAlphaPoint); }
bool python::isDecimal(StringRef text, Letters letters) { return areAll(text, letters, isDecimalPoint); }
bool python::isDigit(StringRef text, Letters letters) {
  return areAll(text, letters, [](uint32_t p) { return isDecimalPoint(p) || isDigitPoint(p); });
}
static bool isNumber(uint32_t point) { return isDecimalPoint(point) || isDigitPoint(point) || isNumericPoint(point); }
bool python::isNumeric(StringRef text, Letters letters) { return areAll(text, letters, isNumber); }
bool python::isAlnum(StringRef text, Letters letters) {
  return areAll(text, letters, [](uint32_t p) { return isAlphaPoint(p) || isNumber(p); });
}
bool python::isSpaces(StringRef text, Letters letters) {
  if (letters == Letters::Bytes) // PyTorch asks C, which takes no separators for spaces
    return areAll(text, letters, [](uint32_t p) { return isSpacePoint(p) && (p < 0x1c || p > 0x1f); });
  return areAll(text, letters, isSpacePoint);
}
bool python::isIdentifier(StringRef text, Letters letters) {
  bool isFirst = true;
  return areAll(text, letters, [&](uint32_t p) {
    const bool mayBePart = !std::exchange(isFirst, false);
    return isIdentifierStart(p) || (mayBePart && isIdentifierPart(p));
  });
}
bool python::isPrintableText(StringRef text, Letters letters) {
  return eachLetter(text, letters, [](uint32_t p, StringRef) { return isPrintable(p); });
}
/// Whether there is a letter of a case, and none of another.
static bool hasOnlyCase(StringRef text, Letters letters, bool (*wanted)(uint32_t), bool (*other)(uint32_t)) {
  bool any = false;
  return eachLetter(text, letters,
                    [&](uint32_t p, StringRef) {
                      any |= wanted(p);
                      return !other(p) && !isTitlePoint(p);
                    }) &&
         any;
}
bool python::isUpper(StringRef text, Letters letters) { return hasOnlyCase(text, letters, isUpperPoint, isLowerPoint); }
bool python::isLower(StringRef text, Letters letters) { return hasOnlyCase(text, letters, isLowerPoint, isUpperPoint); }
bool python::isTitle(StringRef text, Letters letters) {
  bool isInWord = false, any = false;
  const bool fits = eachLetter(text, letters, [&](uint32_t p, StringRef) {
    const bool begins = isUpperPoint(p) || isTitlePoint(p), goesOn = isLowerPoint(p);
    if ((begins && isInWord) || (goesOn && !isInWord))
      return false;
    isInWord = begins || goesOn;
    any |= isInWord;
    return true;
  });
  return fits && any;
}

/// A letter in lower case; a sigma at the end of a word has a form of its own.
static void appendLowerIn(std::string &result, StringRef text, const char *at, uint32_t point) {
  constexpr uint32_t sigma = 0x3a3, finalSigma = 0x3c2;
  if (point != sigma)
    return appendLower(result, point);
  // Of what stands in front and behind, the next letter that counts decides.
  auto isCased = [](StringRef rest, bool fromRight) {
    while (!rest.empty()) {
      const size_t size = fromRight ? lastLetterSize(rest) : letterSize(rest, 0);
      const uint32_t p = codePointOf(fromRight ? rest.take_back(size) : rest.take_front(size)).value_or(noLetter);
      if (!isCaseIgnorable(p))
        return isCasedPoint(p);
      rest = fromRight ? rest.drop_back(size) : rest.drop_front(size);
    }
    return false;
  };
  const size_t offset = at - text.begin();
  const bool isLast = isCased(text.take_front(offset), true) && !isCased(text.drop_front(offset + 2), false);
  isLast ? appendPoint(result, finalSigma) : appendLower(result, point);
}

/// Appends to a text what `append(result, point, letter)` makes of each letter of another.
template <typename F> static std::string mapped(StringRef text, Letters letters, F append) {
  std::string result;
  result.reserve(text.size());
  eachLetter(text, letters, [&](uint32_t point, StringRef letter) {
    if (point == noLetter)
      result += letter;
    else
      append(result, point, letter);
    return true;
  });
  return result;
}
std::string python::upper(StringRef text, Letters letters) {
  return mapped(text, letters, [](std::string &to, uint32_t p, StringRef) { appendUpper(to, p); });
}
std::string python::lower(StringRef text, Letters letters) {
  return mapped(text, letters,
                [&](std::string &to, uint32_t p, StringRef letter) { appendLowerIn(to, text, letter.begin(), p); });
}
std::string python::title(StringRef text, Letters letters) {
  bool isInWord = false;
  return mapped(text, letters, [&](std::string &to, uint32_t p, StringRef letter) {
    isInWord ? appendLowerIn(to, text, letter.begin(), p) : appendTitle(to, p);
    isInWord = isCasedPoint(p);
  });
}
std::string python::capitalize(StringRef text, Letters letters) {
  return mapped(text, letters, [&](std::string &to, uint32_t p, StringRef letter) {
    letter.begin() == text.begin() ? appendTitle(to, p) : appendLowerIn(to, text, letter.begin(), p);
  });
}
std::string python::swapcase(StringRef text, Letters letters) {
  return mapped(text, letters, [&](std::string &to, uint32_t p, StringRef letter) {
    isUpperPoint(p)   ? appendLowerIn(to, text, letter.begin(), p)
    : isLowerPoint(p) ? appendUpper(to, p)
                      : void(to += letter);
  });
}
std::string python::casefold(StringRef text) {
  return mapped(text, Letters::CodePoints, [](std::string &to, uint32_t p, StringRef) { appendFolded(to, p); });
}

//===----------------------------------------------------------------------===//
// Searching
//===----------------------------------------------------------------------===//

size_t python::findText(StringRef text, StringRef part) {
  if (part.empty())
    return 0;
  const void *found = memmem(text.data(), text.size(), part.data(), part.size());
  const size_t at = found ? static_cast<const char *>(found) - text.data() : StringRef::npos;
  work::count(static_cast<int64_t>(found ? at : text.size()));
  return at;
}
static std::string reversed(StringRef text) {
  std::string result = text.str();
  std::reverse(result.begin(), result.end());
  return result;
}
size_t python::findLastText(StringRef text, StringRef part) {
  // Letters that turned out to be the beginning of another text; a search that comes upon many goes on backwards.
  constexpr size_t mostInVain = 1 << 16;
  size_t inVain = 0;
  for (size_t at = text.size() + 1 - std::min(part.size(), text.size() + 1); at-- != 0;) {
    const size_t same = std::mismatch(part.begin(), part.end(), text.begin() + at).first - part.begin();
    if (same == part.size())
      return at;
    if ((inVain += same) > mostInVain) {
      const StringRef rest = text.take_front(at + part.size() - 1);
      countBytes(rest);
      const std::string backwards = reversed(rest), wanted = reversed(part);
      const size_t found = findText(backwards, wanted);
      return found == StringRef::npos ? found : rest.size() - found - part.size();
    }
  }
  return StringRef::npos;
}

namespace {
/// The bytes that a section selects, and the letter that they begin with.
struct SectionBytes {
  StringRef text;
  int64_t start;
};
} // namespace

/// Nothing when the start lies behind the end.
static std::optional<SectionBytes> section(StringRef text, Section in, Letters letters) {
  if (!in.start && !in.end)
    return SectionBytes{text, 0};
  const bool isOfBytes = areBytes(text, letters);
  const int64_t size = isOfBytes ? static_cast<int64_t>(text.size()) : python::countLetters(text);
  auto place = [&](int64_t at) { return at < 0 ? std::max<int64_t>(0, at + size) : at; };
  const int64_t start = place(in.start.value_or(0)), end = std::min(place(in.end.value_or(size)), size);
  if (start > end)
    return std::nullopt;
  if (isOfBytes)
    return SectionBytes{text.slice(start, end), start};
  return SectionBytes{text.slice(letterOffset(text, start), letterOffset(text, end)), start};
}
static int64_t found(const std::optional<SectionBytes> &part, size_t at, Letters letters) {
  return at == StringRef::npos ? -1 : part->start + ::countLetters(part->text.take_front(at), letters);
}
int64_t python::find(StringRef text, StringRef wanted, Section in, Letters letters) {
  const std::optional<SectionBytes> part = section(text, in, letters);
  return found(part, part ? findText(part->text, wanted) : StringRef::npos, letters);
}
int64_t python::rfind(StringRef text, StringRef wanted, Section in, Letters letters) {
  const std::optional<SectionBytes> part = section(text, in, letters);
  if (part)
    countBytes(part->text);
  return found(part, part ? findLastText(part->text, wanted) : StringRef::npos, letters);
}
static StatusOr<int64_t> foundOrError(int64_t at) {
  if (at < 0)
    return invalidArgument("ValueError: substring not found");
  return at;
}
StatusOr<int64_t> python::index(StringRef text, StringRef part, Section in, Letters letters) {
  return foundOrError(find(text, part, in, letters));
}
StatusOr<int64_t> python::rindex(StringRef text, StringRef part, Section in, Letters letters) {
  return foundOrError(rfind(text, part, in, letters));
}
int64_t python::count(StringRef text, StringRef wanted, Section in, Letters letters) {
  const std::optional<SectionBytes> part = section(text, in, letters);
  if (!part)
    return 0;
  if (wanted.empty())
    return ::countLetters(part->text, letters) + 1;
  countBytes(part->text);
  int64_t count = 0;
  StringRef rest = part->text;
  for (size_t at; (at = findText(rest, wanted)) != StringRef::npos; rest = rest.drop_front(at + wanted.size()))
    ++count;
  return count;
}
bool python::startsWith(StringRef text, StringRef wanted, Section in, Letters letters) {
  const std::optional<SectionBytes> part = section(text, in, letters);
  return part && part->text.starts_with(wanted);
}
bool python::endsWith(StringRef text, StringRef wanted, Section in, Letters letters) {
  const std::optional<SectionBytes> part = section(text, in, letters);
  return part && part->text.ends_with(wanted);
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// Whether strip() takes a letter away.
static bool isStripped(StringRef letter, const std::optional<StringRef> &chars, Letters letters) {
  if (!chars)
    return isSpace(letter);
  if (letters == Letters::Bytes || letter.size() == 1)
    return chars->contains(letter[0]);
  return chars->contains(letter); // in UTF-8 a letter is found as a letter only
}

StringRef python::stripLeft(StringRef text, std::optional<StringRef> chars, Letters letters) {
  countBytes(text);
  while (!text.empty()) {
    const size_t size = letters == Letters::Bytes ? 1 : letterSize(text, 0);
    if (!isStripped(text.take_front(size), chars, letters))
      break;
    text = text.drop_front(size);
  }
  return text;
}
StringRef python::stripRight(StringRef text, std::optional<StringRef> chars, Letters letters) {
  countBytes(text);
  while (!text.empty()) {
    const size_t size = letters == Letters::Bytes ? 1 : lastLetterSize(text);
    if (!isStripped(text.take_back(size), chars, letters))
      break;
    text = text.drop_back(size);
  }
  return text;
}
StringRef python::strip(StringRef text, std::optional<StringRef> chars, Letters letters) {
  return stripRight(stripLeft(text, chars, letters), chars, letters);
}

/// What strip() without letters takes away: as PyTorch has it, or as Python.
static bool isSpaceAt(StringRef text, size_t at, size_t size, Letters letters) {
  if (letters == Letters::Bytes)
    return llvm::isSpace(text[at]);
  return isSpace(text.substr(at, size));
}
/// The offset of the first letter that is a space, or that is none; the size when there is no such letter.
static size_t findSpace(StringRef text, bool wanted, Letters letters) {
  size_t at = 0;
  while (at < text.size()) {
    const size_t size = letters == Letters::Bytes ? 1 : letterSize(text, at);
    if (isSpaceAt(text, at, size, letters) == wanted)
      break;
    at += size;
  }
  return at;
}
/// The offset behind the last letter that is a space, or that is none; 0 when there is no such letter.
static size_t findLastSpace(StringRef text, bool wanted, Letters letters) {
  size_t end = text.size();
  while (end != 0) {
    const size_t size = letters == Letters::Bytes ? 1 : lastLetterSize(text.take_front(end));
    if (isSpaceAt(text, end - size, size, letters) == wanted)
      break;
    end -= size;
  }
  return end;
}

/// Of a number of parts or places: any negative one means all.
static int64_t orAny(int64_t most) { return most < 0 ? std::numeric_limits<int64_t>::max() : most; }

static Status emptySeparator() { return invalidArgument("ValueError: empty separator"); }

StatusOr<std::vector<StringRef>> python::split(StringRef text, std::optional<StringRef> separator, int64_t most,
                                               Letters letters) {
  countBytes(text);
  most = orAny(most);
  std::vector<StringRef> parts;
  if (separator) {
    if (separator->empty())
      return emptySeparator();
    for (size_t at; most-- != 0 && (at = findText(text, *separator)) != StringRef::npos;
         text = text.drop_front(at + separator->size()))
      parts.push_back(text.take_front(at));
    parts.push_back(text);
    return parts;
  }
  for (text = text.drop_front(findSpace(text, false, letters)); !text.empty();
       text = text.drop_front(findSpace(text, false, letters))) {
    if (most-- == 0) { // Python leaves the spaces behind the last part
      parts.push_back(letters == Letters::Bytes ? text.rtrim() : text);
      break;
    }
    const size_t end = findSpace(text, true, letters);
    parts.push_back(text.take_front(end));
    text = text.drop_front(end);
  }
  return parts;
}
StatusOr<std::vector<StringRef>> python::splitFromRight(StringRef text, std::optional<StringRef> separator,
                                                        int64_t most, Letters letters) {
  countBytes(text);
  most = orAny(most);
  std::vector<StringRef> parts;
  if (separator) {
    if (separator->empty())
      return emptySeparator();
    // In a text turned around the parts come one after the other, and none is looked at twice.
    const std::string backwards = reversed(text), wanted = reversed(*separator);
    StringRef rest = backwards;
    for (size_t at; most-- != 0 && (at = findText(rest, wanted)) != StringRef::npos;
         rest = rest.drop_front(at + wanted.size()))
      parts.push_back(text.substr(rest.size() - at, at));
    parts.push_back(text.take_front(rest.size()));
  } else {
    for (text = text.take_front(findLastSpace(text, false, letters)); !text.empty();
         text = text.take_front(findLastSpace(text, false, letters))) {
      if (most-- == 0) {
        parts.push_back(text);
        break;
      }
      const size_t begin = findLastSpace(text, true, letters);
      parts.push_back(text.drop_front(begin));
      text = text.take_front(begin);
    }
  }
  std::reverse(parts.begin(), parts.end());
  return parts;
}

/// How many bytes of the end of a line begin here; 0: none.
static size_t lineEnd(StringRef text, Letters letters) {
  if (text.starts_with("\r\n"))
    return 2;
  if (StringRef("\n\r\v\f\x1c\x1d\x1e").contains(text.front()))
    return 1;
  if (letters == Letters::CodePoints)
    for (StringRef wide : {"\u0085", "\u2028", "\u2029"})
      if (text.starts_with(wide))
        return wide.size();
  return 0;
}

std::vector<StringRef> python::splitLines(StringRef text, bool keepsEnds, Letters letters) {
  countBytes(text);
  std::vector<StringRef> lines;
  size_t begin = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t length = lineEnd(text.drop_front(at), letters);
    if (length != 0) {
      lines.push_back(text.slice(begin, keepsEnds ? at + length : at));
      begin = at + length;
    }
    at += std::max<size_t>(length, 1);
  }
  if (begin != text.size())
    lines.push_back(text.drop_front(begin));
  return lines;
}

StatusOr<Partition> python::partition(StringRef text, StringRef separator) {
  if (separator.empty())
    return emptySeparator();
  const size_t at = findText(text, separator);
  if (at == StringRef::npos)
    return Partition{text, "", ""};
  return Partition{text.take_front(at), separator, text.drop_front(at + separator.size())};
}
StatusOr<Partition> python::partitionFromRight(StringRef text, StringRef separator) {
  if (separator.empty())
    return emptySeparator();
  const size_t at = findLastText(text, separator);
  if (at == StringRef::npos)
    return Partition{"", "", text};
  return Partition{text.take_front(at), separator, text.drop_front(at + separator.size())};
}

//===----------------------------------------------------------------------===//
// Longer texts
//===----------------------------------------------------------------------===//

StatusOr<std::string> python::concat(StringRef a, StringRef b, HasRoom hasRoom) {
  const auto length = static_cast<int64_t>(a.size() + b.size());
  TSC_RETURN_IF_ERROR(checkLength(length, hasRoom));
  work::count(length);
  return (a + b).str();
}

StatusOr<std::string> python::repeat(StringRef text, int64_t times, HasRoom hasRoom) {
  if (times <= 0 || text.empty())
    return std::string();
  int64_t length;
  if (__builtin_mul_overflow(static_cast<int64_t>(text.size()), times, &length))
    length = INT64_MAX;
  TSC_RETURN_IF_ERROR(checkLength(length, hasRoom));
  work::count(length);
  std::string result;
  result.reserve(length);
  for (; times != 0; --times)
    result += text;
  return result;
}

StatusOr<std::string> python::replace(StringRef text, StringRef old, StringRef with, int64_t most, HasRoom hasRoom,
                                      Letters letters) {
  std::string result;
  for (uint64_t left = static_cast<uint64_t>(most); left != 0; --left) { // what is negative has no end
    const size_t at = findText(text, old);
    if (at == StringRef::npos)
      break;
    result += text.take_front(at);
    result += with;
    TSC_RETURN_IF_ERROR(checkLength(static_cast<int64_t>(result.size()), hasRoom));
    text = text.drop_front(at + old.size());
    if (old.empty()) { // between every two letters, and at both ends
      if (text.empty())
        break;
      const size_t size = letters == Letters::Bytes ? 1 : letterSize(text, 0);
      result += text.take_front(size);
      text = text.drop_front(size);
    }
  }
  result += text;
  countBytes(result);
  return result;
}

StatusOr<std::string> python::expandTabs(StringRef text, int64_t tabSize, HasRoom hasRoom, Letters letters) {
  std::string result;
  int64_t column = 0;
  for (char c : text) {
    if (c == '\t') {
      const int64_t spaces = tabSize > 0 ? tabSize - column % tabSize : 0;
      TSC_RETURN_IF_ERROR(checkLength(static_cast<int64_t>(result.size()) + spaces, hasRoom));
      result.append(spaces, ' ');
      column += spaces;
    } else {
      result += c;
      const bool goesOn = letters == Letters::CodePoints && isContinuation(c);
      column = c == '\n' || c == '\r' ? 0 : column + (goesOn ? 0 : 1);
    }
  }
  countBytes(result);
  return result;
}

/// Puts so many copies of one letter in front of a text and behind it.
static StatusOr<std::string> padded(StringRef text, int64_t before, int64_t behind, StringRef fill, HasRoom hasRoom,
                                    Letters letters) {
  if (::countLetters(fill, letters) != 1)
    return invalidArgument("TypeError: The fill character must be exactly one character long");
  TSC_ASSIGN_OR_RETURN(std::string result, repeat(fill, before, hasRoom));
  TSC_ASSIGN_OR_RETURN(const std::string end, repeat(fill, behind, hasRoom));
  result += text;
  result += end;
  return result;
}
static int64_t missing(StringRef text, int64_t width, Letters letters) {
  return width <= 0 ? 0 : std::max<int64_t>(width - ::countLetters(text, letters), 0);
}
StatusOr<std::string> python::ljust(StringRef text, int64_t width, StringRef fill, HasRoom hasRoom, Letters letters) {
  return padded(text, 0, missing(text, width, letters), fill, hasRoom, letters);
}
StatusOr<std::string> python::rjust(StringRef text, int64_t width, StringRef fill, HasRoom hasRoom, Letters letters) {
  return padded(text, missing(text, width, letters), 0, fill, hasRoom, letters);
}
StatusOr<std::string> python::center(StringRef text, int64_t width, StringRef fill, HasRoom hasRoom, Letters letters) {
  const int64_t gap = missing(text, width, letters);
  const int64_t left = gap / 2 + (gap & width & 1); // the odd one goes left only in an odd width
  return padded(text, left, gap - left, fill, hasRoom, letters);
}
StatusOr<std::string> python::zfill(StringRef text, int64_t width, HasRoom hasRoom, Letters letters) {
  TSC_ASSIGN_OR_RETURN(const std::string zeros, repeat("0", missing(text, width, letters), hasRoom));
  const StringRef sign = text.starts_with("-") || text.starts_with("+") ? text.take_front() : StringRef();
  return (sign + zeros + text.drop_front(sign.size())).str();
}

StatusOr<std::string> python::join(StringRef separator, size_t count, llvm::function_ref<StringRef(size_t)> part,
                                   HasRoom hasRoom) {
  std::string joined;
  for (size_t i = 0; i != count; ++i) {
    if (i)
      joined += separator;
    joined += part(i);
    TSC_RETURN_IF_ERROR(checkLength(static_cast<int64_t>(joined.size()), hasRoom));
  }
  work::count(static_cast<int64_t>(joined.size() + count));
  return joined;
}
