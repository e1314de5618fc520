//===- NestLayout.cpp - The order in which a nest walks -------------------===//
//
// Dimensions are merged where every operand allows it. The innermost becomes the
// row, one that is written without gaps first; with folds, what they go along. Rows
// of a few elements are joined, or change places with columns, and what has gaps
// then is tiled: only nests that fold blocks read with gaps.
//
//===----------------------------------------------------------------------===//
#include "CpuDevice.h"
#include "Launch.h"
#include "tsc/Fusion/Folds.h"
#include "tsc/Support/ThreadPool.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include <unistd.h>

using namespace tsc;
using namespace tsc::fuser;

namespace {
class NestLayout : public FusedNest {
public:
  explicit NestLayout(FusedNest fused) : FusedNest(std::move(fused)) {}
  /// Decides the order of dimensions and the classes of operands. False when there is no way to walk the nest.
  bool decide(CpuLaunch &launch);

private:
  bool decideLayout(CpuLaunch &launch);
  void classify(const CpuLaunch &launch);
  bool decideFoldLayout(CpuLaunch &launch);
  bool decideCrossLayout(CpuLaunch &launch);
  void chooseColumns(FoldLaunch &fold) const;
  void addBlockResults(CpuLaunch &launch);
  void packSharedRows(CpuLaunch &launch) const;
  void keepRows(CpuLaunch &launch);
  bool joinShortRows(CpuLaunch &launch) const;
  void swapShortRows(CpuLaunch &launch) const;
  llvm::SmallVector<unsigned, 4> findInterleaved(const CpuLaunch &launch, unsigned first) const;
  void findTiled(CpuLaunch &launch) const;
};
} // namespace

/// Kernels that read with gaps hold the offsets of lanes in 32 bits.
static bool hasNearElements(const CpuLaunch &launch) {
  return llvm::all_of(launch.inner, [](int64_t stride) { return stride < (int64_t{1} << 31) / maxLanes; });
}

bool NestLayout::decideLayout(CpuLaunch &launch) {
  llvm::SmallVector<WalkDim, 6> dims;
  if (!orderByElements(*this, dims))
    return false;
  auto take = [&](int64_t &size, llvm::SmallVector<int64_t, 8> &strides) {
    strides.assign(operands.size(), 0);
    if (dims.empty())
      return;
    size = dims.back().size;
    strides = dims.back().strides;
    dims.pop_back();
  };
  take(launch.count, launch.inner);
  take(launch.rows, launch.outer);
  for (WalkDim &dim : llvm::reverse(dims)) {
    launch.outside *= dim.size;
    launch.outsideSizes.push_back(dim.size);
    launch.outsideStrides.push_back(std::move(dim.strides));
  }
  return true;
}

static bool hasGap(int64_t stride, DType dtype) {
  return stride != 0 && stride != static_cast<int64_t>(itemSize(dtype));
}

/// Blocks along the run; or, where its elements stand apart, along a kept dimension whose elements do not.
bool NestLayout::decideFoldLayout(CpuLaunch &launch) {
  FoldLaunch &fold = launch.fold.emplace();
  for (size_t d = 0; d != sizes.size(); ++d)
    fold.folded *= reduced[d] ? sizes[d] : 1;
  if (!orderByFolds(*this, fold.kept, fold.runs, fold.run))
    return false;
  fold.crosses = llvm::any_of(results, [](const FoldResult &result) { return result.crosses; });
  if (fold.crosses)
    return decideCrossLayout(launch);
  chooseColumns(fold);
  launch.outer.assign(operands.size(), 0);
  if (fold.columns)
    launch.outer = fold.run.strides;
  else if (!fold.runs.empty())
    launch.outer = fold.runs.back().strides; // for short runs, several in one call
  launch.count = fold.columns ? fold.columns->size : fold.run.size;
  launch.inner = fold.columns ? fold.columns->strides : fold.run.strides;
  nest.foldMode = fold.columns ? FoldMode::Columns : FoldMode::Blocks;
  return hasNearElements(launch);
}

