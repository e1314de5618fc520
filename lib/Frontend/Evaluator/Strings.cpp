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

namespace {
/// Methods of a text alone.
struct Question {
  StringRef name;
  bool (*holds)(StringRef text, Letters letters);
};
struct Change {
  StringRef name;
  std::string (*make)(StringRef text, Letters letters);
};
/// Methods that look for a part, in all of the text or in a section.
struct Search {
  StringRef name;
  StatusOr<int64_t> (*find)(StringRef text, StringRef part, Section in);
};
} // namespace

static constexpr Question questions[] = {
    {"isalnum", isAlnum},           {"isalpha", isAlpha},
    {"isdecimal", isDecimal},       {"isdigit", isDigit},
    {"isidentifier", isIdentifier}, {"islower", isLower},
    {"isnumeric", isNumeric},       {"isprintable", isPrintableText},
    {"isspace", isSpaces},          {"istitle", isTitle},
    {"isupper", isUpper},           {"isascii", [](StringRef text, Letters) { return llvm::isASCII(text); }}};
static constexpr Change changes[] = {
    {"capitalize", capitalize}, {"lower", lower}, {"swapcase", swapcase},
    {"title", title},           {"upper", upper}, {"casefold", [](StringRef text, Letters) { return casefold(text); }}};
static constexpr Search searches[] = {
    {"find", [](StringRef text, StringRef part, Section in) -> StatusOr<int64_t> { return find(text, part, in); }},
    {"rfind", [](StringRef text, StringRef part, Section in) -> StatusOr<int64_t> { return rfind(text, part, in); }},
    {"count", [](StringRef text, StringRef part, Section in) -> StatusOr<int64_t> { return count(text, part, in); }},
    {"index", [](StringRef text, StringRef part, Section in) { return index(text, part, in); }},
    {"rindex", [](StringRef text, StringRef part, Section in) { return rindex(text, part, in); }}};

template <typename Table> static auto *findNamed(const Table &table, StringRef name) {
  auto *found = llvm::find_if(table, [&](const auto &each) { return each.name == name; });
  return found == std::end(table) ? nullptr : found;
}

/// Methods of strings that none of the tables above has.
struct Evaluator::StringMethods {
  static StringRef text(const NativeCall &call) { return call.self.data.toString(); }
  static bool isText(const NativeCall &call, size_t i) { return i < call.args.size() && call.args[i].isString(); }
  static StringRef textAt(const NativeCall &call, size_t i) { return call.args[i].data.toString(); }
  /// Whether there is no argument of the number, or an int.
  static bool mayBeInt(const NativeCall &call, size_t i) { return i >= call.args.size() || call.args[i].isInt(); }
  /// Returns the section that arguments from number 1 on give; nothing where these are no ints.
  static std::optional<Section> section(const NativeCall &call);
  static Result listOf(Evaluator &e, const NativeCall &call, const StatusOr<std::vector<StringRef>> &parts);

  static Result format(Evaluator &e, const NativeCall &call) {
    return e.formatted(text(call), call.arguments, call.range);
  }
  static Result search(Evaluator &e, const NativeCall &call);
  static Result join(Evaluator &e, const NativeCall &call);
  static Result split(Evaluator &e, const NativeCall &call);
  static Result splitLines(Evaluator &e, const NativeCall &call);
  static Result strip(Evaluator &e, const NativeCall &call);
  static Result startsOrEnds(Evaluator &e, const NativeCall &call);
  static Result replace(Evaluator &e, const NativeCall &call);
  static Result partition(Evaluator &e, const NativeCall &call);
  static Result removeAffix(Evaluator &e, const NativeCall &call);
  static Result expandTabs(Evaluator &e, const NativeCall &call);
  static Result pad(Evaluator &e, const NativeCall &call);

  static llvm::ArrayRef<NativeFunction> table() {
    static constexpr size_t any = NativeFunction::any;
    static constexpr NativeFunction rows[] = {
        {"center", pad, 1, 2, ""},
        {"count", search, 1, 3, ""},
        {"endswith", startsOrEnds, 1, 3, ""},
        {"expandtabs", expandTabs, 0, 1, ""},
        {"find", search, 1, 3, ""},
        {"format", format, 0, any, "*"},
        {"index", search, 1, 3, ""},
        {"join", join, 1, 1, ""},
        {"ljust", pad, 1, 2, ""},
        {"lstrip", strip, 0, 1, ""},
        {"partition", partition, 1, 1, ""},
        {"removeprefix", removeAffix, 1, 1, ""},
        {"removesuffix", removeAffix, 1, 1, ""},
        {"replace", replace, 2, 3, ""},
        {"rfind", search, 1, 3, ""},
        {"rindex", search, 1, 3, ""},
        {"rjust", pad, 1, 2, ""},
        {"rpartition", partition, 1, 1, ""},
        {"rsplit", split, 0, 2, "*"},
        {"rstrip", strip, 0, 1, ""},
        {"split", split, 0, 2, "*"},
        {"splitlines", splitLines, 0, 1, ""},
        {"startswith", startsOrEnds, 1, 3, ""},
        {"strip", strip, 0, 1, ""},
        {"zfill", pad, 1, 1, ""},
    };
    return rows;
  }
};

