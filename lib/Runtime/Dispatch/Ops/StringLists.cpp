//===- StringLists.cpp - Splitting, joining and formatting ----------------===//
//
// Formats are PyTorch's here: plain {} fields, and conversions as C's printf has them.
//
//===----------------------------------------------------------------------===//
#include "tsc/IR/IValue.h"
#include "tsc/Python/Format.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Runtime/Dispatch/Ops/Strings.h"
#include "tsc/Support/WorkMeter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
using namespace tsc;
using namespace tsc::ops;

/// What making a short text is worth, for the limits of a call.
static constexpr int64_t costOfText = 16;

IValue ops::listOfStrings(ArrayRef<StringRef> parts) {
  work::count(costOfText * static_cast<int64_t>(parts.size()));
  IValue list = makeList(Type::stringType(), parts.size());
  for (StringRef part : parts)
    appendToList(list, IValue(part));
  return list;
}

static std::optional<StringRef> separatorOf(const IValue &value) {
  return value.isNone() ? std::nullopt : std::optional<StringRef>(value.toString());
}
Status ops::splitInto(IValue &list, const IValue *const *args, Letters letters) {
  TSC_ASSIGN_OR_RETURN(const std::vector<StringRef> parts,
                       python::split(args[0]->toString(), separatorOf(*args[1]), args[2]->toInt(), letters));
  list = listOfStrings(parts);
  return okStatus();
}
Status ops::splitFromRightInto(IValue &list, const IValue *const *args, Letters letters) {
  TSC_ASSIGN_OR_RETURN(const std::vector<StringRef> parts,
                       python::splitFromRight(args[0]->toString(), separatorOf(*args[1]), args[2]->toInt(), letters));
  list = listOfStrings(parts);
  return okStatus();
}
Status ops::strSplit(CallContext &, const IValue *const *args, IValue *results) {
  return splitInto(results[0], args, Letters::Bytes);
}
Status ops::strRightSplit(CallContext &, const IValue *const *args, IValue *results) {
  return splitFromRightInto(results[0], args, Letters::Bytes);
}
Status ops::strSplitLines(CallContext &, const IValue *const *args, IValue *results) {
  results[0] = listOfStrings(python::splitLines(args[0]->toString(), args[1]->toBool(), Letters::Bytes));
  return okStatus();
}

static Status setThree(StatusOr<python::Partition> parts, IValue *results) {
  TSC_RETURN_IF_ERROR(parts.status());
  results[0] = IValue(parts->before);
  results[1] = IValue(parts->separator);
  results[2] = IValue(parts->after);
  return okStatus();
}
Status ops::strPartition(CallContext &, const IValue *const *args, IValue *results) {
  return setThree(python::partition(args[0]->toString(), args[1]->toString()), results);
}
Status ops::strRightPartition(CallContext &, const IValue *const *args, IValue *results) {
  return setThree(python::partitionFromRight(args[0]->toString(), args[1]->toString()), results);
}

Status ops::strJoin(CallContext &, const IValue *const *args, IValue *results) {
  IValue element; // keeps the text that is being joined
  auto part = [&](size_t i) {
    element = args[1]->listElement(i);
    return StringRef(element.toString());
  };
  TSC_ASSIGN_OR_RETURN(results[0], python::join(args[0]->toString(), args[1]->listSize(), part, memory::hasRoom));
  return okStatus();
}

Status ops::strToList(CallContext &, const IValue *const *args, IValue *results) {
  StringRef s = args[0]->toString();
  llvm::SmallVector<StringRef> letters;
  for (size_t i = 0; i != s.size(); ++i)
    letters.push_back(s.substr(i, 1));
  results[0] = listOfStrings(letters);
  return okStatus();
}

/// As print shows it; a str shows as itself.
static StatusOr<std::string> textOf(const IValue &value) {
  if (value.isString())
    return value.toString();
  TextStream os;
  printValue(os, value);
  return os.take();
}

/// The same for a message.
static std::string beginningOf(const IValue &value) {
  TextStream os;
  printValue(os, value);
  return os.takeBeginning();
}

Status ops::toStr(CallContext &, const IValue *const *args, IValue *results) {
  TSC_ASSIGN_OR_RETURN(results[0], textOf(*args[0]));
  return okStatus();
}

Status ops::strFormat(CallContext &context, const IValue *const *args, IValue *results) {
  StringRef rest = args[0]->toString();
  unsigned numValues = context.site ? context.site->numArgs - 1 : 0, used = 0;
  std::string text;
  while (true) {
    auto [before, after] = rest.split("{}");
    text += before;
    if (before.size() == rest.size())
      break;
    if (used == numValues)
      return invalidArgument("Too few arguments for format string: " + llvm::Twine(args[0]->toString()));
    TSC_ASSIGN_OR_RETURN(const std::string shown, textOf(*args[++used]));
    text += shown;
    TSC_RETURN_IF_ERROR(checkLength(static_cast<int64_t>(text.size())));
    rest = after;
  }
  results[0] = IValue(std::move(text));
  return okStatus();
}

