//===- SimdSmallMatrices.cpp - Many small matrices side by side -----------===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "LinearAlgebra/SimdSmallMatrices.cpp"
#include "Support/SimdTargets.h"

#include "hwy/foreach_target.h" // first: it includes this file again for every instruction set

#include "DenseRows.h"
#include "SmallMatrices.h"
#include "hwy/highway.h"
#include <type_traits>

TSC_BEFORE_KERNELS();
#include "Support/SimdExtrema.h"

namespace tsc::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, linalg::mostLanes>;
using V = hn::Vec<D>;
static constexpr D d{};
static constexpr int64_t lanes = hn::MaxLanes(D());

/// Calls body with the size as a constant, where loops of known length are unrolled, or with 0.
template <class Body> static HWY_INLINE void withSize(int64_t n, Body body) {
  switch (n) {
  case 2: return body(std::integral_constant<int64_t, 2>());
  case 3: return body(std::integral_constant<int64_t, 3>());
  case 4: return body(std::integral_constant<int64_t, 4>());
  default: return body(std::integral_constant<int64_t, 0>());
  }
}

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
  assert(n >= 1 && n <= linalg::mostSmallRows && "a small matrix");
  withSize(n, [&](auto size) HWY_ATTR { factorOf<size()>(a, pivots, info, n, exchanges); });
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
  assert(n >= 1 && n <= linalg::mostSmallRows && "a small matrix");
  withSize(n, [&](auto size) HWY_ATTR { solveOf<size()>(lu, pivots, b, n, columns); });
}

static void cholesky(double *a, double *info, int64_t anySize) {
  assert(anySize >= 1 && anySize <= linalg::mostSmallRows && "a small matrix");
  withSize(anySize, [&](auto size) HWY_ATTR {
    const int64_t n = size() ? size() : anySize;
    const V zero = hn::Zero(d);
    auto at = [&](int64_t i, int64_t j) HWY_ATTR { return a + (i * n + j) * lanes; };
    V failed = zero;
    for (int64_t j = 0; j != n; ++j) {
      V sum = hn::Load(d, at(j, j));
      for (int64_t k = 0; k != j; ++k)
        sum = hn::NegMulAdd(hn::Load(d, at(j, k)), hn::Load(d, at(j, k)), sum);
      const auto isBad = hn::Not(hn::Gt(sum, zero)), isFirst = hn::And(isBad, hn::Eq(failed, zero));
      failed = hn::IfThenElse(isFirst, hn::Set(d, static_cast<double>(j + 1)), failed);
      const V root = hn::Sqrt(sum);
      hn::Store(root, d, at(j, j));
      for (int64_t i = j + 1; i < n; ++i) {
        V product = hn::Load(d, at(i, j));
        for (int64_t k = 0; k != j; ++k)
          product = hn::NegMulAdd(hn::Load(d, at(i, k)), hn::Load(d, at(j, k)), product);
        hn::Store(hn::Div(product, root), d, at(i, j));
        hn::Store(zero, d, at(j, i));
      }
    }
    hn::Store(failed, d, info);
  });
}

static void qr(double *a, double *q, double *isOdd, int64_t rows, int64_t columns, int64_t k) {
  assert(rows >= 1 && columns >= 0 && k <= rows && "a small matrix");
  const V zero = hn::Zero(d), one = hn::Set(d, 1);
  auto at = [&](int64_t i, int64_t j) HWY_ATTR { return a + (i * columns + j) * lanes; };
  const int64_t steps = rows < columns ? rows : columns;
  V taus[linalg::mostSmallRows], odd = zero;
  /// (1 - tau v v^T) on a column of `to`; v stands below the diagonal of a.
  auto reflect = [&](double *to, int64_t width, int64_t step, int64_t j) HWY_ATTR {
    auto element = [&](int64_t i) HWY_ATTR { return to + (i * width + j) * lanes; };
    V sum = hn::Load(d, element(step));
    for (int64_t i = step + 1; i < rows; ++i)
      sum = hn::MulAdd(hn::Load(d, at(i, step)), hn::Load(d, element(i)), sum);
    sum = hn::Mul(taus[step], sum);
    hn::Store(hn::Sub(hn::Load(d, element(step)), sum), d, element(step));
    for (int64_t i = step + 1; i < rows; ++i)
      hn::Store(hn::NegMulAdd(hn::Load(d, at(i, step)), sum, hn::Load(d, element(i))), d, element(i));
  };
  for (int64_t s = 0; s != steps; ++s) {
    V squares = zero, largest = zero;
    for (int64_t i = s + 1; i < rows; ++i) {
      const V x = hn::Load(d, at(i, s));
      squares = hn::MulAdd(x, x, squares);
      largest = extrema::HWY_NAMESPACE::larger(largest, hn::Abs(x));
    }
    const auto isZero = hn::And(hn::Eq(squares, zero), hn::Eq(largest, zero)); // and not NaN
    const V alpha = hn::Load(d, at(s, s)), all = hn::MulAdd(alpha, alpha, squares), size = hn::Sqrt(all);
    const auto isModerate =
        hn::And(hn::Gt(squares, hn::Set(d, linalg::leastModerate)), hn::Lt(all, hn::Set(d, linalg::mostModerate)));
    odd = hn::IfThenElse(hn::Or(isZero, isModerate), odd, one);
    const V beta = hn::CopySign(size, hn::Neg(alpha)), scale = hn::Div(one, hn::Sub(alpha, beta));
    taus[s] = hn::IfThenElse(isZero, zero, hn::Div(hn::Sub(beta, alpha), beta));
    hn::Store(hn::IfThenElse(isZero, alpha, beta), d, at(s, s));
    for (int64_t i = s + 1; i < rows; ++i)
      hn::Store(hn::IfThenElse(isZero, zero, hn::Mul(hn::Load(d, at(i, s)), scale)), d, at(i, s));
    for (int64_t j = s + 1; j < columns; ++j)
      reflect(a, columns, s, j);
  }
  hn::Store(odd, d, isOdd);
  if (q) {
    for (int64_t i = 0; i != rows; ++i)
      for (int64_t j = 0; j != k; ++j)
        hn::Store(i == j ? one : zero, d, q + (i * k + j) * lanes);
    for (int64_t s = steps; s-- != 0;)
      for (int64_t j = s; j < k; ++j)
        reflect(q, k, s, j);
  }
  for (int64_t i = 1; i < rows; ++i)
    for (int64_t j = 0; j < i && j < columns; ++j)
      hn::Store(zero, d, at(i, j));
}

