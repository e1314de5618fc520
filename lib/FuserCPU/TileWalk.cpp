//===- TileWalk.cpp - Elements that stand apart, tile by tile -------------===//
//
// Kernels work on vectors of neighbours. What is no row of neighbours in memory is
// brought together first, some rows and columns at a time, into tiles that stay in
// the cache; outputs are taken apart again. Where the neighbours of an element are
// in the next rows, a tile is transposed.
//
//===----------------------------------------------------------------------===//
#include "TileWalk.h"
#include "ThreadMemory.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Support/ThreadPool.h"
#include "llvm/ADT/STLExtras.h"
#include <atomic>

using namespace tsc;
using namespace tsc::fuser;

namespace {
using Pointers = llvm::SmallVector<char *, 16>;

class TileWalk {
public:
  TileWalk(const CpuLaunch &launch, ArrayRef<char *> pointers, ArrayRef<uint64_t> numbers, bool streaming)
      : launch(launch), pointers(pointers), numbers(numbers), streaming(streaming), inner(launch.inner),
        outer(launch.outer) {
    for (const CpuLaunch::Tiled &tiled : launch.tiled)
      for (unsigned k : tiled.operands) {
        inner[k] = static_cast<int64_t>(itemSize(tiled.dtype));
        outer[k] = launch.outer[k] == 0 ? 0 : inner[k] * columns;
      }
  }

  Status run() {
    int64_t elements = rows * std::min(columns, launch.count);
    parallelFor(0, launch.outside * tilesDown * tilesAcross, std::max<int64_t>(1, parallelGrain / elements),
                [&](int64_t begin, int64_t end) { runTiles(begin, end); });
    return outOfMemory ? resourceExhausted("no memory for the tiles of a fused kernel") : okStatus();
  }

private:
  /// Enough for many vectors, and so few that what a tile needs is in the nearest cache, twice where it is moved.
  static int64_t chooseColumns(const CpuLaunch &launch, int64_t rows) {
    constexpr int64_t least = 64, most = 1024, nearBytes = 16 << 10;
    static_assert(least % 64 == 0, "each tile of an output that is written around the caches begins a line");
    int64_t bytes = 0;
    for (const CpuLaunch::Tiled &tiled : launch.tiled)
      bytes += 2 * static_cast<int64_t>(tiled.operands.size() * itemSize(tiled.dtype));
    int64_t enough = std::clamp(nearBytes / (bytes * rows) & -least, least, most);
    return std::min(enough, (launch.count + least - 1) & -least);
  }

  void runTiles(int64_t begin, int64_t end) {
    ThreadMemory memory;
    Pointers tiles;
    for (const CpuLaunch::Tiled &tiled : launch.tiled)
      tiles.push_back(memory.take(tiled.operands.size() * static_cast<size_t>(tileBytes(tiled))));
    if (memory.isShort) {
      outOfMemory = true;
      return;
    }
    for (int64_t tile = begin; tile != end; ++tile) {
      int64_t column = tile % tilesAcross * columns, down = tile / tilesAcross;
      int64_t row = down % tilesDown * rows, outside = down / tilesDown;
      Pointers at(pointers);
      for (unsigned k = 0; k != at.size(); ++k)
        at[k] += row * launch.outer[k] + column * launch.inner[k];
      launch.moveOutside(at, outside);
      runTile(at, tiles, std::min(rows, launch.rows - row), std::min(columns, launch.count - column),
              launch.count - column - columns);
    }
  }

  /// `columnsLeft`: behind this tile.
  void runTile(const Pointers &memory, const Pointers &tiles, int64_t someRows, int64_t someColumns,
               int64_t columnsLeft) const {
    Pointers at = memory;
    for (auto [tiled, tile] : llvm::zip_equal(launch.tiled, tiles)) {
      for (auto [number, k] : llvm::enumerate(tiled.operands))
        at[k] = tile + static_cast<int64_t>(number) * tileBytes(tiled);
      if (!tiled.isOutput)
        bringTogether(tiled, tile, memory[tiled.operands[0]], someRows, someColumns, columnsLeft);
    }
    functionOf (*launch.kernel)(at.data(), inner.data(), outer.data(), someColumns, someRows, numbers.data(),
                                routineTable(), streaming);
    for (auto [tiled, tile] : llvm::zip_equal(launch.tiled, tiles))
      if (tiled.isOutput)
        takeApart(tiled, memory[tiled.operands[0]], tile, someRows, someColumns);
  }

