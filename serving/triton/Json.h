//===- Json.h - The JSON in which Triton gives configurations -------------===//
#ifndef TSC_SERVING_TRITON_JSON_H
#define TSC_SERVING_TRITON_JSON_H

#include "Failure.h"
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace tsc::triton {

/// A JSON value. Numbers keep their text, and objects their order, so that what was not changed is printed as it was.
class Json {
public:
  enum class Kind { Null, Bool, Number, String, Array, Object };
  using Member = std::pair<std::string, Json>;

  Json() = default;
  static Json string(std::string text);
  static Json integer(int64_t value);
  static Json array();
  static Json object();

  /// Reads `text`, which is one value, nested at most 64 deep.
  static Status parse(std::string_view text, Json &value);
  /// Returns the value as text.
  std::string print() const;

  Kind kind() const { return kind_; }
  /// The text of a string or number, "true" or "false" of a bool; "" of others.
  const std::string &text() const { return text_; }
  /// The integer that a number or a string is ("12", as protocol buffers write large ones), or `otherwise`.
  int64_t asInteger(int64_t otherwise = 0) const;
  bool asBool() const { return text_ == "true"; }
  /// The elements of an array; none of other values.
  const std::vector<Json> &elements() const { return elements_; }
  std::vector<Json> &elements() { return elements_; }
  /// The members of an object; none of other values.
  const std::vector<Member> &members() const { return members_; }
  /// Returns the member with this name, or a null value.
  const Json &operator[](std::string_view name) const;
  /// Sets the member with this name, which is added where it is missing.
  void set(std::string_view name, Json value);

private:
  friend class JsonBuilder;
  Kind kind_ = Kind::Null;
  std::string text_;
  std::vector<Json> elements_;
  std::vector<Member> members_;
};

} // namespace tsc::triton

#endif
