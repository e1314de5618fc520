//===- SimdInterleave.cpp - Elements of a few rows in turn, on vectors ----===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Copies/SimdInterleave.cpp"
#include "Support/SimdTargets.h"
#define HWY_IS_DEBUG_BUILD 0 // assertions of interleaved loads, which sanitized builds have, would need libhwy

#include "hwy/foreach_target.h" // first: it includes this file again for every instruction set

#include "Interleave.h"
#include "hwy/highway.h"
#include <cstring>

TSC_BEFORE_KERNELS();
namespace tsc::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <int count, typename T>
HWY_NOINLINE void separateRows(char *rows, int64_t rowBytes, const T *mixed, int64_t columns) {
  const hn::ScalableTag<T> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  auto row = [&](int r) HWY_ATTR { return reinterpret_cast<T *>(rows + r * rowBytes); };
  int64_t c = 0;
  for (; c + lanes <= columns; c += lanes) {
    hn::Vec<decltype(d)> v0, v1, v2, v3;
    if constexpr (count == 2) {
      hn::LoadInterleaved2(d, mixed + c * count, v0, v1);
    } else if constexpr (count == 3) {
      hn::LoadInterleaved3(d, mixed + c * count, v0, v1, v2);
      hn::StoreU(v2, d, row(2) + c);
    } else {
      hn::LoadInterleaved4(d, mixed + c * count, v0, v1, v2, v3);
      hn::StoreU(v2, d, row(2) + c);
      hn::StoreU(v3, d, row(3) + c);
    }
    hn::StoreU(v0, d, row(0) + c);
    hn::StoreU(v1, d, row(1) + c);
  }
  for (; c != columns; ++c)
    for (int r = 0; r != count; ++r)
      std::memcpy(rows + r * rowBytes + c * static_cast<int64_t>(sizeof(T)), mixed + c * count + r, sizeof(T));
}

template <int count, typename T>
HWY_NOINLINE void mixRows(T *mixed, const char *rows, int64_t rowBytes, int64_t columns) {
  const hn::ScalableTag<T> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  auto row = [&](int r) HWY_ATTR { // by numbers: one row's object may end before the other one's begins
    return reinterpret_cast<const T *>(reinterpret_cast<uintptr_t>(rows) + static_cast<uintptr_t>(r * rowBytes));
  };
  int64_t c = 0;
  for (; c + lanes <= columns; c += lanes) {
    auto v0 = hn::LoadU(d, row(0) + c), v1 = hn::LoadU(d, row(1) + c);
    if constexpr (count == 2)
      hn::StoreInterleaved2(v0, v1, d, mixed + c * count);
    else if constexpr (count == 3)
      hn::StoreInterleaved3(v0, v1, hn::LoadU(d, row(2) + c), d, mixed + c * count);
    else
      hn::StoreInterleaved4(v0, v1, hn::LoadU(d, row(2) + c), hn::LoadU(d, row(3) + c), d, mixed + c * count);
  }
  for (; c != columns; ++c)
    for (int r = 0; r != count; ++r) // an element may be several, which begin wherever one of them does
      std::memcpy(mixed + c * count + r, rows + r * rowBytes + c * static_cast<int64_t>(sizeof(T)), sizeof(T));
}

template <typename T> void separate(char *rows, int64_t rowBytes, const T *mixed, int64_t count, int64_t columns) {
  assert(count >= 2 && count <= 4 && "2 to 4 rows");
  if (count == 2)
    return separateRows<2>(rows, rowBytes, mixed, columns);
  if (count == 3)
    return separateRows<3>(rows, rowBytes, mixed, columns);
  separateRows<4>(rows, rowBytes, mixed, columns);
}
template <typename T> void mix(T *mixed, const char *rows, int64_t rowBytes, int64_t count, int64_t columns) {
  assert(count >= 2 && count <= 4 && "2 to 4 rows");
  if (count == 2)
    return mixRows<2>(mixed, rows, rowBytes, columns);
  if (count == 3)
    return mixRows<3>(mixed, rows, rowBytes, columns);
  mixRows<4>(mixed, rows, rowBytes, columns);
}

static interleaved::Kernels<uint8_t> kernels8() { return {&separate<uint8_t>, &mix<uint8_t>}; }
static interleaved::Kernels<uint16_t> kernels16() { return {&separate<uint16_t>, &mix<uint16_t>}; }
static interleaved::Kernels<uint32_t> kernels32() { return {&separate<uint32_t>, &mix<uint32_t>}; }
static interleaved::Kernels<uint64_t> kernels64() { return {&separate<uint64_t>, &mix<uint64_t>}; }
} // namespace tsc::cpu::HWY_NAMESPACE
TSC_AFTER_KERNELS();

#if HWY_ONCE
namespace tsc::cpu {
template <> const interleaved::Kernels<uint8_t> &interleaved::kernels<uint8_t>() {
  static const Kernels<uint8_t> table = TSC_BEST_OF(kernels8)();
  return table;
}
template <> const interleaved::Kernels<uint16_t> &interleaved::kernels<uint16_t>() {
  static const Kernels<uint16_t> table = TSC_BEST_OF(kernels16)();
  return table;
}
template <> const interleaved::Kernels<uint32_t> &interleaved::kernels<uint32_t>() {
  static const Kernels<uint32_t> table = TSC_BEST_OF(kernels32)();
  return table;
}
template <> const interleaved::Kernels<uint64_t> &interleaved::kernels<uint64_t>() {
  static const Kernels<uint64_t> table = TSC_BEST_OF(kernels64)();
  return table;
}
} // namespace tsc::cpu
#endif
