//===- CrossWalk.cpp - Folds of a matrix both ways ------------------------===//
//
// The matrix is cut into strips of a block of columns, a strip into pieces of a block of
// rows, and those into tiles of a few columns, whose accumulators fit the first cache. The
// kernel folds a tile's columns whole. The lanes of its rows are memory, which all tiles of
// a piece go on with from left to right; behind the last tile they are a block's. Pieces
// are shared out to threads.
//
//===----------------------------------------------------------------------===//
#include "CrossWalk.h"
#include "FoldWalk.h"
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
    blocks.resize(base.size());
    for (const FoldLaunch::Result &result : fold.results)
      if (!blocks[result.operand]) {
        const int64_t count = result.alongColumns ? strips * rows : pieces * columns;
        blocks[result.operand] = memory.take(static_cast<size_t>(count * itemOf(result)));
      }
    if (!memory.isShort)
      parallelFor(0, strips * pieces, std::max<int64_t>(1, parallelGrain / (foldBlock * std::min(foldBlock, rows))),
                  [&](int64_t first, int64_t last) {
                    for (int64_t i = first; i != last; ++i)
                      foldPiece(i / pieces, i % pieces);
                  });
    if (memory.isShort || outOfMemory)
      return resourceExhausted("no memory for the blocks of a fused kernel");
    for (const FoldLaunch::Result &result : fold.results) {
      const int64_t size = result.alongColumns ? rows : columns, folded = result.alongColumns ? columns : rows,
                    count = result.alongColumns ? strips : pieces;
      const WalkDim &kept = result.alongColumns ? fold.run : *fold.columns;
      for (int64_t first = 0; first < size; first += maxFoldColumns)
        combineFoldBlocks(result, folded, blocks[result.operand] + first * count * itemOf(result), count,
                          std::min<int64_t>(maxFoldColumns, size - first),
                          sources[result.source] +
                              first * kept.resultStep * static_cast<int64_t>(itemSize(result.dtype)),
                          kept.resultStep);
    }
    return okStatus();
  }

private:
  static int64_t itemOf(const FoldLaunch::Result &result) { return static_cast<int64_t>(itemSize(result.inside)); }

  /// Where the block of result number `first` and its neighbours is that has this number of `count`: results are
  /// combined some at a time, of which each block's are neighbours.
  static int64_t placeOf(int64_t first, int64_t size, int64_t number, int64_t count) {
    const int64_t begin = first / maxFoldColumns * maxFoldColumns,
                  width = std::min<int64_t>(maxFoldColumns, size - begin);
    return begin * count + number * width + (first - begin);
  }

  void foldPiece(int64_t strip, int64_t piece) {
    const int64_t left = strip * foldBlock, right = std::min(left + foldBlock, columns), top = piece * foldBlock,
                  height = std::min(foldBlock, rows - top);
    ThreadMemory memory;
    Pointers lanes(base.size()); // of the piece's rows, by operand
    for (const FoldLaunch::Result &result : fold.results)
      if (result.alongColumns && !lanes[result.operand])
        lanes[result.operand] = memory.take(static_cast<size_t>(height * foldLanes * itemOf(result)));
    if (memory.isShort) {
      outOfMemory = true;
      return;
    }
    clearLanes(lanes, height);
    for (int64_t column = left; column < right; column += maxFoldColumns)
      foldTile(lanes, column, std::min<int64_t>(maxFoldColumns, right - column), piece, height);
    finishLanes(lanes, strip, top, height);
  }

  void foldTile(const Pointers &lanes, int64_t column, int64_t width, int64_t piece, int64_t height) const {
    Pointers at = base;
    for (size_t k = 0; k != launch.operands.size(); ++k)
      at[k] += column * launch.inner[k] + piece * foldBlock * launch.outer[k];
    for (const FoldLaunch::Result &result : fold.results)
      at[result.operand] = result.alongColumns
                               ? lanes[result.operand]
                               : blocks[result.operand] + placeOf(column, columns, piece, pieces) * itemOf(result);
    function(at.data(), launch.inner.data(), launch.outer.data(), width, height, numbers.data(), routineTable(),
             launch.mayStream);
  }

  void clearLanes(const Pointers &lanes, int64_t height) const {
    for (const FoldLaunch::Result &result : fold.results)
      if (result.alongColumns)
        withType(result.inside, [&]<typename T>(T) {
          withFold<T>(result.kind, [&](auto kind) {
            std::fill_n(reinterpret_cast<T *>(lanes[result.operand]), height * foldLanes, kind.init());
          });
        });
  }

  void finishLanes(const Pointers &lanes, int64_t strip, int64_t top, int64_t height) const {
    for (const FoldLaunch::Result &result : fold.results)
      if (result.alongColumns)
        withType(result.inside, [&]<typename T>(T) {
          withFold<T>(result.kind, [&](auto kind) {
            const T *ofRow = reinterpret_cast<const T *>(lanes[result.operand]);
            T *to = reinterpret_cast<T *>(blocks[result.operand]);
            for (int64_t row = top; row != top + height; ++row, ofRow += foldLanes) {
              T acc[foldLanes];
              std::copy_n(ofRow, foldLanes, acc);
              for (int width = foldLanes / 2; width; width /= 2)
                for (int k = 0; k != width; ++k)
                  acc[k] = kind.combine(acc[k], acc[k + width]);
              to[placeOf(row, rows, strip, strips)] = acc[0];
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
  const int64_t rows, columns, strips = blocksOf(columns), pieces = blocksOf(rows);
  Pointers base, blocks; ///< What the blocks of results come to, by operand.
  llvm::SmallVector<Tensor, 4> packedRows;
  std::atomic<bool> outOfMemory{false};
};
} // namespace

Status fuser::runCrossedFolds(const CpuLaunch &launch, ArrayRef<char *> sources, ArrayRef<const IValue *> inputs) {
  assert(launch.fold && launch.fold->crosses && launch.fold->columns && "a launch that folds rows and columns at once");
  return CrossWalk(launch, sources, inputs).run();
}
