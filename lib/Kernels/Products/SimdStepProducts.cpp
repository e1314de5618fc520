//===- SimdStepProducts.cpp - Dot products of many rows -------------------===//
//
// The dot products of GemmKernels.cpp for many rows of moderate length, to the bit:
// term p of an element goes to the partial sum p modulo the width of a vector, and
// neighbouring partial sums are added level by level. Here a vector has one partial
// sum of as many columns, so that adding them up takes no shuffles; w is packed for
// it, a vector's worth of its rows at a time.
//
//===----------------------------------------------------------------------===//
#include "Gemm.h"
#include "tsc/Support/ThreadExit.h"
#include "tsc/Support/ThreadPool.h"
#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Products/SimdStepProducts.cpp"
#include "Support/SimdTargets.h"

#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "GemmPanels.h"
#include "GemmVectors.h"

TSC_BEFORE_KERNELS();
namespace tsc::cpu::HWY_NAMESPACE {

/// Rows at a time, and partial sums of each that are in registers together.
/// Where vectors are short there are fewer sums, and more rows.
constexpr int sumsAtOnce = TSC_VECTOR_REGISTERS == 32 ? 8 : 4, sumRows = TSC_MULTIPLIES_BY_LANE ? 6 : 3;

/// Adds to each row's partial sums a vector of its terms: term i, times row i of the panel, to sum i.
template <typename T, int Rows, int... I>
HWY_INLINE void multiplyTerms(const T *x, int64_t xRow, const T *panel, Vec<T> (&partial)[Rows][sizeof...(I)],
                              std::integer_sequence<int, I...>) {
  Tag<T> d;
  constexpr int N = Width<T>;
  const Vec<T> w[N] = {hn::LoadU(d, panel + I * N)...};
  for (int r = 0; r < Rows; ++r) {
    const auto terms = hn::LoadU(d, x + r * xRow);
    ((partial[r][I] = hn::MulAdd(hn::Broadcast<I>(terms), w[I], partial[r][I])), ...);
  }
}

/// Partial sums First to First + Count - 1 of Rows rows times a panel, added up. Element (p, c) of the panel is at
/// panel[p * N + c].
template <typename T, int Rows, int First, int Count>
HWY_INLINE void addUp(int64_t k, const T *x, int64_t xRow, const T *panel, Vec<T> (&sums)[Rows]) {
  constexpr int N = Width<T>;
  Tag<T> d;
  if constexpr (Count > sumsAtOnce) {
    Vec<T> upper[Rows];
    addUp<T, Rows, First, Count / 2>(k, x, xRow, panel, sums);
    addUp<T, Rows, First + Count / 2, Count / 2>(k, x, xRow, panel, upper);
    for (int r = 0; r < Rows; ++r)
      sums[r] = hn::Add(sums[r], upper[r]);
  } else {
    Vec<T> partial[Rows][Count];
    for (int r = 0; r < Rows; ++r)
      for (int i = 0; i < Count; ++i)
        partial[r][i] = hn::Zero(d);
    int64_t p = First;
    if constexpr (TSC_MULTIPLIES_BY_LANE &&
                  Count == N) // the terms of each row are a vector, of which each takes a lane
      for (; p + N <= k; p += N)
        multiplyTerms<T, Rows>(x + p, xRow, panel + p * N, partial, std::make_integer_sequence<int, N>());
    for (; p - First + N <= k; p += N)
      for (int i = 0; i < Count; ++i) {
        const auto w = hn::LoadU(d, panel + (p + i) * N);
        for (int r = 0; r < Rows; ++r)
          partial[r][i] = hn::MulAdd(hn::Set(d, x[r * xRow + p + i]), w, partial[r][i]);
      }
    if (p - First != k) // a vector of terms is cut off, where zeros are multiplied
      for (int i = 0; i < Count; ++i) {
        const bool isTerm = p + i < k;
        const auto w = isTerm ? hn::LoadU(d, panel + (p + i) * N) : hn::Zero(d);
        for (int r = 0; r < Rows; ++r)
          partial[r][i] = hn::MulAdd(isTerm ? hn::Set(d, x[r * xRow + p + i]) : hn::Zero(d), w, partial[r][i]);
      }
    for (int r = 0; r < Rows; ++r) {
      for (int width = Count; width > 1; width /= 2)
        for (int i = 0; i < width / 2; ++i)
          partial[r][i] = hn::Add(partial[r][2 * i], partial[r][2 * i + 1]);
      sums[r] = partial[r][0];
    }
  }
}

/// Columns from `column` on, a vector's worth of them or fewer.
template <typename T>
void panelOfColumns(int64_t m, int64_t count, int64_t k, const T *x, int64_t xRow, const T *w, int64_t wRow,
                    const T *bias, T *out, int64_t outRow) {
  constexpr int64_t N = Width<T>;
  Tag<T> d;
  T *panel = panelMemory<T>(k * N);
  if (count == N) {
    packTransposed<T, N>(k, w, wRow, panel, N);
  } else {
    std::fill_n(panel, k * N, T(0));
    for (int64_t c = 0; c < count; ++c)
      for (int64_t p = 0; p < k; ++p)
        panel[p * N + c] = w[c * wRow + p];
  }
  const auto added = !bias ? hn::Zero(d) : count == N ? hn::LoadU(d, bias) : loadPart(bias, count);
  forEachTile<sumRows>(m, [&]<int Rows>(int64_t i) {
    Vec<T> sums[Rows];
    addUp<T, Rows, 0, N>(k, x + i * xRow, xRow, panel, sums);
    for (int r = 0; r < Rows; ++r)
      storePart<T>(bias ? hn::Add(sums[r], added) : sums[r], out + (i + r) * outRow, count);
  });
}

template <typename T>
void panelsOfColumns(int64_t m, int64_t n, int64_t k, const T *x, int64_t xRow, const T *w, int64_t wRow, const T *bias,
                     T *out, int64_t outRow, int64_t first, int64_t last) {
  constexpr int64_t N = Width<T>;
  for (int64_t j = first * N; j < std::min(n, last * N); j += N)
    panelOfColumns(m, std::min(N, n - j), k, x, xRow, w + j * wRow, wRow, bias ? bias + j : nullptr, out + j, outRow);
}

void panelsF32(int64_t m, int64_t n, int64_t k, const float *x, int64_t xRow, const float *w, int64_t wRow,
               const float *bias, float *out, int64_t outRow, int64_t first, int64_t last) {
  panelsOfColumns(m, n, k, x, xRow, w, wRow, bias, out, outRow, first, last);
}
void panelsF64(int64_t m, int64_t n, int64_t k, const double *x, int64_t xRow, const double *w, int64_t wRow,
               const double *bias, double *out, int64_t outRow, int64_t first, int64_t last) {
  panelsOfColumns(m, n, k, x, xRow, w, wRow, bias, out, outRow, first, last);
}
int64_t panelF32() { return Width<float>; }
int64_t panelF64() { return Width<double>; }

} // namespace tsc::cpu::HWY_NAMESPACE
TSC_AFTER_KERNELS();

