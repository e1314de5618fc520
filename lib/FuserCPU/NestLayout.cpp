//===- NestLayout.cpp - The order in which a nest walks -------------------===//
//
// Dimensions are merged where every operand allows it. The innermost becomes the
// row, one that is written without gaps first; with folds, what they go along. Rows
// of a few elements are joined, or change places with columns, and what has gaps
// then is tiled: only nests that fold blocks read with gaps.
//
//===----------------------------------------------------------------------===//
#include "NestBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace tsc;
using namespace tsc::fuser;

bool fuser::foldsOneRun(ArrayRef<bool> reduced, ArrayRef<int64_t> sizes) {
  bool ended = false, began = false;
  for (size_t d = 0; d != sizes.size(); ++d) {
    if (sizes[d] == 1)
      continue;
    if (reduced[d] && ended)
      return false;
    ended |= began && !reduced[d];
    began |= reduced[d];
  }
  return true;
}

/// Adds an inner dimension; one with the last where that continues where it ends, for every operand.
static void append(llvm::SmallVectorImpl<WalkDim> &dims, WalkDim dim, bool mayContinue = true) {
  bool continues = !dims.empty() && mayContinue;
  if (continues)
    for (auto [outer, inner] : llvm::zip(dims.back().strides, dim.strides))
      continues &= outer == inner * dim.size;
  if (!continues)
    return dims.push_back(std::move(dim));
  dim.size *= dims.back().size;
  dims.back() = std::move(dim);
}

/// Kernels that read with gaps hold the offsets of lanes in 32 bits.
static bool hasNearElements(const Launch &launch) {
  return llvm::all_of(launch.inner, [](int64_t stride) { return stride < (int64_t{1} << 31) / maxLanes; });
}

WalkDim NestBuilder::walkDim(size_t d) const {
  WalkDim dim{sizes[d], {}};
  for (const Operand &operand : operands)
    dim.strides.push_back(operand.geometry.stride(d) * static_cast<int64_t>(itemSize(operand.geometry.dtype())));
  return dim;
}

