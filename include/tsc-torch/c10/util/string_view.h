//===- string_view.h - c10::string_view -------------------------*- C++ -*-===//
#ifndef TSC_TORCH_C10_STRING_VIEW_H
#define TSC_TORCH_C10_STRING_VIEW_H
#include <c10/macros/Macros.h>
#include <string>
#if __cplusplus >= 201703L
#include <string_view>
namespace c10 {
using std::string_view;
} // namespace c10
#else
#include <cstring>
#include <ostream>
namespace c10 {
inline namespace tsc_torch {
/// What of std::string_view hosts in C++14 use.
class string_view {
public:
  constexpr string_view() noexcept : start(nullptr), length(0) {}
  string_view(const char *text) : start(text), length(std::strlen(text)) {}
  constexpr string_view(const char *text, size_t size) : start(text), length(size) {}
  string_view(const std::string &text) noexcept : start(text.data()), length(text.size()) {}
  constexpr const char *data() const noexcept { return start; }
  constexpr size_t size() const noexcept { return length; }
  constexpr bool empty() const noexcept { return length == 0; }
  constexpr const char *begin() const noexcept { return start; }
  constexpr const char *end() const noexcept { return start + length; }
  constexpr char operator[](size_t i) const { return start[i]; }
  explicit operator std::string() const { return std::string(start, length); }
  friend bool operator==(string_view a, string_view b) {
    return a.length == b.length && (!a.length || std::memcmp(a.start, b.start, a.length) == 0);
  }
  friend bool operator!=(string_view a, string_view b) { return !(a == b); }
  friend std::ostream &operator<<(std::ostream &out, string_view text) {
    return out.write(text.start, static_cast<std::streamsize>(text.length));
  }

private:
  const char *start;
  size_t length;
};
} // namespace tsc_torch
} // namespace c10
#endif
#endif
