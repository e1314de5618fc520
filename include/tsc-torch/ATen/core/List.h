//===- List.h - c10::List ---------------------------------------*- C++ -*-===//
#ifndef TSC_TORCH_ATEN_LIST_H
#define TSC_TORCH_ATEN_LIST_H
#include <ATen/core/Tensor.h>
#include <ATen/core/jit_type.h>
#include <iterator>
#include <map>

namespace c10 {
inline namespace tsc_torch {

struct IValue;

namespace ivalue_detail {

/// What a list or a dict shares with its copies: tsc's handle of it.
struct Container : intrusive_ptr_target {
  explicit Container(tsc_torch_detail::Value owned) : value(std::move(owned)) {}
  ~Container() override;
  /// Makes an empty list or dict of the type that an annotation names, "List[int]". Another text is a c10::Error.
  static intrusive_ptr<Container> create(const std::string &type) {
    tsc_torch_detail::Value value;
    tsc_torch_detail::check(tsc_value_new_container(type.c_str(), value.out()));
    return make_intrusive<Container>(std::move(value));
  }
  /// The elements as they are at this moment. They stay valid until the next call, or until the list is gone.
  const std::vector<IValue> &elements();
  /// Returns an element that was read, and keeps it where it is a string: references to its text stay valid as long as
  /// the list has it.
  IValue keep(size_t index, IValue element);
  TypePtr type() const {
    tsc_torch_detail::Value text;
    tsc_torch_detail::check(tsc_value_get_type(value.get(), text.out()));
    return std::make_shared<Type>(tsc_torch_detail::textOf(text.get()));
  }

  tsc_torch_detail::Value value;

private:
  std::mutex mutex;
  std::vector<IValue> *known = nullptr;
  std::map<size_t, IValue> *texts = nullptr;
};

/// Does what Container::keep() does where the element is a value of any type.
template <typename T> T keepElement(Container &, size_t, T element) { return element; }
IValue keepElement(Container &list, size_t index, IValue element);

/// The annotation of a type in C++: "List[int]" of std::vector<int64_t>.
template <typename T> struct Annotation;
/// Converts a value to a type of C++. A value of another type is a c10::Error.
template <typename T> T fromHandle(tsc_torch_detail::Value owned);
/// Whether two values of a type of C++ are equal, as keys of a dict are.
template <typename T> bool isEqual(const T &a, const T &b);
/// Returns a handle of a value of C++.
template <typename T> tsc_torch_detail::Value toHandle(const T &element);

} // namespace ivalue_detail

/// What list[i] gives: the element, which can be assigned to. One of a class has its methods.
template <typename T, bool isClass> class ListElementReference;
/// A copy of an element of a class, whose methods can be called. Assigning to it also sets the list's element.
template <typename T> class ListElementReference<T, true> : public T {
public:
  ListElementReference(intrusive_ptr<ivalue_detail::Container> list, size_t index, T element)
      : T(std::move(element)), list(std::move(list)), position(index) {}
  ListElementReference(const ListElementReference &) = default;
  const T &get() const { return *this; }
  ListElementReference &operator=(const T &element) {
    tsc_torch_detail::check(tsc_list_set(list->value.get(), position, ivalue_detail::toHandle<T>(element).get()));
    T &mine = *this;
    mine = element;
    return *this;
  }
  ListElementReference &operator=(const ListElementReference &other) { return *this = other.get(); }

private:
  intrusive_ptr<ivalue_detail::Container> list;
  size_t position;
};
/// A copy of an element that is no class's. Assigning to it also sets the list's element.
template <typename T> class ListElementReference<T, false> {
public:
  ListElementReference(intrusive_ptr<ivalue_detail::Container> list, size_t index, T element)
      : list(std::move(list)), position(index), element(element) {}
  ListElementReference(const ListElementReference &) = default;
  operator T() const { return element; }
  T get() const { return element; }
  ListElementReference &operator=(const T &given) {
    tsc_torch_detail::check(tsc_list_set(list->value.get(), position, ivalue_detail::toHandle<T>(given).get()));
    element = given;
    return *this;
  }
  ListElementReference &operator=(const ListElementReference &other) { return *this = other.get(); }

private:
  intrusive_ptr<ivalue_detail::Container> list;
  size_t position;
  T element;
};

/// A list of TorchScript's, shared by its copies.
template <typename T> class List final {
public:
  using value_type = T;
  using size_type = size_t;
  using reference = ListElementReference<T, std::is_class<T>::value>;

  /// Goes over the elements by their positions. It borrows the List, and finds what the list holds when it is asked.
  class iterator {
  public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using reference = typename List::reference;
    using pointer = void;
    iterator() = default;
    iterator(const List *list, size_t index) : list(list), position(index) {}
    reference operator*() const { return list->at(position); }
    iterator &operator++() { return ++position, *this; }
    iterator operator++(int) { return iterator(list, position++); }
    iterator &operator--() { return --position, *this; }
    iterator operator+(difference_type n) const { return iterator(list, position + static_cast<size_t>(n)); }
    difference_type operator-(const iterator &other) const {
      return static_cast<difference_type>(position) - static_cast<difference_type>(other.position);
    }
    bool operator==(const iterator &other) const { return position == other.position; }
    bool operator!=(const iterator &other) const { return position != other.position; }
    bool operator<(const iterator &other) const { return position < other.position; }

  private:
    const List *list = nullptr;
    size_t position = 0;
  };
  using const_iterator = iterator;

  List() : impl(ivalue_detail::Container::create(ivalue_detail::Annotation<List<T>>::text())) {}
  explicit List(const TypePtr &elementType)
      : impl(ivalue_detail::Container::create("List[" + elementType->annotation_str() + "]")) {}
  List(std::initializer_list<T> elements) : List() {
    for (const T &element : elements)
      push_back(element);
  }
  explicit List(ArrayRef<T> elements) : List() {
    for (const T &element : elements)
      push_back(element);
  }
  explicit List(intrusive_ptr<ivalue_detail::Container> impl) : impl(std::move(impl)) {}

  /// Returns a copy of an element. A position out of range is a c10::IndexError.
  T get(size_t index) const {
    TORCH_CHECK_INDEX(index < size(), "list index out of range");
    return ivalue_detail::fromHandle<T>(tsc_torch_detail::elementOf(impl->value.get(), index));
  }
  T extract(size_t index) const { return get(index); }
  reference operator[](size_t index) const { return at(index); }
  reference at(size_t index) const {
    return reference(impl, index, ivalue_detail::keepElement(*impl, index, get(index)));
  }
  /// Replaces an element. A position out of range is a c10::IndexError.
  void set(size_t index, const T &element) const {
    TORCH_CHECK_INDEX(index < size(), "list index out of range");
    tsc_torch_detail::check(tsc_list_set(impl->value.get(), index, ivalue_detail::toHandle<T>(element).get()));
  }
  void push_back(const T &element) const {
    tsc_torch_detail::check(tsc_list_append(impl->value.get(), ivalue_detail::toHandle<T>(element).get()));
  }
  template <typename... Args> void emplace_back(Args &&...args) const { push_back(T(std::forward<Args>(args)...)); }
  void append(const List &other) const {
    for (const T &element : other.vec())
      push_back(element);
  }
  void pop_back() const {
    TORCH_CHECK_INDEX(!empty(), "pop from an empty list");
    tsc_torch_detail::check(tsc_list_truncate(impl->value.get(), size() - 1));
  }
  void clear() const { tsc_torch_detail::check(tsc_list_truncate(impl->value.get(), 0)); }
  /// Removes elements at the end, or appends `value`, until there are `count`.
  void resize(size_t count, const T &value = T()) const {
    if (count < size())
      tsc_torch_detail::check(tsc_list_truncate(impl->value.get(), count));
    while (size() < count)
      push_back(value);
  }
  void reserve(size_t) const {}
  size_t size() const { return tsc_torch_detail::sizeOf(impl->value.get()); }
  bool empty() const { return size() == 0; }
  iterator begin() const { return iterator(this, 0); }
  iterator end() const { return iterator(this, size()); }
  std::vector<T> vec() const {
    std::vector<T> all;
    const size_t count = size();
    all.reserve(count);
    for (size_t i = 0; i != count; ++i)
      all.push_back(get(i));
    return all;
  }
  List copy() const {
    List made(
        intrusive_ptr<ivalue_detail::Container>(ivalue_detail::Container::create(impl->type()->annotation_str())));
    made.append(*this);
    return made;
  }
  bool is(const List &other) const {
    return impl == other.impl || tsc_value_is_same(impl->value.get(), other.impl->value.get());
  }
  size_t use_count() const { return impl.use_count(); }
  TypePtr elementType() const { return impl->type()->getElementType(); }
  const intrusive_ptr<ivalue_detail::Container> &container() const { return impl; }
  friend bool operator==(const List &a, const List &b) { return a.is(b) || a.vec() == b.vec(); }
  friend bool operator!=(const List &a, const List &b) { return !(a == b); }

private:
  intrusive_ptr<ivalue_detail::Container> impl;
};

namespace impl {
using GenericList = List<IValue>;
} // namespace impl

} // namespace tsc_torch
} // namespace c10

namespace torch {
/// A list of TorchScript's, as hosts name it.
template <typename T> using List = c10::List<T>;
} // namespace torch

#include <ATen/core/ivalue.h>

#endif
