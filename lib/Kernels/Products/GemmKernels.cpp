//===- GemmKernels.cpp - SIMD kernels of the matrix product ---------------===//
//
// Three shapes of work, each compiled for several instruction sets and chosen at
// run time: few rows against a row-major B (axpy form), few rows against a
// transposed B (tiles of dot products, a vector's worth of them reduced together),
// and the general blocked product with packed panels. Between blocks each looks
// whether the call is to end, and leaves the rest undone then.
//
//===----------------------------------------------------------------------===//
#include "Gemm.h"
#include "KeptPanels.h"
#include "Support/Grain.h"
#include "tsc/Support/ThreadExit.h"
#include "tsc/Support/ThreadPool.h"
#include "tsc/Support/WorkMeter.h"
#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Products/GemmKernels.cpp"
#include "Support/SimdTargets.h"

#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "GemmPanels.h"
#include "GemmVectors.h"

TSC_BEFORE_KERNELS();
namespace tsc::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// The tallest tile of two vectors a row, whose sums fit the registers beside what is multiplied.
constexpr int maxRows = TSC_VECTOR_REGISTERS == 32 ? 12 : TSC_HAS_VECTORS ? 6 : 4;

/// Whether tiles are as small as 16 registers make them. A panel is used up sooner then: it is packed just before that,
/// while the memory of the next one is fetched, and a few rows are multiplied without packing.
constexpr bool hasSmallTiles = TSC_HAS_VECTORS && TSC_VECTOR_REGISTERS == 16;

/// Sums of each of Count vectors, as one vector: pairs of neighbours are added level by level.
template <typename T, int Count> HWY_INLINE Vec<T> sumEach(Vec<T> *v) {
  Tag<T> d;
  if constexpr (Count == 1) {
    return v[0];
  } else {
    for (int i = 0; i < Count / 2; ++i)
      v[i] = hn::Add(hn::ConcatEven(d, v[2 * i + 1], v[2 * i]), hn::ConcatOdd(d, v[2 * i + 1], v[2 * i]));
    return sumEach<T, Count / 2>(v);
  }
}

/// The tallest tile of dot products; with four rows of w its sums fill the registers.
constexpr int dotRows = maxRows >= 12 ? 6 : 2;

/// Rows that share no loads of w, so that their sums need not leave the registers.
constexpr int mostSingleRows = 4;

enum class Sums { Begin, Resume };

/// Whether all lanes of a vector are there, or only the first few.
enum class Lanes { All, First };

template <typename T, Lanes Kind> HWY_INLINE Vec<T> loadLanes(const T *p, int64_t count) {
  if constexpr (Kind == Lanes::All)
    return hn::LoadU(Tag<T>(), p);
  else
    return loadPart(p, count);
}

/// Adds the products of a vector's worth of columns, of which `count` are there.
template <typename T, int Rows, int Count, Lanes Kind>
HWY_INLINE void multiplyColumns(const T *x, int64_t xRow, const T *w, int64_t wRow, int64_t count,
                                Vec<T> (&acc)[Rows][Count]) {
  Vec<T> weights[Count];
  for (int c = 0; c < Count; ++c)
    weights[c] = loadLanes<T, Kind>(w + c * wRow, count);
  for (int r = 0; r < Rows; ++r) {
    const auto xv = loadLanes<T, Kind>(x + r * xRow, count);
    for (int c = 0; c < Count; ++c)
      acc[r][c] = hn::MulAdd(xv, weights[c], acc[r][c]);
  }
}

/// Lane sums of Rows rows of x times each of Count rows of w; those of pair (r, c) are the vector at
/// sums[(r * N + c) * N].
template <typename T, int Rows, int Count>
HWY_INLINE void multiplyRows(int64_t k, const T *x, int64_t xRow, const T *w, int64_t wRow, T *sums, Sums start) {
  Tag<T> d;
  constexpr int N = Width<T>;
  Vec<T> acc[Rows][Count];
  for (int r = 0; r < Rows; ++r)
    for (int c = 0; c < Count; ++c)
      acc[r][c] = start == Sums::Resume ? hn::LoadU(d, sums + (r * N + c) * N) : hn::Zero(d);
  int64_t p = 0;
  for (; p + N <= k; p += N)
    multiplyColumns<T, Rows, Count, Lanes::All>(x + p, xRow, w + p, wRow, N, acc);
  if (p != k)
    multiplyColumns<T, Rows, Count, Lanes::First>(x + p, xRow, w + p, wRow, k - p, acc);
  for (int r = 0; r < Rows; ++r)
    for (int c = 0; c < Count; ++c)
      hn::StoreU(acc[r][c], d, sums + (r * N + c) * N);
}

/// Rows of x against `count` rows of w, at most a vector's worth. Few of w at a time: the memory system follows four
/// streams better than sixteen.
template <typename T, int Rows>
void dotTile(int64_t k, const T *x, int64_t xRow, const T *w, int64_t wRow, int64_t count, T *sums, Sums start) {
  constexpr int N = Width<T>, Streams = N < 4 ? N : 4;
  int64_t c = 0;
  for (; c + Streams <= count; c += Streams)
    multiplyRows<T, Rows, Streams>(k, x, xRow, w + c * wRow, wRow, sums + c * N, start);
  for (; c < count; ++c)
    multiplyRows<T, Rows, 1>(k, x, xRow, w + c * wRow, wRow, sums + c * N, start);
}

