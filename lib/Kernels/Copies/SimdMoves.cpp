//===- SimdMoves.cpp - Rows of memory, as they are or backwards, on vectors -===//
//
// A row of at least one vector ends with one that overlaps the vector before; shorter
// ones are two pieces that overlap. Long rows are written a line of the cache at a time.
//
//===----------------------------------------------------------------------===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Copies/SimdMoves.cpp"
#include "Support/SimdTargets.h"

#include "hwy/foreach_target.h" // first: it includes this file again for every instruction set

#include "Moves.h"
#include "hwy/highway.h"
#include "tsc/Kernels/Copy.h"
#include <cstring>

#include "SimdRuns.h"

TSC_BEFORE_KERNELS();
namespace tsc::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// A row of `bytes` bytes, at least one vector.
template <class D> HWY_INLINE void copyRow(D d, uint8_t *to, const uint8_t *from, int64_t bytes) {
  const int64_t width = static_cast<int64_t>(hn::Lanes(d));
  constexpr int64_t longRow = 512;
  int64_t i = 0;
  if (bytes >= longRow) { // up to where a line begins in what is written
    hn::StoreU(hn::LoadU(d, from), d, to);
    i = width - static_cast<int64_t>(reinterpret_cast<uintptr_t>(to) % static_cast<uintptr_t>(width));
  }
  copyRun(d, to, from, i, bytes);
}

/// Rows of `piece` to twice as many bytes.
template <size_t piece>
HWY_INLINE void copyPairs(char *to, int64_t toStep, const char *from, int64_t fromStep, int64_t rows, int64_t bytes) {
  for (int64_t r = 0; r != rows; ++r, to += toStep, from += fromStep) {
    char first[piece], second[piece];
    std::memcpy(first, from, piece);
    std::memcpy(second, from + bytes - piece, piece);
    std::memcpy(to, first, piece);
    std::memcpy(to + bytes - piece, second, piece);
  }
}

static HWY_NOINLINE void copyAllRows(char *to, int64_t toStep, const char *from, int64_t fromStep, int64_t rows,
                                     int64_t bytes) {
  const hn::ScalableTag<uint8_t> d;
  if (bytes >= static_cast<int64_t>(hn::Lanes(d))) {
    for (int64_t r = 0; r != rows; ++r)
      copyRow(d, reinterpret_cast<uint8_t *>(to + r * toStep), reinterpret_cast<const uint8_t *>(from + r * fromStep),
              bytes);
    return;
  }
  if (bytes >= 32)
    return copyPairs<32>(to, toStep, from, fromStep, rows, bytes);
  if (bytes >= 16)
    return copyPairs<16>(to, toStep, from, fromStep, rows, bytes);
  if (bytes >= 8)
    return copyPairs<8>(to, toStep, from, fromStep, rows, bytes);
  if (bytes >= 4)
    return copyPairs<4>(to, toStep, from, fromStep, rows, bytes);
  if (bytes >= 2)
    return copyPairs<2>(to, toStep, from, fromStep, rows, bytes);
  for (int64_t r = 0; r != rows && bytes == 1; ++r)
    to[r * toStep] = from[r * fromStep];
}

/// `inPairs`: an element is two lanes.
template <bool inPairs, class D> HWY_INLINE hn::Vec<D> backwards(D d, hn::Vec<D> v) {
  if constexpr (inPairs) {
    return hn::Reverse2(d, hn::Reverse(d, v));
  } else if constexpr (sizeof(hn::TFromD<D>) == 1) { // two at a time, then the bytes of each pair
    const hn::Repartition<uint16_t, D> d16;
    const auto pairs = hn::Reverse(d16, hn::BitCast(d16, v));
    return hn::BitCast(d, hn::Or(hn::ShiftLeft<8>(pairs), hn::ShiftRight<8>(pairs)));
  } else {
    return hn::Reverse(d, v);
  }
}

