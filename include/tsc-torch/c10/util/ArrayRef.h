//===- ArrayRef.h - A view of elements one after the other ------*- C++ -*-===//
#ifndef TSC_TORCH_C10_ARRAYREF_H
#define TSC_TORCH_C10_ARRAYREF_H
#include <array>
#include <c10/util/Exception.h>
#include <c10/util/Optional.h>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <ostream>
#include <vector>

#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 9
// A list in braces lives until the call that it is an argument of is over, which is all that is asked for.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winit-list-lifetime"
#endif

namespace c10 {
inline namespace tsc_torch {

/// Points to elements that belong to somebody else.
template <typename T> class ArrayRef final {
public:
  using iterator = const T *;
  using const_iterator = const T *;
  using size_type = size_t;
  using value_type = T;
  using reverse_iterator = std::reverse_iterator<iterator>;

  constexpr ArrayRef() : Data(nullptr), Length(0) {}
  constexpr ArrayRef(const T &element) : Data(&element), Length(1) {}
  constexpr ArrayRef(const T *data, size_t length) : Data(data), Length(length) {}
  constexpr ArrayRef(const T *begin, const T *end) : Data(begin), Length(static_cast<size_t>(end - begin)) {}
  /// Any container with data() and size() of this type: vectors, small vectors, spans.
  template <typename Container, typename U = decltype(std::declval<const Container &>().data()),
            typename = std::enable_if_t<(std::is_same<U, const T *>::value || std::is_same<U, T *>::value) &&
                                        !std::is_same<Container, ArrayRef>::value>,
            typename = decltype(std::declval<const Container &>().size())>
  ArrayRef(const Container &container) : Data(container.data()), Length(container.size()) {}
  template <size_t N> constexpr ArrayRef(const T (&array)[N]) : Data(array), Length(N) {}
  constexpr ArrayRef(const std::initializer_list<T> &list)
      : Data(list.begin() == list.end() ? nullptr : list.begin()), Length(list.size()) {}

  constexpr iterator begin() const { return Data; }
  constexpr iterator end() const { return Data + Length; }
  constexpr const_iterator cbegin() const { return Data; }
  constexpr const_iterator cend() const { return Data + Length; }
  reverse_iterator rbegin() const { return reverse_iterator(end()); }
  reverse_iterator rend() const { return reverse_iterator(begin()); }
  constexpr bool empty() const { return Length == 0; }
  constexpr const T *data() const { return Data; }
  constexpr size_t size() const { return Length; }
  const T &front() const { return at(0); }
  const T &back() const { return at(Length - 1); }
  /// Whether both have equal elements in the same order.
  bool equals(ArrayRef other) const {
    if (Length != other.Length)
      return false;
    for (size_t i = 0; i != Length; ++i)
      if (!(Data[i] == other.Data[i]))
        return false;
    return true;
  }
  /// Returns `m` elements, of which the first is number `n`. c10::Error where there are fewer.
  ArrayRef slice(size_t n, size_t m) const {
    TORCH_CHECK(n <= Length && m <= Length - n, "ArrayRef: invalid slice, N = ", n, "; M = ", m, "; size = ", Length);
    return ArrayRef(Data + n, m);
  }
  /// Returns the elements from number `n` on. c10::Error where there are fewer than `n`.
  ArrayRef slice(size_t n) const {
    TORCH_CHECK(n <= Length, "ArrayRef: invalid slice, N = ", n, "; size = ", Length);
    return slice(n, Length - n);
  }
  constexpr const T &operator[](size_t index) const { return Data[index]; }
  /// Returns an element. An index out of range is a c10::Error.
  const T &at(size_t index) const {
    TORCH_CHECK(index < Length, "ArrayRef: invalid index Index = ", index, "; Length = ", Length);
    return Data[index];
  }
  std::vector<T> vec() const { return std::vector<T>(Data, Data + Length); }

private:
  const T *Data;
  size_t Length;
};

template <typename T> std::ostream &operator<<(std::ostream &out, ArrayRef<T> list) {
  out << "[";
  for (size_t i = 0; i != list.size(); ++i)
    out << (i ? ", " : "") << list[i];
  return out << "]";
}
template <typename T> bool operator==(ArrayRef<T> a, ArrayRef<T> b) { return a.equals(b); }
template <typename T> bool operator!=(ArrayRef<T> a, ArrayRef<T> b) { return !a.equals(b); }
template <typename T> bool operator==(const std::vector<T> &a, ArrayRef<T> b) { return ArrayRef<T>(a).equals(b); }
template <typename T> bool operator!=(const std::vector<T> &a, ArrayRef<T> b) { return !ArrayRef<T>(a).equals(b); }
template <typename T> bool operator==(ArrayRef<T> a, const std::vector<T> &b) { return a.equals(ArrayRef<T>(b)); }
template <typename T> bool operator!=(ArrayRef<T> a, const std::vector<T> &b) { return !a.equals(ArrayRef<T>(b)); }

template <typename T> ArrayRef<T> makeArrayRef(const T &element) { return element; }
template <typename T> ArrayRef<T> makeArrayRef(const T *data, size_t length) { return ArrayRef<T>(data, length); }
template <typename T> ArrayRef<T> makeArrayRef(const std::vector<T> &list) { return list; }
template <typename T, size_t N> ArrayRef<T> makeArrayRef(const std::array<T, N> &list) { return list; }

/// Integers that belong to somebody else: sizes, strides, dimensions.
using IntArrayRef = ArrayRef<int64_t>;
using SymInt = int64_t; ///< Sizes are numbers here.
/// The sizes that LibTorch's functions take as symbols, which are numbers here.
using SymIntArrayRef = ArrayRef<SymInt>;

/// An optional list of numbers, which may be given as a list, as one number or as nothing.
class OptionalIntArrayRef final {
public:
  constexpr OptionalIntArrayRef() : list(), engaged(false), single(0) {}
  constexpr OptionalIntArrayRef(nullopt_t) : OptionalIntArrayRef() {}
  OptionalIntArrayRef(IntArrayRef given) : list(given), engaged(true), single(0) {}
  OptionalIntArrayRef(const std::vector<int64_t> &given) : list(given), engaged(true), single(0) {}
  OptionalIntArrayRef(const std::initializer_list<int64_t> &given) : list(given), engaged(true), single(0) {}
  template <size_t N>
  OptionalIntArrayRef(const std::array<int64_t, N> &given) : list(given), engaged(true), single(0) {}
  template <typename T, typename = std::enable_if_t<std::is_integral<T>::value && !std::is_same<T, bool>::value>>
  OptionalIntArrayRef(T number) : list(), engaged(true), single(static_cast<int64_t>(number)), isSingle(true) {}
  template <typename T> OptionalIntArrayRef(const optional<T> &given) : list(), engaged(given.has_value()), single(0) {
    if (given)
      list = IntArrayRef(*given);
  }
  bool has_value() const { return engaged; }
  explicit operator bool() const { return engaged; }
  IntArrayRef value() const {
    if (!engaged)
      throw bad_optional_access();
    return isSingle ? IntArrayRef(&single, 1) : list;
  }
  IntArrayRef operator*() const { return value(); }

private:
  IntArrayRef list;
  bool engaged;
  int64_t single;
  bool isSingle = false;
};

} // namespace tsc_torch
} // namespace c10

#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 9
#pragma GCC diagnostic pop
#endif

namespace torch {
using c10::ArrayRef;
using c10::IntArrayRef;
} // namespace torch

#endif
