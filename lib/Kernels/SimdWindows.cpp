//===- SimdWindows.cpp - Rows of pooled windows, and of integer products --===//
//
// Plain loops, which the compiler turns into vectors.
//
//===----------------------------------------------------------------------===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "SimdWindows.cpp"
#include "SimdTargets.h"

#include "hwy/foreach_target.h" // first: it includes this file again for every instruction set

#include "WindowRows.h"
#include "hwy/highway.h"
#include <limits>

HWY_BEFORE_NAMESPACE();
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
  for (; j + lanes <= n; j += lanes) {
    auto a = first;
    for (int64_t k = 0; k != count; ++k)
      a = step(a, k, hn::LoadU(d, from + offsets[k] + j));
    hn::StoreU(a, d, out + j);
  }
  const hn::CappedTag<T, 1> one;
  for (; j != n; ++j) {
    auto a = hn::Set(one, start);
    for (int64_t k = 0; k != count; ++k)
      a = step(a, k, hn::Set(one, from[offsets[k] + j]));
    out[j] = hn::GetLane(a);
  }
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
static windows::RowFolds<float> floatFolds() { return {&largestOfRows<float>, &sumOfRows<float>}; }
static windows::RowFolds<double> doubleFolds() { return {&largestOfRows<double>, &sumOfRows<double>}; }
static windows::Kernels<float> floatWindows() { return {&largestRow<float>, &sumRow<float>}; }
static windows::Kernels<double> doubleWindows() { return {&largestRow<double>, &sumRow<double>}; }

static void integerProduct(int64_t m, int64_t n, int64_t k, const int64_t *a, int64_t aRow, int64_t aColumn,
                           const int64_t *b, int64_t bRow, int64_t *c, int64_t cRow) {
  for (int64_t i = 0; i != m; ++i) {
    uint64_t *HWY_RESTRICT out = reinterpret_cast<uint64_t *>(c + i * cRow); // unsigned: overflow wraps
    int64_t p = 0;
    for (; p + 4 <= k; p += 4) { // four rows for each walk over the sums
      const int64_t *left = a + i * aRow + p * aColumn;
      const uint64_t x0 = left[0], x1 = left[aColumn], x2 = left[2 * aColumn], x3 = left[3 * aColumn];
      const uint64_t *row0 = reinterpret_cast<const uint64_t *>(b + p * bRow), *row1 = row0 + bRow, *row2 = row1 + bRow,
                     *row3 = row2 + bRow;
      for (int64_t j = 0; j < n; ++j)
        out[j] += x0 * row0[j] + x1 * row1[j] + x2 * row2[j] + x3 * row3[j];
    }
    for (; p != k; ++p) {
      const uint64_t x = a[i * aRow + p * aColumn];
      const int64_t *HWY_RESTRICT row = b + p * bRow;
      for (int64_t j = 0; j < n; ++j)
        out[j] += x * static_cast<uint64_t>(row[j]);
    }
  }
}
} // namespace tsc::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

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
  static const auto best = TSC_BEST_OF(integerProduct);
  best(m, n, k, a, aRow, aColumn, b, bRow, c, cRow);
}
} // namespace tsc::cpu
#endif