std::optional<Section> Evaluator::StringMethods::section(const NativeCall &call) {
  Section in;
  for (auto [i, bound] : {std::pair(size_t{1}, &in.start), std::pair(size_t{2}, &in.end)}) {
    const AnyValue *given = i < call.args.size() ? &call.args[i] : nullptr;
    if (given && given->isInt())
      *bound = given->data.toInt();
    else if (given && !given->isNone())
      return std::nullopt;
  }
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

/// find, rfind, count, index, rindex
Result Evaluator::StringMethods::search(Evaluator &e, const NativeCall &call) {
  const std::optional<Section> in = isText(call, 0) ? section(call) : std::nullopt;
  if (!in)
    return e.refuseArguments(call);
  return e.valueOf(findNamed(searches, call.name)->find(text(call), textAt(call, 0), *in), call.range);
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

/// split, rsplit
Result Evaluator::StringMethods::split(Evaluator &e, const NativeCall &call) {
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
  return listOf(e, call,
                call.name == "split" ? python::split(text(call), separator, most.data.toInt())
                                     : splitFromRight(text(call), separator, most.data.toInt()));
}

Result Evaluator::StringMethods::splitLines(Evaluator &e, const NativeCall &call) {
  if (!mayBeInt(call, 0))
    return e.refuseArguments(call);
  return listOf(e, call, python::splitLines(text(call), !call.args.empty() && call.args[0].data.toInt() != 0));
}

/// strip, lstrip, rstrip
Result Evaluator::StringMethods::strip(Evaluator &e, const NativeCall &call) {
  if (!call.args.empty() && !call.args[0].isNone() && !isText(call, 0))
    return e.refuseArguments(call);
  const auto chars = isText(call, 0) ? std::optional(textAt(call, 0)) : std::nullopt;
  return AnyValue(IValue(call.name == "strip"    ? python::strip(text(call), chars)
                         : call.name == "lstrip" ? stripLeft(text(call), chars)
                                                 : stripRight(text(call), chars)));
}

/// startswith, endswith
Result Evaluator::StringMethods::startsOrEnds(Evaluator &e, const NativeCall &call) {
  const std::optional<Section> in = section(call);
  if (!in)
    return e.refuseArguments(call);
  auto *several = call.args[0].as<TupleObject>();
  for (const AnyValue &one : several ? llvm::ArrayRef(several->elements) : llvm::ArrayRef(call.args[0])) {
    if (!one.isString())
      return e.raise(call.range, "TypeError",
                     several ? "tuple for " + call.name + " must only contain str, not " + e.typeName(one)
                             : call.name + " first arg must be str or a tuple of str, not " + e.typeName(one));
    const StringRef part = one.data.toString();
    if (call.name == "startswith" ? startsWith(text(call), part, *in) : endsWith(text(call), part, *in))
      return AnyValue(IValue(true));
  }
  return AnyValue(IValue(false));
}

Result Evaluator::StringMethods::replace(Evaluator &e, const NativeCall &call) {
  if (!isText(call, 0) || !isText(call, 1) || !mayBeInt(call, 2))
    return e.refuseArguments(call);
  const int64_t most = call.args.size() == 3 ? call.args[2].data.toInt() : -1;
  return e.valueOf(python::replace(text(call), textAt(call, 0), textAt(call, 1), most), call.range);
}

/// partition, rpartition
Result Evaluator::StringMethods::partition(Evaluator &e, const NativeCall &call) {
  if (!isText(call, 0))
    return e.refuseArguments(call);
  StatusOr<Partition> parts = call.name == "partition" ? python::partition(text(call), textAt(call, 0))
                                                       : partitionFromRight(text(call), textAt(call, 0));
  if (!parts.ok())
    return e.raiseStatus(call.range, parts.status());
  auto *tuple = e.make<TupleObject>();
  tuple->elements = {IValue(parts->before), IValue(parts->separator), IValue(parts->after)};
  return AnyValue(tuple);
}

/// removeprefix, removesuffix
Result Evaluator::StringMethods::removeAffix(Evaluator &e, const NativeCall &call) {
  if (!isText(call, 0))
    return e.refuseArguments(call);
  StringRef rest = text(call);
  (void)(call.name == "removeprefix" ? rest.consume_front(textAt(call, 0)) : rest.consume_back(textAt(call, 0)));
  return AnyValue(IValue(rest));
}

Result Evaluator::StringMethods::expandTabs(Evaluator &e, const NativeCall &call) {
  if (!mayBeInt(call, 0))
    return e.refuseArguments(call);
  return e.valueOf(python::expandTabs(text(call), call.args.empty() ? 8 : call.args[0].data.toInt()), call.range);
}

/// center, ljust, rjust, zfill
Result Evaluator::StringMethods::pad(Evaluator &e, const NativeCall &call) {
  if (!call.args[0].isInt())
    return e.refuseArguments(call);
  const int64_t width = call.args[0].data.toInt();
  if (call.args.size() == 2 && !isText(call, 1))
    return e.raise(call.range, "TypeError",
                   "The fill character must be a unicode character, not " + e.typeName(call.args[1]));
  if (!e.countElements(std::max<int64_t>(0, width), 1, call.range))
    return std::nullopt;
  const StringRef fill = call.args.size() == 2 ? textAt(call, 1) : " ";
  return e.valueOf(call.name == "zfill"   ? zfill(text(call), width)
                   : call.name == "ljust" ? ljust(text(call), width, fill)
                   : call.name == "rjust" ? rjust(text(call), width, fill)
                                          : center(text(call), width, fill),
                   call.range);
}

Result Evaluator::callString(const NativeCall &call) {
  const StringRef text = call.self.data.toString();
  const bool isAlone = call.args.empty() && call.arguments.keywords.empty();
  if (const Question *question = findNamed(questions, call.name); question && isAlone)
    return AnyValue(IValue(question->holds(text, Letters::CodePoints)));
  if (const Change *change = findNamed(::changes, call.name); change && isAlone)
    return AnyValue(IValue(change->make(text, Letters::CodePoints)));
  return callMethod(StringMethods::table(), call);
}
