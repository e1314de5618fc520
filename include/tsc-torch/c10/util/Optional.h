//===- Optional.h - c10::optional -------------------------------*- C++ -*-===//
#ifndef TSC_TORCH_C10_OPTIONAL_H
#define TSC_TORCH_C10_OPTIONAL_H
#include <c10/macros/Macros.h>
#include <stdexcept>
#include <type_traits>
#include <utility>
#if __cplusplus >= 201703L
#include <optional>

namespace c10 {
using std::bad_optional_access;
using std::in_place;
using std::in_place_t;
using std::make_optional;
using std::nullopt;
using std::nullopt_t;
using std::optional;
} // namespace c10

#else
#include <memory>
#include <new>

namespace c10 {
inline namespace tsc_torch {

struct nullopt_t {
  explicit constexpr nullopt_t(int) {}
};
constexpr nullopt_t nullopt{0};
struct in_place_t {};
constexpr in_place_t in_place{};

class bad_optional_access : public std::logic_error {
public:
  bad_optional_access() : std::logic_error("bad optional access") {}
};

/// std::optional, for C++14.
template <typename T> class optional {
public:
  using value_type = T;

  optional() noexcept : engaged(false) {}
  optional(nullopt_t) noexcept : engaged(false) {}
  optional(const optional &other) : engaged(false) {
    if (other.engaged)
      construct(*other);
  }
  optional(optional &&other) noexcept(std::is_nothrow_move_constructible<T>::value) : engaged(false) {
    if (other.engaged)
      construct(std::move(*other));
  }
  template <typename U = T,
            typename = std::enable_if_t<
                std::is_constructible<T, U &&>::value && !std::is_same<std::decay_t<U>, optional>::value &&
                !std::is_same<std::decay_t<U>, in_place_t>::value && std::is_convertible<U &&, T>::value>>
  optional(U &&value) : engaged(false) {
    construct(std::forward<U>(value));
  }
  template <typename U,
            typename = std::enable_if_t<!std::is_same<U, T>::value && std::is_constructible<T, const U &>::value &&
                                        !std::is_constructible<T, const optional<U> &>::value>>
  optional(const optional<U> &other) : engaged(false) {
    if (other.has_value())
      construct(*other);
  }
  template <typename... Args> explicit optional(in_place_t, Args &&...args) : engaged(false) {
    construct(std::forward<Args>(args)...);
  }
  ~optional() { reset(); }

  optional &operator=(nullopt_t) noexcept {
    reset();
    return *this;
  }
  optional &operator=(const optional &other) {
    if (this != &other) {
      reset();
      if (other.engaged)
        construct(*other);
    }
    return *this;
  }
  optional &operator=(optional &&other) {
    if (this != &other) {
      reset();
      if (other.engaged)
        construct(std::move(*other));
    }
    return *this;
  }

  template <typename... Args> T &emplace(Args &&...args) {
    reset();
    construct(std::forward<Args>(args)...);
    return **this;
  }
  void reset() noexcept {
    if (engaged)
      address()->~T();
    engaged = false;
  }
  bool has_value() const noexcept { return engaged; }
  explicit operator bool() const noexcept { return engaged; }
  T &operator*() & { return *address(); }
  const T &operator*() const & { return *address(); }
  T &&operator*() && { return std::move(*address()); }
  T *operator->() { return address(); }
  const T *operator->() const { return address(); }
  T &value() & { return check(), *address(); }
  const T &value() const & { return check(), *address(); }
  T &&value() && { return check(), std::move(*address()); }
  template <typename U> T value_or(U &&other) const & {
    return engaged ? **this : static_cast<T>(std::forward<U>(other));
  }
  template <typename U> T value_or(U &&other) && {
    return engaged ? std::move(*address()) : static_cast<T>(std::forward<U>(other));
  }

private:
  T *address() { return reinterpret_cast<T *>(&storage); }
  const T *address() const { return reinterpret_cast<const T *>(&storage); }
  void check() const {
    if (!engaged)
      throw bad_optional_access();
  }
  template <typename... Args> void construct(Args &&...args) {
    new (static_cast<void *>(&storage)) T(std::forward<Args>(args)...);
    engaged = true;
  }

  std::aligned_storage_t<sizeof(T), alignof(T)> storage;
  bool engaged;
};

template <typename T> bool operator==(const optional<T> &a, const optional<T> &b) {
  return a.has_value() == b.has_value() && (!a || *a == *b);
}
template <typename T> bool operator!=(const optional<T> &a, const optional<T> &b) { return !(a == b); }
template <typename T> bool operator==(const optional<T> &a, nullopt_t) { return !a; }
template <typename T> bool operator!=(const optional<T> &a, nullopt_t) { return static_cast<bool>(a); }
template <typename T, typename U> auto operator==(const optional<T> &a, const U &b) -> decltype(*a == b) {
  return a && *a == b;
}
template <typename T, typename U> auto operator!=(const optional<T> &a, const U &b) -> decltype(*a != b) {
  return !a || *a != b;
}
template <typename T> optional<std::decay_t<T>> make_optional(T &&value) {
  return optional<std::decay_t<T>>(std::forward<T>(value));
}

} // namespace tsc_torch
} // namespace c10
#endif

namespace at {
using c10::make_optional;
using c10::nullopt;
using c10::optional;
} // namespace at

#endif
