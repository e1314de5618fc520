//===- KeptPanels.cpp - Packed right sides of products --------------------===//
#include "KeptPanels.h"
#include "tsc/Tensor/LongLivedTensors.h"

using namespace tsc;
using namespace tsc::cpu;

namespace {
/// The panels of matrices in one storage. Immutable, since threads share it.
struct PanelSets final : RefCounted {
  struct Matrix {
    const void *data;
    int64_t k, n, row, column;
    DType dtype;
    bool operator==(const Matrix &) const = default;
  };
  struct Set {
    Matrix matrix;
    Tensor panels;
  };
  const Set *find(const Matrix &matrix) const {
    const auto *found = llvm::find_if(sets, [&](const Set &set) { return set.matrix == matrix; });
    return found == sets.end() ? nullptr : found;
  }
  llvm::SmallVector<Set, 2> sets;
};
} // namespace

const void *KeptPanels::find(int64_t count, llvm::function_ref<void(void *)> pack) {
  std::call_once(once, [&] { panels = findOrMake(count, pack); });
  return panels;
}

const void *KeptPanels::findOrMake(int64_t count, llvm::function_ref<void(void *)> pack) {
  constexpr size_t mostSets = 8; // a storage with more matrices in it has the others packed for each call
  if (!right.source)
    return nullptr;
  std::optional<Ref<RefCounted>> kept = keptFor(*right.source, Keeper::Product);
  if (!kept)
    return nullptr;
  const auto *before = static_cast<const PanelSets *>(kept->get()); // nobody else keeps anything as Product
  PanelSets::Matrix matrix{right.data, k, n, right.row, right.column, dtype};
  if (const PanelSets::Set *set = before ? before->find(matrix) : nullptr) {
    owner = *kept;
    return set->panels.data();
  }
  if (before && before->sets.size() == mostSets)
    return nullptr;
  uint32_t version = right.source->get()->storage->version;
  StatusOr<Tensor> panels = Tensor::empty({count}, dtype);
  if (!panels.ok())
    return nullptr;
  pack(panels->mutableData());
  auto after = before ? makeRef<PanelSets>(*before) : makeRef<PanelSets>();
  after->sets.push_back({matrix, *panels});
  owner = after;
  keepFor(*right.source, Keeper::Product, version, std::move(after));
  return panels->data();
}
