//===- SimdRows.cpp - Softmax and normalization of one row, on vectors ----===//
//
// A row is taken sixteen elements at a time, as the folds take it; what is left
// over at its end goes through the same instructions by way of a buffer.
//
//===----------------------------------------------------------------------===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Normalization/SimdRows.cpp"
#include "Support/SimdTargets.h"

#include "hwy/foreach_target.h" // first: it includes this file again for every instruction set

#include "Pointwise/SpecialFunctions.h"
#include "Rows.h"
#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"
#include "tsc/Kernels/Folds.h"
#include <cmath>
#include <limits>
#include <type_traits>

TSC_BEFORE_KERNELS();
#include "Pointwise/SimdBuilder.h"

#include "Reductions/SimdLanes.h"

#include "Support/SimdRowWalks.h"

namespace tsc::cpu::HWY_NAMESPACE {
using rows::Runs;
using rows::SoftmaxKind;

/// The largest element, of some that may be NaN.
template <typename T> HWY_NOINLINE T maximumOfAny(const T *x, int64_t n) {
  BlockLanes<MaxFold<T>> lanes;
  const typename Sixteen<T>::D d;
  constexpr int64_t width = Sixteen<T>::width;
  int64_t i = 0;
  for (; i + foldLanes <= n; i += foldLanes)
    for (int64_t k = 0; k != foldLanes / width; ++k)
      lanes.step(k, hn::LoadU(d, x + i + k * width));
  for (; i < n; i += width)
    lanes.step(0, loadPart(x + i, n - i, MaxFold<T>::init()));
  return lanes.finish();
}
/// The largest element, NaN if there is one. The order matters to the sign of a zero alone, which nothing here shows:
/// so NaN are looked for beside the maximum, where no step waits for it.
template <typename T> HWY_INLINE T maximum(const T *x, int64_t n) {
  const typename Sixteen<T>::D d;
  constexpr int64_t width = Sixteen<T>::width, chains = 4;
  auto first = hn::Set(d, MaxFold<T>::init());
  hn::Vec<typename Sixteen<T>::D> most[chains] = {first, first, first, first};
  auto isAny = hn::IsNaN(first);
  int64_t i = 0;
  for (; i + chains * width <= n; i += chains * width)
    for (int64_t k = 0; k != chains; ++k) {
      const auto v = hn::LoadU(d, x + i + k * width);
      isAny = hn::Or(isAny, hn::IsNaN(v));
      most[k] = hn::Max(most[k], v);
    }
  for (; i < n; i += width) {
    const auto v = n - i < width ? loadPart(x + i, n - i, MaxFold<T>::init()) : hn::LoadU(d, x + i);
    isAny = hn::Or(isAny, hn::IsNaN(v));
    most[0] = hn::Max(most[0], v);
  }
  if (HWY_UNLIKELY(!hn::AllFalse(d, isAny)))
    return maximumOfAny(x, n);
  return hn::GetLane(hn::MaxOfLanes(d, hn::Max(hn::Max(most[0], most[1]), hn::Max(most[2], most[3]))));
}

/// Returns e^x. Where that is rounded to 0, as it is of elements that are masked, it is not computed: processors take
/// long for numbers that are too small to be normal.
template <typename T> HWY_INLINE auto powerOf(Builder<T> &b, hn::Vec<typename Sixteen<T>::D> x) {
  constexpr T least = std::is_same_v<T, float> ? -104 : -746;
  const auto vanishes = hn::Lt(x, hn::Set(Sixteen<T>::d, least));
  return hn::IfThenZeroElse(vanishes, b.exp(hn::IfThenZeroElse(vanishes, x)));
}

template <typename T> HWY_NOINLINE void softmaxRow(SoftmaxKind kind, T *out, const T *x, int64_t n) {
  assert(n > 0 && "a row has elements");
  const typename Sixteen<T>::D d;
  using V = hn::Vec<typename Sixteen<T>::D>;
  Builder<T> b;
  const V shift = hn::Set(d, maximum(x, n));
  SumCascade<T> cascade;
  if (kind == SoftmaxKind::Log) {
    sumBlocks(cascade, x, n, [&](V v, int64_t, int64_t) HWY_ATTR { return powerOf<T>(b, hn::Sub(v, shift)); });
    const V logSum = b.log(hn::Set(d, cascade.finish()));
    mapRow(out, n, [&](V v) HWY_ATTR { return hn::Sub(hn::Sub(v, shift), logSum); }, x);
    return;
  }
  sumBlocks(cascade, x, n, [&](V v, int64_t i, int64_t count) HWY_ATTR {
    V e = powerOf<T>(b, hn::Sub(v, shift));
    if (count == static_cast<int64_t>(Sixteen<T>::width))
      hn::StoreU(e, d, out + i);
    else
      storePart(out + i, count, e);
    return e;
  });
  const V factor = hn::Set(d, 1 / cascade.finish());
  mapRow(out, n, [&](V v) HWY_ATTR { return hn::Mul(v, factor); }, static_cast<const T *>(out));
}

/// Softmax of one vector of columns, of which `count` exist.
template <bool whole, typename T>
HWY_INLINE void softmaxColumnVector(SoftmaxKind kind, T *out, int64_t outStride, const T *x, int64_t stride, int64_t n,
                                    int64_t count) {
  assert(n > 0 && count > 0 && count <= static_cast<int64_t>(Sixteen<T>::width) &&
         "a vector of columns that have elements");
  const typename Sixteen<T>::D d;
  using V = hn::Vec<typename Sixteen<T>::D>;
  auto load = [&](const T *from) HWY_ATTR {
    if constexpr (whole)
      return hn::LoadU(d, from);
    else
      return loadPart(from, count, T(0));
  };
  auto store = [&](T *to, V v) HWY_ATTR {
    if constexpr (whole)
      hn::StoreU(v, d, to);
    else
      storePart(to, count, v);
  };
  Builder<T> b;
  // Rows that are a power of two apart share few lines of the first-level cache, which would have lost them by the next
  // pass: as many as it holds otherwise are kept side by side.
  constexpr int64_t most = 128, width = Sixteen<T>::width;
  HWY_ALIGN T kept[most * width];
  const bool isKept = n <= most;
  V shift = hn::Set(d, MaxFold<T>::init());
  for (int64_t i = 0; i != n; ++i) {
    const V v = load(x + i * stride);
    if (isKept)
      hn::Store(v, d, kept + i * width);
    shift = stepOf(MaxFold<T>(), d, shift, v);
  }
  auto element = [&](int64_t i) HWY_ATTR { return isKept ? hn::Load(d, kept + i * width) : load(x + i * stride); };
  SumCascade<V> cascade;
  for (int64_t begin = 0; begin < n; begin += foldBlock) {
    int64_t end = begin + foldBlock < n ? begin + foldBlock : n;
    V acc[foldLanes];
    for (V &a : acc)
      a = hn::Zero(d);
    for (int64_t i = begin; i != end; ++i) {
      V e = powerOf<T>(b, hn::Sub(element(i), shift));
      if (kind == SoftmaxKind::Plain && isKept)
        hn::Store(e, d, kept + i * width);
      else if (kind == SoftmaxKind::Plain)
        store(out + i * outStride, e);
      acc[i % foldLanes] = hn::Add(acc[i % foldLanes], e);
    }
    halve<SumFold<T>>(d, acc);
    cascade.push(acc[0]);
  }
  const V sum = cascade.finish();
  if (kind == SoftmaxKind::Plain) {
    const V factor = hn::Div(hn::Set(d, T(1)), sum);
    for (int64_t i = 0; i != n; ++i)
      store(out + i * outStride, hn::Mul(isKept ? element(i) : load(out + i * outStride), factor));
    return;
  }
  const V logSum = b.log(sum);
  for (int64_t i = 0; i != n; ++i)
    store(out + i * outStride, hn::Sub(hn::Sub(element(i), shift), logSum));
}

template <typename T>
HWY_NOINLINE void softmaxColumns(SoftmaxKind kind, T *out, int64_t outStride, const T *x, int64_t stride, int64_t n,
                                 int64_t columns) {
  constexpr int64_t width = Sixteen<T>::width;
  int64_t k = 0;
  for (; k + width <= columns; k += width)
    softmaxColumnVector<true>(kind, out + k, outStride, x + k, stride, n, width);
  if (k != columns)
    softmaxColumnVector<false>(kind, out + k, outStride, x + k, stride, n, columns - k);
}

/// Computes logSums for `vectors` whole vectors of columns or, where `vectors` is 1, for `count` columns.
template <int vectors, typename T>
HWY_INLINE void logSumsOfVectors(T *shifts, T *logSums, const T *x, int64_t stride, int64_t n, int64_t count) {
  assert(n > 0 && count > 0 && "columns that have elements");
  const typename Sixteen<T>::D d;
  using V = hn::Vec<typename Sixteen<T>::D>;
  constexpr int64_t width = Sixteen<T>::width;
  const bool isWhole = count == vectors * width;
  auto load = [&](const T *from) HWY_ATTR { return isWhole ? hn::LoadU(d, from) : loadPart(from, count, T(0)); };
  constexpr int64_t most = 64; // rows that are kept side by side, as above
  HWY_ALIGN T kept[most * vectors * width];
  const bool isKept = n <= most;
  Builder<T> b;
  V shift[vectors];
  for (V &each : shift)
    each = hn::Set(d, MaxFold<T>::init());
  for (int64_t i = 0; i != n; ++i)
    for (int v = 0; v != vectors; ++v) {
      const V element = load(x + i * stride + v * width);
      if (isKept)
        hn::Store(element, d, kept + (i * vectors + v) * width);
      shift[v] = stepOf(MaxFold<T>(), d, shift[v], element);
    }
  SumCascade<V> cascades[vectors];
  for (int64_t begin = 0; begin < n; begin += foldBlock) {
    const int64_t end = begin + foldBlock < n ? begin + foldBlock : n;
    V acc[vectors][foldLanes];
    for (auto &lanes : acc)
      for (V &lane : lanes)
        lane = hn::Zero(d);
    for (int64_t i = begin; i != end; ++i)
      for (int v = 0; v != vectors; ++v) {
        const V element = isKept ? hn::Load(d, kept + (i * vectors + v) * width) : load(x + i * stride + v * width);
        V &lane = acc[v][i % foldLanes];
        lane = hn::Add(lane, powerOf<T>(b, hn::Sub(element, shift[v])));
      }
    for (int v = 0; v != vectors; ++v) {
      halve<SumFold<T>>(d, acc[v]);
      cascades[v].push(acc[v][0]);
    }
  }
  for (int v = 0; v != vectors; ++v) {
    const V logSum = b.log(cascades[v].finish());
    if (isWhole) {
      hn::StoreU(shift[v], d, shifts + v * width);
      hn::StoreU(logSum, d, logSums + v * width);
    } else {
      storePart(shifts, count, shift[v]);
      storePart(logSums, count, logSum);
    }
  }
}
template <typename T>
HWY_NOINLINE void logSums(T *shifts, T *logSums, const T *x, int64_t stride, int64_t n, int64_t columns) {
  constexpr int64_t width = Sixteen<T>::width;
  constexpr int together = width * sizeof(T) < 64 ? 2 : 1; // the columns of a line of the cache
  int64_t k = 0;
  for (; k + together * width <= columns; k += together * width)
    logSumsOfVectors<together>(shifts + k, logSums + k, x + k, stride, n, together * width);
  for (; k < columns; k += width)
    logSumsOfVectors<1>(shifts + k, logSums + k, x + k, stride, n, columns - k < width ? columns - k : width);
}

template <typename T> HWY_NOINLINE T mean(const T *x, const Runs &runs) {
  assert(runs.length > 0 && runs.count > 0 && "a mean of elements");
  using V = hn::Vec<typename Sixteen<T>::D>;
  SumCascade<T> cascade;
  for (int64_t run = 0; run != runs.count; ++run)
    sumBlocks(cascade, x + run * runs.step, runs.length, [](V v, int64_t, int64_t) HWY_ATTR { return v; });
  return cascade.finish() / static_cast<T>(runs.elements());
}

template <typename T> HWY_NOINLINE T squaredDeviations(const T *x, T mean, const Runs &runs) {
  assert(runs.length > 0 && runs.count > 0 && "a sum of elements");
  using V = hn::Vec<typename Sixteen<T>::D>;
  const V center = hn::Set(Sixteen<T>::d, mean);
  SumCascade<T> cascade;
  for (int64_t run = 0; run != runs.count; ++run)
    sumBlocks(cascade, x + run * runs.step, runs.length, [&](V v, int64_t, int64_t) HWY_ATTR {
      V deviation = hn::Sub(v, center);
      return hn::Mul(deviation, deviation);
    });
  return cascade.finish();
}

template <typename T>
HWY_NOINLINE void normalize(T *out, const T *x, T mean, T rstd, const T *weight, const T *bias, int64_t n) {
  const typename Sixteen<T>::D d;
  using V = hn::Vec<typename Sixteen<T>::D>;
  const V center = hn::Set(d, mean), factor = hn::Set(d, rstd);
  auto centered = [&](V v) HWY_ATTR { return hn::Mul(hn::Sub(v, center), factor); };
  if (weight && bias)
    mapRow(out, n, [&](V v, V w, V b) HWY_ATTR { return hn::Add(hn::Mul(centered(v), w), b); }, x, weight, bias);
  else if (weight)
    mapRow(out, n, [&](V v, V w) HWY_ATTR { return hn::Mul(centered(v), w); }, x, weight);
  else if (bias)
    mapRow(out, n, [&](V v, V b) HWY_ATTR { return hn::Add(centered(v), b); }, x, bias);
  else
    mapRow(out, n, centered, x);
}

template <typename T> HWY_NOINLINE void affine(T *out, const T *x, T scale, T shift, int64_t n) {
  const typename Sixteen<T>::D d;
  using V = hn::Vec<typename Sixteen<T>::D>;
  const V factor = hn::Set(d, scale), offset = hn::Set(d, shift);
  mapRow(out, n, [&](V v) HWY_ATTR { return hn::Add(hn::Mul(v, factor), offset); }, x);
}

template <typename T> HWY_NOINLINE T dot(const T *x, const T *y, int64_t n) {
  const typename Sixteen<T>::D d;
  constexpr int64_t width = Sixteen<T>::width, chains = 8;
  hn::Vec<typename Sixteen<T>::D> sums[chains];
  for (auto &sum : sums)
    sum = hn::Zero(d);
  int64_t i = 0;
  for (; i + chains * width <= n; i += chains * width)
    for (int64_t k = 0; k != chains; ++k)
      sums[k] = hn::MulAdd(hn::LoadU(d, x + i + k * width), hn::LoadU(d, y + i + k * width), sums[k]);
  for (; i + width <= n; i += width)
    sums[0] = hn::MulAdd(hn::LoadU(d, x + i), hn::LoadU(d, y + i), sums[0]);
  if (i != n)
    sums[1] = hn::MulAdd(loadPart(x + i, n - i, T(0)), loadPart(y + i, n - i, T(0)), sums[1]);
  for (int64_t half = chains / 2; half; half /= 2)
    for (int64_t k = 0; k != half; ++k)
      sums[k] = hn::Add(sums[k], sums[k + half]);
  return hn::GetLane(hn::SumOfLanes(d, sums[0]));
}

template <typename T> rows::Kernels<T> kernelsOf() {
  return {&softmaxRow<T>,        &softmaxColumns<T>, &logSums<T>, &mean<T>,
          &squaredDeviations<T>, &normalize<T>,      &affine<T>,  &dot<T>};
}
static rows::Kernels<float> floatKernels() { return kernelsOf<float>(); }
static rows::Kernels<double> doubleKernels() { return kernelsOf<double>(); }
} // namespace tsc::cpu::HWY_NAMESPACE
TSC_AFTER_KERNELS();

#if HWY_ONCE
namespace tsc::cpu {
template <> const rows::Kernels<float> &rows::kernels<float>() {
  static const Kernels<float> table = TSC_BEST_OF(floatKernels)();
  return table;
}
template <> const rows::Kernels<double> &rows::kernels<double>() {
  static const Kernels<double> table = TSC_BEST_OF(doubleKernels)();
  return table;
}
} // namespace tsc::cpu
#endif