/// Adds bias and what is there already to the sums of some columns of a row.
template <typename T> HWY_INLINE void finish(Vec<T> total, int64_t count, const T *bias, T *out, bool accumulate) {
  Tag<T> d;
  constexpr int N = Width<T>;
  if (bias)
    total = hn::Add(total, count == N ? hn::LoadU(d, bias) : loadPart(bias, count));
  if (accumulate)
    total = hn::Add(total, count == N ? hn::LoadU(d, out) : loadPart<T>(out, count));
  storePart<T>(total, out, count);
}

/// Adds up the lanes of one row's sums, bias and what is there already.
template <typename T> HWY_INLINE void finishRow(const T *sums, int64_t count, const T *bias, T *out, bool accumulate) {
  Tag<T> d;
  constexpr int N = Width<T>;
  Vec<T> each[N];
  for (int c = 0; c < N; ++c)
    each[c] = c < count ? hn::LoadU(d, sums + c * N) : hn::Zero(d);
  finish<T>(sumEach<T, N>(each), count, bias, out, accumulate);
}

/// Vectors whose sums do not wait for each other are at least so many where there are registers for them.
constexpr int leastSums = 8;
/// For so many vectors of results a row's products go side by side.
template <typename T>
constexpr int rowVectors = TSC_VECTOR_REGISTERS == 32 && Width<T> < leastSums ? leastSums / Width<T> : 1;

/// One row of x against as many rows of w as Vectors vectors have elements; the sums stay in registers.
template <typename T, int Vectors>
HWY_INLINE void dotRow(int64_t k, const T *x, const T *w, int64_t wRow, const T *bias, T *out, bool accumulate) {
  constexpr int N = Width<T>, count = Vectors * N;
  Vec<T> sums[1][count];
  for (int c = 0; c < count; ++c)
    sums[0][c] = hn::Zero(Tag<T>());
  int64_t p = 0;
  for (; p + N <= k; p += N)
    multiplyColumns<T, 1, count, Lanes::All>(x + p, 0, w + p, wRow, N, sums);
  if (p != k)
    multiplyColumns<T, 1, count, Lanes::First>(x + p, 0, w + p, wRow, k - p, sums);
  for (int v = 0; v < Vectors; ++v)
    finish<T>(sumEach<T, N>(sums[0] + v * N), N, bias ? bias + v * N : nullptr, out + v * N, accumulate);
}

/// c (+)= x w^T for a block of rows of x, both contiguous along k; bias is added when there is one. Nothing is packed:
/// a vector's worth of rows of w stays in the first cache while all of x passes by. The bits of an element depend on k
/// alone, not on the tile it fell into.
template <typename T>
void dotProducts(int64_t m, int64_t n, int64_t k, const T *x, int64_t xRow, const T *w, int64_t wRow, const T *bias,
                 T *c, int64_t cRow, bool accumulate) {
  constexpr int64_t N = Width<T>, blockDepth = 512;
  const int64_t shortRow = m == 1 ? 256 : 128; // so many streams of longer rows are more than the memory system follows
  if (m <= mostSingleRows && k <= shortRow && n >= N) {
    constexpr int64_t columnsBetween = 256 * N;
    const int64_t whole = n / N * N;
    int64_t j = 0;
    if constexpr (constexpr int vectors = rowVectors<T>; vectors > 1)
      for (; j + vectors * N <= whole; j += vectors * N) {
        if (j % columnsBetween == 0 && work::wasStopped())
          return;
        for (int64_t i = 0; i < m; ++i)
          dotRow<T, vectors>(k, x + i * xRow, w + j * wRow, wRow, bias ? bias + j : nullptr, c + i * cRow + j,
                             accumulate);
      }
    for (; j < whole; j += N) {
      if (j % columnsBetween == 0 && work::wasStopped())
        return;
      for (int64_t i = 0; i < m; ++i)
        dotRow<T, 1>(k, x + i * xRow, w + j * wRow, wRow, bias ? bias + j : nullptr, c + i * cRow + j, accumulate);
    }
    n -= whole, w += whole * wRow, c += whole, bias = bias ? bias + whole : nullptr;
  }
  bool isShallow = k <= blockDepth; // then the sums of a tile need not outlive it
  T *sums = panelMemory<T>((isShallow ? dotRows : m) * N * N);
  for (int64_t j = 0; j < n; j += N) {
    int64_t count = std::min(N, n - j);
    for (int64_t p = 0; p < k; p += blockDepth) {
      if (work::wasStopped())
        return;
      int64_t depth = std::min(blockDepth, k - p);
      forEachTile<dotRows>(m, [&]<int Rows>(int64_t i) {
        T *tileSums = sums + (isShallow ? 0 : i * N * N);
        dotTile<T, Rows>(depth, x + i * xRow + p, xRow, w + j * wRow + p, wRow, count, tileSums,
                         p == 0 ? Sums::Begin : Sums::Resume);
        for (int r = 0; p + depth == k && r < Rows; ++r)
          finishRow<T>(tileSums + r * N * N, count, bias ? bias + j : nullptr, c + (i + r) * cRow + j, accumulate);
      });
    }
  }
}

/// The same for any number of rows, in blocks that stay in the second cache.
template <typename T>
void rowsTransposed(int64_t m, int64_t n, int64_t k, const T *x, int64_t xRow, const T *w, int64_t wRow, const T *bias,
                    T *c, int64_t cRow, bool accumulate) {
  constexpr int64_t rowBlock = 96;
  for (int64_t i = 0; i < m; i += rowBlock)
    dotProducts<T>(std::min(rowBlock, m - i), n, k, x + i * xRow, xRow, w, wRow, bias, c + i * cRow, cRow, accumulate);
}

