//===- SimdIntegers.cpp - Products of small integers, on vectors ----------===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Quantized/SimdIntegers.cpp"
#include "Support/SimdTargets.h"

#include "hwy/foreach_target.h" // first: it includes this file again for every instruction set

#include "IntegerRows.h"
#include "hwy/highway.h"
#include <algorithm>
#include <cstring>

TSC_BEFORE_KERNELS();
namespace tsc::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Words = hn::ScalableTag<int16_t>;
using Sums = hn::RepartitionToWide<Words>;
using V = hn::Vec<Sums>;
static constexpr int64_t words = hn::MaxLanes(Words()), lanes = words / 2;
// Two vectors of columns; their sums fill the registers together with two vectors of weights and one of the input.
static constexpr int64_t panelColumns = 2 * lanes;
// With 32 registers there is room for twice the rows, unless each sum has two parts.
static constexpr int tileRows = TSC_VECTOR_REGISTERS == 32 && TSC_ADDS_PAIRS ? 12 : 6;

/// A vector of sums of pairs of products, as Highway's ReorderWidenMulAccumulate has them: in one part where an
/// instruction adds products in pairs, else in two.
struct Sum {
  V first, second;
  // One that the compiler makes by itself would not be compiled for the instruction set.
  HWY_INLINE Sum() : first(hn::Zero(Sums())), second(hn::Zero(Sums())) {}
  HWY_INLINE void add(hn::Vec<Words> a, hn::Vec<Words> b) {
    first = hn::ReorderWidenMulAccumulate(Sums(), a, b, first, second);
  }
  HWY_INLINE V value() const { return hn::RearrangeToOddPlusEven(first, second); }
};

/// Widens a row of at least one vector. The last vector ends where the row does, and may repeat a part of the one
/// before it.
template <typename D> HWY_INLINE void widenVectors(D d, int16_t *to, const uint8_t *from, int64_t count, int32_t zero) {
  const hn::Rebind<uint8_t, D> bytes;
  const auto offset = hn::Set(d, static_cast<int16_t>(zero));
  const auto step = static_cast<int64_t>(hn::MaxLanes(d));
  for (int64_t i = 0;; i = std::min(i + step, count - step)) {
    hn::StoreU(hn::Sub(hn::PromoteTo(d, hn::LoadU(bytes, from + i)), offset), d, to + i);
    if (i == count - step)
      return;
  }
}

static void widen(int16_t *to, const uint8_t *from, int64_t count, int32_t zero) {
  const hn::Half<Words> half;
  if (count >= words)
    return widenVectors(Words(), to, from, count, zero);
  if (count >= words / 2)
    return widenVectors(half, to, from, count, zero);
  for (int64_t i = 0; i != count; ++i)
    to[i] = static_cast<int16_t>(from[i] - zero);
}

/// Multiplies a tile of so many rows with a panel's columns.
template <int rows>
static void multiplyTile(int32_t *sums, int64_t sumsStep, const int16_t *from, int64_t step, const int8_t *panel,
                         int64_t pairs, bool add) {
  const Sums d;
  const hn::Rebind<int8_t, Words> bytes;
  Sum tile[rows][2];
  for (int64_t pair = 0; pair != pairs; ++pair, panel += 2 * panelColumns) {
    const auto left = hn::PromoteTo(Words(), hn::LoadU(bytes, panel));
    const auto right = hn::PromoteTo(Words(), hn::LoadU(bytes, panel + words));
    for (int r = 0; r != rows; ++r) {
      int32_t two;
      std::memcpy(&two, from + r * step + 2 * pair, sizeof two);
      const auto factor = hn::BitCast(Words(), hn::Set(d, two));
      tile[r][0].add(factor, left);
      tile[r][1].add(factor, right);
    }
  }
  for (int r = 0; r != rows; ++r)
    for (int half = 0; half != 2; ++half) {
      int32_t *to = sums + r * sumsStep + half * lanes;
      const V value = tile[r][half].value();
      hn::StoreU(add ? hn::Add(value, hn::LoadU(d, to)) : value, d, to);
    }
}

