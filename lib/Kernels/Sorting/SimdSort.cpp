//===- SimdSort.cpp - Order of keys with positions, on vectors ------------===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Sorting/SimdSort.cpp"
#include "Support/SimdTargets.h"

#include "hwy/foreach_target.h" // first: it includes this file again for every instruction set

#include "KeySort.h"
#include "hwy/contrib/sort/traits-inl.h"
#include "hwy/contrib/sort/traits128-inl.h"
#include "hwy/contrib/sort/vqsort-inl.h"
#include "hwy/highway.h"
#include <algorithm>

TSC_BEFORE_KERNELS();
namespace tsc::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// hn::Sort, but with pivots drawn in the same way each time, for which Highway's library is not needed.
template <class Traits> void sortLanes(Traits traits, uint64_t *lanes, size_t count) {
  const hn::SortTag<uint64_t> d;
  HWY_ALIGN uint64_t buffer[hwy::SortConstants::BufNum<uint64_t>(hn::MaxLanes(d))] = {};
  if (hn::detail::HandleSpecialCases(d, traits, lanes, count))
    return;
  hn::detail::Generator pivots(uint64_t{1});
  hn::detail::Recurse(d, traits, lanes, lanes + count, count, buffer, pivots, 2 * hwy::CeilLog2(count) + 4);
}

static void sortNarrow(uint64_t *keys, size_t count) {
  sortLanes(hn::detail::SharedTraits<hn::detail::TraitsLane<hn::detail::OrderAscending<uint64_t>>>(), keys, count);
}
static void sortWide(WideKey *keys, size_t count) {
  sortLanes(hn::detail::SharedTraits<hn::detail::Traits128<hn::detail::OrderAscending128>>(), &keys->position,
            2 * count);
}
} // namespace tsc::cpu::HWY_NAMESPACE
TSC_AFTER_KERNELS();

#if HWY_ONCE
/// What pays for setting up vectors.
static constexpr size_t leastCount = 48;

void tsc::cpu::sortKeys(uint64_t *keys, size_t count) {
  static void (*const best)(uint64_t *, size_t) = TSC_BEST_OF(sortNarrow);
  count < leastCount ? std::sort(keys, keys + count) : best(keys, count);
}
void tsc::cpu::sortKeys(WideKey *keys, size_t count) {
  static void (*const best)(WideKey *, size_t) = TSC_BEST_OF(sortWide);
  if (count >= leastCount)
    return best(keys, count);
  std::sort(keys, keys + count, [](const WideKey &a, const WideKey &b) {
    return a.key != b.key ? a.key < b.key : a.position < b.position;
  });
}
#endif