/// c = x w^T + bias for any number of rows. One column is the row that the exchanged operands give.
template <typename T>
void linear(int64_t m, int64_t n, int64_t k, const T *x, int64_t xRow, const T *w, int64_t wRow, const T *bias, T *c,
            int64_t cRow) {
  if (n != 1 || cRow != 1)
    return rowsTransposed<T>(m, n, k, x, xRow, w, wRow, bias, c, cRow, false);
  if (bias)
    std::fill_n(c, m, *bias);
  dotProducts<T>(1, m, k, w, wRow, x, xRow, nullptr, c, m, bias != nullptr);
}

/// c (+)= x b for one row of x; the rows of b are contiguous.
template <typename T>
void oneRow(int64_t n, int64_t k, const T *x, int64_t xColumn, const T *b, int64_t bRow, T *c, bool accumulate) {
  Tag<T> d;
  constexpr int64_t N = Width<T>;
  constexpr int vectors = rowVectors<T> == 1 ? 4 : leastSums;
  int64_t j = 0;
  for (; j + vectors * N <= n; j += vectors * N) {
    if (work::wasStopped())
      return;
    Vec<T> acc[vectors];
    for (int v = 0; v < vectors; ++v)
      acc[v] = accumulate ? hn::LoadU(d, c + j + v * N) : hn::Zero(d);
    for (int64_t p = 0; p < k; ++p) {
      const auto xv = hn::Set(d, x[p * xColumn]);
      for (int v = 0; v < vectors; ++v)
        acc[v] = hn::MulAdd(xv, hn::LoadU(d, b + p * bRow + j + v * N), acc[v]);
    }
    for (int v = 0; v < vectors; ++v)
      hn::StoreU(acc[v], d, c + j + v * N);
  }
  for (; j < n; j += N) {
    int64_t count = std::min(N, n - j);
    bool whole = count == N;
    auto acc = !accumulate ? hn::Zero(d) : whole ? hn::LoadU(d, c + j) : loadPart<T>(c + j, count);
    for (int64_t p = 0; p < k; ++p) {
      const T *row = b + p * bRow + j;
      acc = hn::MulAdd(hn::Set(d, x[p * xColumn]), whole ? hn::LoadU(d, row) : loadPart(row, count), acc);
    }
    storePart<T>(acc, c + j, count);
  }
}

/// Not inlined, where it would be a good part of the code.
template <typename T> HWY_NOINLINE void storeLast(Vec<T> v, T *p, int64_t count) { storePart<T>(v, p, count); }

/// Adds k rows of B, each times an element of each of Count rows of A, to the sums of some vectors of columns, or
/// begins these. The last vector has `last` columns.
template <typename T, int Count, int Vectors, Lanes Kind>
HWY_INLINE void addToSums(int64_t k, const T *a, int64_t aRow, int64_t aColumn, const T *b, int64_t bRow, T *sums,
                          int64_t sumsRow, Sums start, int64_t last) {
  Tag<T> d;
  constexpr int64_t N = Width<T>;
  Vec<T> acc[Count][Vectors];
  for (int r = 0; r < Count; ++r)
    for (int v = 0; v < Vectors; ++v)
      acc[r][v] = start == Sums::Resume ? loadLanes<T, Kind>(sums + r * sumsRow + v * N, last) : hn::Zero(d);
#pragma clang loop unroll(disable)
  for (int64_t p = 0; p < k; ++p) {
    Vec<T> row[Vectors];
    for (int v = 0; v < Vectors; ++v)
      row[v] = loadLanes<T, Kind>(b + p * bRow + v * N, last);
    for (int r = 0; r < Count; ++r) {
      const auto factor = hn::Set(d, a[r * aRow + p * aColumn]);
      for (int v = 0; v < Vectors; ++v)
        acc[r][v] = hn::MulAdd(factor, row[v], acc[r][v]);
    }
  }
  for (int r = 0; r < Count; ++r)
    for (int v = 0; v < Vectors; ++v) {
      T *out = sums + r * sumsRow + v * N;
      if constexpr (Kind == Lanes::All)
        hn::StoreU(acc[r][v], d, out);
      else
        storeLast<T>(acc[r][v], out, last);
    }
}

/// The same for all n columns.
template <typename T, int Count>
HWY_NOINLINE void addRows(int64_t n, int64_t k, const T *a, int64_t aRow, int64_t aColumn, const T *b, int64_t bRow,
                          T *sums, int64_t sumsRow, Sums start) {
  constexpr int64_t N = Width<T>;
  constexpr int vectors = Count == 1 ? 8 : 2;
  int64_t j = 0;
  for (; j + vectors * N <= n; j += vectors * N)
    addToSums<T, Count, vectors, Lanes::All>(k, a, aRow, aColumn, b + j, bRow, sums + j, sumsRow, start, N);
  for (; j < n; j += N)
    addToSums<T, Count, 1, Lanes::First>(k, a, aRow, aColumn, b + j, bRow, sums + j, sumsRow, start,
                                         std::min(N, n - j));
}

/// Up to so many rows, the contiguous rows of B are read where they are.
constexpr int64_t mostStreamedRows = 16;

