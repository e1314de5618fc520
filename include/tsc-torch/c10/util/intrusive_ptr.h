//===- intrusive_ptr.h - Pointers to what counts its owners -----*- C++ -*-===//
#ifndef TSC_TORCH_C10_INTRUSIVE_PTR_H
#define TSC_TORCH_C10_INTRUSIVE_PTR_H
#include <atomic>
#include <c10/macros/Macros.h>
#include <cstddef>
#include <functional>
#include <type_traits>
#include <utility>

namespace c10 {
inline namespace tsc_torch {

template <typename T> class intrusive_ptr;

/// The base of what an intrusive_ptr may point to.
class intrusive_ptr_target {
public:
  intrusive_ptr_target() noexcept : owners(0) {}
  intrusive_ptr_target(const intrusive_ptr_target &) noexcept : owners(0) {}
  intrusive_ptr_target &operator=(const intrusive_ptr_target &) noexcept { return *this; }

protected:
  virtual ~intrusive_ptr_target() = default;

private:
  template <typename T> friend class intrusive_ptr;
  mutable std::atomic<size_t> owners;
};

namespace raw {
/// Marks the constructor that takes an object over from one of its owners.
struct DontIncreaseRefcount {};
} // namespace raw

/// Owns together with others; the last one deletes.
template <typename T> class intrusive_ptr final {
public:
  using element_type = T;

  intrusive_ptr() noexcept : target(nullptr) {}
  intrusive_ptr(std::nullptr_t) noexcept : target(nullptr) {}
  explicit intrusive_ptr(T *owned, raw::DontIncreaseRefcount) noexcept : target(owned) {}
  intrusive_ptr(const intrusive_ptr &other) noexcept : target(other.target) { retain(); }
  intrusive_ptr(intrusive_ptr &&other) noexcept : target(other.target) { other.target = nullptr; }
  template <typename U, typename = std::enable_if_t<std::is_convertible<U *, T *>::value>>
  intrusive_ptr(const intrusive_ptr<U> &other) noexcept : target(other.get()) {
    retain();
  }
  template <typename U, typename = std::enable_if_t<std::is_convertible<U *, T *>::value>>
  intrusive_ptr(intrusive_ptr<U> &&other) noexcept : target(other.release()) {}
  ~intrusive_ptr() noexcept { drop(); }

  intrusive_ptr &operator=(intrusive_ptr other) noexcept {
    std::swap(target, other.target);
    return *this;
  }

  /// Makes an object of the arguments, and returns its first owner.
  template <typename... Args> static intrusive_ptr make(Args &&...args) {
    intrusive_ptr made;
    made.target = new T(std::forward<Args>(args)...);
    made.retain();
    return made;
  }
  /// Takes over what release() gave.
  static intrusive_ptr reclaim(T *owned) { return intrusive_ptr(owned, raw::DontIncreaseRefcount{}); }
  /// Returns one more owner of an object; null for null.
  static intrusive_ptr reclaim_copy(T *shared) {
    intrusive_ptr made(shared, raw::DontIncreaseRefcount{});
    made.retain();
    return made;
  }
  /// One more owner of an object that others own.
  static intrusive_ptr unsafe_reclaim_from_nonowning(T *shared) { return reclaim_copy(shared); }

  T *get() const noexcept { return target; }
  T &operator*() const noexcept { return *target; }
  T *operator->() const noexcept { return target; }
  explicit operator bool() const noexcept { return target != nullptr; }
  bool defined() const noexcept { return target != nullptr; }
  /// Gives its object up, which is deleted where it was the last owner, and points to nothing.
  void reset() noexcept {
    drop();
    target = nullptr;
  }
  void swap(intrusive_ptr &other) noexcept { std::swap(target, other.target); }
  /// Hands its share in the object to the caller, who passes it to reclaim(), and points to nothing.
  T *release() noexcept {
    T *given = target;
    target = nullptr;
    return given;
  }
  size_t use_count() const noexcept { return target ? count().load(std::memory_order_acquire) : 0; }
  bool unique() const noexcept { return use_count() == 1; }

private:
  std::atomic<size_t> &count() const noexcept { return static_cast<const intrusive_ptr_target *>(target)->owners; }
  void retain() noexcept {
    if (target)
      count().fetch_add(1, std::memory_order_relaxed);
  }
  void drop() noexcept {
    if (target && count().fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete static_cast<const intrusive_ptr_target *>(target);
  }

  T *target;
};

template <typename T, typename... Args> intrusive_ptr<T> make_intrusive(Args &&...args) {
  return intrusive_ptr<T>::make(std::forward<Args>(args)...);
}
template <typename T, typename U> bool operator==(const intrusive_ptr<T> &a, const intrusive_ptr<U> &b) noexcept {
  return a.get() == b.get();
}
template <typename T, typename U> bool operator!=(const intrusive_ptr<T> &a, const intrusive_ptr<U> &b) noexcept {
  return a.get() != b.get();
}
template <typename T> bool operator==(const intrusive_ptr<T> &a, std::nullptr_t) noexcept { return !a; }
template <typename T> bool operator!=(const intrusive_ptr<T> &a, std::nullptr_t) noexcept {
  return static_cast<bool>(a);
}
template <typename T> bool operator<(const intrusive_ptr<T> &a, const intrusive_ptr<T> &b) noexcept {
  return std::less<T *>()(a.get(), b.get());
}
template <typename T, typename U> intrusive_ptr<T> static_intrusive_pointer_cast(const intrusive_ptr<U> &from) {
  return intrusive_ptr<T>::reclaim_copy(static_cast<T *>(from.get()));
}
template <typename T, typename U> intrusive_ptr<T> dynamic_intrusive_pointer_cast(const intrusive_ptr<U> &from) {
  return intrusive_ptr<T>::reclaim_copy(dynamic_cast<T *>(from.get()));
}

} // namespace tsc_torch
} // namespace c10

namespace std {
/// Hashes the address of the object, so that pointers can be keys.
template <typename T> struct hash<c10::intrusive_ptr<T>> {
  size_t operator()(const c10::intrusive_ptr<T> &p) const { return std::hash<T *>()(p.get()); }
};
} // namespace std

#endif
