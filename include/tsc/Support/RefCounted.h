//===- RefCounted.h - Intrusive reference counts ----------------*- C++ -*-===//
//
// Payloads of IValues (tensors, strings, lists, objects, ...) carry their own
// reference count, so that a value is one pointer and making one allocates once.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_SUPPORT_REFCOUNTED_H
#define TSC_SUPPORT_REFCOUNTED_H

#include <atomic>
#include <cstdint>
#include <utility>

namespace tsc {

/// Base of everything that is shared by reference counting. A new object has one reference, which its maker owns.
class RefCounted {
public:
  RefCounted() = default;
  RefCounted(const RefCounted &) : refs(1) {}
  RefCounted &operator=(const RefCounted &) { return *this; }
  virtual ~RefCounted() = default;

  void retain() const { refs.fetch_add(1, std::memory_order_relaxed); }
  void release() const {
    // A sole owner needs no read-modify-write: nobody else can hold a reference to take another from.
    if (refs.load(std::memory_order_acquire) == 1 || refs.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete this;
  }
  uint32_t useCount() const { return refs.load(std::memory_order_relaxed); }

private:
  mutable std::atomic<uint32_t> refs{1};
};

/// A counted pointer to a RefCounted object; null when default-constructed.
template <typename T> class Ref {
public:
  Ref() = default;
  Ref(std::nullptr_t) {}
  /// Returns a Ref that takes over a reference of the caller's.
  static Ref adopt(T *object) {
    Ref r;
    r.object = object;
    return r;
  }
  /// Returns a Ref that has a reference of its own; `object` may be null.
  static Ref share(T *object) {
    if (object)
      object->retain();
    return adopt(object);
  }
  Ref(const Ref &other) : object(other.object) {
    if (object)
      object->retain();
  }
  Ref(Ref &&other) noexcept : object(std::exchange(other.object, nullptr)) {}
  template <typename U>
    requires std::is_convertible_v<U *, T *>
  Ref(Ref<U> other) : object(other.take()) {}
  Ref &operator=(Ref other) noexcept {
    std::swap(object, other.object);
    return *this;
  }
  ~Ref() {
    if (object)
      object->release();
  }

  T *get() const { return object; }
  T *operator->() const { return object; }
  T &operator*() const { return *object; }
  explicit operator bool() const { return object; }
  bool operator==(const Ref &other) const { return object == other.object; }
  /// Returns the pointer with its reference, which the caller has to release; this Ref becomes null.
  T *take() { return std::exchange(object, nullptr); }

private:
  T *object = nullptr;
};

/// Makes an object, and returns the only reference to it.
template <typename T, typename... Args> Ref<T> makeRef(Args &&...args) {
  return Ref<T>::adopt(new T(std::forward<Args>(args)...));
}

} // namespace tsc

#endif
