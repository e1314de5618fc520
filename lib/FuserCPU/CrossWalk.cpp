//===- CrossWalk.cpp - Folds of a matrix both ways ------------------------===//
//
// The matrix is cut into strips of a block of columns, a strip into pieces of a block of
// rows, and those into tiles of a few columns, whose accumulators fit the first cache. The
// kernel folds a tile's columns whole. The lanes of its rows are memory, which all tiles of
// a piece go on with from left to right; behind the last tile they are a block's. Strips
// are shared out to threads.
//
//===----------------------------------------------------------------------===//
#include "CrossWalk.h"
#include "FoldWalk.h"
#include "Routines.h"
#include "ThreadMemory.h"
#include "tsc/Support/ThreadPool.h"
#include <atomic>

using namespace tsc;
using namespace tsc::fuser;
using cpu::foldBlock;
using cpu::foldLanes;

namespace {
using Pointers = llvm::SmallVector<char *, 16>;

/// Fn(fold) for the fold of this kind of T; a mean is a sum until it is divided.
template <typename T, typename Fn> void withFold(FoldKind kind, Fn fn) {
  switch (kind) {
  case FoldKind::Sum:
  case FoldKind::Mean: return fn(cpu::SumFold<T>());
  case FoldKind::Product: return fn(cpu::ProdFold<T>());
  case FoldKind::Max: return fn(cpu::MaxFold<T>());
  case FoldKind::Min: return fn(cpu::MinFold<T>());
  }
}
template <typename Fn> void withType(DType inside, Fn fn) {
  switch (inside) {
  case DType::Float: return fn(float{});
  case DType::Double: return fn(double{});
  default: return fn(int64_t{});
  }
}

class CrossWalk {
public:
  CrossWalk(const CpuLaunch &launch, ArrayRef<char *> sources, ArrayRef<const IValue *> inputs)
      : launch(launch), fold(*launch.fold), function(functionOf(*launch.kernel)), sources(sources),
        numbers(launch.storedNumbers(inputs)), rows(fold.run.size), columns(fold.columns->size) {
    for (const CpuLaunch::Operand &operand : launch.operands)
      base.push_back(sources[operand.source] + operand.offset);
    base.resize(launch.inner.size());
  }

  Status run() {
    for (const CpuLaunch::Packed &packed : launch.packed) {
      TSC_ASSIGN_OR_RETURN(Tensor row, launch.pack(packed, base[packed.operand]));
      base[packed.operand] = static_cast<char *>(row.mutableData());
      packedRows.push_back(std::move(row));
    }
    ThreadMemory memory;
    rowBlocks.resize(base.size());
    for (const FoldLaunch::Result &result : fold.results)
      if (result.alongColumns && !rowBlocks[result.operand])
        rowBlocks[result.operand] = memory.take(static_cast<size_t>(strips * rows) * itemSize(result.inside));
    if (!memory.isShort)
      parallelFor(0, strips, std::max<int64_t>(1, parallelGrain / (foldBlock * rows)),
                  [&](int64_t first, int64_t last) {
                    for (int64_t i = first; i != last; ++i)
                      foldStrip(i);
                  });
    if (memory.isShort || outOfMemory)
      return resourceExhausted("no memory for the blocks of a fused kernel");
    for (const FoldLaunch::Result &result : fold.results)
      if (result.alongColumns)
        for (int64_t row = 0; row < rows; row += maxFoldColumns)
          combine(result, columns, rowBlocks[result.operand] + row * strips * itemOf(result), strips, row,
                  std::min<int64_t>(maxFoldColumns, rows - row), fold.run);
    return okStatus();
  }

private:
  static int64_t itemOf(const FoldLaunch::Result &result) { return static_cast<int64_t>(itemSize(result.inside)); }

  void combine(const FoldLaunch::Result &result, int64_t folded, const char *blocks, int64_t count, int64_t first,
               int64_t width, const WalkDim &kept) const {
    char *to = sources[result.source] + first * kept.resultStep * static_cast<int64_t>(itemSize(result.dtype));
    combineFoldBlocks(result, folded, blocks, count, width, to, kept.resultStep);
  }

