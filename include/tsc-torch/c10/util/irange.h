//===- irange.h - Ranges of integers -------------------------- -*- C++ -*-===//
#ifndef TSC_TORCH_C10_UTIL_IRANGE_H
#define TSC_TORCH_C10_UTIL_IRANGE_H
#include <c10/macros/Macros.h>
#include <cstddef>
#include <iterator>
#include <type_traits>

namespace c10 {
inline namespace tsc_torch {

/// The integers from `first` up to and without `last`.
template <typename T> class integer_range {
public:
  /// A position in the range: its number.
  class iterator {
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = const T *;
    using reference = T;
    explicit iterator(T at) : at(at) {}
    T operator*() const { return at; }
    iterator &operator++() { return ++at, *this; }
    iterator operator++(int) { return iterator(at++); }
    bool operator==(const iterator &other) const { return at == other.at; }
    bool operator!=(const iterator &other) const { return at != other.at; }

  private:
    T at;
  };
  integer_range(T first, T last) : first(first), last(last < first ? first : last) {}
  iterator begin() const { return first; }
  iterator end() const { return last; }

private:
  iterator first, last;
};
template <typename A, typename B, typename = std::enable_if_t<std::is_integral<A>::value && std::is_integral<B>::value>>
integer_range<B> irange(A first, B last) {
  return integer_range<B>(static_cast<B>(first), last);
}
template <typename T, typename = std::enable_if_t<std::is_integral<T>::value>> integer_range<T> irange(T last) {
  return integer_range<T>(T(0), last);
}

} // namespace tsc_torch
} // namespace c10

#endif
