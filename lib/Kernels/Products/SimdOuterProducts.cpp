//===- SimdOuterProducts.cpp - Sums of products of few terms, on vectors --===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Products/SimdOuterProducts.cpp"
#include "Support/SimdTargets.h"

#include "hwy/foreach_target.h" // first: it includes this file again for every instruction set

#include "OuterProducts.h"
#include "hwy/highway.h"
#include <algorithm>

TSC_BEFORE_KERNELS();
namespace tsc::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// The rows of a tile: with two vectors each, the sums and what is added to them stay in registers.
constexpr int tallest = TSC_VECTOR_REGISTERS == 32 ? 8 : 4;

/// Rows x 2 vectors of c.
template <typename T, int Rows>
HWY_INLINE void addTile(int64_t m, int64_t k, int64_t terms, const T *x, const T *y, int64_t yRow, T *c, int64_t cRow) {
  const hn::ScalableTag<T> d;
  constexpr int64_t lanes = hn::MaxLanes(d);
  hn::Vec<decltype(d)> sums[Rows][2];
  for (int r = 0; r != Rows; ++r)
    for (int64_t half = 0; half != 2; ++half)
      sums[r][half] = hn::LoadU(d, c + r * cRow + half * lanes);
  for (int64_t part = 0; part != k; part += terms) {
    const auto left = hn::LoadU(d, y + part * yRow), right = hn::LoadU(d, y + part * yRow + lanes);
    if (terms == 1) {
      for (int r = 0; r != Rows; ++r) {
        const auto factor = hn::Set(d, x[part * m + r]);
        sums[r][0] = hn::Add(sums[r][0], hn::MulAdd(factor, left, hn::Zero(d)));
        sums[r][1] = hn::Add(sums[r][1], hn::MulAdd(factor, right, hn::Zero(d)));
      }
      continue;
    }
    hn::Vec<decltype(d)> added[Rows][2];
    for (int r = 0; r != Rows; ++r) {
      const auto factor = hn::Set(d, x[part * m + r]);
      added[r][0] = hn::MulAdd(factor, left, hn::Zero(d));
      added[r][1] = hn::MulAdd(factor, right, hn::Zero(d));
    }
    for (int64_t p = part + 1; p != part + terms; ++p) {
      const auto next = hn::LoadU(d, y + p * yRow), last = hn::LoadU(d, y + p * yRow + lanes);
      for (int r = 0; r != Rows; ++r) {
        const auto factor = hn::Set(d, x[p * m + r]);
        added[r][0] = hn::MulAdd(factor, next, added[r][0]);
        added[r][1] = hn::MulAdd(factor, last, added[r][1]);
      }
    }
    for (int r = 0; r != Rows; ++r)
      for (int half = 0; half != 2; ++half)
        sums[r][half] = hn::Add(sums[r][half], added[r][half]);
  }
  for (int r = 0; r != Rows; ++r)
    for (int64_t half = 0; half != 2; ++half)
      hn::StoreU(sums[r][half], d, c + r * cRow + half * lanes);
}

template <typename T>
HWY_INLINE void addColumns(int64_t m, int64_t k, int64_t terms, const T *x, const T *y, int64_t yRow, T *c,
                           int64_t cRow) {
  int64_t i = 0;
  for (; i + tallest <= m; i += tallest)
    addTile<T, tallest>(m, k, terms, x + i, y, yRow, c + i * cRow, cRow);
  for (; i != m; ++i)
    addTile<T, 1>(m, k, terms, x + i, y, yRow, c + i * cRow, cRow);
}

/// The last columns, fewer than two vectors', in memory that has zeros behind them: some rows of y after others, and of
/// c as many as a tile has.
template <typename T>
HWY_NOINLINE void addLastColumns(int64_t m, int64_t n, int64_t k, int64_t terms, const T *x, const T *y, T *c,
                                 int64_t columns) {
  constexpr int64_t wide = 2 * hn::MaxLanes(hn::ScalableTag<T>()), most = 4 * simd::mostOuterTerms;
  HWY_ALIGN T factors[most * wide] = {}, sums[tallest * wide] = {};
  const int64_t some = most / terms * terms;
  for (int64_t begin = 0; begin < k; begin += some) {
    const int64_t count = std::min(some, k - begin);
    for (int64_t p = 0; p != count; ++p)
      std::copy_n(y + (begin + p) * n, columns, factors + p * wide);
    for (int64_t i = 0; i < m; i += tallest) {
      const int64_t rows = std::min<int64_t>(tallest, m - i);
      for (int64_t r = 0; r != rows; ++r)
        std::copy_n(c + (i + r) * n, columns, sums + r * wide);
      const T *left = x + begin * m + i;
      if (rows == tallest)
        addTile<T, tallest>(m, count, terms, left, factors, wide, sums, wide);
      else
        for (int64_t r = 0; r != rows; ++r)
          addTile<T, 1>(m, count, terms, left + r, factors, wide, sums + r * wide, wide);
      for (int64_t r = 0; r != rows; ++r)
        std::copy_n(sums + r * wide, columns, c + (i + r) * n);
    }
  }
}

template <typename T>
HWY_NOINLINE void add(int64_t m, int64_t n, int64_t k, int64_t terms, const T *x, const T *y, T *c) {
  constexpr int64_t wide = 2 * hn::MaxLanes(hn::ScalableTag<T>());
  int64_t j = 0;
  for (; j + wide <= n; j += wide)
    addColumns(m, k, terms, x, y + j, n, c + j, n);
  if (j != n)
    addLastColumns(m, n, k, terms, x, y + j, c + j, n - j);
}
static void addFloats(int64_t m, int64_t n, int64_t k, int64_t terms, const float *x, const float *y, float *c) {
  add(m, n, k, terms, x, y, c);
}
static void addDoubles(int64_t m, int64_t n, int64_t k, int64_t terms, const double *x, const double *y, double *c) {
  add(m, n, k, terms, x, y, c);
}
} // namespace tsc::cpu::HWY_NAMESPACE
TSC_AFTER_KERNELS();

#if HWY_ONCE
namespace tsc::cpu {
void simd::addOuterProducts(int64_t m, int64_t n, int64_t k, int64_t terms, const float *x, const float *y, float *c) {
  assert(terms >= 1 && terms <= mostOuterTerms && k % terms == 0 && "whole parts of a few terms");
  static const auto best = TSC_BEST_OF(addFloats);
  best(m, n, k, terms, x, y, c);
}
void simd::addOuterProducts(int64_t m, int64_t n, int64_t k, int64_t terms, const double *x, const double *y,
                            double *c) {
  assert(terms >= 1 && terms <= mostOuterTerms && k % terms == 0 && "whole parts of a few terms");
  static const auto best = TSC_BEST_OF(addDoubles);
  best(m, n, k, terms, x, y, c);
}
} // namespace tsc::cpu
#endif
