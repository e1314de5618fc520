//===- AddressTable.h - Values by address, found without a lock -*- C++ -*-===//
//
// What a program keeps for each of its functions is looked for by every call, from
// many threads, and added once. A look-up follows two pointers and takes no lock;
// whoever adds a value takes one.
//
// Memory ordering: an entry is complete before a release store puts its address into
// a slot, and an array of slots is complete before a release store makes it the
// current one. Look-ups load both with acquire, so that they see what they point at.
// A look-up in an array that was replaced meanwhile may miss an entry; adding looks
// again under the lock.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_SUPPORT_ADDRESSTABLE_H
#define TSC_SUPPORT_ADDRESSTABLE_H

#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace tsc {

/// A hash table from addresses to values that only grows. Values never move.
///
/// Ownership: owns the values, and knows the keys by their addresses alone: these must not be used again for something
///            else while the table lives.
/// Threads:   safe. What a value allows to threads that share it is its own matter.
template <typename Value> class AddressTable {
public:
  AddressTable() = default;
  AddressTable(const AddressTable &) = delete;

  /// Returns the value of `key`, or null where it has none yet. Waits for nobody.
  Value *find(const void *key) const {
    const Slots *slots = current.load(std::memory_order_acquire);
    return slots ? slots->find(key) : nullptr;
  }

  /// Returns the value of `key`. Where it has none, it gets one that is made of `arguments`.
  template <typename... Arguments> Value &findOrMake(const void *key, Arguments &&...arguments) {
    assert(key && "null marks a slot that is free");
    if (Value *known = find(key))
      return *known;
    std::lock_guard lock(adding);
    if (Value *known = find(key)) // another thread was faster
      return *known;
    const Slots *slots = current.load(std::memory_order_relaxed); // the lock orders those who store it
    if (!slots || 2 * (entries.size() + 1) > slots->size())
      slots = grow();
    Entry &entry = *entries.emplace_back(std::make_unique<Entry>(key, std::forward<Arguments>(arguments)...));
    slots->add(entry);
    return entry.value;
  }

private:
  struct Entry {
    template <typename... Arguments>
    explicit Entry(const void *key, Arguments &&...arguments)
        : key(key), value(std::forward<Arguments>(arguments)...) {}
    const void *const key;
    Value value;
  };

  /// An array of a power of two slots, at least half of which stay free, so that each search ends.
  class Slots {
  public:
    explicit Slots(size_t size) : mask(size - 1), slots(std::make_unique<std::atomic<Entry *>[]>(size)) {}
    size_t size() const { return mask + 1; }
    Value *find(const void *key) const {
      for (size_t at = first(key);; at = (at + 1) & mask) {
        Entry *entry = slots[at].load(std::memory_order_acquire);
        if (!entry || entry->key == key)
          return entry ? &entry->value : nullptr;
      }
    }
    /// One thread at a time.
    void add(Entry &entry) const {
      size_t at = first(entry.key);
      while (slots[at].load(std::memory_order_relaxed))
        at = (at + 1) & mask;
      slots[at].store(&entry, std::memory_order_release);
    }

  private:
    size_t first(const void *key) const {
      const auto bits = reinterpret_cast<uintptr_t>(key);
      return (bits >> 4 ^ bits >> 9) & mask;
    }
    const size_t mask;
    const std::unique_ptr<std::atomic<Entry *>[]> slots;
  };

  /// Makes an array of twice the size the current one. The old one stays: a look-up may be in it.
  const Slots *grow() {
    auto made = std::make_unique<Slots>(arrays.empty() ? 16 : 2 * arrays.back()->size());
    for (const std::unique_ptr<Entry> &entry : entries)
      made->add(*entry);
    const Slots *slots = arrays.emplace_back(std::move(made)).get();
    current.store(slots, std::memory_order_release);
    return slots;
  }

  std::mutex adding; ///< Guards the two lists, which own what look-ups find.
  std::vector<std::unique_ptr<Entry>> entries;
  std::vector<std::unique_ptr<const Slots>> arrays;
  std::atomic<const Slots *> current{nullptr};
};

} // namespace tsc

#endif
