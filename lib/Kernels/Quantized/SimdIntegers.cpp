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
using Bytes = hn::ScalableTag<int8_t>;
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

#if TSC_ADDS_BYTE_PAIRS
/// Returns sums plus the products of four bytes, for each of them.
HWY_INLINE V addQuads(V sums, V bytes, hn::Vec<Bytes> weights) {
#if HWY_TARGET == HWY_AVX3
  const hn::Vec<Words> pairs{_mm512_maddubs_epi16(bytes.raw, weights.raw)};
#else
  const hn::Vec<Words> pairs{_mm256_maddubs_epi16(bytes.raw, weights.raw)};
#endif
  V none = hn::Zero(Sums());
  return hn::ReorderWidenMulAccumulate(Sums(), pairs, hn::Set(Words(), int16_t{1}), sums, none);
}

/// Multiplies a tile of so many rows with a panel's columns.
template <int rows>
static void multiplyByteTile(int32_t *sums, const uint8_t *from, int64_t step, const int8_t *panel,
                             const int32_t *splits, int64_t quads, const int32_t *start) {
  const Sums d;
  const Bytes bytes;
  V tile[rows][2];
  for (auto &row : tile) {
    row[0] = hn::LoadU(d, start);
    row[1] = hn::LoadU(d, start + lanes);
  }
  // What is multiplied next: 0 for the quads before the next split, 1 and 2 for the even and odd bytes of a split quad.
  int part = 0;
  int8_t halves[2][4 * panelColumns];
  for (int64_t quad = 0;;) {
    const int64_t end = part == 0 ? *splits : quad + 1;
    const int8_t *weights = part == 0 ? panel + 4 * panelColumns * quad : halves[part - 1];
    for (int64_t q = quad; q != end; ++q, weights += 4 * panelColumns) {
      const auto left = hn::LoadU(bytes, weights), right = hn::LoadU(bytes, weights + 2 * words);
      for (int r = 0; r != rows; ++r) {
        int32_t four;
        std::memcpy(&four, from + r * step + 4 * q, sizeof four);
        const V factor = hn::Set(d, four);
        tile[r][0] = addQuads(tile[r][0], factor, left);
        tile[r][1] = addQuads(tile[r][1], factor, right);
      }
    }
    if (part == 0 && end == quads)
      break;
    if (part == 0)
      for (int64_t i = 0; i != 4 * panelColumns; ++i) {
        const int8_t weight = panel[4 * panelColumns * end + i];
        halves[0][i] = i % 2 == 0 ? weight : 0;
        halves[1][i] = i % 2 == 0 ? 0 : weight;
      }
    quad = part == 1 ? quad : end;
    splits += part == 2;
    part = (part + 1) % 3;
  }
  for (int r = 0; r != rows; ++r)
    for (int half = 0; half != 2; ++half)
      hn::StoreU(tile[r][half], d, sums + r * panelColumns + half * lanes);
}

static void multiplyBytes(int32_t *sums, const uint8_t *rows, int64_t rowsStep, const int8_t *panel,
                          const int32_t *splits, int64_t quads, int64_t numRows, const int32_t *start) {
  int64_t row = 0;
  for (; row + tileRows <= numRows; row += tileRows)
    multiplyByteTile<tileRows>(sums + row * panelColumns, rows + row * rowsStep, rowsStep, panel, splits, quads, start);
  for (; row != numRows; ++row)
    multiplyByteTile<1>(sums + row * panelColumns, rows + row * rowsStep, rowsStep, panel, splits, quads, start);
}

static void addProducts(int32_t *sums, const int8_t *quad, int place, int32_t factor) {
  const Sums d;
  for (int half = 0; half != 2; ++half, sums += lanes, quad += 4 * lanes) {
    const V four = hn::BitCast(d, hn::LoadU(Bytes(), quad));
    const V weights = hn::ShiftRight<24>(hn::ShiftLeftSame(four, 24 - 8 * place));
    hn::StoreU(hn::Add(hn::LoadU(d, sums), hn::Mul(weights, hn::Set(d, factor))), d, sums);
  }
}

static int64_t findAbove127(const uint8_t *from, int64_t count) {
  const Bytes d;
  int64_t i = 0;
  while (i + 2 * words <= count &&
         hn::AllFalse(d, hn::Lt(hn::LoadU(d, reinterpret_cast<const int8_t *>(from + i)), hn::Zero(d))))
    i += 2 * words;
  while (i != count && from[i] <= 127)
    ++i;
  return i;
}
#else
static constexpr decltype(quantized::IntegerKernels::multiplyBytes) multiplyBytes = nullptr;
static constexpr decltype(quantized::IntegerKernels::addProducts) addProducts = nullptr;
static constexpr decltype(quantized::IntegerKernels::findAbove127) findAbove127 = nullptr;
#endif