/// c (+)= a b for a few rows of A, whose sums stay in the nearest cache while the contiguous rows of B pass by, a few
/// at a time and each from end to end. The sums are those of packed panels, or of oneRow.
template <typename T>
void fewRows(int64_t m, int64_t n, int64_t k, const T *a, int64_t aRow, int64_t aColumn, const T *b, int64_t bRow, T *c,
             int64_t cRow, bool accumulate) {
  assert(m <= mostStreamedRows && "few rows");
  constexpr int64_t fewer = 8, sumBytes = 16384, line = 64, page = 4096, item = sizeof(T);
  // From the second tile on, rows of B come from the nearest cache. Those a page apart share a set of it with the sums.
  const int64_t columnBlock = (m <= fewer ? sumBytes / m / line * line : 8 * line) / item,
                rowsAtOnce = m > fewer                           ? 16
                             : m == 1 && bRow * item % page == 0 ? 6
                                                                 : 8,
                depthBlock = m == 1 ? k : simd::blockTerms;
  T *memory = panelMemory<T>(m * columnBlock);
  for (int64_t jc = 0; jc < n; jc += columnBlock) {
    const int64_t nc = std::min(columnBlock, n - jc);
    T *out = c + jc;
    for (int64_t pc = 0; pc < k; pc += depthBlock) {
      const int64_t kc = std::min(depthBlock, k - pc);
      const bool isInPlace = m == 1 || (pc == 0 && !accumulate);
      T *sums = isInPlace ? out : memory;
      const int64_t sumsRow = isInPlace ? cRow : columnBlock;
      Sums start = m == 1 && accumulate ? Sums::Resume : Sums::Begin;
      for (int64_t p = 0; p < kc; p += rowsAtOnce, start = Sums::Resume) {
        if (work::wasStopped())
          return;
        forEachTile<maxRows>(m, [&]<int Count>(int64_t i) {
          addRows<T, Count>(nc, std::min(rowsAtOnce, kc - p), a + i * aRow + (pc + p) * aColumn, aRow, aColumn,
                            b + (pc + p) * bRow + jc, bRow, sums + i * sumsRow, sumsRow, start);
        });
      }
      for (int64_t i = 0; !isInPlace && i < m; ++i)
#pragma clang loop unroll(disable)
        for (int64_t j = 0; j < nc; ++j)
          out[i * cRow + j] += sums[i * sumsRow + j];
    }
  }
}

/// Where a tile's rows of A are: as they came, or packed, so that the tile's elements of one column are neighbours.
enum class Rows { Strided, Packed };

/// Adds the products of one column of a packed tile, whose elements are neighbours, with two vectors: each takes a
/// lane. Less than a vector behind the column is read, too.
template <typename T, int... Row>
HWY_INLINE void multiplyByLanes(const T *a, Vec<T> b0, Vec<T> b1, Vec<T> (&acc)[sizeof...(Row)][2],
                                std::integer_sequence<int, Row...>) {
  Tag<T> d;
  constexpr int N = Width<T>, vectors = (sizeof...(Row) + N - 1) / N;
  Vec<T> rows[vectors];
  for (int v = 0; v < vectors; ++v)
    rows[v] = hn::LoadU(d, a + v * N);
  ((acc[Row][0] = hn::MulAdd(hn::Broadcast<Row % N>(rows[Row / N]), b0, acc[Row][0]),
    acc[Row][1] = hn::MulAdd(hn::Broadcast<Row % N>(rows[Row / N]), b1, acc[Row][1])),
   ...);
}

/// A tile of Count x 2 vectors. `b` holds two vectors for each p, bRow apart.
template <typename T, int Count, Rows Kind>
HWY_INLINE void tile(int64_t k, const T *a, int64_t aRow, int64_t aColumn, const T *b, int64_t bRow, T *c, int64_t cRow,
                     bool accumulate) {
  Tag<T> d;
  constexpr int64_t N = Width<T>;
  Vec<T> acc[Count][2];
  for (int r = 0; r < Count; ++r)
    acc[r][0] = acc[r][1] = hn::Zero(d);
  for (int64_t p = 0; p < k; ++p) {
    const auto b0 = hn::LoadU(d, b + p * bRow), b1 = hn::LoadU(d, b + p * bRow + N);
    if constexpr (TSC_MULTIPLIES_BY_LANE && Kind == Rows::Packed) {
      multiplyByLanes<T>(a + p * Count, b0, b1, acc, std::make_integer_sequence<int, Count>());
      continue;
    }
    for (int r = 0; r < Count; ++r) {
      const auto av = hn::Set(d, Kind == Rows::Packed ? a[p * Count + r] : a[r * aRow + p * aColumn]);
      acc[r][0] = hn::MulAdd(av, b0, acc[r][0]);
      acc[r][1] = hn::MulAdd(av, b1, acc[r][1]);
    }
  }
  for (int r = 0; r < Count; ++r)
    for (int v = 0; v < 2; ++v) {
      T *out = c + r * cRow + v * N;
      hn::StoreU(accumulate ? hn::Add(hn::LoadU(d, out), acc[r][v]) : acc[r][v], d, out);
    }
}

/// A tile whose last columns do not exist goes through a buffer.
template <typename T, int Count, Rows Kind>
void tileOrPart(int64_t k, const T *a, int64_t aRow, int64_t aColumn, const T *b, int64_t bRow, T *c, int64_t cRow,
                bool accumulate, int64_t columns) {
  constexpr int64_t N = Width<T>;
  if (columns == 2 * N)
    return tile<T, Count, Kind>(k, a, aRow, aColumn, b, bRow, c, cRow, accumulate);
  HWY_ALIGN T buffer[Count * 2 * N];
  tile<T, Count, Kind>(k, a, aRow, aColumn, b, bRow, buffer, 2 * N, false);
  for (int r = 0; r < Count; ++r)
    for (int64_t j = 0; j < columns; ++j)
      c[r * cRow + j] = accumulate ? c[r * cRow + j] + buffer[r * 2 * N + j] : buffer[r * 2 * N + j];
}

