//===- SimdWindows.cpp - Rows of pooled windows, and of integer products --===//
//
// Plain loops, which the compiler turns into vectors.
//
//===----------------------------------------------------------------------===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Pooling/SimdWindows.cpp"
#include "Support/SimdTargets.h"

#include "hwy/foreach_target.h" // first: it includes this file again for every instruction set

#include "WindowRows.h"
#include "hwy/highway.h"
#include <limits>

TSC_BEFORE_KERNELS();
namespace tsc::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Every so many-th element.
template <int step, class D> HWY_INLINE hn::Vec<D> loadEvery(D d, const hn::TFromD<D> *from) {
  hn::Vec<D> first, second, third, fourth;
  if constexpr (step == 1)
    first = hn::LoadU(d, from);
  else if constexpr (step == 2)
    hn::LoadInterleaved2(d, from, first, second);
  else if constexpr (step == 3)
    hn::LoadInterleaved3(d, from, first, second, third);
  else
    hn::LoadInterleaved4(d, from, first, second, third, fourth);
  return first;
}

/// row[i] = f(row[i], from[i * step]); `known`: the step where vectors can be loaded, else 0.
template <int known, typename T, class OnVectors, class F>
HWY_INLINE void combineRow(T *row, const T *from, int64_t step, int64_t count, OnVectors onVectors, F f) {
  int64_t i = 0;
  if constexpr (known != 0) {
    const hn::ScalableTag<T> d;
    const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
    // A load takes what lies between the elements, and behind the last of them.
    const int64_t end = known == 1 ? count : count - 1;
    for (; i + lanes <= end; i += lanes)
      hn::StoreU(onVectors(hn::LoadU(d, row + i), loadEvery<known>(d, from + i * known)), d, row + i);
  }
  for (; i < count; ++i)
    row[i] = f(row[i], from[i * step]);
}
template <typename T, class OnVectors, class F>
HWY_INLINE void combine(T *row, const T *from, int64_t step, int64_t count, OnVectors onVectors, F f) {
  switch (step) {
  case 1: return combineRow<1>(row, from, step, count, onVectors, f);
  case 2: return combineRow<2>(row, from, step, count, onVectors, f);
  case 3: return combineRow<3>(row, from, step, count, onVectors, f);
  case 4: return combineRow<4>(row, from, step, count, onVectors, f);
  default: return combineRow<0>(row, from, step, count, onVectors, f);
  }
}