/// A matrix, by rows of the dimension in which fewer operands have gaps. What each of its rows reads alike is packed.
bool NestLayout::decideCrossLayout(CpuLaunch &launch) {
  assert(launch.fold && launch.fold->crosses && "the folds have been found to cross");
  FoldLaunch &fold = *launch.fold;
  if (fold.kept.size() != 1 || !fold.runs.empty())
    return false;
  auto findGaps = [&](const WalkDim &columns, const WalkDim &rows, bool isPacked) {
    llvm::SmallVector<unsigned, 4> found;
    for (unsigned k = 0; k != operands.size(); ++k)
      if (hasGap(columns.strides[k], operands[k].geometry.dtype()) && (rows.strides[k] == 0) == isPacked)
        found.push_back(k);
    return found;
  };
  fold.columns = fold.kept.pop_back_val();
  fold.columns->resultStep = fold.run.resultStep = 1;
  size_t gaps = findGaps(*fold.columns, fold.run, false).size(),
         otherGaps = findGaps(fold.run, *fold.columns, false).size();
  if (otherGaps < gaps || (otherGaps == gaps && fold.run.size > fold.columns->size)) {
    std::swap(*fold.columns, fold.run);
    gaps = otherGaps;
    for (FoldResult &result : results)
      result.crosses = !result.crosses;
    for (NestStep &step : nest.steps)
      step.alongRow = step.kind == NestStep::Fold && !step.alongRow;
  }
  if (gaps != 0)
    return false;
  for (unsigned k : findGaps(*fold.columns, fold.run, true)) {
    launch.packed.push_back({k, fold.columns->strides[k], operands[k].geometry.dtype()});
    fold.columns->strides[k] = static_cast<int64_t>(itemSize(operands[k].geometry.dtype()));
  }
  launch.count = fold.columns->size;
  launch.inner = fold.columns->strides;
  launch.outer = fold.run.strides;
  nest.foldMode = FoldMode::Columns;
  return hasNearElements(launch);
}

void NestLayout::chooseColumns(FoldLaunch &fold) const {
  constexpr int64_t enough = 4, shortRun = 32;
  auto gaps = [&](const WalkDim &dim) {
    size_t count = 0;
    for (auto [stride, operand] : llvm::zip(dim.strides, operands))
      count += hasGap(stride, operand.geometry.dtype());
    return count;
  };
  size_t fewest = gaps(fold.run) + (fold.run.size < shortRun);
  auto *best = fold.kept.end();
  for (WalkDim &dim : fold.kept)
    if (size_t count = gaps(dim); dim.size >= enough && count < fewest)
      fewest = count, best = &dim;
  if (best == fold.kept.end())
    return;
  fold.columns = std::move(*best);
  fold.kept.erase(best);
}

/// Operands for the results of blocks.
void NestLayout::addBlockResults(CpuLaunch &launch) {
  assert((results.empty() || launch.fold) && "results are those of folds");
  llvm::DenseMap<unsigned, unsigned> operandOf; // by the nest's step
  for (const FoldResult &result : results) {
    NestStep &step = nest.steps[result.nestStep];
    auto [known, isNew] = operandOf.try_emplace(result.nestStep, static_cast<unsigned>(nest.operands.size()));
    if (isNew) {
      step.index = nest.addOperand({step.dtype, Access::Contiguous, true});
      launch.operands.push_back({0, 0});
      launch.inner.push_back(static_cast<int64_t>(itemSize(step.dtype)));
      launch.outer.push_back(launch.inner.back() * (step.alongRow ? cpu::foldLanes : 1));
    }
    launch.fold->results.push_back(
        {known->second, result.kind, result.inside, result.dtype, result.source, result.crosses});
  }
}

/// An input that every row reads, element by element with gaps, is packed before the rows begin.
void NestLayout::packSharedRows(CpuLaunch &launch) const {
  constexpr int64_t enoughRows = 4;
  if (launch.rows * launch.outside < enoughRows)
    return;
  for (unsigned k = 0; k != operands.size(); ++k) {
    int64_t item = static_cast<int64_t>(itemSize(nest.operands[k].dtype));
    bool moves = launch.outer[k] != 0 ||
                 llvm::any_of(launch.outsideStrides, [&](const auto &strides) { return strides[k] != 0; });
    if (nest.operands[k].isOutput || moves || launch.inner[k] == 0 || launch.inner[k] == item)
      continue;
    launch.packed.push_back({k, launch.inner[k], nest.operands[k].dtype});
    launch.inner[k] = item;
  }
}

/// Short rows that would be one long row but for operands that are the same in all of them: these are repeated in
/// memory. False for other rows; few rows of the kind stay as they are.
bool NestLayout::joinShortRows(CpuLaunch &launch) const {
  constexpr int64_t shortRow = 64, longRow = 1024; // elements
  if (launch.count == 1 || launch.count >= shortRow)
    return false;
  llvm::SmallVector<unsigned, 4> same;
  for (unsigned k = 0; k != operands.size(); ++k) {
    if (hasGap(launch.inner[k], nest.operands[k].dtype) && launch.outer[k] != 0)
      return false; // to be walked in tiles
    bool moves = llvm::any_of(launch.outsideStrides, [&](const auto &strides) { return strides[k] != 0; });
    if (launch.outer[k] == launch.inner[k] * launch.count)
      continue;
    if (nest.operands[k].isOutput || launch.outer[k] != 0 || moves)
      return false;
    same.push_back(k);
  }
  if (launch.rows < longRow / launch.count)
    return true;
  launch.rowsAtOnce = longRow / launch.count;
  for (unsigned k : same) {
    int64_t item = static_cast<int64_t>(itemSize(nest.operands[k].dtype));
    auto *packed = llvm::find_if(launch.packed, [&](const CpuLaunch::Packed &p) { return p.operand == k; });
    if (packed == launch.packed.end())
      packed = &launch.packed.emplace_back(CpuLaunch::Packed{k, launch.inner[k], nest.operands[k].dtype});
    packed->times = launch.rowsAtOnce;
    launch.inner[k] = item;
  }
  return true;
}