bool NestBuilder::decideLayout(Launch &launch) {
  const Tensor &written = operands[nest.stores.front().operand].geometry;
  auto isReduced = [&](size_t d) { return !reduced.empty() && reduced[d]; };
  if (!reduced.empty() && !foldsOneRun(reduced, sizes))
    return false;
  llvm::SmallVector<size_t, 6> order;
  for (size_t d = 0; d != sizes.size(); ++d)
    if (sizes[d] != 1)
      order.push_back(d);
  llvm::stable_sort(order, [&](size_t a, size_t b) {
    if (isReduced(a) || isReduced(b))
      return isReduced(b) && !isReduced(a);
    return written.stride(a) > written.stride(b);
  });
  llvm::SmallVector<WalkDim, 6> dims;
  size_t numKept = 0; // dims before this one are no part of a fold
  for (size_t d : order) {
    WalkDim dim = walkDim(d);
    bool beginsFold = isReduced(d) && dims.size() == numKept;
    size_t before = dims.size();
    append(dims, std::move(dim), !beginsFold);
    numKept += dims.size() != before && !isReduced(d);
  }
  if (!reduced.empty() && dims.size() == numKept)
    dims.push_back({1, llvm::SmallVector<int64_t, 8>(operands.size(), 0)});
  if (!reduced.empty() && dims.size() != numKept + 1)
    return false; // the run has no single stride
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
bool NestBuilder::decideFoldLayout(Launch &launch) {
  FoldLaunch &fold = launch.fold.emplace();
  Dims steps(sizes.size(), 0);
  int64_t kept = 1;
  for (size_t d = sizes.size(); d-- != 0;)
    if (!reduced[d])
      steps[d] = kept, kept *= sizes[d];
    else
      fold.folded *= sizes[d];
  llvm::SmallVector<WalkDim, 2> run; // the last neighbours that are reduced
  bool inRun = false;
  for (size_t d = 0; d != sizes.size(); ++d) {
    if (sizes[d] == 1)
      continue;
    WalkDim dim = walkDim(d);
    dim.resultStep = steps[d];
    if (reduced[d] && !inRun) {
      fold.runs.append(run.begin(), run.end());
      run.clear();
    }
    append(reduced[d] ? static_cast<llvm::SmallVectorImpl<WalkDim> &>(run) : fold.kept, std::move(dim));
    inRun = reduced[d];
  }
  if (run.size() > 1)
    return false; // it has no single stride
  fold.run = run.empty() ? WalkDim{1, llvm::SmallVector<int64_t, 8>(operands.size(), 0)} : run.front();
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

void NestBuilder::chooseColumns(FoldLaunch &fold) const {
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
void NestBuilder::addBlockResults(Launch &launch) {
  llvm::DenseMap<unsigned, unsigned> operandOf; // by the nest's step
  for (const FoldResult &result : results) {
    NestStep &step = nest.steps[result.nestStep];
    auto [known, isNew] = operandOf.try_emplace(result.nestStep, static_cast<unsigned>(nest.operands.size()));
    if (isNew) {
      step.index = nest.addOperand({step.dtype, Access::Contiguous, true});
      launch.operands.push_back({0, 0});
      launch.inner.push_back(static_cast<int64_t>(itemSize(step.dtype)));
      launch.outer.push_back(launch.inner.back());
    }
    const FoldFacts &fold = facts.fold(result.step);
    launch.fold->results.push_back({known->second, fold.kind, fold.inside, fold.result, result.source});
  }
}

/// An input that every row reads, element by element with gaps, is packed before the rows begin.
void NestBuilder::packSharedRows(Launch &launch) const {
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
bool NestBuilder::joinShortRows(Launch &launch) const {
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
    auto *packed = llvm::find_if(launch.packed, [&](const Launch::Packed &p) { return p.operand == k; });
    if (packed == launch.packed.end())
      packed = &launch.packed.emplace_back(Launch::Packed{k, launch.inner[k], nest.operands[k].dtype});
    packed->times = launch.rowsAtOnce;
    launch.inner[k] = item;
  }
  return true;
}

/// Memory for what one phase of a row keeps for the next.
void NestBuilder::keepRows(Launch &launch) {
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
void NestBuilder::swapShortRows(Launch &launch) const {
  if (launch.count > fewElements || launch.rows < manyRows)
    return;
  for (const Launch::Packed &packed : launch.packed) // no longer read by every row
    launch.inner[packed.operand] = packed.stride;
  launch.packed.clear();
  std::swap(launch.count, launch.rows);
  std::swap(launch.inner, launch.outer);
}

/// Operands that take the elements of a row in turn, from operand `first` on, each one element behind the one before;
/// `first` alone where any is missing.
llvm::SmallVector<unsigned, 4> NestBuilder::findInterleaved(const Launch &launch, unsigned first) const {
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
void NestBuilder::findTiled(Launch &launch) const {
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
void NestBuilder::classify(const Launch &launch) {
  for (unsigned k = 0; k != operands.size(); ++k) {
    NestOperand &operand = nest.operands[k];
    bool moves = launch.outer[k] != 0 ||
                 llvm::any_of(launch.outsideStrides, [&](const auto &strides) { return strides[k] != 0; });
    bool isTiled =
        llvm::any_of(launch.tiled, [&](const Launch::Tiled &tiled) { return llvm::is_contained(tiled.operands, k); });
    if (isTiled || (operand.isOutput && launch.count == 1))
      operand.access = Access::Contiguous;
    else if (launch.inner[k] == 0)
      operand.access = moves ? Access::Repeated : Access::Single;
    else
      operand.access =
          launch.inner[k] == static_cast<int64_t>(itemSize(operand.dtype)) ? Access::Contiguous : Access::Strided;
  }
}

bool NestBuilder::finish(LoopNest &result, Launch &launch) {
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
  result = std::move(nest);
  return true;
}
