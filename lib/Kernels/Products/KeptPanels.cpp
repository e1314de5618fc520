//===- KeptPanels.cpp - Packed right sides of products --------------------===//
//
// A product of few rows spends up to half of its time on packing its right side.
// Where that is long-lived, the panels are kept with it, a list for each storage,
// and hold for the version of the storage that they were made from.
//
//===----------------------------------------------------------------------===//
#include "KeptPanels.h"
#include "tsc/Tensor/LongLivedTensors.h"

using namespace tsc;
using namespace tsc::cpu;

namespace {
/// The panels of matrices in one storage. Immutable, since threads share it.
struct PackedMatrices final : RefCounted {
  struct Place {
    const void *data;
    int64_t k, n, row, column;
    DType dtype;
    bool operator==(const Place &) const = default;
  };
  struct Matrix {
    Place place;
    Tensor panels;
  };
  const Matrix *find(const Place &place) const {
    const auto *found = llvm::find_if(matrices, [&](const Matrix &matrix) { return matrix.place == place; });
    return found == matrices.end() ? nullptr : found;
  }
  llvm::SmallVector<Matrix, 2> matrices;
};
} // namespace

const void *KeptPanels::find(int64_t count, llvm::function_ref<bool(void *)> pack) {
  assert(count > 0 && pack && "panels have elements");
  std::lock_guard lock(mutex);
  if (!wereSought) {
    panels = findOrMake(count, pack);
    wereSought = true;
  }
  return panels;
}

const void *KeptPanels::findOrMake(int64_t count, llvm::function_ref<bool(void *)> pack) {
  constexpr size_t mostMatrices = 8; // a storage with more of them has the others packed for each call
  if (!right.source)
    return nullptr;
  std::optional<Kept> kept = keptFor(*right.source, Keeper::Product);
  if (!kept)
    return nullptr;
  const auto *before = static_cast<const PackedMatrices *>(kept->object.get()); // what products keep
  PackedMatrices::Place place{right.data, k, n, right.row, right.column, dtype};
  if (const PackedMatrices::Matrix *matrix = before ? before->find(place) : nullptr) {
    owner = kept->object;
    return matrix->panels.data();
  }
  if (before && before->matrices.size() == mostMatrices)
    return nullptr;
  StatusOr<Tensor> panels = Tensor::empty({count}, dtype);
  if (!panels.ok())
    return nullptr;
  if (!pack(panels->mutableData()))
    return nullptr;
  auto after = before ? makeRef<PackedMatrices>(*before) : makeRef<PackedMatrices>();
  after->matrices.push_back({place, *panels});
  owner = after;
  keepFor(*right.source, Keeper::Product, kept->version, std::move(after));
  return panels->data();
}
