//===- DictValue.cpp - Dictionaries in order of insertion -----------------===//
//
// Entries stand in a vector in the order they came; a hash table tells where.
// An erased entry leaves a gap; gaps are closed when they are the majority.
//
//===----------------------------------------------------------------------===//
#include "tsc/IR/ClassType.h"
#include "tsc/IR/IValue.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/ScopeExit.h"
#include <algorithm>
#include <unordered_map>

using namespace tsc;

namespace {
struct KeyHash {
  size_t operator()(const IValue &key) const {
    switch (key.getTag()) {
    case IValue::Tag::Bool:
    case IValue::Tag::Int: return std::hash<int64_t>()(key.toInt());
    case IValue::Tag::Double: return std::hash<double>()(key.toDouble());
    case IValue::Tag::Complex:
      return llvm::hash_combine(std::hash<double>()(key.toComplex().real()),
                                std::hash<double>()(key.toComplex().imag()));
    case IValue::Tag::String: return std::hash<std::string>()(key.toString());
    case IValue::Tag::Enum: return std::hash<std::string>()(key.toEnum().name);
    case IValue::Tag::Tuple: {
      size_t hash = 0;
      for (const IValue &element : key.toTuple().elements)
        hash = llvm::hash_combine(hash, (*this)(element));
      return hash;
    }
    case IValue::Tag::None: return 0;
    case IValue::Tag::Device: return static_cast<size_t>(key.toDevice().kind) * 31 + key.toDevice().index;
    default: return std::hash<const void *>()(key.counted());
    }
  }
};
struct KeyEqual {
  bool operator()(const IValue &a, const IValue &b) const {
    if (a.getTag() != b.getTag())
      return false;
    if (a.isString())
      return a.toString() == b.toString();
    if (a.isTuple()) {
      const auto &left = a.toTuple().elements, &right = b.toTuple().elements;
      return left.size() == right.size() && std::equal(left.begin(), left.end(), right.begin(), *this);
    }
    return a.isEnum() ? valuesEqual(a, b) : a.isSameAs(b);
  }
};
} // namespace

struct DictValue::Impl {
  struct Entry {
    IValue key, value;
    bool live = true;
  };
  std::vector<Entry> entries;
  std::unordered_map<IValue, size_t, KeyHash, KeyEqual> where;
  size_t firstLive = 0; ///< No entry before it is live.

  /// Of entries and table; a table's node holds a key, a position, a hash and two links.
  size_t bytes() const {
    return entries.capacity() * sizeof(Entry) + where.size() * (sizeof(IValue) + 4 * sizeof(void *)) +
           where.bucket_count() * sizeof(void *);
  }

  void closeGaps() {
    if (entries.size() < 16 || where.size() * 2 > entries.size())
      return;
    llvm::erase_if(entries, [](const Entry &entry) { return !entry.live; });
    for (size_t i = 0; i != entries.size(); ++i)
      where[entries[i].key] = i;
    firstLive = 0;
  }
};

DictValue::DictValue(const Type *keyType, const Type *valueType)
    : keyType(keyType), valueType(valueType), impl(std::make_unique<Impl>()) {}
DictValue::~DictValue() {
  auto isContainer = [](const IValue &value) {
    return value.isGenericList() || value.isTuple() || value.isDict() || value.isObject();
  };
  std::vector<Impl::Entry> &entries = impl->entries;
  if (llvm::none_of(entries, [&](const Impl::Entry &entry) { return isContainer(entry.value); }))
    return;
  // As in other containers, those within are released without going down for each.
  memory::AccountScope uncounted(nullptr);
  std::vector<IValue> values;
  try {
    values.reserve(entries.size());
  } catch (const std::bad_alloc &) {
    return;
  }
  for (Impl::Entry &entry : entries)
    values.push_back(std::move(entry.value));
  releaseElements(values);
}

size_t DictValue::size() const { return impl->where.size(); }

const IValue *DictValue::find(const IValue &key) const {
  auto found = impl->where.find(key);
  return found == impl->where.end() ? nullptr : &impl->entries[found->second].value;
}

void DictValue::set(IValue key, IValue value) {
  auto [entry, isNew] = impl->where.try_emplace(key, impl->entries.size());
  if (!isNew) {
    impl->entries[entry->second].value = std::move(value);
  } else {
    auto undone = llvm::make_scope_exit([&, at = entry] { impl->where.erase(at); }); // where memory runs out
    impl->entries.push_back({std::move(key), std::move(value)});
    undone.release();
  }
  counted.set(impl->bytes());
}

bool DictValue::erase(const IValue &key) {
  auto found = impl->where.find(key);
  if (found == impl->where.end())
    return false;
  Impl::Entry &entry = impl->entries[found->second];
  impl->where.erase(found);
  entry.live = false;
  entry.key = entry.value = IValue();
  impl->closeGaps();
  counted.set(impl->bytes());
  return true;
}

void DictValue::clear() {
  impl->entries.clear();
  impl->firstLive = 0;
  impl->where.clear();
  counted.set(impl->bytes());
}

void DictValue::forEach(llvm::function_ref<void(const IValue &key, const IValue &value)> f) const {
  for (const Impl::Entry &entry : impl->entries)
    if (entry.live)
      f(entry.key, entry.value);
}

std::pair<IValue, IValue> DictValue::popFirst() {
  size_t &at = impl->firstLive;
  while (at != impl->entries.size() && !impl->entries[at].live)
    ++at;
  if (at == impl->entries.size())
    return {};
  std::pair<IValue, IValue> first(impl->entries[at].key, impl->entries[at].value);
  erase(first.first);
  return first;
}