  int64_t tileBytes(const CpuLaunch::Tiled &tiled) const {
    return rows * columns * static_cast<int64_t>(itemSize(tiled.dtype));
  }

  /// Where the first operand is in memory, and how it and its tile are walked; in bytes.
  struct Strides {
    int64_t item, stride, nextRow, tileRow;
  };
  Strides stridesOf(const CpuLaunch::Tiled &tiled) const {
    unsigned k = tiled.operands[0];
    return {inner[k], launch.inner[k], launch.outer[k], outer[k]};
  }

  void bringTogether(const CpuLaunch::Tiled &tiled, char *tile, const char *from, int64_t someRows, int64_t someColumns,
                     int64_t columnsLeft) const {
    auto [item, stride, nextRow, tileRow] = stridesOf(tiled);
    int64_t together = static_cast<int64_t>(tiled.operands.size());
    if (nextRow == 0)
      someRows = 1; // they are all the same
    if (together == 1 && nextRow == item && someRows != 1) {
      cpu::transposeElements(tile, tileRow, from, stride, someRows, someColumns, static_cast<size_t>(item));
      if (stride > line)
        prefetchColumns(from + columns * stride, stride, std::min(columns, columnsLeft), someRows * item);
      return;
    }
    for (int64_t r = 0; r != someRows; ++r, tile += tileRow, from += nextRow)
      if (together == 1)
        cpu::convertRow(tile, tiled.dtype, item, from, tiled.dtype, stride, someColumns);
      else
        cpu::transposeElements(tile, tileBytes(tiled), from, stride, together, someColumns, static_cast<size_t>(item));
  }

  void takeApart(const CpuLaunch::Tiled &tiled, char *to, const char *tile, int64_t someRows,
                 int64_t someColumns) const {
    auto [item, stride, nextRow, tileRow] = stridesOf(tiled);
    int64_t together = static_cast<int64_t>(tiled.operands.size());
    if (together == 1 && nextRow == item && someRows != 1)
      return cpu::transposeElements(to, stride, tile, tileRow, someColumns, someRows, static_cast<size_t>(item));
    for (int64_t r = 0; r != someRows; ++r, tile += tileRow, to += nextRow)
      if (together == 1)
        cpu::convertRow(to, tiled.dtype, stride, tile, tiled.dtype, item, someColumns);
      else
        cpu::transposeElements(to, stride, tile, tileBytes(tiled), someColumns, together, static_cast<size_t>(item));
  }

  /// While one tile is computed, the columns of the next come: no processor foresees lines so far from each other.
  static void prefetchColumns(const char *first, int64_t stride, int64_t count, int64_t bytes) {
    for (int64_t column = 0; column < count; ++column)
      for (int64_t at = 0; at < bytes; at += line)
        __builtin_prefetch(first + column * stride + at);
  }

  static constexpr int64_t line = 64;
  const CpuLaunch &launch;
  ArrayRef<char *> pointers;
  ArrayRef<uint64_t> numbers;
  bool streaming;
  static constexpr int64_t mostRows = 64;
  const int64_t rows = std::min(mostRows, launch.rows), columns = chooseColumns(launch, rows);
  const int64_t tilesDown = (launch.rows + rows - 1) / rows, tilesAcross = (launch.count + columns - 1) / columns;
  llvm::SmallVector<int64_t, 8> inner, outer; ///< As the kernel walks.
  std::atomic<bool> outOfMemory{false};
};
} // namespace

Status fuser::runTiles(const CpuLaunch &launch, ArrayRef<char *> pointers, ArrayRef<uint64_t> numbers, bool streaming) {
  assert(!launch.tiled.empty() && !launch.fold && "a launch with operands whose elements stand apart");
  assert(pointers.size() == launch.operands.size() && "one pointer for each operand");
  bool isEmpty = launch.rows == 0 || launch.count == 0;
  return isEmpty ? okStatus() : TileWalk(launch, pointers, numbers, streaming).run();
}
