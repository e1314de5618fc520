//===- Exception.h - c10::Error and the checks that throw it ----*- C++ -*-===//
#ifndef TSC_TORCH_C10_EXCEPTION_H
#define TSC_TORCH_C10_EXCEPTION_H
#include <c10/macros/Macros.h>
#include <cstdint>
#include <exception>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace c10 {
inline namespace tsc_torch {

/// Where in the host's source something is.
struct SourceLocation {
  const char *function;
  const char *file;
  uint32_t line;
};
inline std::ostream &operator<<(std::ostream &out, const SourceLocation &place) {
  return out << place.function << " at " << place.file << ":" << place.line;
}

/// What operators, loading, calls and checks throw; what a program raises is torch::jit::JITException. It is a
/// std::runtime_error, which some versions of LibTorch throw where a call fails and others throw c10::Error: hosts of
/// either catch it. There is no backtrace of the host's frames: what() is the message with its context.
class Error : public std::runtime_error {
public:
  Error(SourceLocation place, std::string message) : Error(std::move(message), std::string(), nullptr) {
    where = place;
  }
  Error(std::string message, std::string backtrace, const void *caller = nullptr)
      : std::runtime_error(message), message(std::move(message)), trace(std::move(backtrace)), origin(caller) {
    refresh();
  }
  Error(const char *, uint32_t, const char *, const std::string &message, const std::string &backtrace,
        const void *caller = nullptr)
      : Error(message, backtrace, caller) {}

  /// Adds a line that says what the host was about.
  void add_context(std::string line) {
    lines.push_back(std::move(line));
    refresh();
  }
  const std::string &msg() const { return message; }
  const std::vector<std::string> &context() const { return lines; }
  const std::string &backtrace() const { return trace; }
  const char *what() const noexcept override { return whole.c_str(); }
  const void *caller() const noexcept { return origin; }
  virtual const char *what_without_backtrace() const noexcept { return short_.c_str(); }

private:
  void refresh() {
    short_ = message;
    for (const std::string &line : lines)
      short_ += "\n  " + line;
    whole = trace.empty() ? short_ : short_ + "\n" + trace;
  }

  std::string message, trace, short_, whole;
  std::vector<std::string> lines;
  const void *origin = nullptr;
  SourceLocation where{"", "", 0};
};

#define TSC_TORCH_ERROR(NAME, BASE)                                                                                    \
  class NAME : public BASE {                                                                                           \
  public:                                                                                                              \
    using BASE::BASE;                                                                                                  \
  }
TSC_TORCH_ERROR(IndexError, Error);          ///< Python's IndexError.
TSC_TORCH_ERROR(ValueError, Error);          ///< Python's ValueError.
TSC_TORCH_ERROR(TypeError, Error);           ///< Python's TypeError.
TSC_TORCH_ERROR(NotImplementedError, Error); ///< Python's NotImplementedError.
TSC_TORCH_ERROR(EnforceFiniteError, Error);
TSC_TORCH_ERROR(LinAlgError, Error); ///< torch.linalg.LinAlgError.
TSC_TORCH_ERROR(OutOfMemoryError, Error);
TSC_TORCH_ERROR(SyntaxError, Error);
#undef TSC_TORCH_ERROR

// str() and the checks take the containers of the standard library, and containers of such, too.
template <typename First, typename Second>
std::ostream &operator<<(std::ostream &out, const std::pair<First, Second> &pair);
template <typename T> std::ostream &operator<<(std::ostream &out, const std::vector<T> &elements);
template <typename T> std::ostream &operator<<(std::ostream &out, const std::set<T> &elements);
template <typename K, typename V> std::ostream &operator<<(std::ostream &out, const std::map<K, V> &entries);
/// Writes the elements, with a blank between two, and of more than 100 the first hundred.
template <typename Iterator> void PrintSequence(Iterator first, Iterator last, std::ostream &out) {
  for (int count = 0; first != last; ++first, ++count) {
    if (count == 100) {
      out << " ...";
      return;
    }
    out << (count ? " " : "") << *first;
  }
}
template <typename First, typename Second>
std::ostream &operator<<(std::ostream &out, const std::pair<First, Second> &pair) {
  return out << '(' << pair.first << ", " << pair.second << ')';
}
template <typename T> std::ostream &operator<<(std::ostream &out, const std::vector<T> &elements) {
  return PrintSequence(elements.begin(), elements.end(), out), out;
}
template <typename T> std::ostream &operator<<(std::ostream &out, const std::set<T> &elements) {
  return PrintSequence(elements.begin(), elements.end(), out), out;
}
template <typename K, typename V> std::ostream &operator<<(std::ostream &out, const std::map<K, V> &entries) {
  return PrintSequence(entries.begin(), entries.end(), out), out;
}

/// The arguments one after the other, as text.
inline void strTo(std::ostream &) {}
template <typename First, typename... Rest> void strTo(std::ostream &out, const First &first, const Rest &...rest) {
  out << first;
  strTo(out, rest...);
}
/// Returns the arguments one after the other, as text.
template <typename... Args> std::string str(const Args &...args) {
  std::ostringstream out;
  strTo(out, args...);
  return out.str();
}

template <typename E = Error> [[noreturn]] void throwChecked(const SourceLocation &place, const std::string &message) {
  throw E(place, message);
}
/// What a failed check says: its own words, or where it stands.
inline std::string checkMessage(const char *standard) { return standard; }
template <typename... Args> std::string checkMessage(const char *, const Args &...args) { return str(args...); }

/// Writes a warning to standard error.
inline void warn(const SourceLocation &place, const std::string &message) {
  std::cerr << "[W " << place.file << ":" << place.line << "] Warning: " << message << " (function " << place.function
            << ")" << std::endl;
}

} // namespace tsc_torch
} // namespace c10