template <typename T> HWY_NOINLINE void largestRow(T *row, const T *from, int64_t step, int64_t count) {
  combine(
      row, from, step, count,
      [](auto a, auto b) HWY_ATTR { return hn::IfThenElse(hn::Or(hn::Gt(b, a), hn::IsNaN(b)), b, a); },
      [](T a, T b) { return b > a || b != b ? b : a; });
}
template <typename T> HWY_NOINLINE void sumRow(T *row, const T *from, int64_t step, int64_t count) {
  combine(
      row, from, step, count, [](auto a, auto b) HWY_ATTR { return hn::Add(a, b); }, [](T a, T b) { return a + b; });
}
/// Folds rows into `out`, whose columns stay in registers: step(sums, k, elements of row k).
template <typename T, class Step>
HWY_INLINE void foldRows(T *out, const T *from, const int64_t *offsets, int64_t count, int64_t n, T start, Step step) {
  const hn::ScalableTag<T> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto first = hn::Set(d, start);
  int64_t j = 0;
  for (; j + 4 * lanes <= n; j += 4 * lanes) {
    auto a = first, b = first, c = first, e = first;
    for (int64_t k = 0; k != count; ++k) {
      const T *row = from + offsets[k] + j;
      a = step(a, k, hn::LoadU(d, row));
      b = step(b, k, hn::LoadU(d, row + lanes));
      c = step(c, k, hn::LoadU(d, row + 2 * lanes));
      e = step(e, k, hn::LoadU(d, row + 3 * lanes));
    }
    hn::StoreU(a, d, out + j);
    hn::StoreU(b, d, out + j + lanes);
    hn::StoreU(c, d, out + j + 2 * lanes);
    hn::StoreU(e, d, out + j + 3 * lanes);
  }
  auto oneVector = [&](auto tag, int64_t at) HWY_ATTR {
    auto a = hn::Set(tag, start);
    for (int64_t k = 0; k != count; ++k)
      a = step(a, k, hn::LoadU(tag, from + offsets[k] + at));
    hn::StoreU(a, tag, out + at);
  };
  for (; j + lanes <= n; j += lanes)
    oneVector(d, j);
  if (j == n)
    return;
  if (n >= lanes) // some columns twice
    return oneVector(d, n - lanes);
  const hn::CappedTag<T, 4> few;
  const int64_t fewLanes = static_cast<int64_t>(hn::Lanes(few));
  for (; j + fewLanes <= n; j += fewLanes)
    oneVector(few, j);
  for (; j != n; ++j)
    oneVector(hn::CappedTag<T, 1>(), j);
}
template <typename T>
HWY_NOINLINE void largestOfRows(T *out, const T *from, const int64_t *offsets, int64_t count, int64_t n) {
  foldRows(out, from, offsets, count, n, -std::numeric_limits<T>::infinity(),
           [](auto a, int64_t, auto b) HWY_ATTR { return hn::IfThenElse(hn::Or(hn::Gt(b, a), hn::IsNaN(b)), b, a); });
}
template <typename T>
HWY_NOINLINE void sumOfRows(T *out, const T *from, const int64_t *offsets, const T *weights, int64_t count, int64_t n) {
  if (!weights)
    return foldRows(out, from, offsets, count, n, T(0), [](auto a, int64_t, auto b) HWY_ATTR { return hn::Add(a, b); });
  foldRows(out, from, offsets, count, n, T(0), [&](auto a, int64_t k, auto b) HWY_ATTR {
    return hn::Add(a, hn::Mul(hn::Set(hn::DFromV<decltype(a)>(), weights[k]), b));
  });
}
template <typename T> static windows::RowFolds<T> foldsOf() { return {&largestOfRows<T>, &sumOfRows<T>}; }
static windows::RowFolds<float> floatFolds() { return foldsOf<float>(); }
static windows::RowFolds<double> doubleFolds() { return foldsOf<double>(); }
static windows::Kernels<float> floatWindows() { return {&largestRow<float>, &sumRow<float>}; }
static windows::Kernels<double> doubleWindows() { return {&largestRow<double>, &sumRow<double>}; }

/// The products of lanes; of narrow ones, which 32 bits hold with their sign, by the one instruction that there is for
/// these.
template <bool isNarrow, typename V> HWY_INLINE V integerProducts(V a, V b) {
  if constexpr (isNarrow) {
    const hn::DFromV<V> d;
    const hn::Repartition<int32_t, decltype(d)> words;
    return hn::BitCast(d, hn::MulEven(hn::BitCast(words, a), hn::BitCast(words, b)));
  } else {
    return hn::Mul(a, b);
  }
}

