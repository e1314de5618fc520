//===- Json.cpp - Reading and printing JSON -------------------------------===//
#include "Json.h"
#include <charconv>

namespace tsc::triton {

Json Json::string(std::string text) {
  Json value;
  value.kind_ = Kind::String;
  value.text_ = std::move(text);
  return value;
}

Json Json::integer(int64_t number) {
  Json value;
  value.kind_ = Kind::Number;
  value.text_ = std::to_string(number);
  return value;
}

Json Json::array() {
  Json value;
  value.kind_ = Kind::Array;
  return value;
}

Json Json::object() {
  Json value;
  value.kind_ = Kind::Object;
  return value;
}

int64_t Json::asInteger(int64_t otherwise) const {
  int64_t number = 0;
  auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), number);
  return error == std::errc() && end == text_.data() + text_.size() ? number : otherwise;
}

const Json &Json::operator[](std::string_view name) const {
  static const Json null;
  for (const Member &member : members_)
    if (member.first == name)
      return member.second;
  return null;
}

void Json::set(std::string_view name, Json value) {
  for (Member &member : members_) {
    if (member.first == name) {
      member.second = std::move(value);
      return;
    }
  }
  members_.emplace_back(name, std::move(value));
}

/// Appends `code` in UTF-8.
static void appendUtf8(std::string &text, uint32_t code) {
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xc0 | code >> 6);
    text += static_cast<char>(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    text += static_cast<char>(0xe0 | code >> 12);
    text += static_cast<char>(0x80 | (code >> 6 & 0x3f));
    text += static_cast<char>(0x80 | (code & 0x3f));
  } else {
    text += static_cast<char>(0xf0 | code >> 18);
    text += static_cast<char>(0x80 | (code >> 12 & 0x3f));
    text += static_cast<char>(0x80 | (code >> 6 & 0x3f));
    text += static_cast<char>(0x80 | (code & 0x3f));
  }
}

/// Reads a text from left to right. Each function reads one thing, and returns whether it is there.
class JsonParser {
public:
  explicit JsonParser(std::string_view text) : rest(text) {}

  bool parseAll(Json &value) {
    if (!parse(value, 64))
      return false;
    skipSpace();
    return rest.empty();
  }
  size_t remaining() const { return rest.size(); }

private:
  void skipSpace() {
    size_t end = rest.find_first_not_of(" \t\r\n");
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end);
  }
  bool take(std::string_view token) {
    skipSpace();
    if (!rest.starts_with(token))
      return false;
    rest.remove_prefix(token.size());
    return true;
  }

  bool parse(Json &value, int depth) {
    skipSpace();
    if (rest.empty() || depth == 0)
      return false;
    switch (rest.front()) {
    case '{': return parseObject(value, depth);
    case '[': return parseArray(value, depth);
    case '"': value.kind_ = Json::Kind::String; return parseString(value.text_);
    default: return parseWord(value);
    }
  }

  bool parseObject(Json &value, int depth) {
    value.kind_ = Json::Kind::Object;
    take("{");
    if (take("}"))
      return true;
    do {
      auto &[name, member] = value.members_.emplace_back();
      skipSpace();
      if (!parseString(name) || !take(":") || !parse(member, depth - 1))
        return false;
    } while (take(","));
    return take("}");
  }

  bool parseArray(Json &value, int depth) {
    value.kind_ = Json::Kind::Array;
    take("[");
    if (take("]"))
      return true;
    do {
      if (!parse(value.elements_.emplace_back(), depth - 1))
        return false;
    } while (take(","));
    return take("]");
  }

  bool parseWord(Json &value) {
    size_t end = rest.find_first_of(",]} \t\r\n");
    std::string_view word = rest.substr(0, end);
    rest.remove_prefix(word.size());
    if (word == "null")
      return true;
    value.text_ = word;
    if (word == "true" || word == "false") {
      value.kind_ = Json::Kind::Bool;
      return true;
    }
    value.kind_ = Json::Kind::Number;
    return !word.empty() && word.find_first_not_of("0123456789+-.eE") == std::string_view::npos;
  }

  bool parseString(std::string &text) {
    if (rest.empty() || rest.front() != '"')
      return false;
    rest.remove_prefix(1);
    while (!rest.empty()) {
      char c = rest.front();
      rest.remove_prefix(1);
      if (c == '"')
        return true;
      if (c != '\\')
        text += c;
      else if (!parseEscape(text))
        return false;
    }
    return false;
  }

  bool parseEscape(std::string &text) {
    if (rest.empty())
      return false;
    char c = rest.front();
    rest.remove_prefix(1);
    static constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
    if (size_t index = letters.find(c); index != std::string_view::npos) {
      text += meanings[index];
      return true;
    }
    uint32_t code = 0;
    if (c != 'u' || !parseHex(code))
      return false;
    if (code >= 0xd800 && code < 0xdc00) { // the first half of a pair
      uint32_t low = 0;
      if (!rest.starts_with("\\u"))
        return false;
      rest.remove_prefix(2);
      if (!parseHex(low) || low < 0xdc00 || low > 0xdfff)
        return false;
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    appendUtf8(text, code);
    return true;
  }

  bool parseHex(uint32_t &code) {
    if (rest.size() < 4)
      return false;
    auto [end, error] = std::from_chars(rest.data(), rest.data() + 4, code, 16);
    bool good = error == std::errc() && end == rest.data() + 4;
    rest.remove_prefix(4);
    return good;
  }

  std::string_view rest;
};

Status Json::parse(std::string_view text, Json &value) {
  JsonParser parser(text);
  value = Json();
  if (parser.parseAll(value))
    return std::nullopt;
  return invalid("the JSON of a configuration is wrong at byte " + std::to_string(text.size() - parser.remaining()));
}

static void printString(std::string &out, std::string_view text) {
  static constexpr char digits[] = "0123456789abcdef";
  out += '"';
  for (char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += "\\u00";
      out += digits[c >> 4];
      out += digits[c & 15];
    } else {
      out += c;
    }
  }
  out += '"';
}

static void printTo(std::string &out, const Json &value) {
  const char *separator = "";
  switch (value.kind()) {
  case Json::Kind::Null: out += "null"; break;
  case Json::Kind::Bool:
  case Json::Kind::Number: out += value.text(); break;
  case Json::Kind::String: printString(out, value.text()); break;
  case Json::Kind::Array:
    out += '[';
    for (const Json &element : value.elements()) {
      out += std::exchange(separator, ",");
      printTo(out, element);
    }
    out += ']';
    break;
  case Json::Kind::Object:
    out += '{';
    for (const auto &[name, member] : value.members()) {
      out += std::exchange(separator, ",");
      printString(out, name);
      out += ':';
      printTo(out, member);
    }
    out += '}';
    break;
  }
}

std::string Json::print() const {
  std::string out;
  printTo(out, *this);
  return out;
}

} // namespace tsc::triton