  void foldStrip(int64_t strip) {
    const int64_t left = strip * foldBlock, right = std::min(left + foldBlock, columns), pieces = blocksOf(rows);
    ThreadMemory memory;
    Pointers own(base.size()); // of an operand: the lanes of a piece's rows, or the results of the strip's blocks
    for (const FoldLaunch::Result &result : fold.results)
      if (!own[result.operand]) {
        const int64_t count = result.alongColumns ? std::min(rows, foldBlock) * foldLanes : pieces * (right - left);
        own[result.operand] = memory.take(static_cast<size_t>(count * itemOf(result)));
      }
    if (memory.isShort) {
      outOfMemory = true;
      return;
    }
    for (int64_t piece = 0; piece != pieces; ++piece) {
      const int64_t top = piece * foldBlock, height = std::min(foldBlock, rows - top);
      clearLanes(own, height);
      for (int64_t column = left; column < right; column += maxFoldColumns)
        foldTile(own, column, std::min<int64_t>(maxFoldColumns, right - column), left, piece, height);
      finishLanes(own, strip, top, height);
    }
    for (const FoldLaunch::Result &result : fold.results)
      for (int64_t column = left; !result.alongColumns && column < right; column += maxFoldColumns)
        combine(result, rows, own[result.operand] + (column - left) * pieces * itemOf(result), pieces, column,
                std::min<int64_t>(maxFoldColumns, right - column), *fold.columns);
  }

  void foldTile(const Pointers &own, int64_t column, int64_t width, int64_t left, int64_t piece, int64_t height) const {
    Pointers at = base;
    for (size_t k = 0; k != launch.operands.size(); ++k)
      at[k] += column * launch.inner[k] + piece * foldBlock * launch.outer[k];
    for (const FoldLaunch::Result &result : fold.results) {
      const int64_t blocks = result.alongColumns ? 0 : (column - left) * blocksOf(rows) + piece * width;
      at[result.operand] = own[result.operand] + blocks * itemOf(result);
    }
    function(at.data(), launch.inner.data(), launch.outer.data(), width, height, numbers.data(), routineTable(),
             launch.mayStream);
  }

  void clearLanes(const Pointers &own, int64_t height) const {
    for (const FoldLaunch::Result &result : fold.results)
      if (result.alongColumns)
        withType(result.inside, [&]<typename T>(T) {
          withFold<T>(result.kind, [&](auto kind) {
            std::fill_n(reinterpret_cast<T *>(own[result.operand]), height * foldLanes, kind.init());
          });
        });
  }

  void finishLanes(const Pointers &own, int64_t strip, int64_t top, int64_t height) {
    for (const FoldLaunch::Result &result : fold.results)
      if (result.alongColumns)
        withType(result.inside, [&]<typename T>(T) {
          withFold<T>(result.kind, [&](auto kind) {
            T *lanes = reinterpret_cast<T *>(own[result.operand]),
              *blocks = reinterpret_cast<T *>(rowBlocks[result.operand]);
            for (int64_t row = top; row != top + height; ++row, lanes += foldLanes) {
              T acc[foldLanes];
              std::copy_n(lanes, foldLanes, acc);
              for (int width = foldLanes / 2; width; width /= 2)
                for (int k = 0; k != width; ++k)
                  acc[k] = kind.combine(acc[k], acc[k + width]);
              // Rows are combined some at a time, of which each strip's blocks are neighbours.
              const int64_t first = row / maxFoldColumns * maxFoldColumns,
                            width = std::min<int64_t>(maxFoldColumns, rows - first);
              blocks[first * strips + strip * width + (row - first)] = acc[0];
            }
          });
        });
  }

  static int64_t blocksOf(int64_t size) { return (size + foldBlock - 1) / foldBlock; }

  const CpuLaunch &launch;
  const FoldLaunch &fold;
  KernelFunction function;
  ArrayRef<char *> sources;
  llvm::SmallVector<uint64_t, 8> numbers;
  const int64_t rows, columns, strips = blocksOf(columns);
  Pointers base, rowBlocks; ///< Where results of the rows' blocks are, by operand.
  llvm::SmallVector<Tensor, 4> packedRows;
  std::atomic<bool> outOfMemory{false};
};
} // namespace

Status fuser::runCrossedFolds(const CpuLaunch &launch, ArrayRef<char *> sources, ArrayRef<const IValue *> inputs) {
  return CrossWalk(launch, sources, inputs).run();
}
