//===- Dict.h - c10::Dict ---------------------------------------*- C++ -*-===//
// List.h ends with ivalue.h, which needs this header whole: whoever includes this one first comes back to it from
// there.
#include <ATen/core/List.h>
#ifndef TSC_TORCH_ATEN_DICT_H
#define TSC_TORCH_ATEN_DICT_H

namespace c10 {
inline namespace tsc_torch {

/// A dict of TorchScript's, in order of insertion, shared by its copies.
template <typename Key, typename Value> class Dict final {
public:
  using key_type = Key;
  using mapped_type = Value;
  using size_type = size_t;

  class iterator;
  /// One entry, as it was when the iterator was made.
  class Entry {
  public:
    Entry(intrusive_ptr<ivalue_detail::Container> dict, Key key, Value value)
        : dict(std::move(dict)), mine(std::move(key)), held(std::move(value)) {}
    const Key &key() const { return mine; }
    const Value &value() const { return held; }
    template <typename V> void setValue(V &&value) const {
      held = Value(std::forward<V>(value));
      tsc_torch_detail::check(tsc_dict_set(dict->value.get(), ivalue_detail::toHandle<Key>(mine).get(),
                                           ivalue_detail::toHandle<Value>(held).get()));
    }

  private:
    friend class iterator;
    iterator inItsDict() const { return Dict(dict).locate(mine); }

    intrusive_ptr<ivalue_detail::Container> dict;
    Key mine;
    mutable Value held;
  };
  /// Goes over the entries that the dict had when begin() was called; after find(), those that it has when the iterator
  /// is first moved. All iterators at the end are equal.
  class iterator {
  public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Entry;
    using difference_type = std::ptrdiff_t;
    using reference = const Entry &;
    using pointer = const Entry *;
    iterator() = default;
    iterator(std::shared_ptr<std::vector<Entry>> entries, size_t index)
        : entries(std::move(entries)), position(index) {}
    /// One that find() has found, and which knows no other entries.
    explicit iterator(Entry found)
        : entries(std::make_shared<std::vector<Entry>>(1, std::move(found))), position(0), alone(true) {}
    const Entry &operator*() const { return (*entries)[position]; }
    const Entry *operator->() const { return &(*entries)[position]; }
    iterator &operator++() {
      if (alone)
        *this = (*entries)[0].inItsDict();
      return ++position, *this;
    }
    iterator operator++(int) {
      iterator before = *this;
      ++*this;
      return before;
    }
    bool atEnd() const { return !entries || position >= entries->size(); }
    bool operator==(const iterator &other) const {
      if (atEnd() || other.atEnd() || alone == other.alone)
        return atEnd() == other.atEnd() &&
               (atEnd() || (alone ? sameKey((**this).key(), (*other).key()) : position == other.position));
      return sameKey((**this).key(), (*other).key());
    }
    bool operator!=(const iterator &other) const { return !(*this == other); }

  private:
    std::shared_ptr<std::vector<Entry>> entries;
    size_t position = 0;
    bool alone = false; ///< Whether `entries` has the one that was found, and not those of the dict.
  };
  using const_iterator = iterator;

  Dict() : impl(ivalue_detail::Container::create(ivalue_detail::Annotation<Dict<Key, Value>>::text())) {}
  Dict(const TypePtr &key, const TypePtr &value)
      : impl(ivalue_detail::Container::create("Dict[" + key->annotation_str() + ", " + value->annotation_str() + "]")) {
  }
  explicit Dict(intrusive_ptr<ivalue_detail::Container> impl) : impl(std::move(impl)) {}

  /// Adds an entry where there is none of the key.
  template <typename K, typename V> std::pair<iterator, bool> insert(K &&key, V &&value) const {
    const Key made(std::forward<K>(key));
    const bool isNew = !contains(made);
    if (isNew)
      put(made, Value(std::forward<V>(value)));
    return {find(made), isNew};
  }
  /// Gives a key this value. Returns its entry, and whether it is new.
  template <typename K, typename V> std::pair<iterator, bool> insert_or_assign(K &&key, V &&value) const {
    const Key made(std::forward<K>(key));
    const bool isNew = !contains(made);
    put(made, Value(std::forward<V>(value)));
    return {find(made), isNew};
  }
  /// std::out_of_range where the key is missing.
  Value at(const Key &key) const {
    tsc_torch_detail::Value found = lookup(key);
    if (!found)
      throw std::out_of_range("Argument passed to at() was not in the map.");
    return ivalue_detail::fromHandle<Value>(std::move(found));
  }
  /// Returns the entry of a key, or end().
  iterator find(const Key &key) const {
    tsc_torch_detail::Value found = lookup(key);
    return found ? iterator(Entry(impl, key, ivalue_detail::fromHandle<Value>(std::move(found)))) : end();
  }
  bool contains(const Key &key) const { return static_cast<bool>(lookup(key)); }
  size_t count(const Key &key) const { return contains(key) ? 1 : 0; }
  /// Removes the entry of a key, and returns how many there were: 0 or 1.
  size_t erase(const Key &key) const {
    if (!contains(key))
      return 0;
    tsc_torch_detail::check(tsc_dict_remove(impl->value.get(), ivalue_detail::toHandle<Key>(key).get()));
    return 1;
  }
  void erase(const iterator &entry) const { erase(entry->key()); }
  void clear() const { tsc_torch_detail::check(tsc_dict_clear(impl->value.get())); }
  void reserve(size_t) const {}
  size_t size() const { return tsc_torch_detail::sizeOf(impl->value.get()); }
  bool empty() const { return size() == 0; }
  iterator begin() const { return iterator(snapshot(), 0); }
  iterator end() const { return iterator(); }
  Dict copy() const {
    Dict made(
        intrusive_ptr<ivalue_detail::Container>(ivalue_detail::Container::create(impl->type()->annotation_str())));
    for (const Entry &entry : *this)
      made.put(entry.key(), entry.value());
    return made;
  }
  bool is(const Dict &other) const {
    return impl == other.impl || tsc_value_is_same(impl->value.get(), other.impl->value.get());
  }
  TypePtr keyType() const { return impl->type()->getKeyType(); }
  TypePtr valueType() const { return impl->type()->getValueType(); }
  const intrusive_ptr<ivalue_detail::Container> &container() const { return impl; }

private:
  void put(const Key &key, const Value &value) const {
    tsc_torch_detail::check(tsc_dict_set(impl->value.get(), ivalue_detail::toHandle<Key>(key).get(),
                                         ivalue_detail::toHandle<Value>(value).get()));
  }
  tsc_torch_detail::Value lookup(const Key &key) const {
    tsc_torch_detail::Value found;
    tsc_error *error = tsc_value_lookup(impl->value.get(), ivalue_detail::toHandle<Key>(key).get(), found.out());
    if (error && tsc_error_code(error) == TSC_NOT_FOUND) {
      tsc_error_free(error);
      return tsc_torch_detail::Value();
    }
    tsc_torch_detail::check(error);
    return found;
  }
  static bool sameKey(const Key &a, const Key &b) { return ivalue_detail::isEqual(a, b); }
  /// Returns an iterator at the entry of a key among all of them, or end().
  iterator locate(const Key &key) const {
    auto entries = snapshot();
    for (size_t i = 0; i != entries->size(); ++i)
      if (sameKey(key, (*entries)[i].key()))
        return iterator(entries, i);
    return end();
  }
  std::shared_ptr<std::vector<Entry>> snapshot() const {
    tsc_torch_detail::Value items;
    tsc_torch_detail::check(tsc_value_items(impl->value.get(), items.out()));
    const size_t count = tsc_torch_detail::sizeOf(items.get());
    auto entries = std::make_shared<std::vector<Entry>>();
    entries->reserve(count);
    for (size_t i = 0; i != count; ++i) {
      const tsc_torch_detail::Value pair = tsc_torch_detail::elementOf(items.get(), i);
      entries->emplace_back(impl, ivalue_detail::fromHandle<Key>(tsc_torch_detail::elementOf(pair.get(), 0)),
                            ivalue_detail::fromHandle<Value>(tsc_torch_detail::elementOf(pair.get(), 1)));
    }
    return entries;
  }

  intrusive_ptr<ivalue_detail::Container> impl;
};

namespace impl {
using GenericDict = Dict<IValue, IValue>;
} // namespace impl

} // namespace tsc_torch
} // namespace c10

namespace torch {
/// A dict of TorchScript's, as hosts name it.
template <typename Key, typename Value> using Dict = c10::Dict<Key, Value>;
} // namespace torch

#endif
