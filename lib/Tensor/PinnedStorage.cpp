//===- PinnedStorage.cpp - Bytes that may not move ------------------------===//
//
// Few storages are pinned, and fewer grow. So a storage has no mark of its own: a table
// has those that are pinned, with the number of their pins.
//
//===----------------------------------------------------------------------===//
#include "tsc/Tensor/PinnedStorage.h"
#include "llvm/ADT/DenseMap.h"
#include <mutex>

using namespace tsc;

namespace {
struct Pins {
  std::mutex mutex;
  llvm::DenseMap<const void *, unsigned> counts;
  static Pins &get() {
    static Pins &pins = *new Pins; // arrays of hosts may be gone after everything else
    return pins;
  }
};
} // namespace

PinnedStorage::PinnedStorage(const Tensor &tensor) : storage(tensor.get()->storage) {
  assert(storage && "a tensor with a storage is pinned");
  (void)storage->mutableData();
  Pins &pins = Pins::get();
  std::lock_guard lock(pins.mutex);
  ++pins.counts[storage.get()];
}

PinnedStorage::~PinnedStorage() {
  Pins &pins = Pins::get();
  std::lock_guard lock(pins.mutex);
  auto known = pins.counts.find(storage.get());
  if (--known->second == 0)
    pins.counts.erase(known);
}

bool PinnedStorage::isPinned(const Storage &storage) {
  Pins &pins = Pins::get();
  std::lock_guard lock(pins.mutex);
  return pins.counts.contains(&storage);
}
