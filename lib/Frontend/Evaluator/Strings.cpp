//===- Strings.cpp - Methods of strings, while loading --------------------===//
//
// Checks what the methods are given; what they do is tsc/Python's.
//
//===----------------------------------------------------------------------===//
#include "Evaluator.h"
#include "NativeTable.h"
#include "tsc/Frontend/Diagnostics.h"
#include "tsc/Python/Text.h"
#include "llvm/ADT/StringExtras.h"

using namespace tsc;
using namespace tsc::python;

/// The rows of strings. Each says what kinds of arguments it takes, and which of tsc/Python's functions it is.
struct Evaluator::StringMethods {
  static StringRef text(const NativeCall &call) { return call.self.data.toString(); }
  static StringRef textAt(const NativeCall &call, size_t i) { return call.args[i].data.toString(); }
  /// Returns the section that arguments from number 1 on give, which are ints or None.
  static Section section(const NativeCall &call);
  static Result listOf(Evaluator &e, const NativeCall &call, const StatusOr<std::vector<StringRef>> &parts);

  static bool isAsciiText(StringRef text, Letters) { return llvm::isASCII(text); }
  static std::string casefolded(StringRef text, Letters) { return casefold(text); }
  /// What holds of a text, and what is made of one.
  template <auto function> static Result of(Evaluator &, const NativeCall &call) {
    return AnyValue(IValue(function(text(call), Letters::CodePoints)));
  }
  /// Looks for a part, in all of the text or in a section.
  template <auto function> static Result search(Evaluator &e, const NativeCall &call) {
    const StatusOr<int64_t> place = function(text(call), textAt(call, 0), section(call), Letters::CodePoints);
    return e.valueOf(place, call.range);
  }
  template <auto function> static Result split(Evaluator &e, const NativeCall &call);
  template <auto function> static Result strip(Evaluator &, const NativeCall &call) {
    const bool hasChars = !call.args.empty() && call.args[0].isString();
    const auto chars = hasChars ? std::optional(textAt(call, 0)) : std::nullopt;
    return AnyValue(IValue(function(text(call), chars, Letters::CodePoints)));
  }
  template <auto function> static Result startsOrEnds(Evaluator &e, const NativeCall &call);
  template <auto function> static Result partition(Evaluator &e, const NativeCall &call);
  /// Whether there is room for a text of the width that argument 0 gives; false after a report.
  static bool hasRoom(Evaluator &e, const NativeCall &call) {
    return e.countElements(std::max<int64_t>(0, call.args[0].data.toInt()), 1, call.range);
  }
  template <auto function> static Result pad(Evaluator &e, const NativeCall &call);

  static Result format(Evaluator &e, const NativeCall &call) {
    return e.formatted(text(call), call.arguments, call.range);
  }
  static Result join(Evaluator &e, const NativeCall &call);
  static Result splitLines(Evaluator &e, const NativeCall &call) {
    return listOf(e, call, python::splitLines(text(call), !call.args.empty() && call.args[0].data.toInt() != 0));
  }
  static Result replace(Evaluator &e, const NativeCall &call) {
    const int64_t most = call.args.size() == 3 ? call.args[2].data.toInt() : -1;
    return e.valueOf(python::replace(text(call), textAt(call, 0), textAt(call, 1), most), call.range);
  }
  static Result removePrefix(Evaluator &, const NativeCall &call) {
    StringRef rest = text(call);
    (void)rest.consume_front(textAt(call, 0));
    return AnyValue(IValue(rest));
  }
  static Result removeSuffix(Evaluator &, const NativeCall &call) {
    StringRef rest = text(call);
    (void)rest.consume_back(textAt(call, 0));
    return AnyValue(IValue(rest));
  }
  static Result expandTabs(Evaluator &e, const NativeCall &call) {
    return e.valueOf(python::expandTabs(text(call), call.args.empty() ? 8 : call.args[0].data.toInt()), call.range);
  }
  static Result fillWithZeros(Evaluator &e, const NativeCall &call) {
    return hasRoom(e, call) ? e.valueOf(zfill(text(call), call.args[0].data.toInt()), call.range) : std::nullopt;
  }

  static llvm::ArrayRef<NativeFunction> table();
};

Section Evaluator::StringMethods::section(const NativeCall &call) {
  Section in;
  if (call.args.size() > 1 && !call.args[1].isNone())
    in.start = call.args[1].data.toInt();
  if (call.args.size() > 2 && !call.args[2].isNone())
    in.end = call.args[2].data.toInt();
  return in;
}

Result Evaluator::StringMethods::listOf(Evaluator &e, const NativeCall &call,
                                        const StatusOr<std::vector<StringRef>> &parts) {
  if (!parts.ok())
    return e.raiseStatus(call.range, parts.status());
  auto *list = e.make<ListObject>();
  for (StringRef part : *parts)
    list->elements.push_back(IValue(part));
  return AnyValue(list);
}

Result Evaluator::StringMethods::join(Evaluator &e, const NativeCall &call) {
  std::vector<AnyValue> parts;
  if (!e.elements(call.args[0], call.range, parts))
    return std::nullopt;
  for (auto [i, part] : llvm::enumerate(parts))
    if (!part.isString())
      return e.raise(call.range, "TypeError",
                     "sequence item " + llvm::Twine(i) + ": expected str instance, " + e.typeName(part) + " found");
  auto part = [&](size_t i) { return StringRef(parts[i].data.toString()); };
  return e.valueOf(python::join(text(call), parts.size(), part), call.range);
}

