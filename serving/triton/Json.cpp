//===- Json.cpp - Reading and printing JSON -------------------------------===//
#include "Json.h"
#include <charconv>
#include <nlohmann/json.hpp>

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

/// Takes what the parser finds, one event after the other.
class JsonBuilder {
public:
  explicit JsonBuilder(Json &root) : root(root) {}

  bool null() { return add(Json::Kind::Null, ""); }
  bool boolean(bool value) { return add(Json::Kind::Bool, value ? "true" : "false"); }
  bool number_integer(int64_t value) { return add(Json::Kind::Number, std::to_string(value)); }
  bool number_unsigned(uint64_t value) { return add(Json::Kind::Number, std::to_string(value)); }
  bool number_float(double, const std::string &text) { return add(Json::Kind::Number, text); }
  bool string(std::string &value) { return add(Json::Kind::String, std::move(value)); }
  bool binary(nlohmann::json::binary_t &) { return false; } // no text has one
  bool start_object(size_t) { return open(Json::Kind::Object); }
  bool start_array(size_t) { return open(Json::Kind::Array); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string &name) {
    around.back()->members_.emplace_back(std::move(name), Json());
    return true;
  }
  bool parse_error(size_t position, const std::string &, const nlohmann::json::exception &) {
    wrongAt = position;
    return false;
  }

  size_t wrongAt = 0; ///< The byte, counted from 1, at which the text is wrong; 0 where it is nested too deeply.

private:
  /// The value that comes next: an element, the value of the last key, or all of the text.
  Json &next() {
    if (around.empty())
      return root;
    Json &outer = *around.back();
    return outer.kind_ == Json::Kind::Array ? outer.elements_.emplace_back() : outer.members_.back().second;
  }
  bool add(Json::Kind kind, std::string text) {
    Json &value = next();
    value.kind_ = kind;
    value.text_ = std::move(text);
    return true;
  }
  bool open(Json::Kind kind) {
    if (around.size() == 64)
      return false;
    Json &value = next();
    value.kind_ = kind;
    around.push_back(&value);
    return true;
  }
  bool close() {
    around.pop_back();
    return true;
  }

  Json &root;
  std::vector<Json *> around; ///< The arrays and objects that are open, outermost first.
};

Status Json::parse(std::string_view text, Json &value) {
  value = Json();
  JsonBuilder builder(value);
  if (nlohmann::json::sax_parse(text, &builder))
    return std::nullopt;
  if (builder.wrongAt == 0)
    return invalid("the JSON of a configuration is nested more than 64 deep");
  return invalid("the JSON of a configuration is wrong at byte " + std::to_string(builder.wrongAt));
}

/// Prints a string with what it may hold, bytes that are no UTF-8 included, which become a replacement character.
static void printString(std::string &out, std::string_view text) {
  out += nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
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
