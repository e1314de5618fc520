//===- Reduce.h - Folding along dimensions ----------------------*- C++ -*-===//
//
// The order of a fold (Folds.h says what a fold is, and what its units are): the elements of an output, row-
// major, are runs; a run is cut into blocks; the results of blocks are combined
// pairwise. It depends on the shape and the dimensions alone, neither on strides nor
// on the number of threads, so that generated code can follow it.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_KERNELS_REDUCTIONS_REDUCE_H
#define TSC_LIB_KERNELS_REDUCTIONS_REDUCE_H

#include "HalfSums.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Kernels/Folds.h"
#include "tsc/Kernels/Reductions.h"
#include "tsc/Kernels/Views.h"
#include "tsc/Support/ThreadPool.h"
#include "tsc/Support/WorkMeter.h"
#include "tsc/Tensor/Dispatch.h"
#include "llvm/Support/MathExtras.h"
#include <array>
#include <bit>
#include <bitset>
#include <cmath>
#include <complex>

namespace tsc::cpu {

/// The dimensions to reduce, wrapped and checked; all of them when the list is absent or empty.
StatusOr<llvm::SmallVector<bool, 5>> reducedDims(const Tensor &self, OptionalDims dims);
/// The shape of the result. `reduced` says of each dimension whether it is reduced, here and in what follows.
Dims reducedShape(const Tensor &self, ArrayRef<bool> reduced, bool keepDim);
/// The dtype that values of `dtype` are folded in: Float, Double, Int64, ComplexFloat or ComplexDouble.
DType foldDType(DType dtype);
/// The sizes of a reduction over a wrapped dimension: without it, or (`keepDim`) with a size of 1 there.
inline Dims withoutDim(ArrayRef<int64_t> sizes, int64_t dim, bool keepDim) {
  assert((sizes.empty() ? dim == 0 : dim >= 0 && dim < static_cast<int64_t>(sizes.size())) && "a wrapped dimension");
  Dims out(sizes.begin(), sizes.end());
  if (!out.empty()) {
    if (keepDim)
      out[dim] = 1;
    else
      out.erase(out.begin() + dim);
  }
  return out;
}

/// Which elements belong to an output, and in which order: found from the logical shape, so that the order does not
/// depend on strides. Dimensions of size 1 do not count; neighbours that are reduced count as one. The last of these is
/// the run.
struct FoldOrder {
  Dims keptSizes, keptStrides; ///< Outermost first, merged where strides allow.
  Dims outerSizes, outerStrides;
  int64_t runLength = 1, runStride = 1;
  int64_t outputs = 1, folded = 1;
  bool uniform = true; ///< Whether the run has one stride.
  FoldOrder(const Tensor &self, ArrayRef<bool> reduced);