/// Memory for what one phase of a row keeps for the next.
void NestLayout::keepRows(CpuLaunch &launch) {
  if (!launch.hasFolds)
    return;
  nest.keepRows();
  for (unsigned k = static_cast<unsigned>(operands.size()); k != nest.operands.size(); ++k) {
    launch.kept.push_back({k, nest.operands[k].dtype});
    launch.operands.push_back({0, 0});
    launch.inner.push_back(static_cast<int64_t>(itemSize(nest.operands[k].dtype)));
    launch.outer.push_back(0);
    for (auto &strides : launch.outsideStrides)
      strides.push_back(0);
  }
}

/// Many rows of a few elements, such as coordinates: a row becomes a column.
void NestLayout::swapShortRows(CpuLaunch &launch) const {
  if (launch.count > fewElements || launch.rows < manyRows)
    return;
  for (const CpuLaunch::Packed &packed : launch.packed) // no longer read by every row
    launch.inner[packed.operand] = packed.stride;
  launch.packed.clear();
  std::swap(launch.count, launch.rows);
  std::swap(launch.inner, launch.outer);
}

/// Operands that take the elements of a row in turn, from operand `first` on, each one element behind the one before;
/// `first` alone where any is missing.
llvm::SmallVector<unsigned, 4> NestLayout::findInterleaved(const CpuLaunch &launch, unsigned first) const {
  constexpr int64_t most = 4;
  int64_t count = launch.inner[first] / static_cast<int64_t>(itemSize(nest.operands[first].dtype));
  if (count > most)
    return {first};
  llvm::SmallVector<unsigned, 4> found{first};
  for (int64_t number = 1; number < count; ++number) {
    auto all = llvm::seq<unsigned>(0, static_cast<unsigned>(operands.size()));
    auto next = llvm::find_if(all, [&](unsigned k) {
      auto hasSameStride = [&](const auto &strides) { return strides[k] == strides[first]; };
      return operands[k].source == operands[first].source && nest.operands[k] == nest.operands[first] &&
             operands[k].geometry.storageOffset() == operands[first].geometry.storageOffset() + number &&
             launch.inner[k] == launch.inner[first] && launch.outer[k] == launch.outer[first] &&
             llvm::all_of(launch.outsideStrides, hasSameStride);
    });
    if (next == all.end())
      return {first};
    found.push_back(*next);
  }
  return found;
}

/// Operands whose elements stand apart, those that lie between each other together.
void NestLayout::findTiled(CpuLaunch &launch) const {
  llvm::SmallVector<bool, 16> isTaken(operands.size(), false);
  auto take = [&](llvm::SmallVector<unsigned, 4> together) {
    for (unsigned k : together)
      isTaken[k] = true;
    launch.tiled.push_back({together, nest.operands[together[0]].dtype, nest.operands[together[0]].isOutput});
  };
  auto wants = [&](unsigned k) { return !isTaken[k] && hasGap(launch.inner[k], nest.operands[k].dtype); };
  for (unsigned k = 0; k != operands.size(); ++k)
    if (auto together = findInterleaved(launch, k); wants(k) && together.size() > 1 && llvm::all_of(together, wants))
      take(std::move(together));
  for (unsigned k = 0; k != operands.size(); ++k)
    if (wants(k))
      take({k});
}

/// The classes of the operands.
void NestLayout::classify(const CpuLaunch &launch) {
  for (unsigned k = 0; k != operands.size(); ++k) {
    NestOperand &operand = nest.operands[k];
    bool moves = launch.outer[k] != 0 ||
                 llvm::any_of(launch.outsideStrides, [&](const auto &strides) { return strides[k] != 0; });
    bool isTiled = llvm::any_of(launch.tiled,
                                [&](const CpuLaunch::Tiled &tiled) { return llvm::is_contained(tiled.operands, k); });
    if (isTiled || (operand.isOutput && launch.count == 1))
      operand.access = Access::Contiguous;
    else if (launch.inner[k] == 0)
      operand.access = moves ? Access::Repeated : Access::Single;
    else
      operand.access =
          launch.inner[k] == static_cast<int64_t>(itemSize(operand.dtype)) ? Access::Contiguous : Access::Strided;
  }
}

