//===- FoldWalk.cpp - Folds block by block --------------------------------===//
//
// Neighbouring results (columns), or a single one, are a tile. A tile's blocks are
// folded by the kernel into an array, and the array is combined. Many tiles are
// shared out to threads; of few tiles, the blocks are.
//
//===----------------------------------------------------------------------===//
#include "FoldWalk.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Support/ThreadPool.h"
#include "tsc/Tensor/Allocator.h"
#include <atomic>

using namespace tsc;
using namespace tsc::fuser;

namespace {
using Pointers = llvm::SmallVector<char *, 16>;

class ScratchMemory {
public:
  explicit ScratchMemory(int64_t bytes) : block(memory::allocate(static_cast<size_t>(bytes))) {}
  ~ScratchMemory() {
    if (block.data)
      memory::deallocate(block.data, block.capacity);
  }
  ScratchMemory(const ScratchMemory &) = delete;
  ScratchMemory &operator=(const ScratchMemory &) = delete;
  char *data() const { return static_cast<char *>(block.data); }

private:
  memory::Block block;
};

/// Where a tile begins.
struct Tile {
  Pointers operands;
  int64_t result = 0, columns = 1; ///< Elements.
};
} // namespace

/// `out` becomes what the results of `count` blocks, each of `width` columns, come to.
template <class Fold>
static void combineBlocks(const char *blocks, int64_t count, int64_t width, typename Fold::Acc *out) {
  using Acc = typename Fold::Acc;
  const auto *values = reinterpret_cast<const Acc *>(blocks);
  if (count == 1) {
    std::copy_n(values, width, out);
    return;
  }
  Fold fold;
  cpu::Cascade<Fold> cascade(fold, width, count);
  for (int64_t i = 0; i != count; ++i) {
    std::copy_n(values + i * width, width, out); // what is pushed is overwritten
    cascade.push(out);
  }
  std::copy_n(cascade.finish(), width, out);
}

/// The same, divided or not, in the result's dtype.
template <typename T>
static void finishTile(const FoldLaunch::Result &result, int64_t folded, const char *blocks, int64_t count,
                       int64_t width, char *to, int64_t step) {
  T out[maxFoldColumns];
  switch (result.kind) {
  case FoldKind::Sum:
  case FoldKind::Mean: combineBlocks<cpu::SumFold<T>>(blocks, count, width, out); break;
  case FoldKind::Product: combineBlocks<cpu::ProdFold<T>>(blocks, count, width, out); break;
  case FoldKind::Max: combineBlocks<cpu::MaxFold<T>>(blocks, count, width, out); break;
  case FoldKind::Min: combineBlocks<cpu::MinFold<T>>(blocks, count, width, out); break;
  }
  if (result.kind == FoldKind::Mean)
    for (int64_t i = 0; i != width; ++i)
      out[i] /= static_cast<T>(folded);
  cpu::convertRow(to, result.dtype, step * static_cast<int64_t>(itemSize(result.dtype)), out, result.inside, sizeof(T),
                  width);
}

void fuser::combineFoldBlocks(const FoldLaunch::Result &result, int64_t folded, const char *blocks, int64_t count,
                              int64_t width, char *to, int64_t step) {
  assert(count >= 1 && "a result has a block at least");
  assert(width >= 1 && width <= maxFoldColumns && "as many columns as are folded side by side");
  assert((result.kind != FoldKind::Mean || result.inside != DType::Int64) && "a mean is of real numbers");
  switch (result.inside) {
  case DType::Float: return finishTile<float>(result, folded, blocks, count, width, to, step);
  case DType::Double: return finishTile<double>(result, folded, blocks, count, width, to, step);
  default: return finishTile<int64_t>(result, folded, blocks, count, width, to, step);
  }
}

namespace {
class FoldWalk {
public:
  FoldWalk(const CpuLaunch &launch, ArrayRef<char *> sources, ArrayRef<const IValue *> inputs)
      : launch(launch), fold(*launch.fold), function(functionOf(*launch.kernel)), sources(sources),
        numbers(launch.storedNumbers(inputs)) {
    for (const CpuLaunch::Operand &operand : launch.operands)
      base.push_back(sources[operand.source] + operand.offset);
    for (const WalkDim &dim : fold.kept)
      tiles *= dim.size;
    for (const WalkDim &dim : fold.runs)
      blocks *= dim.size;
    tiles *= tilesAcross;
    for (const FoldLaunch::Result &result : fold.results)
      itemBytes = std::max<int64_t>(itemBytes, static_cast<int64_t>(itemSize(result.inside)));
  }