/// Memory that is read soon, in runs of `bytes` that are `stride` bytes apart. Each step fetches its share of the
/// lines.
class Ahead {
public:
  Ahead() = default;
  Ahead(const void *data, int64_t runs, int64_t bytes, int64_t stride, int64_t steps)
      : next(static_cast<const char *>(data)), runs(runs), bytes(bytes), stride(stride),
        share((runs * ((bytes + line - 1) / line) + steps - 1) / steps) {}
  /// Fetches what is read in a later step, and a line each of some rows, `distance` bytes apart, that are written in
  /// this.
  HWY_NOINLINE void step(const void *written, int64_t rows, int64_t distance) {
    for (int64_t i = 0; i != rows; ++i)
      __builtin_prefetch(static_cast<const char *>(written) + i * distance);
    for (int64_t i = 0; runs != 0 && i != share; ++i) {
      __builtin_prefetch(next + at);
      at += line;
      if (at >= bytes)
        at = 0, next += stride, --runs;
    }
  }

private:
  static constexpr int64_t line = 64;
  const char *next = nullptr;
  int64_t runs = 0, bytes = 0, stride = 0, at = 0, share = 0;
};

/// Rows times a panel. `ahead` is fetched tile by tile, and so is the memory of the result.
template <typename T, Rows Kind>
void panelRows(int64_t m, int64_t k, const T *a, int64_t aRow, int64_t aColumn, const T *b, int64_t bRow, T *c,
               int64_t cRow, bool accumulate, int64_t columns, Ahead *ahead = nullptr) {
  forEachTile<maxRows>(m, [&]<int Count>(int64_t i) {
    if (hasSmallTiles && ahead)
      ahead->step(c + i * cRow, Count, cRow * sizeof(T));
    tileOrPart<T, Count, Kind>(k, a + i * aRow, aRow, aColumn, b, bRow, c + i * cRow, cRow, accumulate, columns);
  });
}

/// A tile whose columns end within its last vector, which is loaded and stored under a mask. `b` is read where it lies.
template <typename T, int Count, int Vectors>
void partTile(int64_t k, const T *a, int64_t aRow, int64_t aColumn, const T *b, int64_t bRow, T *c, int64_t cRow,
              bool accumulate, int64_t columns) {
  Tag<T> d;
  constexpr int64_t N = Width<T>;
  const int64_t last = columns - (Vectors - 1) * N;
  auto load = [&](const T *row, int v)
                  HWY_ATTR { return v + 1 < Vectors ? hn::LoadU(d, row + v * N) : loadPart<T>(row + v * N, last); };
  Vec<T> acc[Count][Vectors];
  for (int r = 0; r < Count; ++r)
    for (int v = 0; v < Vectors; ++v)
      acc[r][v] = hn::Zero(d);
  for (int64_t p = 0; p < k; ++p) {
    Vec<T> row[Vectors];
    for (int v = 0; v < Vectors; ++v)
      row[v] = load(b + p * bRow, v);
    for (int r = 0; r < Count; ++r) {
      const auto av = hn::Set(d, a[r * aRow + p * aColumn]);
      for (int v = 0; v < Vectors; ++v)
        acc[r][v] = hn::MulAdd(av, row[v], acc[r][v]);
    }
  }
  for (int r = 0; r < Count; ++r)
    for (int v = 0; v < Vectors; ++v) {
      T *out = c + r * cRow + v * N;
      const auto sum = accumulate ? hn::Add(load(c + r * cRow, v), acc[r][v]) : acc[r][v];
      if (v + 1 < Vectors)
        hn::StoreU(sum, d, out);
      else
        storePart<T>(sum, out, last);
    }
}

/// The last columns of a small product, fewer than a tile has.
template <typename T>
void lastColumns(int64_t m, int64_t k, const T *a, int64_t aRow, int64_t aColumn, const T *b, int64_t bRow, T *c,
                 int64_t cRow, bool accumulate, int64_t columns) {
  forEachTile<maxRows>(m, [&]<int Count>(int64_t i) {
    auto *multiply = columns <= Width<T> ? &partTile<T, Count, 1> : &partTile<T, Count, 2>;
    multiply(k, a + i * aRow, aRow, aColumn, b, bRow, c + i * cRow, cRow, accumulate, columns);
  });
}

/// A's rows tile by tile; the tile that starts at row i starts at packed[i * k]. Less than a vector of slack lies
/// behind.
template <typename T> void packRows(int64_t m, int64_t k, const T *a, int64_t aRow, int64_t aColumn, T *packed) {
  forEachTile<maxRows>(m, [&]<int Count>(int64_t i) {
    T *out = packed + i * k;
    const T *rows = a + i * aRow;
    if constexpr (Count > 1 && Count <= Width<T>)
      if (aColumn == 1)
        return packTransposed<T, Count>(k, rows, aRow, out, Count);
    if (aRow == 1) {
      for (int64_t p = 0; p < k; ++p)
        std::memcpy(out + p * Count, rows + p * aColumn, Count * sizeof(T));
      return;
    }
#pragma clang loop vectorize(disable) unroll(disable)
    for (int64_t p = 0; p < k; ++p)
      for (int r = 0; r < Count; ++r)
        out[p * Count + r] = rows[r * aRow + p * aColumn];
  });
}

/// Some columns of B, at most two vectors' width: packed[p][j] = b(p, j), zeros where columns are missing.
template <typename T> void packPanel(int64_t k, int64_t columns, const T *b, int64_t bRow, int64_t bColumn, T *packed) {
  constexpr int64_t N = Width<T>, wide = 2 * N;
  if (columns != wide)
    std::fill(packed, packed + k * wide, T(0));
  if (bColumn == 1) {
    for (int64_t p = 0; p < k; ++p)
      std::memcpy(packed + p * wide, b + p * bRow, columns * sizeof(T));
    return;
  }
  int64_t j = 0;
  if (bRow == 1)
    for (; j + N <= columns; j += N)
      packTransposed<T, N>(k, b + j * bColumn, bColumn, packed + j, wide);
  for (; j < columns; ++j)
#pragma clang loop vectorize(disable) unroll(disable)
    for (int64_t p = 0; p < k; ++p)
      packed[p * wide + j] = b[p * bRow + j * bColumn];
}

