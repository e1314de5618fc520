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

#include "GemmVectors.h"

TSC_BEFORE_KERNELS();
namespace tsc::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// The tallest tile of two vectors a row, whose sums fit the registers beside what is multiplied.
constexpr int maxRows = TSC_VECTOR_REGISTERS == 32 ? 12 : TSC_HAS_VECTORS ? 6 : 4;

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

template <typename T, Rows Kind>
void panelRows(int64_t m, int64_t k, const T *a, int64_t aRow, int64_t aColumn, const T *b, int64_t bRow, T *c,
               int64_t cRow, bool accumulate, int64_t columns) {
  forEachTile<maxRows>(m, [&]<int Count>(int64_t i) {
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
    for (int64_t p = 0; p < k; ++p)
      packed[p * wide + j] = b[p * bRow + j * bColumn];
}

/// All columns of B as panels, one behind the other. Contiguous rows are read from end to end, since every step from
/// one to the next is another page.
template <typename T> void packPanels(int64_t k, int64_t n, const T *b, int64_t bRow, int64_t bColumn, T *packed) {
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

/// A block of rows of A, contiguous or packed, times packed panels.
template <typename T, Rows Kind>
void multiplyPanels(int64_t m, int64_t n, int64_t k, const T *a, int64_t aRow, const T *panels, T *c, int64_t cRow,
                    bool accumulate) {
  constexpr int64_t wide = 2 * Width<T>;
  for (int64_t j = 0; j < n; j += wide)
    panelRows<T, Kind>(m, k, a, aRow, 1, panels + j * k, wide, c + j, cRow, accumulate, std::min(wide, n - j));
}

template <typename T>
void blocked(int64_t m, int64_t n, int64_t k, const T *a, int64_t aRow, int64_t aColumn, const T *b, int64_t bRow,
             int64_t bColumn, T *c, int64_t cRow, bool accumulate, KeptPanels *kept,
             int64_t depthBlock = PackedBlocks<T>::blockDepth) {
  constexpr int64_t wide = 2 * Width<T>, rowBlock = 96;
  static_assert(simd::panelWidth % wide == 0);
  const PackedBlocks<T> keptBlocks(kept, b, bRow, bColumn);
  int64_t columnBlock = std::max<int64_t>(wide, 512 / wide * wide);
  int64_t depth = std::min(depthBlock, k);
  // Few columns do not pay for packing A, fewer where an element of A that is not packed is loaded for all lanes. Rows
  // far apart would share a set of the first cache.
  constexpr int64_t fewColumns = TSC_MULTIPLIES_BY_LANE ? 32 : 256;
  bool readsRows = aColumn == 1 && n <= fewColumns && aRow * sizeof(T) <= 2048;
  int64_t packedColumns = keptBlocks ? 0 : (std::min(columnBlock, n) + wide - 1) / wide * wide;
  T *memory = panelMemory<T>(depth * (packedColumns + rowBlock) + wide);
  T *packedA = memory, *packedB = memory + depth * rowBlock + wide;
  for (int64_t jc = 0; jc < n; jc += columnBlock) {
    int64_t nc = std::min(columnBlock, n - jc);
    for (int64_t pc = 0; pc < k; pc += depthBlock) {
      int64_t kc = std::min(depthBlock, k - pc);
      bool add = accumulate || pc != 0;
      if (!keptBlocks)
        packPanels(kc, nc, b + pc * bRow + jc * bColumn, bRow, bColumn, packedB);
      const T *panels = keptBlocks ? keptBlocks.at(pc, kc, jc) : packedB;
      for (int64_t ic = 0; ic < m; ic += rowBlock) {
        if (work::wasStopped())
          return;
        int64_t mc = std::min(rowBlock, m - ic);
        const T *rows = a + ic * aRow + pc * aColumn;
        T *out = c + ic * cRow + jc;
        if (readsRows) {
          multiplyPanels<T, Rows::Strided>(mc, nc, kc, rows, aRow, panels, out, cRow, add);
        } else {
          packRows(mc, kc, rows, aRow, aColumn, packedA);
          multiplyPanels<T, Rows::Packed>(mc, nc, kc, packedA, kc, panels, out, cRow, add);
        }
      }
    }
  }
}

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
  if (bColumn == 1 && m == 1)
    return oneRow<T>(n, k, a, aColumn, b, bRow, c, accumulate);
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
  blocked<T>(m, n, k, a, aRow, aColumn, b, bRow, bColumn, c, cRow, accumulate, kept);
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
  blocked<float>(m, n, k, a, aRow, 1, b, bRow, 1, c, cRow, accumulate, nullptr, terms);
}
void linearF32(int64_t m, int64_t n, int64_t k, const float *x, int64_t xRow, const float *w, int64_t wRow,
               const float *bias, float *c, int64_t cRow) {
  rowsTransposed<float>(m, n, k, x, xRow, w, wRow, bias, c, cRow, false);
}
void linearF64(int64_t m, int64_t n, int64_t k, const double *x, int64_t xRow, const double *w, int64_t wRow,
               const double *bias, double *c, int64_t cRow) {
  rowsTransposed<double>(m, n, k, x, xRow, w, wRow, bias, c, cRow, false);
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
