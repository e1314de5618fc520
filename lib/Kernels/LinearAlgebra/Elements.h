//===- Elements.h - The elements of a matrix that is worked on --*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_LINEARALGEBRA_ELEMENTS_H
#define TSC_LIB_KERNELS_LINEARALGEBRA_ELEMENTS_H

#include "tsc/Tensor/Allocator.h"
#include "llvm/Support/MemAlloc.h"
#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdlib>
#include <type_traits>
#include <utility>

namespace tsc::cpu::linalg {

/// A fixed number of numbers. Few stand in place, as batches of small matrices are many; more come from the caching
/// allocator, whose pages are mapped already.
template <typename T> class Elements {
  static_assert(std::is_trivially_copyable_v<T>);

public:
  Elements() = default;
  Elements(size_t count, T value) { assign(count, value); }
  Elements(const Elements &other) {
    take(other.count);
    std::copy(other.begin(), other.end(), begin());
  }
  Elements(Elements &&other) noexcept { receive(other); }
  Elements &operator=(const Elements &other) {
    if (this == &other)
      return *this;
    release();
    take(other.count);
    std::copy(other.begin(), other.end(), begin());
    return *this;
  }
  Elements &operator=(Elements &&other) noexcept {
    if (this == &other)
      return *this;
    release();
    receive(other);
    return *this;
  }
  ~Elements() { release(); }

  /// Returns elements that have no values yet.
  static Elements unset(size_t count) {
    Elements elements;
    elements.take(count);
    return elements;
  }

  /// Replaces all elements by `newCount` ones of this value.
  void assign(size_t newCount, T value) {
    release();
    take(newCount);
    std::fill(begin(), end(), value);
  }
  size_t size() const { return count; }
  T *data() { return far.data ? static_cast<T *>(far.data) : few; }
  const T *data() const { return far.data ? static_cast<const T *>(far.data) : few; }
  T *begin() { return data(); }
  T *end() { return data() + count; }
  const T *begin() const { return data(); }
  const T *end() const { return data() + count; }
  T &operator[](size_t i) { return data()[i]; }
  const T &operator[](size_t i) const { return data()[i]; }

private:
  void take(size_t wanted) {
    count = wanted;
    if (count <= inPlace)
      return;
    far = memory::allocate(count * sizeof(T));
    if (!far.data) // over the limit, which is one for tensors
      far = {llvm::safe_malloc(count * sizeof(T)), 0};
  }
  void release() {
    if (far.data && far.capacity)
      memory::deallocate(far.data, far.capacity);
    else if (far.data)
      std::free(far.data);
    far = {};
    count = 0;
  }
  /// Takes over the elements of `other`, where this has none. Few elements are copied.
  void receive(Elements &other) noexcept {
    assert(count == 0 && !far.data && "no elements");
    far = std::exchange(other.far, {});
    count = std::exchange(other.count, 0);
    if (!far.data)
      std::copy_n(other.few, count, few);
  }

  static constexpr size_t inPlace = 16;
  T few[inPlace];
  memory::Block far;
  size_t count = 0;
};

} // namespace tsc::cpu::linalg

#endif
