//===- SimdSearch.cpp - Places among sorted bounds, on vectors ------------===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Sorting/SimdSearch.cpp"
#include "Support/SimdTargets.h"

#include "hwy/foreach_target.h" // first: it includes this file again for every instruction set

#include "SearchRows.h"
#include "hwy/highway.h"

TSC_BEFORE_KERNELS();
namespace tsc::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <bool upper, class V> HWY_INLINE auto isNotBefore(V bound, V value) {
  if constexpr (upper)
    return hn::Gt(bound, value);
  else if constexpr (hwy::IsFloat<hn::TFromV<V>>())
    return hn::Ge(bound, value); // which differs for NaN
  else
    return hn::Not(hn::Lt(bound, value));
}

/// Binary searches side by side: a step waits for the bounds that it gathers, so that several vectors of values go on
/// at a time, and none of them branches.
template <bool upper, typename T>
HWY_INLINE void search(const T *bounds, int64_t width, const T *values, int64_t count, int64_t *places) {
  const hn::ScalableTag<T> d;
  const hn::RebindToSigned<hn::ScalableTag<T>> positions;
  using Position = hn::TFromD<decltype(positions)>;
  constexpr int64_t lanes = hn::MaxLanes(d), vectors = 4, together = vectors * lanes;
  HWY_ALIGN T some[together] = {};
  HWY_ALIGN Position found[together];
  for (int64_t i = 0; i < count; i += together) {
    const int64_t here = count - i < together ? count - i : together;
    const T *sought = values + i;
    if (here != together) {
      for (int64_t k = 0; k != here; ++k)
        some[k] = sought[k];
      sought = some;
    }
    hn::Vec<decltype(d)> value[vectors];
    hn::Vec<decltype(positions)> low[vectors];
    for (int64_t v = 0; v != vectors; ++v)
      value[v] = hn::LoadU(d, sought + v * lanes), low[v] = hn::Zero(positions);
    for (int64_t left = width; left > 0;) { // the place is in [low, low + left]
      const int64_t half = (left + 1) / 2;
      const auto step = hn::Set(positions, static_cast<Position>(half));
      for (int64_t v = 0; v != vectors; ++v) {
        const auto bound = hn::GatherIndex(d, bounds + half - 1, low[v]);
        const auto isBehind = isNotBefore<upper>(bound, value[v]);
        low[v] = hn::Add(low[v], hn::IfThenZeroElse(hn::RebindMask(positions, isBehind), step));
      }
      left -= half;
    }
    for (int64_t v = 0; v != vectors; ++v)
      hn::Store(low[v], positions, found + v * lanes);
    for (int64_t k = 0; k != here; ++k)
      places[i + k] = found[k];
  }
}
template <typename T>
HWY_NOINLINE void find(const T *bounds, int64_t width, const T *values, int64_t count, bool upper, int64_t *places) {
  assert((sizeof(T) == sizeof(int64_t) || width <= search::mostBounds) && "positions are elements of vectors");
  if (upper)
    search<true>(bounds, width, values, count, places);
  else
    search<false>(bounds, width, values, count, places);
}
static search::FindPlaces<float> floats() { return &find<float>; }
static search::FindPlaces<double> doubles() { return &find<double>; }
static search::FindPlaces<int32_t> ints() { return &find<int32_t>; }
static search::FindPlaces<int64_t> longs() { return &find<int64_t>; }
} // namespace tsc::cpu::HWY_NAMESPACE
TSC_AFTER_KERNELS();

#if HWY_ONCE
namespace tsc::cpu {
#define TSC_FIND(TYPE, FUNCTION)                                                                                       \
  template <> search::FindPlaces<TYPE> search::findPlaces<TYPE>() {                                                    \
    static const FindPlaces<TYPE> best = TSC_BEST_OF(FUNCTION)();                                                      \
    return best;                                                                                                       \
  }
TSC_FIND(float, floats)
TSC_FIND(double, doubles)
TSC_FIND(int32_t, ints)
TSC_FIND(int64_t, longs)
#undef TSC_FIND
} // namespace tsc::cpu
#endif
