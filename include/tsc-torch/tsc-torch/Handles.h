//===- Handles.h - Values of tsc's C interface, owned -----------*- C++ -*-===//
//
// What the other headers share: an owner for a tsc_value, and tsc's errors as
// exceptions. Hosts use none of it by name.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_TORCH_HANDLES_H
#define TSC_TORCH_HANDLES_H
#include <c10/util/Exception.h>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <tsc-c/tsc.h>
#include <utility>

namespace tsc_torch_detail {

/// Throws the error as the class that LibTorch has for it, and frees it.
[[noreturn]] inline void raise(tsc_error *error) {
  const std::string message = tsc_error_message(error), exception = tsc_error_exception(error);
  const tsc_code code = tsc_error_code(error);
  tsc_error_free(error);
  if (exception == "builtins.IndexError")
    throw c10::IndexError(message, "");
  if (exception == "builtins.ValueError")
    throw c10::ValueError(message, "");
  if (exception == "builtins.TypeError")
    throw c10::TypeError(message, "");
  if (exception == "builtins.NotImplementedError")
    throw c10::NotImplementedError(message, "");
  if (code == TSC_RESOURCE_EXHAUSTED)
    throw c10::OutOfMemoryError(message, "");
  throw c10::Error(message, "");
}
inline void check(tsc_error *error) {
  if (C10_UNLIKELY(error != nullptr))
    raise(error);
}
/// What a function of the host's has thrown while gradients went through it in this thread, until it is thrown again.
inline std::exception_ptr &thrownInBackward() {
  static thread_local std::exception_ptr thrown;
  return thrown;
}
/// Does what check() does for an error of a function that computes gradients. Where a function of the host's threw,
/// throws that again.
inline void checkGradients(tsc_error *error) {
  std::exception_ptr thrown;
  std::swap(thrown, thrownInBackward());
  if (C10_LIKELY(error == nullptr))
    return;
  if (!thrown)
    raise(error);
  tsc_error_free(error);
  std::rethrow_exception(thrown);
}
/// A value that was made; std::bad_alloc where there was no memory.
inline tsc_value *made(tsc_value *value) {
  if (C10_UNLIKELY(!value))
    throw std::bad_alloc();
  return value;
}

/// Owns a tsc_value.
class Value {
public:
  Value() = default;
  explicit Value(tsc_value *owned) : value(owned) {}
  Value(Value &&other) noexcept : value(other.release()) {}
  Value(const Value &other) : value(other.value ? made(tsc_value_new_reference(other.value)) : nullptr) {}
  Value &operator=(Value other) noexcept {
    std::swap(value, other.value);
    return *this;
  }
  ~Value() { tsc_value_free(value); }

  tsc_value *get() const { return value; }
  /// Frees its value, and returns the place for another one, which a function gives through a pointer.
  tsc_value **out() {
    tsc_value_free(value);
    value = nullptr;
    return &value;
  }
  /// Hands its value to the caller, who frees it.
  tsc_value *release() {
    tsc_value *given = value;
    value = nullptr;
    return given;
  }
  explicit operator bool() const { return value != nullptr; }

private:
  tsc_value *value = nullptr;
};

/// Returns a copy of a string's text. Another value is a c10::Error.
inline std::string textOf(const tsc_value *value) {
  const char *text = nullptr;
  size_t length = 0;
  check(tsc_value_get_string(value, &text, &length));
  return std::string(text, length);
}
/// None, which many calls pass.
inline tsc_value *none() {
  static tsc_value *const value = made(tsc_value_new_none());
  return value;
}
/// Returns how many elements a list, tuple or dict has. Another value is a c10::Error.
inline size_t sizeOf(const tsc_value *value) {
  size_t size = 0;
  check(tsc_value_size(value, &size));
  return size;
}
/// Returns an element of a list or tuple; of a dict, an entry as a tuple of key and value. c10::Error where there is
/// none.
inline Value elementOf(const tsc_value *value, size_t index) {
  Value element;
  check(tsc_value_element(value, index, element.out()));
  return element;
}

} // namespace tsc_torch_detail

#endif