/// Rows of at least a vector of T.
template <bool inPairs, class D, typename T = hn::TFromD<D>>
HWY_INLINE void reverseVectors(D d, char *to, int64_t toStep, const char *from, int64_t fromStep, int64_t rows,
                               int64_t count) {
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d)), last = count - lanes;
  for (int64_t r = 0; r != rows; ++r, to += toStep, from += fromStep) {
    T *row = reinterpret_cast<T *>(to);
    // The vector that ends with the element that comes first.
    const T *end = reinterpret_cast<const T *>(from) + (inPairs ? 2 : 1) - lanes;
    for (int64_t i = 0; i < last; i += lanes)
      hn::StoreU(backwards<inPairs>(d, hn::LoadU(d, end - i)), d, row + i);
    hn::StoreU(backwards<inPairs>(d, hn::LoadU(d, end - last)), d, row + last);
  }
}

template <typename T, bool inPairs>
HWY_NOINLINE void reverseAllRows(char *to, int64_t toStep, const char *from, int64_t fromStep, int64_t rows,
                                 int64_t count) {
  const hn::ScalableTag<T> whole;
  const hn::CappedTag<T, 16 / sizeof(T)> part;
  constexpr int64_t parts = inPairs ? 2 : 1;
  if (count * parts >= static_cast<int64_t>(hn::Lanes(whole)))
    return reverseVectors<inPairs>(whole, to, toStep, from, fromStep, rows, count * parts);
  if (count * parts >= static_cast<int64_t>(hn::Lanes(part)))
    return reverseVectors<inPairs>(part, to, toStep, from, fromStep, rows, count * parts);
  for (int64_t r = 0; r != rows; ++r)
    for (int64_t i = 0; i != count; ++i)
      std::memcpy(to + r * toStep + i * static_cast<int64_t>(sizeof(T)),
                  from + r * fromStep - i * static_cast<int64_t>(sizeof(T)), sizeof(T));
}

using Reverse = void (*)(char *to, int64_t toStep, const char *from, int64_t fromStep, int64_t rows, int64_t count);
static Reverse reverse8() { return &reverseAllRows<uint8_t, false>; }
static Reverse reverse16() { return &reverseAllRows<uint16_t, false>; }
static Reverse reverse32() { return &reverseAllRows<uint32_t, false>; }
static Reverse reverse64() { return &reverseAllRows<uint64_t, false>; }
static Reverse reverse128() { return &reverseAllRows<uint64_t, true>; }
} // namespace tsc::cpu::HWY_NAMESPACE
TSC_AFTER_KERNELS();

#if HWY_ONCE
namespace tsc::cpu {
void moves::copyRows(char *to, int64_t toStep, const char *from, int64_t fromStep, int64_t rows, int64_t bytes) {
  assert(rows >= 0 && bytes >= 0 && "sizes of rows");
  constexpr int64_t mostBytes = 16384; // longer rows are better left to memcpy
  static const auto best = TSC_BEST_OF(copyAllRows);
  if (bytes <= mostBytes)
    return best(to, toStep, from, fromStep, rows, bytes);
  for (int64_t r = 0; r != rows; ++r)
    copyBytes(to + r * toStep, from + r * fromStep, static_cast<size_t>(bytes));
}
void moves::reverseRows(char *to, int64_t toStep, const char *from, int64_t fromStep, int64_t rows, int64_t count,
                        size_t item) {
  assert((item == 1 || item == 2 || item == 4 || item == 8 || item == 16) && "elements that are moved at once");
  auto reverse = [&](auto best) { best(to, toStep, from, fromStep, rows, count); };
  switch (item) {
  case 1: return reverse(TSC_BEST_OF(reverse8)());
  case 2: return reverse(TSC_BEST_OF(reverse16)());
  case 4: return reverse(TSC_BEST_OF(reverse32)());
  case 8: return reverse(TSC_BEST_OF(reverse64)());
  default: return reverse(TSC_BEST_OF(reverse128)());
  }
}
} // namespace tsc::cpu
#endif