template <auto function> Result Evaluator::StringMethods::split(Evaluator &e, const NativeCall &call) {
  AnyValue by = call.args.empty() ? AnyValue() : call.args[0];
  AnyValue most = call.args.size() > 1 ? call.args[1] : IValue(-1);
  for (const KeywordValue &keyword : call.arguments.keywords) {
    if (keyword.name != "sep" && keyword.name != "maxsplit")
      return e.refuseArguments(call);
    (keyword.name == "sep" ? by : most) = keyword.value;
  }
  if (!most.isInt() || (!by.isNone() && !by.isString()))
    return e.refuseArguments(call);
  const auto separator = by.isNone() ? std::nullopt : std::optional<StringRef>(by.data.toString());
  return listOf(e, call, function(text(call), separator, most.data.toInt(), Letters::CodePoints));
}

template <auto function> Result Evaluator::StringMethods::startsOrEnds(Evaluator &e, const NativeCall &call) {
  const Section in = section(call);
  auto *several = call.args[0].as<TupleObject>();
  for (const AnyValue &one : several ? llvm::ArrayRef(several->elements) : llvm::ArrayRef(call.args[0])) {
    if (!one.isString())
      return e.raise(call.range, "TypeError",
                     several ? "tuple for " + call.name + " must only contain str, not " + e.typeName(one)
                             : call.name + " first arg must be str or a tuple of str, not " + e.typeName(one));
    if (function(text(call), one.data.toString(), in, Letters::CodePoints))
      return AnyValue(IValue(true));
  }
  return AnyValue(IValue(false));
}

template <auto function> Result Evaluator::StringMethods::partition(Evaluator &e, const NativeCall &call) {
  const StatusOr<Partition> parts = function(text(call), textAt(call, 0));
  if (!parts.ok())
    return e.raiseStatus(call.range, parts.status());
  auto *tuple = e.make<TupleObject>();
  tuple->elements = {IValue(parts->before), IValue(parts->separator), IValue(parts->after)};
  return AnyValue(tuple);
}

template <auto function> Result Evaluator::StringMethods::pad(Evaluator &e, const NativeCall &call) {
  if (call.args.size() == 2 && !call.args[1].isString())
    return e.raise(call.range, "TypeError",
                   "The fill character must be a unicode character, not " + e.typeName(call.args[1]));
  if (!hasRoom(e, call))
    return std::nullopt;
  const StringRef fill = call.args.size() == 2 ? textAt(call, 1) : " ";
  return e.valueOf(function(text(call), call.args[0].data.toInt(), fill, nullptr, Letters::CodePoints), call.range);
}

llvm::ArrayRef<NativeFunction> Evaluator::StringMethods::table() {
  static constexpr size_t any = NativeFunction::any;
  static constexpr NativeFunction rows[] = {
      {"capitalize", of<python::capitalize>, 0, 0, ""},
      {"casefold", of<casefolded>, 0, 0, ""},
      {"center", pad<python::center>, 1, 2, "", "i"},
      {"count", search<python::count>, 1, 3, "", "sbb"},
      {"endswith", startsOrEnds<python::endsWith>, 1, 3, "", ".bb"},
      {"expandtabs", expandTabs, 0, 1, "", "i"},
      {"find", search<python::find>, 1, 3, "", "sbb"},
      {"format", format, 0, any, "*"},
      {"index", search<python::index>, 1, 3, "", "sbb"},
      {"isalnum", of<python::isAlnum>, 0, 0, ""},
      {"isalpha", of<python::isAlpha>, 0, 0, ""},
      {"isascii", of<isAsciiText>, 0, 0, ""},
      {"isdecimal", of<python::isDecimal>, 0, 0, ""},
      {"isdigit", of<python::isDigit>, 0, 0, ""},
      {"isidentifier", of<python::isIdentifier>, 0, 0, ""},
      {"islower", of<python::isLower>, 0, 0, ""},
      {"isnumeric", of<python::isNumeric>, 0, 0, ""},
      {"isprintable", of<python::isPrintableText>, 0, 0, ""},
      {"isspace", of<python::isSpaces>, 0, 0, ""},
      {"istitle", of<python::isTitle>, 0, 0, ""},
      {"isupper", of<python::isUpper>, 0, 0, ""},
      {"join", join, 1, 1, ""},
      {"ljust", pad<python::ljust>, 1, 2, "", "i"},
      {"lower", of<python::lower>, 0, 0, ""},
      {"lstrip", strip<python::stripLeft>, 0, 1, "", "t"},
      {"partition", partition<python::partition>, 1, 1, "", "s"},
      {"removeprefix", removePrefix, 1, 1, "", "s"},
      {"removesuffix", removeSuffix, 1, 1, "", "s"},
      {"replace", replace, 2, 3, "", "ssi"},
      {"rfind", search<python::rfind>, 1, 3, "", "sbb"},
      {"rindex", search<python::rindex>, 1, 3, "", "sbb"},
      {"rjust", pad<python::rjust>, 1, 2, "", "i"},
      {"rpartition", partition<python::partitionFromRight>, 1, 1, "", "s"},
      {"rsplit", split<python::splitFromRight>, 0, 2, "*"},
      {"rstrip", strip<python::stripRight>, 0, 1, "", "t"},
      {"split", split<python::split>, 0, 2, "*"},
      {"splitlines", splitLines, 0, 1, "", "i"},
      {"startswith", startsOrEnds<python::startsWith>, 1, 3, "", ".bb"},
      {"strip", strip<python::strip>, 0, 1, "", "t"},
      {"swapcase", of<python::swapcase>, 0, 0, ""},
      {"title", of<python::title>, 0, 0, ""},
      {"upper", of<python::upper>, 0, 0, ""},
      {"zfill", fillWithZeros, 1, 1, "", "i"},
  };
  return rows;
}

Result Evaluator::callString(const NativeCall &call) {
  return callRow(StringMethods::table(), call, WrongCall::Refused);
}