/// Multiplies as many rows as the tallest tile takes of these, and returns how many.
template <int most>
static int64_t multiplySome(int32_t *sums, int64_t sumsStep, const int16_t *from, int64_t step, const int8_t *panel,
                            int64_t pairs, int64_t numRows, bool add) {
  if (numRows >= most) {
    multiplyTile<most>(sums, sumsStep, from, step, panel, pairs, add);
    return most;
  }
  if constexpr (most > 1)
    return multiplySome<most / 2>(sums, sumsStep, from, step, panel, pairs, numRows, add);
  return 0;
}

static void multiply(int32_t *sums, int64_t sumsStep, const int16_t *rows, int64_t rowsStep, const int8_t *panel,
                     int64_t pairs, int64_t numRows, int64_t numColumns, bool add) {
  int32_t buffer[tileRows * panelColumns];
  const bool isWhole = numColumns == panelColumns;
  for (int64_t row = 0, done = 0; row != numRows; row += done) {
    const int16_t *from = rows + row * rowsStep;
    int32_t *to = sums + row * sumsStep;
    if (isWhole) {
      done = multiplySome<tileRows>(to, sumsStep, from, rowsStep, panel, pairs, numRows - row, add);
      continue;
    }
    done = multiplySome<tileRows>(buffer, panelColumns, from, rowsStep, panel, pairs, numRows - row, false);
    for (int64_t r = 0; r != done; ++r)
      for (int64_t c = 0; c != numColumns; ++c)
        to[r * sumsStep + c] = buffer[r * panelColumns + c] + (add ? to[r * sumsStep + c] : 0);
  }
}

/// Returns the bytes of two taps as pairs of words.
HWY_INLINE hn::Vec<Words> loadTaps(const uint8_t *even, const uint8_t *odd) {
  const Sums d;
  const hn::Rebind<uint8_t, Sums> bytes;
  const V low = hn::PromoteTo(d, hn::LoadU(bytes, even)), high = hn::PromoteTo(d, hn::LoadU(bytes, odd));
  return hn::BitCast(Words(), hn::Or(low, hn::ShiftLeft<16>(high)));
}

/// Multiplies a few vectors of channels side by side: the sums of a single one would wait for each other.
template <int vectors>
HWY_INLINE void multiplyVectors(int32_t *sums, const int32_t *start, const uint8_t *const *taps, const int16_t *weights,
                                int64_t pairs, int64_t channels, int64_t at) {
  const Sums d;
  Sum total[vectors];
  for (int64_t pair = 0; pair != pairs; ++pair) {
    const uint8_t *even = taps[2 * pair] + at, *odd = taps[2 * pair + 1] + at;
    const int16_t *factors = weights + 2 * (pair * channels + at);
    for (int v = 0; v != vectors; ++v)
      total[v].add(loadTaps(even + v * lanes, odd + v * lanes), hn::LoadU(Words(), factors + v * words));
  }
  for (int v = 0; v != vectors; ++v)
    hn::StoreU(hn::Add(total[v].value(), hn::LoadU(d, start + at + v * lanes)), d, sums + at + v * lanes);
}

static void multiplyChannels(int32_t *sums, const int32_t *start, const uint8_t *const *taps, const int16_t *weights,
                             int64_t pairs, int64_t channels) {
  int64_t c = 0;
  for (; c + 4 * lanes <= channels; c += 4 * lanes)
    multiplyVectors<4>(sums, start, taps, weights, pairs, channels, c);
  for (; c + lanes <= channels; c += lanes)
    multiplyVectors<1>(sums, start, taps, weights, pairs, channels, c);
  for (; c != channels; ++c) {
    int32_t sum = start[c];
    for (int64_t t = 0; t != 2 * pairs; ++t)
      sum += taps[t][c] * weights[2 * (t / 2 * channels + c) + t % 2];
    sums[c] = sum;
  }
}

static quantized::IntegerKernels allIntegerKernels() {
  return {tileRows, panelColumns, &widen, &multiply, &multiplyChannels};
}
} // namespace tsc::cpu::HWY_NAMESPACE
TSC_AFTER_KERNELS();

#if HWY_ONCE
namespace tsc::cpu {
const quantized::IntegerKernels &quantized::integerKernels() {
  static const IntegerKernels table = TSC_BEST_OF(allIntegerKernels)();
  return table;
}
} // namespace tsc::cpu
#endif