/// All columns of B as panels, one behind the other. Contiguous rows are read from end to end, since every step from
/// one to the next is another page.
template <typename T>
HWY_NOINLINE void packPanels(int64_t k, int64_t n, const T *b, int64_t bRow, int64_t bColumn, T *packed) {
  constexpr int64_t wide = 2 * Width<T>;
  int64_t j = 0;
  if (bColumn == 1) {
    int64_t whole = n / wide * wide;
    for (int64_t p = 0; p < k; ++p)
      for (j = 0; j < whole; j += wide)
        std::memcpy(packed + j * k + p * wide, b + p * bRow + j, wide * sizeof(T));
    j = whole;
  }
  for (; j < n; j += wide)
    packPanel(k, std::min(wide, n - j), b + j * bColumn, bRow, bColumn, packed + j * k);
}

/// B packed whole, in blocks of rows, each as panels.
template <typename T> class PackedBlocks {
public:
  /// A panel and the rows that it is multiplied with stay in the nearest cache, with room for what goes by.
  static constexpr int64_t blockDepth = simd::blockTerms;

  /// Of B, which is what `kept` was made for or columns of it; empty where nothing is kept.
  PackedBlocks(KeptPanels *kept, const T *b, int64_t bRow, int64_t bColumn) {
    if (!kept || bColumn == 0)
      return;
    const T *whole = static_cast<const T *>(kept->right.data);
    constexpr int64_t wide = 2 * Width<T>;
    int64_t k = kept->k, n = kept->n;
    paddedColumns = (n + wide - 1) / wide * wide;
    firstColumn = (b - whole) / bColumn;
    panels = static_cast<const T *>(kept->find(k * paddedColumns, [&](void *out) {
      for (int64_t p = 0; p < k; p += blockDepth) {
        if (work::wasStopped())
          return false;
        packPanels(std::min(blockDepth, k - p), n, whole + p * bRow, bRow, bColumn,
                   static_cast<T *>(out) + p * paddedColumns);
      }
      return true;
    }));
  }
  explicit operator bool() const { return panels; }
  /// The panels of columns from j on of the block of `depth` rows that begins with row p.
  const T *at(int64_t p, int64_t depth, int64_t j) const {
    return panels + p * paddedColumns + (firstColumn + j) * depth;
  }

private:
  const T *panels = nullptr;
  int64_t paddedColumns = 0, firstColumn = 0;
};

/// A product whose right side is packed as panels, block by block, and its left side as tiles where that pays.
template <typename T> class BlockedProduct {
public:
  BlockedProduct(int64_t m, int64_t n, int64_t k, const T *a, int64_t aRow, int64_t aColumn, const T *b, int64_t bRow,
                 int64_t bColumn, T *c, int64_t cRow, const PackedBlocks<T> &kept, int64_t depthBlock)
      : m(m), n(n), k(k), a(a), aRow(aRow), aColumn(aColumn), b(b), bRow(bRow), bColumn(bColumn), c(c), cRow(cRow),
        kept(kept), depthBlock(depthBlock) {}

  void run(bool accumulate) {
    const int64_t depth = std::min(depthBlock, k), packed = kept ? 0 : isPackedOnce ? group : std::min(columnBlock, n);
    T *memory = panelMemory<T>(depth * ((packed + wide - 1) / wide * wide + rowBlock) + wide);
    packedA = memory, packedB = memory + depth * rowBlock + wide;
    for (int64_t jc = 0; jc < n; jc += columnBlock)
      for (int64_t pc = 0; pc < k; pc += depthBlock)
        for (int64_t ic = 0; ic < m; ic += rowBlock) {
          if (work::wasStopped())
            return;
          multiplyBlock(ic, jc, pc, accumulate || pc != 0);
        }
  }

private:
  void multiplyBlock(int64_t ic, int64_t jc, int64_t pc, bool accumulate) {
    const int64_t mc = std::min(rowBlock, m - ic), nc = std::min(columnBlock, n - jc),
                  kc = std::min(depthBlock, k - pc);
    const T *rows = a + ic * aRow + pc * aColumn;
    int64_t row = aRow;
    // Few columns do not pay for packing A, fewer where an element of A that is not packed is loaded for all lanes.
    // Rows far apart would share a set of the first cache.
    constexpr int64_t fewColumns = TSC_MULTIPLIES_BY_LANE ? 32 : 256;
    const bool readsRows = aColumn == 1 && n <= fewColumns && aRow * sizeof(T) <= 2048;
    auto *multiply = readsRows ? &panelRows<T, Rows::Strided> : &panelRows<T, Rows::Packed>;
    if (!readsRows) {
      packRows(mc, kc, rows, aRow, aColumn, packedA);
      rows = packedA, row = kc;
    }
    for (int64_t first = 0; first < nc; first += group) {
      const int64_t end = std::min(nc, first + group);
      const T *panels = kept ? kept.at(pc, kc, jc + first) : isPackedOnce ? packedB : packedB + first * kc;
      if (!kept && ic == 0)
        packPanels(kc, end - first, b + pc * bRow + (jc + first) * bColumn, bRow, bColumn, const_cast<T *>(panels));
      Ahead ahead;
      const bool fetches = hasSmallTiles && fetchesAhead && kc >= leastDepth && ic == 0;
      if (fetches) {
        const int64_t tiles = (mc + maxRows - 1) / maxRows * ((end - first + wide - 1) / wide);
        ahead = kept          ? Ahead(panels + wide * kc, 1, wide * kc * int64_t{sizeof(T)}, 0, tiles)
                : end < nc    ? groupAhead(jc + end, nc - end, pc, tiles)
                : pc + kc < k ? groupAhead(jc, nc, pc + kc, tiles)
                : jc + nc < n ? groupAhead(jc + nc, n - jc - nc, 0, tiles)
                              : Ahead();
      }
      for (int64_t j = first; j < end; j += wide)
        multiply(mc, kc, rows, row, 1, panels + (j - first) * kc, wide, c + ic * cRow + jc + j, cRow, accumulate,
                 std::min(wide, nc - j), fetches ? &ahead : nullptr);
    }
  }

  /// What is packed next: a group of `columns` columns or less from j on, from row p on.
  Ahead groupAhead(int64_t j, int64_t columns, int64_t p, int64_t steps) const {
    constexpr int64_t item = sizeof(T);
    columns = std::min(columns, group);
    const int64_t rows = std::min(depthBlock, k - p);
    const T *data = b + p * bRow + j * bColumn;
    return bColumn == 1 ? Ahead(data, rows, columns * item, bRow * item, steps)
           : bRow == 1  ? Ahead(data, columns, rows * item, bColumn * item, steps)
                        : Ahead();
  }

  static constexpr int64_t wide = 2 * Width<T>;
  static_assert(simd::panelWidth % wide == 0);
  static constexpr int64_t columnBlock = hasSmallTiles ? 2048 / sizeof(T) : 512,
                           mostRows = hasSmallTiles ? 1024 / sizeof(T) : 96;

  const int64_t m, n, k;
  const T *const a;
  const int64_t aRow, aColumn;
  const T *const b;
  const int64_t bRow, bColumn;
  T *const c;
  const int64_t cRow;
  const PackedBlocks<T> &kept;
  const int64_t depthBlock, rowBlocks = (m + mostRows - 1) / mostRows,
                            rowBlock = hasSmallTiles ? (m + rowBlocks - 1) / rowBlocks : mostRows;
  /// So many columns are packed at once: of contiguous rows, some lines of each.
  const int64_t group = !hasSmallTiles ? columnBlock : bColumn == 1 && !kept ? 256 / int64_t{sizeof(T)} : wide;
  /// Whether panels are used up when the next ones are packed, so that these take their memory.
  const bool isPackedOnce = hasSmallTiles && rowBlocks == 1 && !kept;
  /// Whether what is packed or multiplied next is fetched: not from the second cache, and not for so few rows that
  /// lines of kept panels would have to come faster than they do. Tiles of few terms would wait for it.
  static constexpr int64_t cachedBytes = int64_t{3} << 19, leastKeptRows = 64, leastDepth = 96;
  const bool fetchesAhead = hasSmallTiles && k * n * int64_t{sizeof(T)} > cachedBytes && (!kept || m >= leastKeptRows);
  T *packedA = nullptr, *packedB = nullptr;
};

