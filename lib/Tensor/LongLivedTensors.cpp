//===- LongLivedTensors.cpp - Tensors that later calls read again ---------===//
#include "tsc/Tensor/LongLivedTensors.h"
#include "llvm/ADT/DenseMap.h"
#include <atomic>
#include <mutex>

using namespace tsc;

namespace {
/// What is known of a storage that stands in at least one set, which keeps the address from being used again.
struct Entry {
  unsigned numSets = 0;
  Kept kept[unsigned(Keeper::Blocks) + 1]; ///< By Keeper; versions are those that the objects were made from.
};
struct Registry {
  std::mutex mutex;
  llvm::DenseMap<const Storage *, Entry> entries;
  std::atomic<size_t> numEntries{0}; ///< For those who do not hold the lock.
};
} // namespace

static Registry &registry() {
  static Registry &instance = *new Registry; // never destroyed: code may outlive main
  return instance;
}

void LongLivedTensors::add(const Tensor &tensor) {
  const Ref<Storage> &storage = tensor.get()->storage;
  storages.push_back(storage);
  std::lock_guard lock(registry().mutex);
  ++registry().entries[storage.get()].numSets;
  registry().numEntries = registry().entries.size();
}

LongLivedTensors::~LongLivedTensors() {
  if (storages.empty())
    return;
  std::vector<Ref<RefCounted>> dropped; // destroyed when the mutex is free again
  std::lock_guard lock(registry().mutex);
  for (const Ref<Storage> &storage : storages) {
    auto found = registry().entries.find(storage.get());
    if (--found->second.numSets != 0)
      continue;
    for (Kept &kept : found->second.kept)
      dropped.push_back(std::move(kept.object));
    registry().entries.erase(found);
  }
  registry().numEntries = registry().entries.size();
}

std::optional<Kept> tsc::keptFor(const Tensor &tensor, Keeper keeper) {
  if (registry().numEntries.load(std::memory_order_relaxed) == 0)
    return std::nullopt; // most products of most programs: they need not meet at the lock
  const Storage *storage = tensor.get()->storage.get();
  std::lock_guard lock(registry().mutex);
  auto found = registry().entries.find(storage);
  if (found == registry().entries.end())
    return std::nullopt;
  const Kept &kept = found->second.kept[static_cast<unsigned>(keeper)];
  uint32_t version = storage->version;
  return Kept{version, kept.version == version ? kept.object : Ref<RefCounted>()};
}

void tsc::keepFor(const Tensor &tensor, Keeper keeper, uint32_t version, Ref<RefCounted> object) {
  std::lock_guard lock(registry().mutex); // what is replaced goes with `object`, after it
  auto found = registry().entries.find(tensor.get()->storage.get());
  if (found == registry().entries.end())
    return;
  Kept &kept = found->second.kept[static_cast<unsigned>(keeper)];
  kept.version = version;
  std::swap(kept.object, object);
}
