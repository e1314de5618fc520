//===- Strings.cpp - Methods of strings, while loading --------------------===//
//
// Strings are their code points, as in Python. What depends on tables of Unicode
// (case, classes of letters) is refused for what is no ASCII.
//
//===----------------------------------------------------------------------===//
#include "Evaluator.h"
#include "tsc/Frontend/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ConvertUTF.h"

using namespace tsc;
using namespace tsc::python;

/// Whether str.split() and strip() take a character for white space.
static bool isSpace(StringRef character) {
  if (character.size() == 1)
    return llvm::isSpace(character[0]) || (character[0] >= '\x1c' && character[0] <= '\x1f');
  static constexpr StringRef wide[] = {"\u0085", "\u00a0", "\u1680", "\u2000", "\u2001", "\u2002", "\u2003",
                                       "\u2004", "\u2005", "\u2006", "\u2007", "\u2008", "\u2009", "\u200a",
                                       "\u2028", "\u2029", "\u202f", "\u205f", "\u3000"};
  return llvm::is_contained(wide, character);
}

/// The text without the characters at its ends that `goes` holds for.
static StringRef stripped(StringRef text, bool left, bool right, llvm::function_ref<bool(StringRef)> goes) {
  std::vector<StringRef> points = characters(text);
  size_t first = 0, last = points.size();
  while (left && first != last && goes(points[first]))
    text = text.drop_front(points[first++].size());
  while (right && first != last && goes(points[last - 1]))
    text = text.drop_back(points[--last].size());
  return text;
}

/// What is between white space: at most `most` times from one end, and what is left.
static std::vector<StringRef> words(StringRef text, int64_t most, bool fromRight) {
  std::vector<StringRef> parts;
  for (text = stripped(text, !fromRight, fromRight, isSpace); !text.empty();
       text = stripped(text, !fromRight, fromRight, isSpace)) {
    if (most >= 0 && static_cast<int64_t>(parts.size()) == most) {
      parts.push_back(stripped(text, fromRight, !fromRight, isSpace));
      break;
    }
    std::vector<StringRef> points = characters(text);
    if (fromRight)
      std::reverse(points.begin(), points.end());
    size_t length = 0;
    for (StringRef point : points) {
      if (isSpace(point))
        break;
      length += point.size();
    }
    parts.push_back(fromRight ? text.take_back(length) : text.take_front(length));
    text = fromRight ? text.drop_back(length) : text.drop_front(length);
  }
  if (fromRight)
    std::reverse(parts.begin(), parts.end());
  return parts;
}

static std::vector<StringRef> split(StringRef text, StringRef by, int64_t most, bool fromRight) {
  std::vector<StringRef> parts;
  while (most < 0 || static_cast<int64_t>(parts.size()) < most) {
    const size_t at = fromRight ? text.rfind(by) : text.find(by);
    if (at == StringRef::npos)
      break;
    parts.push_back(fromRight ? text.substr(at + by.size()) : text.take_front(at));
    text = fromRight ? text.take_front(at) : text.substr(at + by.size());
  }
  parts.push_back(text);
  if (fromRight)
    std::reverse(parts.begin(), parts.end());
  return parts;
}

static std::string replaced(StringRef text, StringRef old, StringRef by, int64_t most) {
  std::string result;
  if (old.empty()) {                             // stands before each character, and at the end
    uint64_t left = static_cast<uint64_t>(most); // what is negative is more than there are characters
    for (StringRef point : characters(text)) {
      result += left ? by.str() : "";
      left -= left != 0;
      result += point;
    }
    return left ? result + by.str() : result;
  }
  for (; most != 0; --most) {
    const size_t at = text.find(old);
    if (at == StringRef::npos)
      break;
    result += (text.take_front(at) + by).str();
    text = text.substr(at + old.size());
  }
  return result + text.str();
}

/// "tiTle of_it" as "Title Of_It", or with `isOne` as "Title of_it".
static std::string titled(StringRef text, bool isOne) {
  std::string result;
  bool isInside = false;
  for (char c : text) {
    result += isInside ? llvm::toLower(c) : llvm::toUpper(c);
    isInside = isOne || llvm::isAlpha(c);
  }
  return result;
}