HWY_INLINE hn::Vec<Words> loadWords(const int8_t *from) {
  return hn::PromoteTo(Words(), hn::LoadU(hn::Rebind<int8_t, Words>(), from));
}
HWY_INLINE hn::Vec<Words> loadWords(const uint8_t *from) {
  return hn::PromoteTo(Words(), hn::LoadU(hn::Rebind<uint8_t, Words>(), from));
}

/// Multiplies a tile of so many rows of words with half of a panel's columns: a vector of weights has four for each of
/// them, and a vector of sums two.
template <int rows>
static void multiplyWordTile(int32_t *sums, const int16_t *from, int64_t step, const int8_t *panel, int64_t quads,
                             const int32_t *start) {
  const Sums d;
  const hn::RepartitionToWide<Sums> two;
  Sum tile[rows][2];
  for (int64_t quad = 0; quad != quads; ++quad, panel += 4 * panelColumns) {
    const auto left = loadWords(panel), right = loadWords(panel + words);
    for (int r = 0; r != rows; ++r) {
      int64_t four;
      std::memcpy(&four, from + r * step + 4 * quad, sizeof four);
      const auto factor = hn::BitCast(Words(), hn::Set(two, four));
      tile[r][0].add(factor, left);
      tile[r][1].add(factor, right);
    }
  }
  for (int r = 0; r != rows; ++r) {
    const V left = tile[r][0].value(), right = tile[r][1].value();
    const V sum = hn::Add(hn::ConcatEven(d, right, left), hn::ConcatOdd(d, right, left));
    hn::StoreU(hn::Add(sum, hn::LoadU(d, start)), d, sums + r * panelColumns);
  }
}

static void multiplyWords(int32_t *sums, const int16_t *rows, int64_t rowsStep, const int8_t *panel, int64_t quads,
                          int64_t numRows, const int32_t *start) {
  for (int half = 0; half != 2; ++half, sums += lanes, start += lanes, panel += 4 * lanes) {
    int64_t row = 0;
    for (; row + tileRows <= numRows; row += tileRows)
      multiplyWordTile<tileRows>(sums + row * panelColumns, rows + row * rowsStep, rowsStep, panel, quads, start);
    for (; row != numRows; ++row)
      multiplyWordTile<1>(sums + row * panelColumns, rows + row * rowsStep, rowsStep, panel, quads, start);
  }
}

#if TSC_HAS_VECTORS
/// Multiplies a tile of so many rows of words with a panel's columns of words.
template <int rows>
static void multiplyWideTile(int32_t *sums, const int16_t *from, int64_t step, const int16_t *panel, int64_t pairs) {
  const Sums d;
  Sum tile[rows][2];
  for (int64_t pair = 0; pair != pairs; ++pair, panel += 2 * panelColumns) {
    const auto left = hn::LoadU(Words(), panel), right = hn::LoadU(Words(), panel + words);
    for (int r = 0; r != rows; ++r) {
      int32_t two;
      std::memcpy(&two, from + r * step + 2 * pair, sizeof two);
      const auto factor = hn::BitCast(Words(), hn::Set(d, two));
      tile[r][0].add(factor, left);
      tile[r][1].add(factor, right);
    }
  }
  for (int r = 0; r != rows; ++r)
    for (int half = 0; half != 2; ++half)
      hn::StoreU(tile[r][half].value(), d, sums + r * panelColumns + half * lanes);
}

static void multiplyWide(int32_t *sums, const int16_t *rows, int64_t rowsStep, const int16_t *panel, int64_t pairs,
                         int64_t numRows) {
  int64_t row = 0;
  for (; row + tileRows <= numRows; row += tileRows)
    multiplyWideTile<tileRows>(sums + row * panelColumns, rows + row * rowsStep, rowsStep, panel, pairs);
  for (; row != numRows; ++row)
    multiplyWideTile<1>(sums + row * panelColumns, rows + row * rowsStep, rowsStep, panel, pairs);
}

static void transformPixels(int16_t *to, int64_t step, const uint8_t *const *pixels, int64_t channels) {
  // The last vector ends where the channels do, and may repeat a part of the one before it.
  for (int64_t c = 0;; c = std::min(c + words, channels - words)) {
    hn::Vec<Words> rows[4][4];
    for (int x = 0; x != 4; ++x) {
      const auto a = loadWords(pixels[x] + c), b = loadWords(pixels[4 + x] + c);
      const auto e = loadWords(pixels[8 + x] + c), f = loadWords(pixels[12 + x] + c);
      rows[0][x] = hn::Sub(a, e);
      rows[1][x] = hn::Add(b, e);
      rows[2][x] = hn::Sub(e, b);
      rows[3][x] = hn::Sub(b, f);
    }
    int16_t *at = to + c;
    for (auto &[a, b, e, f] : rows) {
      hn::StoreU(hn::Sub(a, e), Words(), at);
      hn::StoreU(hn::Add(b, e), Words(), at + step);
      hn::StoreU(hn::Sub(e, b), Words(), at + 2 * step);
      hn::StoreU(hn::Sub(b, f), Words(), at + 3 * step);
      at += 4 * step;
    }
    if (c == channels - words)
      return;
  }
}

