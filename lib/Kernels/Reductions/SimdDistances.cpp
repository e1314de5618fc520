//===- SimdDistances.cpp - Distances of one row to many, on vectors -------===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Reductions/SimdDistances.cpp"
#include "Support/SimdTargets.h"

#include "hwy/foreach_target.h" // first: it includes this file again for every instruction set

#include "Distances.h"
#include "Pointwise/SpecialFunctions.h"
#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"
#include <cmath>
#include <limits>
#include <type_traits>

TSC_BEFORE_KERNELS();
#include "Pointwise/SimdBuilder.h"

namespace tsc::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using distances::Norm;
using distances::Row;

/// How a difference is added to a sum, and what becomes of the sum.
template <typename T, Norm norm> struct Steps {
  using D = hn::CappedTag<T, 16>;
  using V = hn::Vec<D>;
  static constexpr D d{};
  using B = pw::HWY_NAMESPACE::SimdBuilder<D>;

  HWY_INLINE static V add(V sum, V difference, T p) {
    const V magnitude = hn::Abs(difference);
    if constexpr (norm == Norm::Two)
      return hn::MulAdd(difference, difference, sum);
    else if constexpr (norm == Norm::One)
      return hn::Add(sum, magnitude);
    else if constexpr (norm == Norm::Zero)
      return hn::Add(sum, hn::IfThenZeroElse(hn::Eq(magnitude, hn::Zero(d)), hn::Set(d, T(1))));
    else if constexpr (norm == Norm::Largest)
      return hn::IfThenElse(hn::Or(hn::Gt(magnitude, sum), hn::IsNaN(magnitude)), magnitude, sum);
    else
      return hn::Add(sum, B().pow(magnitude, hn::Set(d, p)));
  }
  HWY_INLINE static V finish(V sum, T p) {
    if constexpr (norm == Norm::Two)
      return hn::Sqrt(sum);
    else if constexpr (norm == Norm::Power)
      return B().pow(sum, hn::Set(d, 1 / p));
    else
      return sum;
  }
};

/// `vectors` neighbouring vectors of distances, of which the last may have lanes that do not exist.
template <typename T, Norm norm, int vectors> HWY_INLINE void distancesTo(const Row<T> &row, int64_t begin, T *out) {
  using S = Steps<T, norm>;
  constexpr int64_t lanes = hn::MaxLanes(typename S::D());
  typename S::V sums[vectors];
  for (auto &sum : sums)
    sum = hn::Zero(S::d);
  for (int64_t k = 0; k != row.length; ++k) {
    const auto x = hn::Set(S::d, row.row[k]);
    const T *others = row.others + k * row.stride + begin;
    for (int v = 0; v != vectors; ++v)
      sums[v] = S::add(sums[v], hn::Sub(x, hn::LoadU(S::d, others + v * lanes)), row.p);
  }
  for (int v = 0; v != vectors; ++v)
    hn::StoreU(S::finish(sums[v], row.p), S::d, out + v * lanes);
}

/// The last distances, as many vectors as they fill; some may be computed twice.
template <typename T, Norm norm, int vectors> HWY_INLINE void lastDistances(const Row<T> &row, int64_t at) {
  constexpr int64_t lanes = hn::MaxLanes(typename Steps<T, norm>::D());
  if constexpr (vectors > 0) {
    if (row.count - at <= (vectors - 1) * lanes || row.count < vectors * lanes)
      return lastDistances<T, norm, vectors - 1>(row, at);
    const int64_t begin = row.count - vectors * lanes;
    return distancesTo<T, norm, vectors>(row, begin, row.out + begin);
  }
}

template <typename T, Norm norm> HWY_NOINLINE void distancesOf(const Row<T> &row) {
  constexpr int64_t lanes = hn::MaxLanes(typename Steps<T, norm>::D()), wide = norm == Norm::Power ? 1 : 4;
  int64_t at = 0;
  for (; at + wide * lanes <= row.count; at += wide * lanes)
    distancesTo<T, norm, wide>(row, at, row.out + at);
  for (; row.count < wide * lanes && at + lanes <= row.count; at += lanes)
    distancesTo<T, norm, 1>(row, at, row.out + at);
  if (at == row.count)
    return;
  if (row.count >= lanes)
    return lastDistances<T, norm, wide>(row, at);
  for (; at != row.count; ++at) { // each alone
    using S = Steps<T, norm>;
    auto sum = hn::Zero(S::d);
    for (int64_t k = 0; k != row.length; ++k)
      sum = S::add(sum, hn::Set(S::d, row.row[k] - row.others[k * row.stride + at]), row.p);
    row.out[at] = hn::GetLane(S::finish(sum, row.p));
  }
}

template <typename T> void distancesBy(Norm norm, const Row<T> &row) {
  switch (norm) {
  case Norm::Zero: return distancesOf<T, Norm::Zero>(row);
  case Norm::One: return distancesOf<T, Norm::One>(row);
  case Norm::Two: return distancesOf<T, Norm::Two>(row);
  case Norm::Largest: return distancesOf<T, Norm::Largest>(row);
  case Norm::Power: return distancesOf<T, Norm::Power>(row);
  }
}
static void floatDistances(Norm norm, const Row<float> &row) { distancesBy(norm, row); }
static void doubleDistances(Norm norm, const Row<double> &row) { distancesBy(norm, row); }
} // namespace tsc::cpu::HWY_NAMESPACE
TSC_AFTER_KERNELS();

#if HWY_ONCE
namespace tsc::cpu {
template <> distances::Kernel<float> distances::kernel<float>() {
  static const Kernel<float> best = TSC_BEST_OF(floatDistances);
  return best;
}
template <> distances::Kernel<double> distances::kernel<double>() {
  static const Kernel<double> best = TSC_BEST_OF(doubleDistances);
  return best;
}
} // namespace tsc::cpu
#endif