bool NestLayout::decide(CpuLaunch &launch) {
  if (results.empty() ? !decideLayout(launch) : !decideFoldLayout(launch))
    return false;
  if (results.empty())
    packSharedRows(launch);
  if (results.empty() && !foldsRows()) {
    if (!joinShortRows(launch))
      swapShortRows(launch);
    if (launch.rowsAtOnce == 1)
      findTiled(launch);
  }
  classify(launch);
  for (const Operand &operand : operands)
    launch.operands.push_back(
        {operand.source, operand.geometry.storageOffset() * static_cast<int64_t>(itemSize(operand.geometry.dtype()))});
  // Columns are better folded side by side, as the operators do.
  if (foldsRows() &&
      llvm::any_of(nest.operands, [](const NestOperand &operand) { return operand.access == Access::Strided; }))
    return false;
  launch.hasFolds = foldsRows();
  nest.findLevels();
  keepRows(launch);
  addBlockResults(launch);
  launch.numbers = numbers;
  return true;
}

//===----------------------------------------------------------------------===//
// Around the caches
//===----------------------------------------------------------------------===//

/// Of one core, in bytes, at least 1 MB. The third-level cache is several cores', and glibc overstates AMD's.
static int64_t secondLevelCache() {
  static const int64_t bytes = std::max<int64_t>(sysconf(_SC_LEVEL2_CACHE_SIZE), int64_t{1} << 20);
  return bytes;
}
/// Bytes of outputs above which they are written around the caches.
static int64_t streamingThreshold() { return 8 * secondLevelCache(); }
/// Bytes of inputs above which a kernel that only reads fetches ahead.
static int64_t fetchingThreshold() { return 16 * secondLevelCache(); }

static bool readsFromMemory(const LoopNest &nest, const CpuLaunch &launch) {
  int64_t bytes = 0;
  for (unsigned k = 0; k != launch.tensors().size(); ++k)
    if (!nest.operands[k].isOutput && nest.operands[k].access == Access::Contiguous)
      bytes += launch.elementsOfOperand(k) * static_cast<int64_t>(itemSize(nest.operands[k].dtype));
  return bytes >= fetchingThreshold();
}

/// Temporaries are read again.
static bool mayStream(const LoopNest &nest, const CpuLaunch &launch, unsigned firstTemporary) {
  // A tile is to stay in the cache.
  if (llvm::any_of(launch.tiled, [](const CpuLaunch::Tiled &tiled) { return tiled.isOutput; }))
    return false;
  if (nest.writesNoRow())
    return launch.tiled.empty() && readsFromMemory(nest, launch);
  int64_t bytes = 0;
  for (unsigned k = 0; k != nest.operands.size(); ++k) {
    if (!nest.operands[k].isOutput || nest.operands[k].access != Access::Contiguous)
      continue;
    if (launch.operands[k].source >= firstTemporary)
      return false;
    bytes += launch.count * launch.rows * launch.outside * static_cast<int64_t>(itemSize(nest.operands[k].dtype));
    bool isAligned = launch.operands[k].offset % 64 == 0 && (launch.rows == 1 || launch.outer[k] % 64 == 0);
    for (const auto &strides : launch.outsideStrides)
      isAligned &= strides[k] % 64 == 0;
    if (!isAligned)
      return false;
  }
  return bytes >= streamingThreshold();
}

static bool isOneCall(const CpuLaunch &launch) {
  return !launch.fold && !launch.mayStream && launch.outside == 1 && launch.rowsAtOnce == 1 && launch.packed.empty() &&
         launch.tiled.empty() && launch.kept.empty() && launch.count > 0 && launch.rows > 0 &&
         launch.count <= parallelGrain / launch.rows;
}

bool CpuDevice::foldsApart(int64_t rows, int64_t length) const {
  constexpr int64_t longRow = 2 * parallelGrain, fewRows = 8; // blocks give work to more threads than rows
  return rows < fewRows && length >= longRow;
}

NestDevice::LaidOut CpuDevice::layOut(FusedNest fused, unsigned firstTemporary) const {
  auto launch = std::make_unique<CpuLaunch>();
  NestLayout layout(std::move(fused));
  if (!layout.decide(*launch))
    return {};
  launch->mayStream = mayStream(layout.nest, *launch, firstTemporary);
  launch->isOneCall = isOneCall(*launch);
  return {std::move(launch), std::move(layout.nest)};
}
