//===- NameTable.h - Objects by name, found without a lock ------*- C++ -*-===//
//
// What has a name in a program, as a method of a class has, is looked for by calls from
// many threads, and added when somebody first asks for it. A look-up takes no lock;
// whoever adds an object takes one.
//
// A block holds the objects in their order and a hash table of their names, with room for
// some more. A full one is replaced by one of twice its size, and stays: a look-up may be
// in it, and lists that were handed out are of it.
//
// Memory ordering: an entry is complete before a release store puts its address into a
// slot, an object's place in the list is written before the release store of the number
// of objects, and a block is complete before the release store that makes it the current
// one. Look-ups load all three with acquire.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_SUPPORT_NAMETABLE_H
#define TSC_SUPPORT_NAMETABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/xxhash.h"
#include <atomic>
#include <cassert>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace tsc {

/// A list of objects, found by names that they have here.
///
/// Ownership: borrows the objects, and keeps copies of their names. It never looks at an object.
/// Threads:   safe. What an object allows to threads that found it is its own matter.
template <typename T> class NameTable {
public:
  NameTable() = default;
  NameTable(const NameTable &) = delete;

  /// Returns the objects in the order in which they were added. The list stays valid as long as the table, and has no
  /// part in what is added or removed later.
  llvm::ArrayRef<T *> all() const {
    const Block *block = current.load(std::memory_order_acquire);
    return block ? block->all() : llvm::ArrayRef<T *>();
  }

  /// Returns the first object of that name, or null.
  T *find(llvm::StringRef name) const {
    const Block *block = current.load(std::memory_order_acquire);
    return block ? block->find(name) : nullptr;
  }

  /// Adds an object behind the others. There may be others of its name.
  void add(llvm::StringRef name, T &object) {
    std::lock_guard lock(changing);
    if (blocks.empty() || blocks.back()->isFull())
      replaceBlock(blocks.empty() ? 4 : 2 * blocks.back()->capacity);
    entries.push_back(std::make_unique<Entry>(name.str(), object));
    blocks.back()->add(*entries.back());
  }

  /// Removes an object, which is here. A thread that found it before may still use it.
  void remove(const T &object) {
    std::lock_guard lock(changing);
    auto at = entries.begin();
    while (at != entries.end() && &(*at)->object != &object)
      ++at;
    assert(at != entries.end() && "an object of the table");
    removed.push_back(std::move(*at));
    entries.erase(at);
    replaceBlock(blocks.back()->capacity);
  }

private:
  struct Entry {
    Entry(std::string name, T &object) : name(std::move(name)), object(object) {}
    const std::string name;
    T &object;
  };

  struct Block {
    explicit Block(size_t capacity)
        : capacity(capacity), objects(std::make_unique<T *[]>(capacity)),
          slots(std::make_unique<std::atomic<const Entry *>[]>(2 * capacity)) {
      assert((capacity & (capacity - 1)) == 0 && "a power of two");
    }
    bool isFull() const { return count.load(std::memory_order_relaxed) == capacity; }
    llvm::ArrayRef<T *> all() const { return {objects.get(), count.load(std::memory_order_acquire)}; }
    size_t firstSlot(llvm::StringRef name) const { return llvm::xxh3_64bits(name) & (2 * capacity - 1); }
    size_t nextSlot(size_t slot) const { return (slot + 1) & (2 * capacity - 1); }

    /// At least half of the slots are free, so that each search ends.
    T *find(llvm::StringRef name) const {
      for (size_t slot = firstSlot(name);; slot = nextSlot(slot)) {
        const Entry *entry = slots[slot].load(std::memory_order_acquire);
        if (!entry || entry->name == name)
          return entry ? &entry->object : nullptr;
      }
    }
    /// One thread at a time. The first object of a name has the first of their slots.
    void add(const Entry &entry) {
      const size_t index = count.load(std::memory_order_relaxed);
      assert(index != capacity && "there is room");
      size_t slot = firstSlot(entry.name);
      while (slots[slot].load(std::memory_order_relaxed))
        slot = nextSlot(slot);
      slots[slot].store(&entry, std::memory_order_release);
      objects[index] = &entry.object;
      count.store(index + 1, std::memory_order_release);
    }

    const size_t capacity;
    std::atomic<size_t> count{0};
    const std::unique_ptr<T *[]> objects;
    const std::unique_ptr<std::atomic<const Entry *>[]> slots; ///< Twice as many as objects; null marks a free one.
  };

  /// Makes a new block with all entries the current one.
  void replaceBlock(size_t capacity) {
    auto made = std::make_unique<Block>(capacity);
    for (const std::unique_ptr<const Entry> &entry : entries)
      made->add(*entry);
    const Block *block = blocks.emplace_back(std::move(made)).get();
    current.store(block, std::memory_order_release);
  }

  std::mutex changing; ///< Guards the lists, which own what look-ups are in.
  std::vector<std::unique_ptr<const Entry>> entries, removed;
  std::vector<std::unique_ptr<Block>> blocks; ///< The current one is the last.
  std::atomic<const Block *> current{nullptr};
};

} // namespace tsc

#endif