template <typename T>
void gemmAny(int64_t m, int64_t n, int64_t k, const T *a, int64_t aRow, int64_t aColumn, const T *b, int64_t bRow,
             int64_t bColumn, T *c, int64_t cRow, bool accumulate, KeptPanels *kept) {
  constexpr int64_t N = Width<T>;
  if (n == 1 && m > 1 && cRow == 1) // the product of a matrix and a column is that of a row and the transposed matrix
    return gemmAny<T>(1, m, k, b, bColumn, bRow, a, aColumn, aRow, c, m, accumulate, nullptr);
  const bool staysPacked = kept && kept->right.isReused;
  if (bRow == 1 && bColumn != 1 && !staysPacked && takesDotProducts(m, n, k, bColumn) && k >= N / 2 &&
      (aColumn == 1 || m <= 32)) {
    std::unique_ptr<T[]> copy;
    if (aColumn != 1) { // few rows, then: making them contiguous costs little
      copy.reset(new T[m * k]);
      for (int64_t i = 0; i < m; ++i)
        for (int64_t p = 0; p < k; ++p)
          copy[i * k + p] = a[i * aRow + p * aColumn];
      a = copy.get(), aRow = k;
    }
    return rowsTransposed<T>(m, n, k, a, aRow, b, bColumn, nullptr, c, cRow, accumulate);
  }
  if (bColumn == 1 && m == 1) {
    if constexpr (hasSmallTiles)
      return fewRows<T>(1, n, k, a, aRow, aColumn, b, bRow, c, cRow, accumulate);
    else
      return oneRow<T>(n, k, a, aColumn, b, bRow, c, accumulate);
  }
  static_assert(simd::mostDirectRows <= 2 * maxRows);
  if (bColumn == 1 && (m <= 2 * maxRows || n <= 2 * N) && k * bRow <= simd::smallMatrix) {
    // B is small enough to be read where it is.
    int64_t j = 0;
    for (; j + 2 * N <= n; j += 2 * N)
      panelRows<T, Rows::Strided>(m, k, a, aRow, aColumn, b + j, bRow, c + j, cRow, accumulate, 2 * N);
    if constexpr (hasMasks) {
      if (j != n)
        lastColumns<T>(m, k, a, aRow, aColumn, b + j, bRow, c + j, cRow, accumulate, n - j);
    } else if (j != n) {
      T *packed = panelMemory<T>(k * 2 * N);
      packPanel(k, n - j, b + j, bRow, bColumn, packed);
      panelRows<T, Rows::Strided>(m, k, a, aRow, aColumn, packed, 2 * N, c + j, cRow, accumulate, n - j);
    }
    return;
  }
  const PackedBlocks<T> keptBlocks(kept, b, bRow, bColumn);
  if constexpr (hasSmallTiles)
    if (bColumn == 1 && m <= mostStreamedRows && !keptBlocks)
      return fewRows<T>(m, n, k, a, aRow, aColumn, b, bRow, c, cRow, accumulate);
  BlockedProduct<T>(m, n, k, a, aRow, aColumn, b, bRow, bColumn, c, cRow, keptBlocks, PackedBlocks<T>::blockDepth)
      .run(accumulate);
}

