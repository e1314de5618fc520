//===- LongLivedTensors.cpp - Tensors that later calls read again ---------===//
#include "tsc/Tensor/LongLivedTensors.h"
#include "llvm/ADT/DenseMap.h"
#include <mutex>

using namespace tsc;

namespace {
/// What is known of a storage that stands in at least one set, which keeps the address from being used again.
struct Entry {
  unsigned numSets = 0;
  uint32_t version = 0; ///< The storage's when `kept` was made.
  Ref<RefCounted> kept;
};
struct Registry {
  std::mutex mutex;
  llvm::DenseMap<const Storage *, Entry> entries;
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
    dropped.push_back(std::move(found->second.kept));
    registry().entries.erase(found);
  }
}

std::optional<Ref<RefCounted>> tsc::keptFor(const Tensor &tensor) {
  const Storage *storage = tensor.get()->storage.get();
  std::lock_guard lock(registry().mutex);
  auto found = registry().entries.find(storage);
  if (found == registry().entries.end())
    return std::nullopt;
  return found->second.version == storage->version ? found->second.kept : Ref<RefCounted>();
}

void tsc::keepFor(const Tensor &tensor, uint32_t version, Ref<RefCounted> object) {
  std::lock_guard lock(registry().mutex); // what is replaced goes with `object`, after it
  auto found = registry().entries.find(tensor.get()->storage.get());
  if (found == registry().entries.end())
    return;
  found->second.version = version;
  std::swap(found->second.kept, object);
}
