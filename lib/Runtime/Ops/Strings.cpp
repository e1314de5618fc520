//===- Strings.cpp - Python's str methods on bytes ------------------------===//
#include "tsc/Runtime/Ops/Strings.h"
#include "tsc/Support/WorkMeter.h"
#include "tsc/Tensor/MemoryAccount.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <cstring>
using namespace tsc;
using namespace tsc::ops;

/// A result longer than this is refused: a program should not be able to ask for all memory by one number.
static constexpr int64_t maxTextLength = int64_t{1} << 31;
Status ops::checkLength(int64_t length) {
  return length > maxTextLength || (length > 0 && !memory::hasRoom(static_cast<size_t>(length)))
             ? resourceExhausted("MemoryError: a str of " + llvm::Twine(length) + " bytes")
             : okStatus();
}

void TextStream::write_impl(const char *bytes, size_t size) {
  position += size;
  const size_t length = text.size() + size;
  if (length <= text.capacity() || checkLength(static_cast<int64_t>(length)).ok())
    text.append(bytes, size);
}

size_t ops::findText(StringRef text, StringRef part) {
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
size_t ops::findLastText(StringRef text, StringRef part) {
  // Letters that turned out to be the beginning of another text; a search that comes upon many goes on backwards.
  constexpr size_t mostInVain = 1 << 16;
  size_t inVain = 0;
  for (size_t at = text.size() + 1 - std::min(part.size(), text.size() + 1); at-- != 0;) {
    const size_t same = std::mismatch(part.begin(), part.end(), text.begin() + at).first - part.begin();
    if (same == part.size())
      return at;
    if ((inVain += same) > mostInVain) {
      const StringRef rest = text.take_front(at + part.size() - 1);
      const std::string backwards = reversed(rest), wanted = reversed(part);
      const size_t found = findText(backwards, wanted);
      return found == StringRef::npos ? found : rest.size() - found - part.size();
    }
  }
  return StringRef::npos;
}

StatusOr<std::string> ops::str_concat(StringRef a, StringRef b) {
  TSC_RETURN_IF_ERROR(checkLength(static_cast<int64_t>(a.size() + b.size())));
  work::count(static_cast<int64_t>(a.size() + b.size()));
  return (a + b).str();
}

static bool isLower(char c) { return c >= 'a' && c <= 'z'; }
static bool isUpper(char c) { return c >= 'A' && c <= 'Z'; }
static bool isAscii(char c) { return static_cast<unsigned char>(c) < 128; }

// A question that every character answers, with at least one character.
template <typename F> static bool allOf(StringRef s, F f) {
  work::count(static_cast<int64_t>(s.size()));
  return !s.empty() && llvm::all_of(s, f);
}
template <typename F> static bool hasAny(StringRef s, F f) {
  work::count(static_cast<int64_t>(s.size()));
  return llvm::any_of(s, f);
}
bool ops::str_isupper(StringRef s) { return hasAny(s, isUpper) && !hasAny(s, isLower); }
bool ops::str_islower(StringRef s) { return hasAny(s, isLower) && !hasAny(s, isUpper); }
bool ops::str_isalpha(StringRef s) {
  return allOf(s, [](char c) { return llvm::isAlpha(c); });
}
bool ops::str_isdigit(StringRef s) {
  return allOf(s, [](char c) { return llvm::isDigit(c); });
}
bool ops::str_isdecimal(StringRef s) { return str_isdigit(s); }
bool ops::str_isnumeric(StringRef s) { return str_isdigit(s); }
bool ops::str_isspace(StringRef s) {
  return allOf(s, [](char c) { return llvm::isSpace(c); });
}
bool ops::str_isalnum(StringRef s) {
  return allOf(s, [](char c) { return llvm::isAlnum(c); });
}
bool ops::str_isidentifier(StringRef s) {
  return allOf(s, [](char c) { return llvm::isAlnum(c) || c == '_'; }) && !llvm::isDigit(s[0]);
}
bool ops::str_isprintable(StringRef s) {
  return !hasAny(s, [](char c) { return !llvm::isPrint(c) && isAscii(c); });
}
bool ops::str_istitle(StringRef s) {
  work::count(static_cast<int64_t>(s.size()));
  bool inWord = false, anyWord = false;
  for (char c : s) {
    if (isUpper(c) == inWord && llvm::isAlpha(c))
      return false;
    inWord = llvm::isAlpha(c);
    anyWord |= inWord;
  }
  return anyWord;
}

std::string ops::str_upper(StringRef s) {
  work::count(static_cast<int64_t>(s.size()));
  return s.upper();
}
std::string ops::str_lower(StringRef s) {
  work::count(static_cast<int64_t>(s.size()));
  return s.lower();
}
std::string ops::str_capitalize(StringRef s) {
  return s.take_front().upper() + str_lower(s.drop_front(s.empty() ? 0 : 1));
}
std::string ops::str_title(StringRef s) {
  work::count(static_cast<int64_t>(s.size()));
  std::string result;
  bool inWord = false;
  for (char c : s) {
    result += inWord ? llvm::toLower(c) : llvm::toUpper(c);
    inWord = llvm::isAlpha(c);
  }
  return result;
}
std::string ops::str_swapcase(StringRef s) {
  work::count(static_cast<int64_t>(s.size()));
  std::string result;
  for (char c : s)
    result += isLower(c) ? llvm::toUpper(c) : llvm::toLower(c);
  return result;
}
static std::string copied(StringRef s) {
  work::count(static_cast<int64_t>(s.size()));
  return s.str();
}
std::string ops::str_strip(StringRef s, StringRef chars) { return copied(s.trim(chars)); }
std::string ops::str_lstrip(StringRef s, StringRef chars) { return copied(s.ltrim(chars)); }
std::string ops::str_rstrip(StringRef s, StringRef chars) { return copied(s.rtrim(chars)); }

/// Puts `left` and `right` copies of the one fill character around s.
static StatusOr<std::string> padded(StringRef s, int64_t left, int64_t right, StringRef fill) {
  if (fill.size() != 1)
    return invalidArgument("TypeError: The fill character must be exactly one character long");
  TSC_RETURN_IF_ERROR(checkLength(left));
  TSC_RETURN_IF_ERROR(checkLength(right));
  work::count(static_cast<int64_t>(s.size()) + std::max<int64_t>(left, 0) + std::max<int64_t>(right, 0));
  return std::string(std::max<int64_t>(left, 0), fill[0]) + s.str() + std::string(std::max<int64_t>(right, 0), fill[0]);
}
static int64_t missing(StringRef s, int64_t width) {
  return width <= 0 ? 0 : std::max<int64_t>(width - static_cast<int64_t>(s.size()), 0);
}
StatusOr<std::string> ops::str_ljust(StringRef s, int64_t width, StringRef fill) {
  return padded(s, 0, missing(s, width), fill);
}
StatusOr<std::string> ops::str_rjust(StringRef s, int64_t width, StringRef fill) {
  return padded(s, missing(s, width), 0, fill);
}
StatusOr<std::string> ops::str_center(StringRef s, int64_t width, StringRef fill) {
  int64_t gap = missing(s, width);
  int64_t left = gap / 2 + (gap & width & 1); // the odd one goes left only in an odd width, as in CPython
  return padded(s, left, gap - left, fill);
}

/// The part of s that start and end select; nullopt when start lies behind its end.
static std::optional<StringRef> section(StringRef s, int64_t &start, int64_t end) {
  int64_t size = static_cast<int64_t>(s.size());
  if (start < 0)
    start = std::max<int64_t>(0, start + size);
  end = std::min(end < 0 ? std::max<int64_t>(0, end + size + 1) : end, size);
  if (start > end)
    return std::nullopt;
  return s.slice(start, end);
}
int64_t ops::str_find(StringRef s, StringRef sub, int64_t start, int64_t end) {
  auto part = section(s, start, end);
  size_t at = part ? findText(*part, sub) : StringRef::npos;
  return at == StringRef::npos ? -1 : start + static_cast<int64_t>(at);
}
int64_t ops::str_rfind(StringRef s, StringRef sub, int64_t start, int64_t end) {
  auto part = section(s, start, end);
  if (part)
    work::count(static_cast<int64_t>(part->size()));
  size_t at = part ? findLastText(*part, sub) : StringRef::npos;
  return at == StringRef::npos ? -1 : start + static_cast<int64_t>(at);
}
static StatusOr<int64_t> foundOr(int64_t at) {
  if (at < 0)
    return invalidArgument("ValueError: substring not found");
  return at;
}
StatusOr<int64_t> ops::str_index(StringRef s, StringRef sub, int64_t start, int64_t end) {
  return foundOr(str_find(s, sub, start, end));
}
StatusOr<int64_t> ops::str_rindex(StringRef s, StringRef sub, int64_t start, int64_t end) {
  return foundOr(str_rfind(s, sub, start, end));
}
int64_t ops::str_count(StringRef s, StringRef sub, int64_t start, int64_t end) {
  auto part = section(s, start, end);
  if (!part)
    return 0;
  if (sub.empty())
    return static_cast<int64_t>(part->size()) + 1;
  work::count(static_cast<int64_t>(part->size()));
  int64_t count = 0;
  for (size_t at; (at = findText(*part, sub)) != StringRef::npos; part = part->drop_front(at + sub.size()))
    ++count;
  return count;
}
bool ops::str_startswith(StringRef s, StringRef sub, int64_t start, int64_t end) {
  auto part = section(s, start, end);
  return part && part->starts_with(sub);
}
bool ops::str_endswith(StringRef s, StringRef sub, int64_t start, int64_t end) {
  auto part = section(s, start, end);
  return part && part->ends_with(sub);
}

StatusOr<std::string> ops::str_at(StringRef s, int64_t index) {
  int64_t size = static_cast<int64_t>(s.size()), at = index < 0 ? index + size : index;
  if (at < 0 || at >= size)
    return outOfRange("IndexError: string index out of range");
  return std::string(1, s[at]);
}
StatusOr<std::string> ops::str_slice(StringRef s, std::optional<int64_t> start, std::optional<int64_t> end,
                                     int64_t step) {
  if (step == 0)
    return invalidArgument("ValueError: slice step cannot be zero");
  int64_t size = static_cast<int64_t>(s.size()), low = step > 0 ? 0 : -1, high = step > 0 ? size : size - 1;
  auto place = [&](int64_t i) { return std::clamp(i < 0 ? i + size : i, low, high); };
  int64_t from = start ? place(*start) : (step > 0 ? low : high), to = end ? place(*end) : (step > 0 ? high : low);
  if (step == 1)
    return copied(s.slice(from, std::max(from, to)));
  std::string result;
  work::count(step > 0 ? to - from : from - to);
  for (int64_t i = from; step > 0 ? i < to : i > to;) {
    result += s[i];
    if (__builtin_add_overflow(i, step, &i))
      break;
  }
  return result;
}

StatusOr<std::string> ops::str_replace(StringRef s, StringRef old, StringRef with, int64_t max) {
  int64_t left = max < 0 ? INT64_MAX : max;
  std::string result;
  while (left > 0) {
    size_t at = findText(s, old);
    if (at == StringRef::npos)
      break;
    result += s.take_front(at);
    result += with;
    TSC_RETURN_IF_ERROR(checkLength(static_cast<int64_t>(result.size())));
    s = s.drop_front(at + old.size());
    --left;
    if (old.empty()) { // between every two characters, and at both ends
      if (s.empty())
        break;
      result += s.front();
      s = s.drop_front();
    }
  }
  result += s;
  work::count(static_cast<int64_t>(result.size()));
  return result;
}
StatusOr<std::string> ops::str_zfill(StringRef s, int64_t width) {
  int64_t gap = missing(s, width);
  TSC_RETURN_IF_ERROR(checkLength(gap));
  work::count(static_cast<int64_t>(s.size()) + gap);
  StringRef sign = s.starts_with("-") || s.starts_with("+") ? s.take_front() : StringRef();
  return sign.str() + std::string(gap, '0') + s.drop_front(sign.size()).str();
}
StatusOr<std::string> ops::str_expandtabs(StringRef s, int64_t tabSize) {
  std::string result;
  int64_t column = 0;
  for (char c : s) {
    if (c == '\t') {
      int64_t spaces = tabSize > 0 ? tabSize - column % tabSize : 0;
      TSC_RETURN_IF_ERROR(checkLength(static_cast<int64_t>(result.size()) + spaces));
      result.append(spaces, ' ');
      column += spaces;
    } else {
      result += c;
      column = c == '\n' || c == '\r' ? 0 : column + 1;
    }
  }
  work::count(static_cast<int64_t>(result.size()));
  return result;
}

StatusOr<int64_t> ops::str_ord(StringRef s) {
  if (s.size() != 1)
    return invalidArgument("String for ord() must be 1 character, found " + llvm::Twine(s.size()));
  return static_cast<int64_t>(static_cast<unsigned char>(s[0]));
}
StatusOr<std::string> ops::str_chr(int64_t code) {
  if (code < 0 || code > 255)
    return invalidArgument("chr() arg not in range(256), found " + llvm::Twine(code));
  return std::string(1, static_cast<char>(code));
}
static std::string inBase(int64_t v, unsigned bits, const char *prefix) {
  uint64_t magnitude = v < 0 ? -static_cast<uint64_t>(v) : static_cast<uint64_t>(v);
  std::string digits;
  do
    digits += "0123456789abcdef"[magnitude & ((1u << bits) - 1)];
  while (magnitude >>= bits);
  std::reverse(digits.begin(), digits.end());
  return (v < 0 ? "-" : "") + std::string(prefix) + digits;
}
std::string ops::str_hex(int64_t v) { return inBase(v, 4, "0x"); }
std::string ops::str_oct(int64_t v) { return inBase(v, 3, "0o"); }
std::string ops::str_bin(int64_t v) { return inBase(v, 1, "0b"); }
