//===- DictValue.cpp - Dictionaries in order of insertion -----------------===//
//
// Entries stand in a vector in the order they came; a hash table tells where.
// An erased entry leaves a gap; gaps are closed when they are the majority.
//
// Hashes depend on a number that is drawn when the process begins: a program cannot
// choose keys that all fall in one place of the table, where each costs as many
// comparisons as there are.
//
//===----------------------------------------------------------------------===//
#include "tsc/IR/ClassType.h"
#include "tsc/IR/IValue.h"
#include "tsc/Support/WorkMeter.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/ScopeExit.h"
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <ctime>
#include <unistd.h>
#include <unordered_map>
#include <utility>

using namespace tsc;

namespace {
/// Numbers that nobody outside of the process knows.
template <size_t N> std::array<uint64_t, N> drawWords() {
  std::array<uint64_t, N> words{};
  if (getentropy(words.data(), sizeof words) != 0) // then what is hard to guess has to do
    for (uint64_t &word : words)
      word = (reinterpret_cast<uintptr_t>(&word) ^ static_cast<uint64_t>(std::clock())) * 0x9E3779B97F4A7C15;
  return words;
}

/// The value of a polynomial, whose coefficients are what is hashed, at a point that nobody outside knows, modulo the
/// prime 2^61 - 1: two sequences of n coefficients have the same hash at no more than n of all points.
class PolynomialHash {
public:
  void add(uint64_t coefficient) { // below 2^60
    const unsigned __int128 product = static_cast<unsigned __int128>(hash) * point() + coefficient;
    const uint64_t folded = static_cast<uint64_t>(product & prime) + static_cast<uint64_t>(product >> 61);
    hash = folded >= prime ? folded - prime : folded;
  }
  void addWord(uint64_t word) {
    add(word >> 32);
    add(word & 0xFFFFFFFF);
  }
  void addNumber(double number) {
    if (std::isnan(number)) // equals nothing, and so has a hash of its own each time
      return addWord(nextNaN.fetch_add(1, std::memory_order_relaxed));
    addWord(number == 0 ? 0 : std::bit_cast<uint64_t>(number));
  }
  void addText(const std::string &text) {
    constexpr size_t atOnce = 7;
    work::count(static_cast<int64_t>(text.size() / atOnce));
    add(text.size());
    for (size_t at = 0; at < text.size(); at += atOnce) {
      uint64_t bytes = 0;
      std::memcpy(&bytes, text.data() + at, std::min(atOnce, text.size() - at));
      add(bytes);
    }
  }
  size_t result() const { return hash; }

private:
  static constexpr uint64_t prime = (uint64_t{1} << 61) - 1;
  static uint64_t point() {
    static const uint64_t drawn = drawWords<1>()[0] % (prime - 2) + 1;
    return drawn;
  }
  static inline std::atomic<uint64_t> nextNaN{0};
  uint64_t hash = 1;
};

/// The upper half of a x + b modulo 2^128, where nobody outside knows a and b: multiply-add-shift, of which
/// Dietzfelbinger (1996) shows that no two numbers are likelier to meet than by chance.
size_t hashInt(uint64_t x) {
  static const auto [lowFactor, highFactor, lowAddend, highAddend] = drawWords<4>();
  const auto low = static_cast<unsigned __int128>(lowFactor) * x + lowAddend;
  return static_cast<uint64_t>(low >> 64) + highFactor * x + highAddend;
}

struct KeyHash {
  size_t operator()(const IValue &key) const {
    if (key.getTag() == IValue::Tag::Int)
      return hashInt(static_cast<uint64_t>(key.toInt()));
    PolynomialHash hash;
    unsigned partsLeft = 1 << 12; // tuples may share what is in them, and so have parts without end
    add(hash, key, partsLeft);
    return hash.result();
  }

private:
  static void add(PolynomialHash &hash, const IValue &key, unsigned &partsLeft) {
    switch (key.getTag()) {
    case IValue::Tag::Bool:
    case IValue::Tag::Int: return hash.addWord(static_cast<uint64_t>(key.toInt()));
    case IValue::Tag::Double: return hash.addNumber(key.toDouble());
    case IValue::Tag::Complex: hash.addNumber(key.toComplex().real()); return hash.addNumber(key.toComplex().imag());
    case IValue::Tag::String: return hash.addText(key.toString());
    case IValue::Tag::Enum: return hash.addText(key.toEnum().name);
    case IValue::Tag::Tuple: {
      work::count(static_cast<int64_t>(key.toTuple().elements.size()));
      for (const IValue &element : key.toTuple().elements)
        if (partsLeft != 0 && --partsLeft != 0)
          add(hash, element, partsLeft);
      return;
    }
    case IValue::Tag::None: return hash.add(0);
    case IValue::Tag::Device:
      hash.add(static_cast<uint64_t>(key.toDevice().kind));
      return hash.addWord(static_cast<uint64_t>(key.toDevice().index));
    default: return hash.addWord(reinterpret_cast<uintptr_t>(key.counted()));
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
      return left.size() == right.size() && work::LongLoop(static_cast<int64_t>(left.size())).goOn() &&
             std::equal(left.begin(), left.end(), right.begin(), *this);
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
  /// The library keeps the hashes of keys where making them may throw, so that a NaN stays where it was put.
  static_assert(!noexcept(KeyHash()(std::declval<const IValue &>())));
  size_t firstLive = 0; ///< No entry before it is live.
  /// Where a whole number was found last: `if k in d: d[k] += 1` asks for it three times. Threads may look at once.
  mutable std::atomic<size_t> lastFound{0};
  static constexpr size_t nowhere = ~size_t{0};

  /// The place of a key among the entries, if it was found last.
  size_t findAgain(const IValue &key) const {
    if (!key.isInt())
      return nowhere;
    const size_t last = lastFound.load(std::memory_order_relaxed);
    const bool isSame = last < entries.size() && entries[last].key.isInt() && entries[last].key.toInt() == key.toInt();
    return isSame ? last : nowhere;
  }
  /// The place of a key among the entries.
  size_t find(const IValue &key) const {
    if (const size_t again = findAgain(key); again != nowhere)
      return again;
    auto found = where.find(key);
    if (found == where.end())
      return nowhere;
    if (key.isInt())
      lastFound.store(found->second, std::memory_order_relaxed);
    return found->second;
  }

  /// Of entries and table; a table's node holds a key, a position, a hash and two links.
  size_t bytes() const {
    return entries.capacity() * sizeof(Entry) + where.size() * (sizeof(IValue) + 4 * sizeof(void *)) +
           where.bucket_count() * sizeof(void *);
  }

  void closeGaps() {
    if (entries.size() < 16 || where.size() * 2 > entries.size())
      return;
    std::vector<size_t> places(entries.size());
    size_t next = 0;
    for (size_t i = 0; i != entries.size(); ++i) {
      places[i] = next;
      next += entries[i].live;
    }
    llvm::erase_if(entries, [](const Entry &entry) { return !entry.live; });
    for (auto &[key, place] : where)
      place = places[place];
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
  const size_t place = impl->find(key);
  return place == Impl::nowhere ? nullptr : &impl->entries[place].value;
}

void DictValue::set(IValue key, IValue value) {
  if (const size_t place = impl->findAgain(key); place != Impl::nowhere) {
    impl->entries[place].value = std::move(value);
    return;
  }
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