/// `rows` rows and so many vectors of sums that stay in registers.
template <int rows, int vectors, bool isNarrow>
HWY_INLINE void integerTile(int64_t k, const uint64_t *a, int64_t aRow, int64_t aColumn, const uint64_t *b,
                            int64_t bRow, uint64_t *c, int64_t cRow) {
  const hn::ScalableTag<uint64_t> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  hn::Vec<decltype(d)> sums[rows][vectors];
  for (int i = 0; i != rows; ++i)
    for (int v = 0; v != vectors; ++v)
      sums[i][v] = hn::LoadU(d, c + i * cRow + v * lanes);
  for (int64_t p = 0; p != k; ++p)
    for (int v = 0; v != vectors; ++v) {
      const auto x = hn::LoadU(d, b + p * bRow + v * lanes);
      for (int i = 0; i != rows; ++i)
        sums[i][v] = hn::Add(sums[i][v], integerProducts<isNarrow>(hn::Set(d, a[i * aRow + p * aColumn]), x));
    }
  for (int i = 0; i != rows; ++i)
    for (int v = 0; v != vectors; ++v)
      hn::StoreU(sums[i][v], d, c + i * cRow + v * lanes);
}
template <int rows, bool isNarrow>
HWY_INLINE void integerRows(int64_t n, int64_t k, const uint64_t *a, int64_t aRow, int64_t aColumn, const uint64_t *b,
                            int64_t bRow, uint64_t *c, int64_t cRow) {
  constexpr int64_t lanes = hn::MaxLanes(hn::ScalableTag<uint64_t>());
  int64_t j = 0;
  for (; j + 2 * lanes <= n; j += 2 * lanes)
    integerTile<rows, 2, isNarrow>(k, a, aRow, aColumn, b + j, bRow, c + j, cRow);
  for (; j + lanes <= n; j += lanes)
    integerTile<rows, 1, isNarrow>(k, a, aRow, aColumn, b + j, bRow, c + j, cRow);
  for (; j != n; ++j)
    for (int i = 0; i != rows; ++i) {
      uint64_t sum = c[i * cRow + j];
      for (int64_t p = 0; p != k; ++p)
        sum += a[i * aRow + p * aColumn] * b[p * bRow + j];
      c[i * cRow + j] = sum;
    }
}
template <bool isNarrow>
HWY_NOINLINE void productOfIntegers(int64_t m, int64_t n, int64_t k, const uint64_t *a, int64_t aRow, int64_t aColumn,
                                    const uint64_t *b, int64_t bRow, uint64_t *c, int64_t cRow) {
  int64_t i = 0;
  for (; i + 4 <= m; i += 4)
    integerRows<4, isNarrow>(n, k, a + i * aRow, aRow, aColumn, b, bRow, c + i * cRow, cRow);
  for (; i != m; ++i)
    integerRows<1, isNarrow>(n, k, a + i * aRow, aRow, aColumn, b, bRow, c + i * cRow, cRow);
}
/// Whether 32 bits hold every element of a matrix with its sign.
static bool areNarrow(const uint64_t *from, int64_t rows, int64_t row, int64_t columns, int64_t column) {
  uint64_t outside = 0;
  for (int64_t i = 0; i != rows && outside == 0; ++i)
    for (int64_t j = 0; j != columns; ++j)
      outside |= (from[i * row + j * column] + (uint64_t(1) << 31)) >> 32;
  return outside == 0;
}
static void integerProduct(int64_t m, int64_t n, int64_t k, const int64_t *left, int64_t aRow, int64_t aColumn,
                           const int64_t *right, int64_t bRow, int64_t *out, int64_t cRow) {
  // Unsigned: overflow wraps.
  const uint64_t *a = reinterpret_cast<const uint64_t *>(left), *b = reinterpret_cast<const uint64_t *>(right);
  uint64_t *c = reinterpret_cast<uint64_t *>(out);
  constexpr int64_t least = 8; // uses of each element, for which a look at it is worthwhile
  if (std::min(m, n) >= least && areNarrow(a, m, aRow, k, aColumn) && areNarrow(b, k, bRow, n, 1))
    productOfIntegers<true>(m, n, k, a, aRow, aColumn, b, bRow, c, cRow);
  else
    productOfIntegers<false>(m, n, k, a, aRow, aColumn, b, bRow, c, cRow);
}
} // namespace tsc::cpu::HWY_NAMESPACE
TSC_AFTER_KERNELS();

#if HWY_ONCE
namespace tsc::cpu {
template <> const windows::Kernels<float> &windows::kernels<float>() {
  static const Kernels<float> table = TSC_BEST_OF(floatWindows)();
  return table;
}
template <> const windows::Kernels<double> &windows::kernels<double>() {
  static const Kernels<double> table = TSC_BEST_OF(doubleWindows)();
  return table;
}
template <> const windows::RowFolds<float> &windows::rowFolds<float>() {
  static const RowFolds<float> table = TSC_BEST_OF(floatFolds)();
  return table;
}
template <> const windows::RowFolds<double> &windows::rowFolds<double>() {
  static const RowFolds<double> table = TSC_BEST_OF(doubleFolds)();
  return table;
}
void windows::multiplyIntegers(int64_t m, int64_t n, int64_t k, const int64_t *a, int64_t aRow, int64_t aColumn,
                               const int64_t *b, int64_t bRow, int64_t *c, int64_t cRow) {
  assert(m >= 0 && n >= 0 && k >= 0 && (m <= 1 || cRow >= n) && "rows of the result do not overlap");
  static const auto best = TSC_BEST_OF(integerProduct);
  best(m, n, k, a, aRow, aColumn, b, bRow, c, cRow);
}
} // namespace tsc::cpu
#endif
