//===- SimdSlices.cpp - Short runs of memory that an index chooses --------===//
//
// Copied without a call or a branch on the length for each, while those that come
// soon are on their way from memory.
//
//===----------------------------------------------------------------------===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Indexing/SimdSlices.cpp"
#include "Support/SimdTargets.h"

#include "hwy/foreach_target.h" // first: it includes this file again for every instruction set

#include "Slices.h"
#include "hwy/highway.h"
#include "tsc/Kernels/Copy.h"
#include <cstring>

#include "Copies/SimdRuns.h"

TSC_BEFORE_KERNELS();
namespace tsc::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Slices of at least a vector.
template <class D>
HWY_INLINE void gatherVectors(D d, uint8_t *to, const uint8_t *from, const int64_t *indices, int64_t count,
                              int64_t bytes) {
  constexpr int64_t ahead = 12, line = 64, mostLines = 8;
  const int64_t prefetched = bytes < mostLines * line ? bytes : mostLines * line; // the rest the machine sees coming
  for (int64_t i = 0; i != count; ++i, to += bytes) {
    if (i + ahead < count)
      for (int64_t at = 0; at < prefetched; at += line)
        __builtin_prefetch(from + indices[i + ahead] * bytes + at);
    copyRun(d, to, from + indices[i] * bytes, 0, bytes);
  }
}

static void gatherSlices(char *out, const char *in, const int64_t *indices, int64_t count, int64_t bytes) {
  uint8_t *to = reinterpret_cast<uint8_t *>(out);
  const uint8_t *from = reinterpret_cast<const uint8_t *>(in);
  const hn::ScalableTag<uint8_t> whole;
  if (bytes >= static_cast<int64_t>(hn::Lanes(whole)))
    gatherVectors(whole, to, from, indices, count, bytes);
  else
    gatherVectors(hn::CappedTag<uint8_t, 16>(), to, from, indices, count, bytes);
}

template <typename T>
HWY_NOINLINE void copyBorderedRows(T *to, const T *from, const int64_t *starts, int64_t count,
                                   const slices::BorderedRow &shape) {
  const slices::BorderedRow row = shape; // which what is written could not change
  const hn::ScalableTag<T> whole;
  const hn::CappedTag<T, 16 / sizeof(T)> part;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(whole)), fewer = static_cast<int64_t>(hn::Lanes(part));
  for (int64_t r = 0; r != count; ++r) {
    const T *source = from + starts[r], *run = source + row.first;
    for (int64_t i = 0; i != row.before; ++i)
      *to++ = source[row.left[i]];
    if (row.length >= lanes)
      copyRun(whole, to, run, 0, row.length);
    else if (row.length >= fewer)
      copyRun(part, to, run, 0, row.length);
    else
      for (int64_t i = 0; i != row.length; ++i)
        to[i] = run[i];
    to += row.length;
    for (int64_t i = 0; i != row.after; ++i)
      *to++ = source[row.right[i]];
  }
}
template <typename T> static slices::CopyBordered<T> bordered() { return &copyBorderedRows<T>; }
static auto bordered8() { return bordered<uint8_t>(); }
static auto bordered16() { return bordered<uint16_t>(); }
static auto bordered32() { return bordered<uint32_t>(); }
static auto bordered64() { return bordered<uint64_t>(); }
} // namespace tsc::cpu::HWY_NAMESPACE
TSC_AFTER_KERNELS();

#if HWY_ONCE
namespace tsc::cpu {
void slices::gather(char *to, const char *from, const int64_t *indices, int64_t count, int64_t bytes) {
  constexpr int64_t leastBytes = 16, mostBytes = 2048; // longer slices are better left to memcpy
  static const auto best = TSC_BEST_OF(gatherSlices);
  if (bytes < leastBytes)
    for (int64_t i = 0; i != count; ++i)
      std::memcpy(to + i * bytes, from + indices[i] * bytes, static_cast<size_t>(bytes));
  else if (bytes > mostBytes)
    for (int64_t i = 0; i != count; ++i)
      copyBytes(to + i * bytes, from + indices[i] * bytes, static_cast<size_t>(bytes));
  else
    best(to, from, indices, count, bytes);
}
#define TSC_BORDERED(TYPE, FUNCTION)                                                                                   \
  template <> slices::CopyBordered<TYPE> slices::copyBordered<TYPE>() {                                                \
    static const CopyBordered<TYPE> best = TSC_BEST_OF(FUNCTION)();                                                    \
    return best;                                                                                                       \
  }
TSC_BORDERED(uint8_t, bordered8)
TSC_BORDERED(uint16_t, bordered16)
TSC_BORDERED(uint32_t, bordered32)
TSC_BORDERED(uint64_t, bordered64)
#undef TSC_BORDERED
} // namespace tsc::cpu
#endif