  int64_t blocksPerRun() const { return (runLength + foldBlock - 1) / foldBlock; }
  int64_t numBlocks() const { return runLength ? folded / runLength * blocksPerRun() : 0; }
};

/// Blocks of one chunk: a complete subtree of the cascade, so that chunks may be folded by different threads.
constexpr unsigned chunkLevel = 5;
constexpr int64_t chunkBlocks = int64_t(1) << chunkLevel;

/// Folds the elements of one tensor, of which there are some, and whose runs have one stride each. Outputs are numbered
/// row-major over the kept dimensions.
template <class Fold, typename T> class TensorFold {
  using Acc = typename Fold::Acc;

public:
  TensorFold(const Fold &fold, const FoldOrder &order, const T *data) : fold(fold), order(order), data(data) {
    assert(order.uniform && "the elements of a run are equally far apart");
    assert(order.outputs > 0 && order.folded > 0 && "there is something to fold");
    int64_t step = 1;
    outSteps.resize(order.keptSizes.size());
    for (size_t d = order.keptSizes.size(); d-- != 0; step *= order.keptSizes[d])
      outSteps[d] = step;
    if (order.runStride == 1) {
      rowsSideBySide = hasKernels ? foldRows : 1;
      return;
    }
    // Neighbours in memory that belong to different outputs are folded side by side.
    for (size_t d = 0; d != order.keptSizes.size(); ++d)
      if (order.keptStrides[d] == 1 && order.keptSizes[d] >= 4)
        columnDim = d;
  }

  /// Folds everything, and calls finish(number of the output, result) for each result.
  template <typename Finish> void run(Finish finish) const {
    if constexpr (std::is_same_v<Acc, T> && std::is_floating_point_v<T>)
      if (order.runStride == 1 && order.outerSizes.empty() && order.folded == order.runLength && lieTogether() &&
          foldShortRuns(finish))
        return;
    if constexpr (hasKernels)
      if (order.runStride == 1 && order.outerSizes.empty() && order.folded <= foldBlock && lieTogether())
        return foldRunsOfOneBlock(finish);
    int64_t columns = columnDim ? order.keptSizes[*columnDim] : 1,
            tilesAcross = (columns + foldColumns - 1) / foldColumns;
    int64_t tiles = order.outputs / columns * tilesAcross, blocks = order.numBlocks();
    auto tileAt = [&](int64_t i) { return tile(i / tilesAcross, i % tilesAcross * foldColumns, columns); };
    constexpr int64_t mostChunks = int64_t{1} << 20; // each has results of its own until all are there
    if (blocks >= 2 * chunkBlocks && blocks / chunkBlocks <= mostChunks && tiles < 8 && currentExecutor()) {
      for (int64_t i = 0; i != tiles; ++i)
        foldByChunks(tileAt(i), blocks, finish);
      return;
    }
    int64_t perTile = std::max<int64_t>(1, order.folded * std::min(columns, foldColumns));
    parallelFor(0, tiles, std::max<int64_t>(1, parallelGrain / perTile), [&](int64_t first, int64_t last) {
      Cascade<Fold> cascade(fold, std::min(columns, foldColumns), blocks);
      Cascade<Fold> side(fold, rowsSideBySide, blocks);
      for (int64_t i = first; i < last; ++i) {
        Tile t = tileAt(i);
        if (hasKernels && rowsSideBySide == foldRows && last - i >= foldRows) {
          std::array<Tile, foldRows> rows;
          for (int r = 0; r != foldRows; ++r)
            rows[r] = tileAt(i + r);
          foldRowsSideBySide(rows, side, finish);
          i += foldRows - 1;
          continue;
        }
        if (blocks == 1) {
          Acc values[foldColumns];
          foldBlockOf(t, values, data + t.offset, order.runLength);
          report(t, values, finish);
          continue;
        }
        cascade.reset();
        foldBlocks(t, 0, blocks, cascade);
        report(t, cascade.finish(), finish);
      }
    });
  }

private:
  /// Whether the runs of the outputs lie one behind the other.
  bool lieTogether() const { return order.keptSizes.size() == 1 && order.keptStrides[0] == order.folded; }
  /// Runs of a block each, side by side.
  template <typename Finish> void foldRunsOfOneBlock(Finish &finish) const {
    parallelFor(0, order.outputs, std::max<int64_t>(1, parallelGrain / order.folded), [&](int64_t first, int64_t last) {
      const T *from = data + first * order.folded;
      int64_t i = first;
      for (; i + foldRows <= last; i += foldRows) {
        Acc values[foldRows];
        const T *rows[foldRows];
        for (int r = 0; r != foldRows; ++r, from += order.folded)
          rows[r] = from;
        simd->rows(values, rows, order.folded, ahead(foldRows * order.folded));
        for (int r = 0; r != foldRows; ++r)
          finish(i + r, values[r]);
      }
      for (; i != last; ++i, from += order.folded)
        finish(i, simd->row(from, order.folded));
    });
  }
  /// Runs of so few elements that each is a lane of its own, in the order of a block.
  template <int n> static Acc foldLanesOf(const Fold &fold, const T *from) {
    Acc lanes[n];
    for (int i = 0; i != n; ++i)
      lanes[i] = fold.step(fold.init(), from[i]);
    for (int width = static_cast<int>(std::bit_ceil(static_cast<unsigned>(n))) / 2; width; width /= 2)
      for (int k = 0; k < width && k + width < n; ++k)
        lanes[k] = fold.combine(lanes[k], lanes[k + width]);
    return lanes[0];
  }
  template <typename Finish> bool foldShortRuns(Finish &finish) const {
    if (order.folded < 2 || order.folded > 4)
      return false;
    parallelFor(0, order.outputs, parallelGrain / order.folded, [&](int64_t first, int64_t last) {
      auto runs = [&]<int n>(std::integral_constant<int, n>) {
        for (int64_t i = first; i < last; ++i)
          finish(i, foldLanesOf<n>(fold, data + i * n));
      };
      if (order.folded == 2)
        runs(std::integral_constant<int, 2>());
      else if (order.folded == 3)
        runs(std::integral_constant<int, 3>());
      else
        runs(std::integral_constant<int, 4>());
    });
    return true;
  }

  struct Tile {
    int64_t offset = 0, output = 0, outStep = 1, columns = 1;
  };
  /// The tile at a column of the `index`-th position of the other kept dimensions.
  Tile tile(int64_t index, int64_t column, int64_t columns) const {
    Tile t;
    for (size_t d = order.keptSizes.size(); d-- != 0;) {
      int64_t at = column;
      if (columnDim != d) {
        at = index % order.keptSizes[d];
        index /= order.keptSizes[d];
      }
      t.offset += at * order.keptStrides[d];
      t.output += at * outSteps[d];
    }
    if (columnDim) {
      t.outStep = outSteps[*columnDim];
      t.columns = std::min(foldColumns, columns - column);
    }
    return t;
  }

  void foldBlockOf(const Tile &t, Acc *out, const T *from, int64_t count) const {
    if (columnDim) {
      if constexpr (hasKernels)
        return simd->columns(out, from, order.runStride, count, t.columns);
      else
        return foldColumnBlock(fold, out, from, order.runStride, count, t.columns);
    }
    T gathered[foldBlock];
    if (order.runStride != 1) {
      if constexpr (std::is_arithmetic_v<T>)
        convertRow(gathered, dtypeOf<T>(), sizeof(T), from, dtypeOf<T>(), order.runStride * sizeof(T), count);
      else
        for (int64_t i = 0; i != count; ++i)
          gathered[i] = from[i * order.runStride];
      from = gathered;
    }
    if constexpr (hasKernels)
      *out = simd->row(from, count);
    else
      *out = foldRowBlock(fold, from, count);
  }

  /// Rows of several outputs, block by block.
  template <typename Finish>
  void foldRowsSideBySide(ArrayRef<Tile> rows, Cascade<Fold> &cascade, Finish &finish) const {
    if constexpr (hasKernels) {
      Acc values[foldRows];
      const T *from[foldRows];
      cascade.reset();
      const int64_t runs = order.folded / order.runLength, nextGroup = foldRows * (rows[1].offset - rows[0].offset);
      if (order.folded <= foldBlock && runs == 1) {
        for (int r = 0; r != foldRows; ++r)
          from[r] = data + rows[r].offset;
        simd->rows(values, from, order.folded, ahead(nextGroup));
        for (int r = 0; r != foldRows; ++r)
          finish(rows[r].output, values[r]);
        return;
      }
      for (int64_t run = 0; run != runs; ++run)
        for (int64_t start = 0, offset = outerOffset(run); start < order.runLength; start += foldBlock) {
          for (int r = 0; r != foldRows; ++r)
            from[r] = data + rows[r].offset + offset + start;
          const int64_t left = order.runLength - start;
          simd->rows(values, from, std::min(foldBlock, left), ahead(left > foldBlock ? foldBlock : nextGroup - start));
          cascade.push(values);
        }
      const Acc *results = cascade.finish();
      for (int r = 0; r != foldRows; ++r)
        finish(rows[r].output, results[r]);
    }
  }

  /// Pushes blocks [first, last), or at least one of them where the call is to end: an expanded tensor may claim to
  /// have any number of elements.
  void foldBlocks(const Tile &t, int64_t first, int64_t last, Cascade<Fold> &cascade) const {
    int64_t perRun = order.blocksPerRun(), run = first / perRun, inRun = first % perRun;
    Acc values[foldColumns];
    work::LongLoop turns(foldBlock * t.columns), quadruples(foldRows * foldBlock);
    for (int64_t block = first; block < last; ++run, inRun = 0) {
      const T *from = data + t.offset + outerOffset(run);
      for (; inRun != perRun && block != last; ++inRun, ++block) {
        int64_t start = inRun * foldBlock;
        if constexpr (hasKernels)
          if (rowsSideBySide == foldRows && start + foldRows * foldBlock <= order.runLength &&
              block + foldRows <= last) {
            const T *blocks[foldRows];
            for (int r = 0; r != foldRows; ++r)
              blocks[r] = from + start + r * foldBlock;
            Acc each[foldRows];
            simd->rows(each, blocks, foldBlock, ahead(foldRows * foldBlock));
            if ((block - first) % foldRows == 0) { // a subtree of the cascade
              Acc four = fold.combine(fold.combine(each[0], each[1]), fold.combine(each[2], each[3]));
              cascade.push(&four, 2);
            } else {
              for (Acc &value : each)
                cascade.push(&value);
            }
            inRun += foldRows - 1, block += foldRows - 1;
            if (!quadruples.goOn())
              return;
            continue;
          }
        foldBlockOf(t, values, from + start * order.runStride, std::min(foldBlock, order.runLength - start));
        cascade.push(values);
        if (!turns.goOn())
          return;
      }
    }
  }
  int64_t outerOffset(int64_t run) const {
    int64_t offset = 0;
    for (size_t d = order.outerSizes.size(); d-- != 0; run /= order.outerSizes[d])
      offset += run % order.outerSizes[d] * order.outerStrides[d];
    return offset;
  }

  template <typename Finish> void foldByChunks(const Tile &t, int64_t blocks, Finish &finish) const {
    int64_t chunks = blocks / chunkBlocks;
    std::vector<Acc> partial(chunks * t.columns);
    parallelFor(0, chunks, 1, [&](int64_t first, int64_t last) {
      Cascade<Fold> cascade(fold, t.columns, chunkBlocks);
      for (int64_t i = first; i < last; ++i) {
        cascade.reset();
        foldBlocks(t, i * chunkBlocks, (i + 1) * chunkBlocks, cascade);
        std::copy_n(cascade.finish(), t.columns, partial.data() + i * t.columns);
      }
    });
    Cascade<Fold> cascade(fold, t.columns, blocks);
    for (int64_t i = 0; i != chunks; ++i)
      cascade.push(partial.data() + i * t.columns, chunkLevel);
    foldBlocks(t, chunks * chunkBlocks, blocks, cascade);
    report(t, cascade.finish(), finish);
  }

  template <typename Finish> void report(const Tile &t, const Acc *values, Finish &finish) const {
    for (int64_t k = 0; k != t.columns; ++k)
      finish(t.output + k * t.outStep, values[k]);
  }

  /// Returns how many bytes `elements` elements take, by which rows are prefetched ahead; 0 where the tensor is so
  /// small that its elements are in the cache.
  int64_t ahead(int64_t elements) const {
    constexpr int64_t nearBytes = 8 << 20;
    return order.outputs * order.folded > nearBytes / static_cast<int64_t>(sizeof(T))
               ? elements * static_cast<int64_t>(sizeof(T))
               : 0;
  }

  static constexpr bool isHalfType = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;
  /// Half types are folded as they are only where halfSumKernels() are there.
  static constexpr bool hasKernels = isHalfType || (std::is_same_v<Acc, T> && SimdBlocks<Fold>::exist);
  static auto kernels() {
    if constexpr (isHalfType)
      return halfSumKernels<T>(); // sums are what half types are folded in without a conversion
    else
      return SimdBlocks<Fold>::get();
  }
  const decltype(kernels()) simd = kernels();
  const Fold &fold;
  const FoldOrder &order;
  const T *data;
  Dims outSteps;
  std::optional<size_t> columnDim;
  int rowsSideBySide = 1; ///< foldRows where there are kernels for it.
};

/// finish(i, fold of the elements that belong to output i), on any thread, outputs numbered row-major over the kept
/// dimensions.
template <class Fold, typename T, typename Finish>
Status foldTensor(const Fold &fold, const Tensor &self, ArrayRef<bool> reduced, Finish finish) {
  Tensor input = self;
  FoldOrder order(input, reduced);
  if (order.outputs == 0)
    return okStatus();
  if (order.folded == 0) {
    for (int64_t i = 0; i != order.outputs; ++i)
      finish(i, fold.init());
    return okStatus();
  }
  if (!order.uniform) {
    TSC_ASSIGN_OR_RETURN(input, contiguous(self));
    order = FoldOrder(input, reduced);
  }
  TensorFold<Fold, T>(fold, order, input.data<T>()).run(finish);
  return work::wasStopped() ? work::stopped() : okStatus();
}

/// The sum of n elements that are one run, at least one, in the order of a fold. sumOf(begin, count) is the sum of a
/// part in that order; `begin` is where a chunk begins.
template <typename T, typename SumOf> T sumByChunks(int64_t n, SumOf sumOf) {
  assert(n > 0 && "a run has elements");
  constexpr int64_t chunk = chunkBlocks * foldBlock;
  const int64_t chunks = n / chunk, rest = n % chunk;
  if (chunks == 0)
    return sumOf(int64_t{0}, n);
  std::vector<T> partial(chunks);
  parallelFor(0, chunks, 1, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i)
      partial[i] = sumOf(i * chunk, chunk);
  });
  // As Cascade has it: whole subtrees by their size, the smallest at the end.
  llvm::SmallVector<T, 8> levels;
  for (int64_t i = 0; i != chunks; ++i) {
    T value = partial[i];
    size_t level = 0;
    for (int64_t before = i; before & 1; before >>= 1)
      value = levels[level++] + value;
    levels.resize(std::max(levels.size(), level + 1));
    levels[level] = value;
  }
  std::optional<T> total;
  if (rest != 0)
    total = sumOf(chunks * chunk, rest);
  for (size_t level = 0; level != levels.size(); ++level)
    if (chunks >> level & 1)
      total = total ? levels[level] + *total : levels[level];
  return *total;
}

