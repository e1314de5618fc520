//===- Strings.cpp - Methods of strings, while loading --------------------===//
//
// Checks what the methods are given; what they do is tsc/Python's.
//
//===----------------------------------------------------------------------===//
#include "Evaluator.h"
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

Result Evaluator::callString(StringRef name, StringRef text, const Arguments &arguments, SourceRange range) {
  const std::vector<AnyValue> &args = arguments.positional;
  const StringRef method = name;
  auto texts = [&](StatusOr<std::vector<StringRef>> parts) -> Result {
    if (!parts.ok())
      return raiseStatus(range, parts.status());
    auto *list = make<ListObject>();
    for (StringRef part : *parts)
      list->elements.push_back(IValue(part));
    return AnyValue(list);
  };
  auto isText = [&](size_t i) { return i < args.size() && args[i].isString(); };
  auto textAt = [&](size_t i) { return StringRef(args[i].data.toString()); };
  auto unknown = [&] { return refuse(range, "calls of 'str." + method + "' with these arguments"); };
  auto wants = [&](size_t low, size_t high) {
    return arguments.keywords.empty() && args.size() >= low && args.size() <= high;
  };
  /// The section that arguments from number 1 on give; nothing where these are no ints.
  auto section = [&]() -> std::optional<Section> {
    Section in;
    for (auto [i, bound] : {std::pair(1, &in.start), std::pair(2, &in.end)})
      if (args.size() > static_cast<size_t>(i) && args[i].isInt())
        *bound = args[i].data.toInt();
      else if (args.size() > static_cast<size_t>(i) && !args[i].isNone())
        return std::nullopt;
    return in;
  };
  if (name == "format")
    return formatted(text, arguments, range);
  if (const Question *question = findNamed(questions, name); question && wants(0, 0))
    return AnyValue(IValue(question->holds(text, Letters::CodePoints)));
  if (const Change *change = findNamed(::changes, name); change && wants(0, 0))
    return AnyValue(IValue(change->make(text, Letters::CodePoints)));
  if (const Search *search = findNamed(searches, name); search && wants(1, 3) && isText(0))
    if (std::optional<Section> in = section())
      return valueOf(search->find(text, textAt(0), *in), range);
  if (name == "join" && wants(1, 1)) {
    std::vector<AnyValue> parts;
    if (!elements(args[0], range, parts))
      return std::nullopt;
    for (auto [i, part] : llvm::enumerate(parts))
      if (!part.isString())
        return raise(range, "TypeError",
                     "sequence item " + llvm::Twine(i) + ": expected str instance, " + typeName(part) + " found");
    return valueOf(join(text, parts.size(), [&](size_t i) { return StringRef(parts[i].data.toString()); }), range);
  }
  if (name == "split" || name == "rsplit") {
    AnyValue by = args.empty() ? AnyValue() : args[0], most = args.size() > 1 ? args[1] : IValue(-1);
    for (const KeywordValue &keyword : arguments.keywords) {
      if (keyword.name != "sep" && keyword.name != "maxsplit")
        return unknown();
      (keyword.name == "sep" ? by : most) = keyword.value;
    }
    if (args.size() > 2 || !most.isInt() || (!by.isNone() && !by.isString()))
      return unknown();
    const auto separator = by.isNone() ? std::nullopt : std::optional<StringRef>(by.data.toString());
    return texts(name == "split" ? split(text, separator, most.data.toInt())
                                 : splitFromRight(text, separator, most.data.toInt()));
  }
  if (name == "splitlines" && wants(0, 1) && (args.empty() || args[0].isInt()))
    return texts(splitLines(text, !args.empty() && args[0].data.toInt() != 0));
  if ((name == "strip" || name == "lstrip" || name == "rstrip") && wants(0, 1) &&
      (args.empty() || args[0].isNone() || args[0].isString())) {
    const auto chars = isText(0) ? std::optional(textAt(0)) : std::nullopt;
    return AnyValue(IValue(name == "strip"    ? strip(text, chars)
                           : name == "lstrip" ? stripLeft(text, chars)
                                              : stripRight(text, chars)));
  }
  if (name == "startswith" || name == "endswith") {
    const std::optional<Section> in = wants(1, 3) ? section() : std::nullopt;
    if (!in)
      return unknown();
    auto *several = args[0].as<TupleObject>();
    for (const AnyValue &one : several ? llvm::ArrayRef(several->elements) : llvm::ArrayRef(args[0])) {
      if (!one.isString())
        return raise(range, "TypeError",
                     several ? "tuple for " + name + " must only contain str, not " + typeName(one)
                             : name + " first arg must be str or a tuple of str, not " + typeName(one));
      const StringRef part = one.data.toString();
      if (name == "startswith" ? startsWith(text, part, *in) : endsWith(text, part, *in))
        return AnyValue(IValue(true));
    }
    return AnyValue(IValue(false));
  }
  if (name == "replace" && wants(2, 3) && isText(0) && isText(1) && (args.size() == 2 || args[2].isInt()))
    return valueOf(replace(text, textAt(0), textAt(1), args.size() == 3 ? args[2].data.toInt() : -1), range);
  if ((name == "partition" || name == "rpartition") && wants(1, 1) && isText(0)) {
    StatusOr<Partition> parts = name == "partition" ? partition(text, textAt(0)) : partitionFromRight(text, textAt(0));
    if (!parts.ok())
      return raiseStatus(range, parts.status());
    auto *tuple = make<TupleObject>();
    tuple->elements = {IValue(parts->before), IValue(parts->separator), IValue(parts->after)};
    return AnyValue(tuple);
  }
  if ((name == "removeprefix" || name == "removesuffix") && wants(1, 1) && isText(0)) {
    StringRef rest = text;
    (void)(name == "removeprefix" ? rest.consume_front(textAt(0)) : rest.consume_back(textAt(0)));
    return AnyValue(IValue(rest));
  }
  if (name == "expandtabs" && wants(0, 1) && (args.empty() || args[0].isInt()))
    return valueOf(expandTabs(text, args.empty() ? 8 : args[0].data.toInt()), range);
  if ((name == "center" || name == "ljust" || name == "rjust" || name == "zfill") &&
      wants(1, name == "zfill" ? 1 : 2) && args[0].isInt()) {
    const int64_t width = args[0].data.toInt();
    if (args.size() == 2 && !isText(1))
      return raise(range, "TypeError", "The fill character must be a unicode character, not " + typeName(args[1]));
    if (!countElements(std::max<int64_t>(0, width), 1, range))
      return std::nullopt;
    const StringRef fill = args.size() == 2 ? textAt(1) : " ";
    return valueOf(name == "zfill"   ? zfill(text, width)
                   : name == "ljust" ? ljust(text, width, fill)
                   : name == "rjust" ? rjust(text, width, fill)
                                     : center(text, width, fill),
                   range);
  }
  return unknown();
}