template <int64_t size>
static HWY_INLINE void multiplyOf(const double *a, const double *b, double *c, int64_t anySize) {
  const int64_t n = size ? size : anySize;
  for (int64_t i = 0; i != n; ++i)
    for (int64_t j = 0; j != n; ++j) {
      V sum = hn::Zero(d);
      for (int64_t p = 0; p != n; ++p)
        sum = hn::MulAdd(hn::Load(d, a + (i * n + p) * lanes), hn::Load(d, b + (p * n + j) * lanes), sum);
      hn::Store(sum, d, c + (i * n + j) * lanes);
    }
}
template <int64_t size>
static HWY_INLINE void exponentialOf(const double *a, const double *squarings, double *out, int64_t anySize) {
  constexpr int64_t most = linalg::mostSmallRows * linalg::mostSmallRows * linalg::mostLanes;
  const int64_t n = size ? size : anySize, all = n * n * lanes;
  HWY_ALIGN double scaled[most], square[most], cube[most], fourth[most], sum[most];
  const V steps = hn::Load(d, squarings);
  HWY_ALIGN double factors[lanes];
  int64_t mostSteps = 0;
  for (int64_t lane = 0; lane != lanes; ++lane) {
    const auto count = static_cast<int64_t>(squarings[lane]);
    factors[lane] = 1;
    for (int64_t i = 0; i != count; ++i)
      factors[lane] *= 0.5;
    mostSteps = count > mostSteps ? count : mostSteps;
  }
  for (int64_t e = 0; e != all; e += lanes)
    hn::Store(hn::Mul(hn::Load(d, a + e), hn::Load(d, factors)), d, scaled + e);
  multiplyOf<size>(scaled, scaled, square, n);
  multiplyOf<size>(square, scaled, cube, n);
  multiplyOf<size>(square, square, fourth, n);
  for (int block = 3; block >= 0; --block) {
    const double *c = linalg::exponentialCoefficients.data() + 4 * block;
    if (block == 3)
      for (int64_t e = 0; e != all; e += lanes)
        hn::Store(hn::Zero(d), d, out + e);
    else
      multiplyOf<size>(sum, fourth, out, n);
    for (int64_t i = 0; i != n; ++i)
      for (int64_t j = 0; j != n; ++j) {
        const int64_t e = (i * n + j) * lanes;
        V value = i == j ? hn::Add(hn::Load(d, out + e), hn::Set(d, c[0])) : hn::Load(d, out + e);
        value = hn::MulAdd(hn::Load(d, scaled + e), hn::Set(d, c[1]), value);
        value = hn::MulAdd(hn::Load(d, square + e), hn::Set(d, c[2]), value);
        hn::Store(hn::MulAdd(hn::Load(d, cube + e), hn::Set(d, c[3]), value), d, sum + e);
      }
  }
  for (int64_t s = 0; s != mostSteps; ++s) {
    const auto isOpen = hn::Gt(steps, hn::Set(d, static_cast<double>(s)));
    multiplyOf<size>(sum, sum, out, n);
    for (int64_t e = 0; e != all; e += lanes)
      hn::Store(hn::IfThenElse(isOpen, hn::Load(d, out + e), hn::Load(d, sum + e)), d, sum + e);
  }
  for (int64_t e = 0; e != all; e += lanes)
    hn::Store(hn::Load(d, sum + e), d, out + e);
}
static void exponential(const double *a, const double *squarings, double *out, int64_t n) {
  assert(n >= 1 && n <= linalg::mostSmallRows && "a small matrix");
  withSize(n, [&](auto size) HWY_ATTR { exponentialOf<size()>(a, squarings, out, n); });
}

static linalg::SmallKernels kernels() { return {lanes, &factor, &solve, &cholesky, &qr, &exponential}; }
} // namespace tsc::cpu::HWY_NAMESPACE
TSC_AFTER_KERNELS();

#if HWY_ONCE
namespace tsc::cpu {
const linalg::SmallKernels &linalg::smallKernels() {
  static const SmallKernels table = TSC_BEST_OF(kernels)();
  return table;
}
} // namespace tsc::cpu
#endif