#define TSC_TORCH_HERE                                                                                                 \
  ::c10::SourceLocation { __func__, __FILE__, static_cast<uint32_t>(__LINE__) }
#define TSC_TORCH_CHECK_AS(TYPE, condition, ...)                                                                       \
  do {                                                                                                                 \
    if (C10_UNLIKELY(!(condition)))                                                                                    \
      ::c10::throwChecked<TYPE>(                                                                                       \
          TSC_TORCH_HERE,                                                                                              \
          ::c10::checkMessage("Expected " #condition                                                                   \
                              " to be true, but got false.  (Could this error message be improved?  If so, please "    \
                              "report an enhancement request to PyTorch.)",                                            \
                              ##__VA_ARGS__));                                                                         \
  } while (false)
#define TORCH_CHECK(...) TSC_TORCH_CHECK_AS(::c10::Error, __VA_ARGS__)
#define TORCH_CHECK_INDEX(...) TSC_TORCH_CHECK_AS(::c10::IndexError, __VA_ARGS__)
#define TORCH_CHECK_VALUE(...) TSC_TORCH_CHECK_AS(::c10::ValueError, __VA_ARGS__)
#define TORCH_CHECK_TYPE(...) TSC_TORCH_CHECK_AS(::c10::TypeError, __VA_ARGS__)
#define TORCH_CHECK_NOT_IMPLEMENTED(...) TSC_TORCH_CHECK_AS(::c10::NotImplementedError, __VA_ARGS__)
#define TORCH_CHECK_LINALG(...) TSC_TORCH_CHECK_AS(::c10::LinAlgError, __VA_ARGS__)
#define TORCH_CHECK_WITH(TYPE, ...) TSC_TORCH_CHECK_AS(::c10::TYPE, __VA_ARGS__)
#define TORCH_INTERNAL_ASSERT(...) TSC_TORCH_CHECK_AS(::c10::Error, __VA_ARGS__)
#ifdef NDEBUG
#define TORCH_INTERNAL_ASSERT_DEBUG_ONLY(...)                                                                          \
  do {                                                                                                                 \
  } while (false)
#else
#define TORCH_INTERNAL_ASSERT_DEBUG_ONLY(...) TORCH_INTERNAL_ASSERT(__VA_ARGS__)
#endif
#define AT_ASSERT(...) TORCH_INTERNAL_ASSERT(__VA_ARGS__)
#define AT_ASSERTM(...) TORCH_CHECK(__VA_ARGS__)
#define AT_ERROR(...) ::c10::throwChecked(TSC_TORCH_HERE, ::c10::str(__VA_ARGS__))
#define C10_THROW_ERROR(TYPE, message) throw ::c10::TYPE(TSC_TORCH_HERE, message)
#define TORCH_WARN(...) ::c10::warn(TSC_TORCH_HERE, ::c10::str(__VA_ARGS__))
#define TORCH_WARN_ONCE(...)                                                                                           \
  do {                                                                                                                 \
    static const bool once = (TORCH_WARN(__VA_ARGS__), true);                                                          \
    (void)once;                                                                                                        \
  } while (false)
#define AT_WARN(...) TORCH_WARN(__VA_ARGS__)

namespace at {
using c10::Error;
using c10::IndexError;
} // namespace at
namespace torch {
using c10::Error;
} // namespace torch

#endif