static bool isKind(StringRef name, StringRef text) {
  const bool hasLower = llvm::any_of(text, llvm::isLower), hasUpper = llvm::any_of(text, llvm::isUpper);
  if (name == "islower" || name == "isupper")
    return name == "islower" ? hasLower && !hasUpper : hasUpper && !hasLower;
  if (name == "isascii")
    return true;
  auto is = [&](char c) {
    return name == "isalpha"   ? llvm::isAlpha(c)
           : name == "isalnum" ? llvm::isAlnum(c)
           : name == "isspace" ? isSpace(StringRef(&c, 1))
                               : llvm::isDigit(c);
  };
  return !text.empty() && llvm::all_of(text, is);
}

Result Evaluator::callString(StringRef name, StringRef text, const Arguments &arguments, SourceRange range) {
  const std::vector<AnyValue> &args = arguments.positional;
  const StringRef method = name;
  auto texts = [&](const std::vector<StringRef> &parts) {
    auto *list = make<ListObject>();
    for (StringRef part : parts)
      list->elements.push_back(IValue(part));
    return AnyValue(list);
  };
  auto whole = [](int64_t number) { return AnyValue(IValue(number)); };
  /// The place of a byte, in code points.
  auto placeOf = [&](size_t byte) { return static_cast<int64_t>(characters(text.take_front(byte)).size()); };
  auto isText = [&](size_t i) { return i < args.size() && args[i].isString(); };
  auto textAt = [&](size_t i) { return StringRef(args[i].data.toString()); };
  auto unknown = [&] { return refuse(range, "calls of 'str." + method + "' with these arguments"); };
  auto wants = [&](size_t low, size_t high) {
    return arguments.keywords.empty() && args.size() >= low && args.size() <= high;
  };
  if (name == "format")
    return formatted(text, arguments, range);
  if (name == "join" && wants(1, 1)) {
    std::vector<AnyValue> parts;
    if (!elements(args[0], range, parts))
      return std::nullopt;
    std::string joined;
    for (auto [i, part] : llvm::enumerate(parts)) {
      if (!part.isString())
        return raise(range, "TypeError",
                     "sequence item " + llvm::Twine(i) + ": expected str instance, " + typeName(part) + " found");
      joined += (i ? text.str() : "") + part.data.toString();
    }
    return AnyValue(IValue(joined));
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
    if (by.isNone())
      return texts(words(text, most.data.toInt(), name == "rsplit"));
    if (by.data.toString().empty())
      return raise(range, "ValueError", "empty separator");
    return texts(split(text, by.data.toString(), most.data.toInt(), name == "rsplit"));
  }
  if ((name == "strip" || name == "lstrip" || name == "rstrip") && wants(0, 1) &&
      (args.empty() || args[0].isNone() || args[0].isString())) {
    std::vector<StringRef> what = isText(0) ? characters(textAt(0)) : std::vector<StringRef>();
    auto goes = [&](StringRef point) { return isText(0) ? llvm::is_contained(what, point) : isSpace(point); };
    return AnyValue(IValue(stripped(text, name != "rstrip", name != "lstrip", goes)));
  }
  if ((name == "startswith" || name == "endswith") && wants(1, 1)) {
    auto *several = args[0].as<TupleObject>();
    for (const AnyValue &one : several ? several->elements : args) {
      if (!one.isString())
        return raise(range, "TypeError",
                     several ? "tuple for " + name + " must only contain str, not " + typeName(one)
                             : name + " first arg must be str or a tuple of str, not " + typeName(one));
      StringRef part = one.data.toString();
      if (name == "startswith" ? text.starts_with(part) : text.ends_with(part))
        return AnyValue(IValue(true));
    }
    return AnyValue(IValue(false));
  }
  if (name == "replace" && wants(2, 3) && isText(0) && isText(1) && (args.size() == 2 || args[2].isInt()))
    return AnyValue(IValue(replaced(text, textAt(0), textAt(1), args.size() == 3 ? args[2].data.toInt() : -1)));
  if ((name == "find" || name == "rfind" || name == "index" || name == "rindex") && wants(1, 1) && isText(0)) {
    const size_t at = name.starts_with("r") ? text.rfind(textAt(0)) : text.find(textAt(0));
    if (at == StringRef::npos && name.ends_with("index"))
      return raise(range, "ValueError", "substring not found");
    return whole(at == StringRef::npos ? -1 : placeOf(at));
  }
  if (name == "count" && wants(1, 1) && isText(0))
    return whole(textAt(0).empty() ? placeOf(text.size()) + 1 : static_cast<int64_t>(text.count(textAt(0))));
  if ((name == "partition" || name == "rpartition") && wants(1, 1) && isText(0)) {
    if (textAt(0).empty())
      return raise(range, "ValueError", "empty separator");
    const size_t at = name == "partition" ? text.find(textAt(0)) : text.rfind(textAt(0));
    auto *tuple = make<TupleObject>();
    if (at == StringRef::npos && name == "partition")
      tuple->elements = {IValue(text), IValue(""), IValue("")};
    else if (at == StringRef::npos)
      tuple->elements = {IValue(""), IValue(""), IValue(text)};
    else
      tuple->elements = {IValue(text.take_front(at)), args[0], IValue(text.substr(at + textAt(0).size()))};
    return AnyValue(tuple);
  }
  if ((name == "removeprefix" || name == "removesuffix") && wants(1, 1) && isText(0)) {
    StringRef rest = text;
    (void)(name == "removeprefix" ? rest.consume_front(textAt(0)) : rest.consume_back(textAt(0)));
    return AnyValue(IValue(rest));
  }
  if ((name == "center" || name == "ljust" || name == "rjust" || name == "zfill") &&
      wants(1, name == "zfill" ? 1 : 2) && args[0].isInt()) {
    if (args.size() == 2 && (!isText(1) || characters(textAt(1)).size() != 1))
      return raise(range, "TypeError", "The fill character must be exactly one character long");
    const std::string fill = args.size() == 2 ? textAt(1).str() : name == "zfill" ? "0" : " ";
    const int64_t width = args[0].data.toInt(), missing = std::max<int64_t>(0, width - placeOf(text.size()));
    if (!countElements(missing, 1, range))
      return std::nullopt;
    // Where it cannot stand in the middle, an odd width puts it further right.
    const int64_t left = name == "ljust" ? 0 : name == "center" ? missing / 2 + (missing & width & 1) : missing;
    StringRef sign = name == "zfill" ? text.take_while([&](char c) { return c == '+' || c == '-'; }).take_front(1) : "";
    std::string result = sign.str();
    for (int64_t i = 0; i != left; ++i)
      result += fill;
    result += text.substr(sign.size());
    for (int64_t i = left; i != missing; ++i)
      result += fill;
    return AnyValue(IValue(result));
  }
  const bool isOfLetters = llvm::StringSwitch<bool>(name)
                               .Cases("lower", "upper", "title", "capitalize", "swapcase", "casefold", true)
                               .Cases("isdigit", "isalpha", "isalnum", "isspace", "isupper", "islower", true)
                               .Cases("isdecimal", "isnumeric", "isascii", true)
                               .Default(false);
  if (!isOfLetters || !wants(0, 0))
    return unknown();
  if (!llvm::isASCII(text)) {
    if (name == "isascii")
      return AnyValue(IValue(false));
    return refuse(range, "'str." + name + "' of letters that are not ASCII");
  }
  if (name.starts_with("is"))
    return AnyValue(IValue(isKind(name, text)));
  if (name == "title" || name == "capitalize")
    return AnyValue(IValue(titled(text, name == "capitalize")));
  if (name == "swapcase") {
    std::string swapped;
    for (char c : text)
      swapped += llvm::isLower(c) ? llvm::toUpper(c) : llvm::toLower(c);
    return AnyValue(IValue(swapped));
  }
  return AnyValue(IValue(name == "upper" ? text.upper() : text.lower()));
}