/// One conversion of the % operator: appends `value` as `specification` (flags, width, precision) and `letter` say.
static Status appendPercent(std::string &text, StringRef specification, char letter, const IValue &value) {
  std::string format = ("%" + specification).str();
  bool tooWide =
      llvm::any_of(llvm::split(specification.ltrim("+-# 0"), '.'), [](StringRef part) { return part.size() > 3; });
  if (tooWide || specification.size() > 16)
    return invalidArgument("ValueError: a format specification is too long: '" + llvm::Twine(format) + "'");
  auto append = [&](auto number) {
    char buffer[2048];
    int length = snprintf(buffer, sizeof buffer, format.c_str(), number);
    text.append(buffer, std::clamp<int>(length, 0, sizeof buffer - 1));
  };
  switch (letter) {
  case 's':
  case 'r': {
    StatusOr<std::string> shown =
        letter == 'r' && value.isString() ? StatusOr<std::string>("'" + value.toString() + "'") : textOf(value);
    TSC_RETURN_IF_ERROR(shown.status());
    std::string piece = *std::move(shown);
    int64_t width = 0, precision = 0;
    bool left = specification.consume_front("-");
    auto [wide, exact] = specification.split('.');
    if ((!wide.empty() && wide.getAsInteger(10, width)) || (!exact.empty() && exact.getAsInteger(10, precision)))
      return invalidArgument("ValueError: unsupported format specification '%" + llvm::Twine(specification) + "s'");
    if (width > 10000)
      return invalidArgument("ValueError: a field of " + llvm::Twine(width) + " characters is too wide");
    if (specification.contains('.'))
      piece.resize(python::letterOffset(piece, precision));
    const int64_t letters = python::countLetters(piece);
    size_t gap = width > letters ? width - letters : 0;
    text += left ? piece + std::string(gap, ' ') : std::string(gap, ' ') + piece;
    return okStatus();
  }
  case 'd':
  case 'i':
  case 'x':
  case 'X':
  case 'o':
    if (!value.isScalar() || value.isComplex())
      return invalidArgument("%" + llvm::Twine(letter) + " requires a number for formatting, but got " +
                             beginningOf(value));
    format += "l";
    format += letter;
    append(static_cast<long>(value.toScalar().toInt()));
    return okStatus();
  case 'e':
  case 'E':
  case 'f':
  case 'F':
  case 'g':
  case 'G':
    if (!value.isScalar() || value.isComplex())
      return invalidArgument("%" + llvm::Twine(letter) + " requires a number for formatting, but got " +
                             beginningOf(value));
    format += letter;
    append(std::isnan(value.toScalar().toDouble()) ? std::numeric_limits<double>::quiet_NaN() // without a sign
                                                   : value.toScalar().toDouble());
    return okStatus();
  case 'c':
    if (value.isInt())
      text += static_cast<char>(value.toInt());
    else if (value.isString() && value.toString().size() == 1)
      text += value.toString();
    else
      return invalidArgument("%c requires an int or a single character for formatting, but got " + beginningOf(value));
    return okStatus();
  default:
    return invalidArgument("The specifier %" + llvm::Twine(letter) + " is not supported in TorchScript format strings");
  }
}

Status ops::strPercentFormat(CallContext &context, const IValue *const *args, IValue *results) {
  StringRef format = args[0]->toString();
  // The right side is one value, or a tuple that gives them all.
  std::vector<IValue> values;
  unsigned numArgs = context.site ? context.site->numArgs : 1;
  for (unsigned i = 1; i < numArgs; ++i)
    values.push_back(*args[i]);
  if (values.size() == 1 && values[0].isTuple())
    values = std::vector<IValue>(values[0].toTuple().elements);
  std::string text;
  size_t used = 0;
  while (auto conversion = python::takeConversion(format)) {
    text += conversion->before;
    // PyTorch knows neither keys nor widths that are values.
    const char letter = conversion->key ? '(' : conversion->options.contains('*') ? '*' : conversion->letter;
    if (!letter)
      return invalidArgument("Incomplete format specifier");
    if (letter == '%') {
      text += '%';
      continue;
    }
    if (used == values.size())
      return invalidArgument("Too few arguments for format string");
    TSC_RETURN_IF_ERROR(appendPercent(text, conversion->options, letter, values[used++]));
  }
  text += format;
  if (used < values.size())
    return invalidArgument("Too many arguments for format string");
  results[0] = IValue(std::move(text));
  return okStatus();
}