  Status run() {
    int64_t width = fold.columns ? std::min<int64_t>(fold.columns->size, maxFoldColumns) : 1;
    constexpr int64_t manyTiles = 8;
    if (tiles < manyTiles && blocks > 1 && currentExecutor())
      for (int64_t i = 0; i != tiles; ++i)
        foldTile(i, std::max<int64_t>(1, parallelGrain / (cpu::foldBlock * width)));
    else
      parallelFor(0, tiles, std::max<int64_t>(1, parallelGrain / (fold.folded * width)),
                  [&](int64_t first, int64_t last) {
                    for (int64_t i = first; i != last; ++i)
                      foldTile(i, blocks);
                  });
    return outOfMemory ? resourceExhausted("no memory for the blocks of a fused kernel") : okStatus();
  }

private:
  static void move(Pointers &pointers, const WalkDim &dim, int64_t by) {
    for (auto [pointer, stride] : llvm::zip(pointers, dim.strides))
      pointer += by * stride;
  }

  Tile tileAt(int64_t index) const {
    Tile tile{base};
    if (fold.columns) {
      int64_t first = index % tilesAcross * maxFoldColumns;
      index /= tilesAcross;
      move(tile.operands, *fold.columns, first);
      tile.result = first * fold.columns->resultStep;
      tile.columns = std::min<int64_t>(maxFoldColumns, fold.columns->size - first);
    }
    for (const WalkDim &dim : llvm::reverse(fold.kept)) {
      move(tile.operands, dim, index % dim.size);
      tile.result += index % dim.size * dim.resultStep;
      index /= dim.size;
    }
    return tile;
  }

  void foldTile(int64_t index, int64_t blocksAtOnce) {
    Tile tile = tileAt(index);
    int64_t stride = blocks * tile.columns * itemBytes; // from one result's blocks to the next one's
    ScratchMemory scratch(stride * static_cast<int64_t>(fold.results.size()));
    if (!scratch.data()) {
      outOfMemory = true;
      return;
    }
    parallelFor(0, blocks, blocksAtOnce,
                [&](int64_t first, int64_t last) { foldBlocks(tile, scratch.data(), stride, first, last); });
    for (const FoldLaunch::Result &result : fold.results) {
      const char *from = scratch.data() + (result.operand - firstResult()) * stride;
      char *to = sources[result.source] + tile.result * static_cast<int64_t>(itemSize(result.dtype));
      combineFoldBlocks(result, fold.folded, from, blocks, tile.columns, to,
                        fold.columns ? fold.columns->resultStep : 1);
    }
  }

  unsigned firstResult() const { return fold.results.front().operand; }

  /// The kernel on blocks [first, last): with columns a block at a time, else a piece of a run, or several runs of one
  /// block.
  void foldBlocks(const Tile &tile, char *scratch, int64_t stride, int64_t first, int64_t last) const {
    int64_t perRun = fold.blocksPerRun();
    bool takesRuns = !fold.columns && perRun == 1 && !fold.runs.empty();
    for (int64_t block = first; block < last;) {
      int64_t run = block / perRun, inRun = block % perRun, start = inRun * cpu::foldBlock;
      int64_t runs = takesRuns ? std::min(fold.runs.back().size - run % fold.runs.back().size, last - block) : 1;
      int64_t count = fold.columns ? 1 : std::min(perRun - inRun, last - block);
      int64_t elements = std::min(count * cpu::foldBlock, fold.run.size - start);
      Pointers at = tile.operands;
      for (const WalkDim &dim : llvm::reverse(fold.runs)) {
        move(at, dim, run % dim.size);
        run /= dim.size;
      }
      move(at, fold.run, start);
      for (const FoldLaunch::Result &result : fold.results)
        at[result.operand] = scratch + (result.operand - firstResult()) * stride +
                             block * tile.columns * static_cast<int64_t>(itemSize(result.inside));
      function(at.data(), launch.inner.data(), launch.outer.data(), fold.columns ? tile.columns : elements,
               fold.columns ? elements : runs, numbers.data(), routineTable(), launch.mayStream);
      block += takesRuns ? runs : count;
    }
  }

  const CpuLaunch &launch;
  const FoldLaunch &fold;
  KernelFunction function;
  ArrayRef<char *> sources;
  llvm::SmallVector<uint64_t, 8> numbers;
  Pointers base;
  int64_t tilesAcross = launch.fold->columns ? (launch.fold->columns->size + maxFoldColumns - 1) / maxFoldColumns : 1;
  int64_t tiles = 1, blocks = launch.fold->blocksPerRun(), itemBytes = 4;
  std::atomic<bool> outOfMemory{false};
};
} // namespace

Status fuser::runFold(const CpuLaunch &launch, ArrayRef<char *> sources, ArrayRef<const IValue *> inputs) {
  assert(launch.fold && !launch.fold->crosses && !launch.fold->results.empty() && "a launch that folds one way");
  return FoldWalk(launch, sources, inputs).run();
}