void gemmF32(int64_t m, int64_t n, int64_t k, const float *a, int64_t aRow, int64_t aColumn, const float *b,
             int64_t bRow, int64_t bColumn, float *c, int64_t cRow, bool accumulate, KeptPanels *kept) {
  gemmAny<float>(m, n, k, a, aRow, aColumn, b, bRow, bColumn, c, cRow, accumulate, kept);
}
void gemmF64(int64_t m, int64_t n, int64_t k, const double *a, int64_t aRow, int64_t aColumn, const double *b,
             int64_t bRow, int64_t bColumn, double *c, int64_t cRow, bool accumulate, KeptPanels *kept) {
  gemmAny<double>(m, n, k, a, aRow, aColumn, b, bRow, bColumn, c, cRow, accumulate, kept);
}
void gemmPartsF32(int64_t m, int64_t n, int64_t k, const float *a, int64_t aRow, const float *b, int64_t bRow, float *c,
                  int64_t cRow, bool accumulate, int64_t terms) {
  const PackedBlocks<float> nothingKept(nullptr, b, bRow, 1);
  BlockedProduct<float>(m, n, k, a, aRow, 1, b, bRow, 1, c, cRow, nothingKept, terms).run(accumulate);
}
void linearF32(int64_t m, int64_t n, int64_t k, const float *x, int64_t xRow, const float *w, int64_t wRow,
               const float *bias, float *c, int64_t cRow) {
  linear<float>(m, n, k, x, xRow, w, wRow, bias, c, cRow);
}
void linearF64(int64_t m, int64_t n, int64_t k, const double *x, int64_t xRow, const double *w, int64_t wRow,
               const double *bias, double *c, int64_t cRow) {
  linear<double>(m, n, k, x, xRow, w, wRow, bias, c, cRow);
}

} // namespace tsc::cpu::HWY_NAMESPACE
TSC_AFTER_KERNELS();

#if HWY_ONCE
namespace tsc::cpu {

void simd::gemmFloat(int64_t m, int64_t n, int64_t k, const float *a, int64_t aRow, int64_t aColumn, const float *b,
                     int64_t bRow, int64_t bColumn, float *c, int64_t cRow, bool accumulate, KeptPanels *kept) {
  static const auto multiply = TSC_BEST_OF(gemmF32);
  multiply(m, n, k, a, aRow, aColumn, b, bRow, bColumn, c, cRow, accumulate, kept);
}

void simd::gemmDouble(int64_t m, int64_t n, int64_t k, const double *a, int64_t aRow, int64_t aColumn, const double *b,
                      int64_t bRow, int64_t bColumn, double *c, int64_t cRow, bool accumulate, KeptPanels *kept) {
  static const auto multiply = TSC_BEST_OF(gemmF64);
  multiply(m, n, k, a, aRow, aColumn, b, bRow, bColumn, c, cRow, accumulate, kept);
}

void simd::gemmInParts(int64_t m, int64_t n, int64_t k, const float *a, int64_t aRow, const float *b, int64_t bRow,
                       float *c, int64_t cRow, bool accumulate, int64_t terms) {
  static const auto multiply = TSC_BEST_OF(gemmPartsF32);
  multiply(m, n, k, a, aRow, b, bRow, c, cRow, accumulate, terms);
}

bool takesDotProducts(int64_t m, int64_t n, int64_t k, int64_t wRow) {
  constexpr int64_t line = 64 / sizeof(float); // vectors that straddle cache lines cost double
  return m <= 8 || (m <= 16 && n < 16) || (k >= 64 && (m <= 12 || n <= 24)) ||
         (m <= 32 && k >= 128 && wRow % line == 0);
}

template <typename T, typename Kernel>
static void multiplyLinear(Kernel multiply, int64_t m, int64_t n, int64_t k, const T *x, int64_t xRow, const T *w,
                           int64_t wRow, const T *bias, T *out, int64_t outRow) {
  if (n == 0)
    return;
  constexpr int64_t leastWork = int64_t{1} << 22;
  bool byRows = m > n; // the cut does not show in the bits
  int64_t grain = std::max<int64_t>(64, grainOf(k, std::min(m, n), leastWork));
  parallelFor(0, std::max(m, n), grain, [&](int64_t first, int64_t last) {
    if (byRows)
      multiply(last - first, n, k, x + first * xRow, xRow, w, wRow, bias, out + first * outRow, outRow);
    else
      multiply(m, last - first, k, x, xRow, w + first * wRow, wRow, bias ? bias + first : nullptr, out + first, outRow);
  });
}

void linearRows(int64_t m, int64_t n, int64_t k, const float *x, int64_t xRow, const float *w, int64_t wRow,
                const float *bias, float *out, int64_t outRow) {
  static const auto multiply = TSC_BEST_OF(linearF32);
  multiplyLinear(multiply, m, n, k, x, xRow, w, wRow, bias, out, outRow);
}
void linearRows(int64_t m, int64_t n, int64_t k, const double *x, int64_t xRow, const double *w, int64_t wRow,
                const double *bias, double *out, int64_t outRow) {
  static const auto multiply = TSC_BEST_OF(linearF64);
  multiplyLinear(multiply, m, n, k, x, xRow, w, wRow, bias, out, outRow);
}

} // namespace tsc::cpu
#endif
