//===- Signature.cpp - Reading schemas ------------------------------------===//
#include "Signature.h"
#include <utility>

namespace tsc::triton {

static std::string_view trim(std::string_view text) {
  size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos)
    return {};
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

/// Returns where `text`, which begins within a bracket, closes it, or npos. Brackets within strings do not count.
static size_t findClosing(std::string_view text) {
  int depth = 1;
  char quote = 0;
  for (size_t i = 0; i != text.size(); ++i) {
    char c = text[i];
    if (quote) {
      if (c == '\\')
        ++i;
      else if (c == quote)
        quote = 0;
      if (i >= text.size())
        break;
      continue;
    }
    if (c == '"' || c == '\'')
      quote = c;
    else if (c == '(' || c == '[' || c == '{')
      ++depth;
    else if ((c == ')' || c == ']' || c == '}') && --depth == 0)
      return i;
  }
  return std::string_view::npos;
}

/// Returns where `text` has this character outside of brackets and strings, or npos.
static size_t findOutside(std::string_view text, char wanted) {
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == wanted)
      return i;
    if (c == '(' || c == '[' || c == '{') {
      size_t length = findClosing(text.substr(i + 1));
      if (length == std::string_view::npos)
        return length;
      i += length + 1;
    } else if (c == '"' || c == '\'') {
      for (++i; i < text.size() && text[i] != c; ++i)
        i += text[i] == '\\';
    }
  }
  return std::string_view::npos;
}

/// Returns the parts of `text` between commas outside of brackets.
static std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  while (!trim(text).empty()) {
    size_t comma = findOutside(text, ',');
    parts.push_back(trim(text.substr(0, comma)));
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
  }
  return parts;
}

static ArgumentKind kindOf(std::string_view type) {
  static constexpr std::pair<std::string_view, ArgumentKind> kinds[] = {
      {"Tensor", ArgumentKind::Tensor},     {"int", ArgumentKind::Int},
      {"float", ArgumentKind::Float},       {"bool", ArgumentKind::Bool},
      {"str", ArgumentKind::String},        {"int[]", ArgumentKind::IntList},
      {"float[]", ArgumentKind::FloatList}, {"bool[]", ArgumentKind::BoolList},
      {"str[]", ArgumentKind::StringList},  {"Dict(str, Tensor)", ArgumentKind::TensorDict}};
  for (const auto &[name, kind] : kinds)
    if (name == type)
      return kind;
  return ArgumentKind::Other;
}

/// Reads one argument, "int[2] sizes=[1, 2]". The name is the last word before the default value.
static bool parseArgument(std::string_view text, Argument &argument) {
  if (size_t equals = findOutside(text, '='); equals != std::string_view::npos) {
    argument.hasDefault = true;
    text = trim(text.substr(0, equals));
  }
  size_t space = text.rfind(' ');
  if (space == std::string_view::npos)
    return false;
  argument.name = text.substr(space + 1);
  std::string_view type = trim(text.substr(0, space));
  argument.type = type;
  if (type.ends_with('?')) {
    argument.isOptional = true;
    type.remove_suffix(1);
  }
  argument.kind = kindOf(type);
  return true;
}

/// Reads the fields of "NamedTuple(a : Tensor, b : int)".
static std::vector<std::string> fieldNames(std::string_view type) {
  std::vector<std::string> names;
  static constexpr std::string_view prefix = "NamedTuple(";
  if (!type.starts_with(prefix) || !type.ends_with(')'))
    return names;
  for (std::string_view field : split(type.substr(prefix.size(), type.size() - prefix.size() - 1)))
    names.emplace_back(trim(field.substr(0, field.find(':'))));
  return names;
}

Status Signature::parse(std::string_view schema, Signature &signature) {
  signature = Signature();
  Failure unreadable = invalid("the schema '" + std::string(schema) + "' is not understood");
  size_t open = schema.find('(');
  if (open == std::string_view::npos)
    return unreadable;
  std::string_view rest = schema.substr(open + 1);
  size_t close = findClosing(rest), arrow = rest.find("->", close == std::string_view::npos ? 0 : close);
  if (close == std::string_view::npos || arrow == std::string_view::npos)
    return unreadable;
  bool isKeywordOnly = false;
  for (std::string_view part : split(rest.substr(0, close))) {
    if (part == "*") {
      isKeywordOnly = true;
      continue;
    }
    Argument argument;
    if (!parseArgument(part, argument))
      return unreadable;
    argument.isKeywordOnly = isKeywordOnly;
    if (argument.name != "self" || !signature.arguments.empty() || argument.kind != ArgumentKind::Other)
      signature.arguments.push_back(std::move(argument));
  }
  std::string_view result = trim(rest.substr(arrow + 2));
  // A tuple is printed as the only one in a list of results.
  if (result.starts_with("((") && findClosing(result.substr(1)) == result.size() - 2)
    result = result.substr(1, result.size() - 2);
  signature.result = result;
  signature.resultNames = fieldNames(result);
  return std::nullopt;
}

int Signature::find(std::string_view name) const {
  for (size_t i = 0; i != arguments.size(); ++i)
    if (arguments[i].name == name)
      return static_cast<int>(i);
  return -1;
}

} // namespace tsc::triton
