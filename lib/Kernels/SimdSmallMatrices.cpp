//===- SimdSmallMatrices.cpp - Many small matrices side by side -----------===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "SimdSmallMatrices.cpp"
#include "SimdTargets.h"

#include "hwy/foreach_target.h" // first: it includes this file again for every instruction set

#include "SmallMatrices.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace tsc::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, linalg::mostLanes>;
using V = hn::Vec<D>;
static constexpr D d{};
static constexpr int64_t lanes = hn::MaxLanes(D());

/// Exchanges rows i and k of `columns` elements in the lanes of the mask.
static HWY_INLINE void exchange(hn::Mask<D> mask, double *rowI, double *rowK, int64_t columns) {
  for (int64_t j = 0; j != columns; ++j) {
    const V x = hn::Load(d, rowI + j * lanes), y = hn::Load(d, rowK + j * lanes);
    hn::Store(hn::IfThenElse(mask, y, x), d, rowI + j * lanes);
    hn::Store(hn::IfThenElse(mask, x, y), d, rowK + j * lanes);
  }
}

template <int64_t size>
static HWY_INLINE void factorOf(double *a, double *pivots, double *info, int64_t anySize, bool exchanges) {
  const int64_t n = size ? size : anySize;
  const V zero = hn::Zero(d);
  V first = zero;
  for (int64_t k = 0; k != n; ++k) {
    double *rowK = a + k * n * lanes;
    V best = hn::Set(d, static_cast<double>(k)), most = hn::Abs(hn::Load(d, rowK + k * lanes));
    if (exchanges) {
      for (int64_t i = k + 1; i < n; ++i) {
        const V x = hn::Abs(hn::Load(d, a + (i * n + k) * lanes));
        const auto larger = hn::Gt(x, most);
        most = hn::IfThenElse(larger, x, most);
        best = hn::IfThenElse(larger, hn::Set(d, static_cast<double>(i)), best);
      }
      for (int64_t i = k + 1; i < n; ++i)
        exchange(hn::Eq(best, hn::Set(d, static_cast<double>(i))), a + i * n * lanes, rowK, n);
    }
    hn::Store(best, d, pivots + k * lanes);
    // A column of zeros stays as it is.
    const auto isZero = hn::Eq(most, zero);
    first = hn::IfThenElse(hn::And(isZero, hn::Eq(first, zero)), hn::Set(d, k + 1.), first);
    const V pivot = hn::IfThenElse(isZero, hn::Set(d, 1), hn::Load(d, rowK + k * lanes));
    for (int64_t i = k + 1; i < n; ++i) {
      double *row = a + i * n * lanes;
      const V factor = hn::Div(hn::Load(d, row + k * lanes), pivot);
      hn::Store(factor, d, row + k * lanes);
      const V applied = hn::IfThenZeroElse(isZero, factor);
      for (int64_t j = k + 1; j < n; ++j)
        hn::Store(hn::NegMulAdd(applied, hn::Load(d, rowK + j * lanes), hn::Load(d, row + j * lanes)), d,
                  row + j * lanes);
    }
  }
  hn::Store(first, d, info);
}
static void factor(double *a, double *pivots, double *info, int64_t n, bool exchanges) {
  switch (n) { // loops of known length are unrolled
  case 2: return factorOf<2>(a, pivots, info, n, exchanges);
  case 3: return factorOf<3>(a, pivots, info, n, exchanges);
  case 4: return factorOf<4>(a, pivots, info, n, exchanges);
  default: return factorOf<0>(a, pivots, info, n, exchanges);
  }
}

template <int64_t size>
static HWY_INLINE void solveOf(const double *lu, const double *pivots, double *b, int64_t anySize, int64_t columns) {
  const int64_t n = size ? size : anySize;
  auto rowOf = [&](int64_t i) { return b + i * columns * lanes; };
  auto factorAt = [&](int64_t i, int64_t j) HWY_ATTR { return hn::Load(d, lu + (i * n + j) * lanes); };
  auto subtract = [&](int64_t i, int64_t k) HWY_ATTR {
    const V factor = factorAt(i, k);
    for (int64_t j = 0; j != columns; ++j)
      hn::Store(hn::NegMulAdd(factor, hn::Load(d, rowOf(k) + j * lanes), hn::Load(d, rowOf(i) + j * lanes)), d,
                rowOf(i) + j * lanes);
  };
  for (int64_t k = 0; k != n; ++k) {
    const V pivot = hn::Load(d, pivots + k * lanes);
    for (int64_t i = k + 1; i < n; ++i)
      exchange(hn::Eq(pivot, hn::Set(d, static_cast<double>(i))), rowOf(i), rowOf(k), columns);
  }
  for (int64_t i = 1; i < n; ++i)
    for (int64_t k = 0; k != i; ++k)
      subtract(i, k);
  for (int64_t i = n; i-- != 0;) {
    for (int64_t k = i + 1; k < n; ++k)
      subtract(i, k);
    const V diagonal = factorAt(i, i);
    for (int64_t j = 0; j != columns; ++j)
      hn::Store(hn::Div(hn::Load(d, rowOf(i) + j * lanes), diagonal), d, rowOf(i) + j * lanes);
  }
}
static void solve(const double *lu, const double *pivots, double *b, int64_t n, int64_t columns) {
  switch (n) {
  case 2: return solveOf<2>(lu, pivots, b, n, columns);
  case 3: return solveOf<3>(lu, pivots, b, n, columns);
  case 4: return solveOf<4>(lu, pivots, b, n, columns);
  default: return solveOf<0>(lu, pivots, b, n, columns);
  }
}

static linalg::SmallKernels kernels() { return {lanes, &factor, &solve}; }
} // namespace tsc::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tsc::cpu {
const linalg::SmallKernels &linalg::smallKernels() {
  static const SmallKernels table = TSC_BEST_OF(kernels)();
  return table;
}
} // namespace tsc::cpu
#endif
