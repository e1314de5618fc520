//===- LongLivedTensors.cpp - Tensors that later calls read again ---------===//
#include "tsc/Tensor/LongLivedTensors.h"
#include "tsc/Support/ForkSafety.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/ScopeExit.h"
#include <atomic>
#include <mutex>

using namespace tsc;

namespace {
/// What is known of a storage that stands in at least one set, which keeps the address from being used again.
struct Entry {
  unsigned numSets = 0;
  /// By Keeper. Versions are those that the objects were made from, or that the keeper saw when it last asked.
  Kept kept[unsigned(Keeper::Blocks) + 1];
};
struct Registry {
  std::mutex &mutex = makeForkSafeMutex();
  llvm::DenseMap<const Storage *, Entry> entries;
  std::atomic<size_t> numEntries{0}; ///< For those who do not hold the lock.
};
} // namespace

static Registry &registry() {
  static Registry &instance = *new Registry; // never destroyed: code may outlive main
  return instance;
}

void LongLivedTensors::add(const Tensor &tensor) {
  assert(tensor.defined() && tensor.get()->storage && "what is kept is kept for a storage");
  const Ref<Storage> &storage = tensor.get()->storage;
  storages.push_back(storage);
  auto undone = llvm::make_scope_exit([&] { storages.pop_back(); }); // where memory runs out
  std::lock_guard lock(registry().mutex);
  Entry &entry = registry().entries[storage.get()];
  if (entry.numSets++ == 0)
    for (Kept &kept : entry.kept)
      kept.version = storage->version;
  registry().numEntries = registry().entries.size();
  undone.release();
}

LongLivedTensors::~LongLivedTensors() {
  for (const Ref<Storage> &storage : storages) {
    Entry dropped; // destroyed when the mutex is free again
    std::lock_guard lock(registry().mutex);
    auto found = registry().entries.find(storage.get());
    assert(found != registry().entries.end() && found->second.numSets != 0 && "a set's storages are known");
    if (--found->second.numSets != 0)
      continue;
    dropped = std::move(found->second);
    registry().entries.erase(found);
    registry().numEntries = registry().entries.size();
  }
}

void tsc::markLongLived(const Tensor &tensor) {
  constexpr int64_t fewElements = 1024; // what is made of fewer is made again sooner than it is found
  if (!tensor.defined() || tensor.dim() < 2 || tensor.numel() < fewElements || !isFloating(tensor.dtype()))
    return;
  static std::mutex &marking = makeForkSafeMutex(); // companions of floating tensors are set here, and in new tensors
  std::lock_guard lock(marking);
  if (Ref<RefCounted> &companion = tensor.get()->companion; !companion)
    companion = makeRef<LongLivedElements>(tensor);
}

std::optional<Kept> tsc::keptFor(const Tensor &tensor, Keeper keeper) {
  assert(tensor.defined() && "something is kept for a tensor");
  if (registry().numEntries.load(std::memory_order_relaxed) == 0)
    return std::nullopt; // most products of most programs: they need not meet at the lock
  const Storage *storage = tensor.get()->storage.get();
  Ref<RefCounted> outdated; // destroyed when the mutex is free again
  std::lock_guard lock(registry().mutex);
  auto found = registry().entries.find(storage);
  if (found == registry().entries.end())
    return std::nullopt;
  Kept &kept = found->second.kept[static_cast<unsigned>(keeper)];
  const uint32_t version = storage->version;
  if (kept.version != version) {
    kept.version = version;
    outdated = std::exchange(kept.object, nullptr);
    return std::nullopt;
  }
  return kept;
}

void tsc::keepFor(const Tensor &tensor, Keeper keeper, uint32_t version, Ref<RefCounted> object) {
  assert(tensor.defined() && "something is kept for a tensor");
  std::lock_guard lock(registry().mutex); // what is replaced goes with `object`, after it
  auto found = registry().entries.find(tensor.get()->storage.get());
  if (found == registry().entries.end())
    return;
  Kept &kept = found->second.kept[static_cast<unsigned>(keeper)];
  kept.version = version;
  std::swap(kept.object, object);
}