#if HWY_ONCE
namespace tsc::cpu {

template <typename T, typename Kernel>
static void multiplyPanels(Kernel multiply, int64_t width, int64_t m, int64_t n, int64_t k, const T *x, int64_t xRow,
                           const T *w, int64_t wRow, const T *bias, T *out) {
  constexpr int64_t leastWork = int64_t{1} << 22;
  parallelFor(0, (n + width - 1) / width, std::max<int64_t>(1, leastWork / (m * k * width)),
              [&](int64_t first, int64_t last) { multiply(m, n, k, x, xRow, w, wRow, bias, out, n, first, last); });
}

void manyLinearRows(int64_t m, int64_t n, int64_t k, const float *x, int64_t xRow, const float *w, int64_t wRow,
                    const float *bias, float *out) {
  assert(m >= leastManyRows && k <= mostTermsOfMany && "many rows of few elements");
  static const auto multiply = TSC_BEST_OF(panelsF32);
  static const auto width = TSC_BEST_OF(panelF32);
  multiplyPanels(multiply, width(), m, n, k, x, xRow, w, wRow, bias, out);
}
void manyLinearRows(int64_t m, int64_t n, int64_t k, const double *x, int64_t xRow, const double *w, int64_t wRow,
                    const double *bias, double *out) {
  assert(m >= leastManyRows && k <= mostTermsOfMany && "many rows of few elements");
  static const auto multiply = TSC_BEST_OF(panelsF64);
  static const auto width = TSC_BEST_OF(panelF64);
  multiplyPanels(multiply, width(), m, n, k, x, xRow, w, wRow, bias, out);
}

} // namespace tsc::cpu
#endif
