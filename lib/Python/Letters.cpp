//===- Letters.cpp - Classes and case of letters --------------------------===//
//
// ASCII by comparison, all else by tables: runs of letters that have a property, or
// that are equally far from themselves in another case. Runs do not overlap.
//
//===----------------------------------------------------------------------===//
#include "Letters.h"
#include "tsc/Python/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include <algorithm>

using namespace tsc;
using llvm::ArrayRef;

namespace {
/// first, first + step, …, last
struct Run {
  uint32_t first, last, step;
};
/// Letters that become others, all as far away.
struct Shift {
  Run run;
  int32_t distance;
};
/// A letter that becomes several.
struct Spelling {
  uint32_t point;
  const char *text;
};

#include "LetterTables.inc"
} // namespace

static bool holds(const Run &run, uint32_t point) {
  return run.first <= point && point <= run.last && (point - run.first) % run.step == 0;
}

static bool isAmong(ArrayRef<Run> runs, uint32_t point) {
  const Run *behind =
      std::partition_point(runs.begin(), runs.end(), [&](const Run &run) { return run.first <= point; });
  return behind != runs.begin() && holds(behind[-1], point);
}

static bool isAsciiUpper(uint32_t point) { return point >= 'A' && point <= 'Z'; }
static bool isAsciiLower(uint32_t point) { return point >= 'a' && point <= 'z'; }
static bool isAscii(uint32_t point) { return point < 0x80; }

bool python::isAlphaPoint(uint32_t point) {
  return isAscii(point) ? isAsciiUpper(point) || isAsciiLower(point) : isAmong(alphas, point);
}
bool python::isDecimalPoint(uint32_t point) {
  return isAscii(point) ? point >= '0' && point <= '9' : isAmong(decimals, point);
}
bool python::isDigitPoint(uint32_t point) { return !isAscii(point) && isAmong(digits, point); }
bool python::isNumericPoint(uint32_t point) { return !isAscii(point) && isAmong(numerics, point); }
bool python::isSpacePoint(uint32_t point) {
  return isAscii(point) ? (point >= 9 && point <= 13) || (point >= 0x1c && point <= 0x20) : isAmong(spaces, point);
}
bool python::isPrintable(uint32_t point) {
  return isAscii(point) ? point >= 0x20 && point != 0x7f : !isAmong(unprintables, point);
}
bool python::isUpperPoint(uint32_t point) { return isAscii(point) ? isAsciiUpper(point) : isAmong(uppers, point); }
bool python::isLowerPoint(uint32_t point) { return isAscii(point) ? isAsciiLower(point) : isAmong(lowers, point); }
bool python::isTitlePoint(uint32_t point) { return !isAscii(point) && isAmong(titles, point); }
bool python::isCasedPoint(uint32_t point) { return isAscii(point) ? isAlphaPoint(point) : isAmong(caseds, point); }
bool python::isCaseIgnorable(uint32_t point) {
  return isAscii(point) ? llvm::StringRef("'.:^`").contains(static_cast<char>(point)) : isAmong(ignorables, point);
}
bool python::isIdentifierStart(uint32_t point) {
  return isAscii(point) ? isAlphaPoint(point) || point == '_' : isAmong(starts, point);
}
bool python::isIdentifierPart(uint32_t point) { return isAscii(point) ? isDecimalPoint(point) : isAmong(parts, point); }

std::optional<unsigned> python::decimalValue(uint32_t point) {
  if (!isDecimalPoint(point))
    return std::nullopt;
  if (isAscii(point))
    return point - '0';
  for (const Run &run : decimals)
    if (holds(run, point))
      return (point - run.first) % 10;
  return std::nullopt;
}

void python::appendPoint(std::string &text, uint32_t point) {
  if (isAscii(point)) {
    text += static_cast<char>(point);
    return;
  }
  char bytes[UNI_MAX_UTF8_BYTES_PER_CODE_POINT], *end = bytes;
  (void)llvm::ConvertCodePointToUTF8(point, end);
  text.append(bytes, end);
}

static void appendMapped(std::string &text, uint32_t point, ArrayRef<Shift> shifts, ArrayRef<Spelling> spellings) {
  const Spelling *spelling =
      std::partition_point(spellings.begin(), spellings.end(), [&](const Spelling &s) { return s.point < point; });
  if (spelling != spellings.end() && spelling->point == point) {
    text += spelling->text;
    return;
  }
  const Shift *behind =
      std::partition_point(shifts.begin(), shifts.end(), [&](const Shift &shift) { return shift.run.first <= point; });
  const bool isShifted = behind != shifts.begin() && holds(behind[-1].run, point);
  python::appendPoint(text, isShifted ? point + behind[-1].distance : point);
}
void python::appendUpper(std::string &text, uint32_t point) {
  isAscii(point) ? appendPoint(text, isAsciiLower(point) ? point - 32 : point)
                 : appendMapped(text, point, upperShifts, upperSpellings);
}
void python::appendLower(std::string &text, uint32_t point) {
  isAscii(point) ? appendPoint(text, isAsciiUpper(point) ? point + 32 : point)
                 : appendMapped(text, point, lowerShifts, lowerSpellings);
}
void python::appendTitle(std::string &text, uint32_t point) {
  isAscii(point) ? appendUpper(text, point) : appendMapped(text, point, titleShifts, titleSpellings);
}
void python::appendFolded(std::string &text, uint32_t point) {
  isAscii(point) ? appendLower(text, point) : appendMapped(text, point, casefoldShifts, casefoldSpellings);
}