/// Lanes along one dimension of a contiguous tensor (dimension 0 of one without any): element i of a lane is `base[i *
/// stride]`.
struct Lanes {
  int64_t outer = 1, length = 1, inner = 1;
  Lanes(ArrayRef<int64_t> sizes, int64_t dim) {
    assert(dim >= 0 && dim < std::max<int64_t>(1, static_cast<int64_t>(sizes.size())) && "a wrapped dimension");
    for (size_t d = 0; d != sizes.size(); ++d)
      (static_cast<int64_t>(d) < dim ? outer : static_cast<int64_t>(d) == dim ? length : inner) *= sizes[d];
  }
  int64_t count() const { return outer * inner; }
  /// Offset of lane `i` in a tensor whose lanes have `laneLength` elements.
  int64_t base(int64_t i, int64_t laneLength) const {
    assert(i >= 0 && i < count() && "one of the lanes");
    return i / inner * laneLength * inner + i % inner;
  }
};

/// Calls f(tag) with the type that foldDType(dtype) names, among the real ones.
template <typename F> auto dispatchFold(DType dtype, F &&f) {
  switch (foldDType(dtype)) {
  case DType::Double: return f(double{});
  case DType::Int64: return f(int64_t{});
  default: return f(float{});
  }
}
/// Calls f(tag) with the type that foldDType(dtype) names, complex or real.
template <typename F> auto dispatchFoldComplex(DType dtype, F &&f) {
  switch (foldDType(dtype)) {
  case DType::ComplexFloat: return f(std::complex<float>{});
  case DType::ComplexDouble: return f(std::complex<double>{});
  default: return dispatchFold(dtype, f);
  }
}
/// PyTorch's refusal of a dtype.
inline Status notImplementedFor(llvm::StringRef name, DType dtype) {
  return invalidArgument("\"" + name + "\" not implemented for '" + irName(dtype) + "'");
}

} // namespace tsc::cpu

#endif