static void transformSums(int32_t *to, int64_t rowStep, const int32_t *from, int64_t step, const int32_t *start) {
  const Sums d;
  for (int half = 0; half != 2; ++half, to += lanes, from += lanes, start += lanes) {
    V rows[2][4];
    for (int x = 0; x != 4; ++x) {
      const V b = hn::LoadU(d, from + (4 + x) * step), e = hn::LoadU(d, from + (8 + x) * step);
      rows[0][x] = hn::Add(hn::LoadU(d, from + x * step), hn::Add(b, e));
      rows[1][x] = hn::Sub(b, hn::Add(e, hn::LoadU(d, from + (12 + x) * step)));
    }
    const V first = hn::LoadU(d, start);
    for (int y = 0; y != 2; ++y) {
      const auto &[a, b, e, f] = rows[y];
      int32_t *at = to + y * rowStep;
      hn::StoreU(hn::Add(hn::ShiftRight<2>(hn::Add(a, hn::Add(b, e))), first), d, at);
      hn::StoreU(hn::Add(hn::ShiftRight<2>(hn::Sub(b, hn::Add(e, f))), first), d, at + panelColumns);
    }
  }
}
#else
static constexpr decltype(quantized::IntegerKernels::multiplyWide) multiplyWide = nullptr;
static constexpr decltype(quantized::IntegerKernels::transformPixels) transformPixels = nullptr;
static constexpr decltype(quantized::IntegerKernels::transformSums) transformSums = nullptr;
#endif

/// Returns the bytes of two taps as pairs of words.
HWY_INLINE hn::Vec<Words> loadTaps(const uint8_t *even, const uint8_t *odd) {
  const Sums d;
  const hn::Rebind<uint8_t, Sums> bytes;
  const V low = hn::PromoteTo(d, hn::LoadU(bytes, even)), high = hn::PromoteTo(d, hn::LoadU(bytes, odd));
  return hn::BitCast(Words(), hn::Or(low, hn::ShiftLeft<16>(high)));
}

/// Multiplies a few vectors of channels side by side: the sums of a single one would wait for each other.
template <int vectors>
HWY_INLINE void multiplyVectors(int32_t *sums, const int32_t *start, const uint8_t *const *taps, int64_t shift,
                                const int16_t *weights, int64_t pairs, int64_t channels, int64_t at) {
  const Sums d;
  Sum total[vectors];
  for (int64_t pair = 0; pair != pairs; ++pair) {
    const uint8_t *even = taps[2 * pair] + shift + at, *odd = taps[2 * pair + 1] + shift + at;
    const int16_t *factors = weights + 2 * (pair * channels + at);
#if HWY_TARGET == HWY_AVX2
    if constexpr (vectors == 2) { // bytes are interleaved before they are widened
      const hn::FixedTag<uint8_t, 16> bytes;
      const hn::RebindToUnsigned<Words> wide;
      const auto a = hn::LoadU(bytes, even), b = hn::LoadU(bytes, odd);
      const auto low = hn::PromoteTo(wide, hn::InterleaveLower(bytes, a, b));
      const auto high = hn::PromoteTo(wide, hn::InterleaveUpper(bytes, a, b));
      total[0].add(hn::BitCast(Words(), low), hn::LoadU(Words(), factors));
      total[1].add(hn::BitCast(Words(), high), hn::LoadU(Words(), factors + words));
      continue;
    }
#endif
    for (int v = 0; v != vectors; ++v)
      total[v].add(loadTaps(even + v * lanes, odd + v * lanes), hn::LoadU(Words(), factors + v * words));
  }
  for (int v = 0; v != vectors; ++v)
    hn::StoreU(hn::Add(total[v].value(), hn::LoadU(d, start + at + v * lanes)), d, sums + at + v * lanes);
}

static void multiplyChannels(int32_t *sums, const int32_t *start, const uint8_t *const *taps, int64_t shift,
                             const int16_t *weights, int64_t pairs, int64_t channels) {
  int64_t c = 0;
  for (; c + 2 * lanes <= channels; c += 2 * lanes)
    multiplyVectors<2>(sums, start, taps, shift, weights, pairs, channels, c);
  for (; c + lanes <= channels; c += lanes)
    multiplyVectors<1>(sums, start, taps, shift, weights, pairs, channels, c);
  for (; c != channels; ++c) {
    int32_t sum = start[c];
#pragma clang loop vectorize(disable) unroll(disable)
    for (int64_t t = 0; t != 2 * pairs; ++t)
      sum += taps[t][shift + c] * weights[2 * (t / 2 * channels + c) + t % 2];
    sums[c] = sum;
  }
}

static quantized::IntegerKernels allIntegerKernels() {
  return {tileRows,       panelColumns, multiplyBytes,   addProducts,   findAbove127,
          &multiplyWords, multiplyWide, transformPixels, transformSums, &multiplyChannels};
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
