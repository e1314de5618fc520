//===- SimdBlocked.cpp - Convolutions of channels in blocks, on vectors ---===//
//
// A dense tile reads a vector of weights for each block and one element of the input
// for each result, and multiplies all with all. Sums of a part of the input channels
// start at zero and are added to what is there: rounding grows with the parts and
// not with all terms.
//
//===----------------------------------------------------------------------===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Convolution/SimdBlocked.cpp"
#include "Support/SimdTargets.h"

#include "hwy/foreach_target.h" // first: it includes this file again for every instruction set

#include "BlockedRows.h"
#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include <algorithm>
#include <array>
#include <limits>
#include <utility>

/// Sums are registers only where every index into them is a constant.
#undef TSC_UNROLLED
#define TSC_UNROLLED _Pragma("clang loop unroll(full)")

TSC_BEFORE_KERNELS();
namespace tsc::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using blocked::Arrangement;
using blocked::Finish;
using blocked::Rows;
using blocked::Tile;
using blocked::Window;
/// At most a block: with wider registers than these the rest would be empty.
using Floats = hn::CappedTag<float, blocked::width>;
using V = hn::Vec<Floats>;
static constexpr int64_t lanes = hn::MaxLanes(Floats());
static constexpr int blockVectors = blocked::width / lanes;

// Sums that fit the registers beside the weights and one element of the input. The weights of three blocks, for 3 x 3
// elements of a block of the input, fit the nearest cache.
static constexpr int mostBlocks = blockVectors == 1 ? 3 : 1;
static constexpr int mostPixels = blockVectors == 1 ? 8 : blockVectors == 2 || TSC_VECTOR_REGISTERS == 32 ? 6 : 2;
static constexpr int mostPixelsDepthwise = mostPixels;

/// max(bound, value) and min(bound, value) as the operators have them, for bounds that are no NaN.
HWY_INLINE V atLeast(V value, V bound) { return hn::IfThenElse(hn::Lt(value, bound), bound, value); }
HWY_INLINE V atMost(V value, V bound) { return hn::IfThenElse(hn::Gt(value, bound), bound, value); }

enum class Bias { Add, Within }; ///< Within: it is a term of the sums already, each of a channel alone.

template <Bias bias, int vectors, int pixels> HWY_INLINE void finishTile(const Tile &t, V (&sums)[vectors][pixels]) {
  const Floats d;
  const Finish &finish = t.finish;
#define TSC_EACH_SUM TSC_UNROLLED for (int v = 0; v != vectors; ++v) TSC_UNROLLED for (int p = 0; p != pixels; ++p)
#define TSC_PLACE (v / blockVectors * t.outBlockStep + p * outStep + v % blockVectors * lanes)
  const int64_t outStep = t.outStep;
  if (!t.isFirst) {
    TSC_EACH_SUM sums[v][p] = hn::Add(hn::LoadU(d, t.out + TSC_PLACE), sums[v][p]);
  } else if (bias == Bias::Add && t.bias) {
    TSC_EACH_SUM sums[v][p] = hn::Add(hn::LoadU(d, t.bias + v * lanes), sums[v][p]);
  }
  if (t.isLast && finish.scale) {
    TSC_EACH_SUM sums[v][p] =
        hn::Add(hn::Mul(sums[v][p], hn::LoadU(d, finish.scale + v * lanes)), hn::LoadU(d, finish.shift + v * lanes));
  }
  if (t.isLast && finish.summand) {
    TSC_EACH_SUM sums[v][p] = hn::Add(sums[v][p], hn::LoadU(d, finish.summand + TSC_PLACE));
  }
  if (t.isLast && finish.hasLow) {
    const V low = hn::Set(d, finish.low);
    TSC_EACH_SUM sums[v][p] = atLeast(sums[v][p], low);
  }
  if (t.isLast && finish.hasHigh) {
    const V high = hn::Set(d, finish.high);
    TSC_EACH_SUM sums[v][p] = atMost(sums[v][p], high);
  }
  TSC_EACH_SUM hn::StoreU(sums[v][p], d, t.out + TSC_PLACE);
#undef TSC_EACH_SUM
#undef TSC_PLACE
}

#if TSC_MULTIPLIES_BY_LANE
/// Adds the products of as many neighbouring channels of the input as a vector has lanes: each takes a lane of the
/// elements.
template <int vectors, int pixels, int... lane>
HWY_INLINE void multiplyByLanes(const V (&elements)[pixels], const float *weights, V (&sums)[vectors][pixels],
                                std::integer_sequence<int, lane...>) {
  auto multiply = [&]<int channel>(std::integral_constant<int, channel>) HWY_ATTR {
    TSC_UNROLLED for (int v = 0; v != vectors; ++v) {
      const V weight = hn::LoadU(Floats(), weights + (channel * vectors + v) * lanes);
      TSC_UNROLLED for (int p = 0; p != pixels; ++p) sums[v][p] =
          hn::MulAdd(weight, hn::Broadcast<channel>(elements[p]), sums[v][p]);
    }
  };
  (multiply(std::integral_constant<int, lane>()), ...);
}
#endif

template <int blocks, int pixels> HWY_NOINLINE void denseTile(const Tile &t) {
  constexpr int vectors = blocks * blockVectors;
  const Floats d;
  V sums[vectors][pixels];
  TSC_UNROLLED for (int v = 0; v != vectors; ++v) TSC_UNROLLED for (int p = 0; p != pixels; ++p) sums[v][p] =
      hn::Zero(d);
  const float *weights = t.weights;
  const int64_t step = t.pixelStep, channelStep = t.channelStep;
  for (int64_t block = 0; block != t.inBlocks; ++block) {
    const int64_t channels = block + 1 == t.inBlocks ? t.lastChannels : blocked::width;
    for (int64_t i = 0; i != t.kernelRows; ++i)
      for (int64_t j = 0; j != t.kernelColumns; ++j) {
        const float *in = t.in + block * t.blockStep + i * t.rowStep + j * t.columnStep;
        const float *in3 = in + 3 * step, *in6 = in + 6 * step; // addresses of three results from each
#if TSC_MULTIPLIES_BY_LANE
        const int64_t byLanes = channelStep == 1 ? channels / lanes * lanes : 0;
        for (int64_t c = 0; c != byLanes; c += lanes, weights += lanes * vectors * lanes) {
          V elements[pixels];
          TSC_UNROLLED for (int p = 0; p != pixels; ++p) elements[p] = hn::LoadU(d, in + p * step);
          multiplyByLanes(elements, weights, sums, std::make_integer_sequence<int, lanes>());
          in += lanes, in3 += lanes, in6 += lanes;
        }
#else
        constexpr int64_t byLanes = 0;
#endif
        for (int64_t c = byLanes; c != channels; ++c, weights += vectors * lanes) {
          V weight[vectors];
          TSC_UNROLLED for (int v = 0; v != vectors; ++v) weight[v] = hn::LoadU(d, weights + v * lanes);
          TSC_UNROLLED for (int p = 0; p != pixels; ++p) {
            const float *from = p < 3 ? in : p < 6 ? in3 : in6;
            const V element = hn::Set(d, from[p % 3 * step]);
            TSC_UNROLLED for (int v = 0; v != vectors; ++v) sums[v][p] = hn::MulAdd(weight[v], element, sums[v][p]);
          }
          in += channelStep, in3 += channelStep, in6 += channelStep;
        }
      }
  }
  finishTile<Bias::Add>(t, sums);
}

/// To the bias, products are added in the order of the kernel's elements, as SimdDepthwise.cpp does.
template <int pixels> HWY_NOINLINE void depthwiseTile(const Tile &t) {
  const Floats d;
  V sums[blockVectors][pixels];
  TSC_UNROLLED for (int v = 0; v != blockVectors; ++v) TSC_UNROLLED for (int p = 0; p != pixels; ++p) sums[v][p] =
      t.bias ? hn::LoadU(d, t.bias + v * lanes) : hn::Zero(d);
  const float *weights = t.weights;
  const int64_t step = t.pixelStep;
  for (int64_t i = 0; i != t.kernelRows; ++i)
    for (int64_t j = 0; j != t.kernelColumns; ++j, weights += blocked::width) {
      const float *in = t.in + i * t.rowStep + j * t.columnStep;
      TSC_UNROLLED for (int v = 0; v != blockVectors; ++v) {
        const V weight = hn::LoadU(d, weights + v * lanes);
        TSC_UNROLLED for (int p = 0; p != pixels; ++p) sums[v][p] =
            hn::MulAdd(weight, hn::LoadU(d, in + p * step + v * lanes), sums[v][p]);
      }
    }
  finishTile<Bias::Within>(t, sums);
}

static void largest(float *out, const Window &window) {
  const Floats d;
  for (int v = 0; v != blockVectors; ++v) {
    V best = hn::Set(d, -std::numeric_limits<float>::infinity());
    for (int64_t i = 0; i != window.rows; ++i)
      for (int64_t j = 0; j != window.columns; ++j) {
        const V value = hn::LoadU(d, window.in + i * window.rowStep + j * window.columnStep + v * lanes);
        best = hn::IfThenElse(hn::Or(hn::Gt(value, best), hn::IsNaN(value)), value, best);
      }
    hn::StoreU(best, d, out + v * lanes);
  }
}

/// The tile for channels from `first` on of its block.
HWY_INLINE Tile fromChannel(const Tile &tile, int64_t first) {
  Tile t = tile;
  t.in += first, t.weights += first, t.out += first;
  for (const float **row : {&t.bias, &t.finish.scale, &t.finish.shift, &t.finish.summand})
    if (*row)
      *row += first;
  return t;
}

/// A tile for rows of three elements whose windows are `stride` apart: what neighbouring windows share is loaded once.
template <int pixels, int stride> HWY_INLINE void shareColumns(const Tile &t) {
  constexpr int kernel = 3, columns = (pixels - 1) * stride + kernel;
  const Floats d;
  V sums[1][pixels];
  TSC_UNROLLED for (int p = 0; p != pixels; ++p) sums[0][p] = t.bias ? hn::LoadU(d, t.bias) : hn::Zero(d);
  const float *weights = t.weights;
  for (int64_t i = 0; i != t.kernelRows; ++i, weights += kernel * blocked::width) {
    const float *in = t.in + i * t.rowStep;
    V weight[kernel];
    TSC_UNROLLED for (int j = 0; j != kernel; ++j) weight[j] = hn::LoadU(d, weights + j * blocked::width);
    TSC_UNROLLED for (int x = 0; x != columns; ++x) {
      const V element = hn::LoadU(d, in + x * blocked::width);
      TSC_UNROLLED for (int j = 0; j != kernel; ++j) if (x >= j && (x - j) % stride == 0 && (x - j) / stride < pixels)
          sums[0][(x - j) / stride] = hn::MulAdd(weight[j], element, sums[0][(x - j) / stride]);
    }
  }
  finishTile<Bias::Within>(t, sums);
}
template <int pixels, int stride> HWY_NOINLINE void sharingTile(const Tile &t) {
  if constexpr (blockVectors == 1)
    return shareColumns<pixels, stride>(t);
  for (int v = 0; v != blockVectors; ++v)
    shareColumns<pixels, stride>(fromChannel(t, v * lanes));
}

/// Of as many vectors as they have lanes: each level moves one bit of an element's column into its row.
HWY_INLINE void transpose(V *v) {
  const Floats d;
  TSC_UNROLLED for (int64_t level = 1; level < lanes; level *= 2) {
    V next[lanes];
    TSC_UNROLLED for (int64_t i = 0; i != lanes / 2; ++i) {
      next[i] = hn::ConcatEven(d, v[2 * i + 1], v[2 * i]);
      next[i + lanes / 2] = hn::ConcatOdd(d, v[2 * i + 1], v[2 * i]);
    }
    TSC_UNROLLED for (int64_t i = 0; i != lanes; ++i) v[i] = next[i];
  }
}

static void toBlock(float *block, const float *source, const Arrangement &p) {
  assert(p.count >= 0 && p.channels <= blocked::width && "channels of one block");
  constexpr int64_t ahead = 160; // planes may be pages apart, too many for the processor to follow
  const Floats d;
  for (int64_t first = 0; first != blocked::width; first += lanes) {
    const int64_t channels = std::clamp<int64_t>(p.channels - first, 0, lanes);
    const float *planes = source + first * p.planeStep;
    float *to = block + first;
    int64_t i = 0;
    for (; i + lanes <= p.count; i += lanes) {
      V v[lanes];
      TSC_UNROLLED for (int64_t c = 0; c != lanes; ++c) __builtin_prefetch(
          reinterpret_cast<const void *>(reinterpret_cast<uintptr_t>(planes) + // which may be beyond the end
                                         static_cast<uintptr_t>(c * p.planeStep + i + ahead) * sizeof(float)));
      TSC_UNROLLED for (int64_t c = 0; c != lanes; ++c) v[c] =
          c < channels ? hn::LoadU(d, planes + c * p.planeStep + i) : hn::Zero(d);
      transpose(v);
      TSC_UNROLLED for (int64_t c = 0; c != lanes; ++c) hn::StoreU(v[c], d, to + (i + c) * blocked::width);
    }
    for (; i != p.count; ++i)
      for (int64_t c = 0; c != lanes; ++c)
        to[i * blocked::width + c] = c < channels ? planes[c * p.planeStep + i] : 0;
  }
}

static void toPlanes(float *destination, const float *block, const Arrangement &p) {
  assert(p.count >= 0 && p.channels <= blocked::width && "channels of one block");
  const Floats d;
  for (int64_t first = 0; first < p.channels; first += lanes) {
    const int64_t channels = std::min<int64_t>(p.channels - first, lanes);
    float *planes = destination + first * p.planeStep;
    const float *from = block + first;
    int64_t i = 0;
    for (; i + lanes <= p.count; i += lanes) {
      V v[lanes];
      TSC_UNROLLED for (int64_t c = 0; c != lanes; ++c) v[c] = hn::LoadU(d, from + (i + c) * blocked::width);
      transpose(v);
      TSC_UNROLLED for (int64_t c = 0; c != lanes; ++c) if (c < channels)
          hn::StoreU(v[c], d, planes + c * p.planeStep + i);
    }
    for (; i != p.count; ++i)
      for (int64_t c = 0; c != channels; ++c)
        planes[c * p.planeStep + i] = from[i * blocked::width + c];
  }
}

using TileKernel = void (*)(const Tile &);

/// Calls the kernels for tiles of one to `most` results, about equally many in each, and `before` before each of them.
template <size_t most, class F>
HWY_INLINE void forEachTile(const Tile &first, int64_t pixels, const std::array<TileKernel, most> &kernels, F before) {
  Tile tile = first;
  constexpr int64_t atOnce = most;
  for (int64_t left = (pixels + atOnce - 1) / atOnce; left != 0; --left) {
    const int64_t count = left == 1 ? pixels : (pixels + left - 1) / left;
    before();
    kernels[count - 1](tile);
    pixels -= count;
    tile.in += count * tile.pixelStep;
    tile.out += count * tile.outStep;
    if (tile.finish.summand)
      tile.finish.summand += count * tile.outStep;
  }
}
template <size_t most>
HWY_INLINE void forEachTile(const Tile &first, int64_t pixels, const std::array<TileKernel, most> &kernels) {
  forEachTile(first, pixels, kernels, [] {});
}

/// The same for tiles that share columns: their sums fit the registers beside the weights of a row.
template <int stride> static void forEachSharingTile(const Tile &tile, int64_t pixels) {
  constexpr int most = 8;
  [&]<int... i>(std::integer_sequence<int, i...>) {
    static constexpr std::array<TileKernel, most> kernels = {&sharingTile<i + 1, stride>...};
    forEachTile(tile, pixels, kernels);
  }(std::make_integer_sequence<int, most>());
}

/// How many results a processor would compute in the time of `pixels`, of which tiles have about equally many: with
/// fewer than `least`, products wait for those that were added to the same sums before.
template <int most, int least> static int64_t timeOf(int64_t pixels) {
  const int64_t tiles = (pixels + most - 1) / most;
  if (tiles == 0)
    return 0;
  const int64_t few = pixels / tiles, longer = pixels % tiles;
  return longer * std::max<int64_t>(few + 1, least) + (tiles - longer) * std::max<int64_t>(few, least);
}

template <int blocks> static void denseOf(const Tile &first, const Rows &rows) {
  static constexpr auto kernels = []<int... i>(std::integer_sequence<int, i...>) {
    return std::array<TileKernel, mostPixels>{&denseTile<blocks, i + 1>...};
  }(std::make_integer_sequence<int, mostPixels>());
  // Rows that are a little longer than tiles leave short ones: their last columns are computed from top to bottom.
  constexpr int chains = 8, vectors = blocks * blockVectors, least = (chains + vectors - 1) / vectors;
  auto time = [&](int64_t aside) {
    return rows.count * timeOf<mostPixels, least>(rows.columns - aside) + aside * timeOf<mostPixels, least>(rows.count);
  };
  int64_t aside = 0;
  for (int64_t some = 1; some < least && some <= rows.columns; ++some)
    aside = time(some) < time(aside) ? some : aside;

  auto move = [](Tile &tile, int64_t in, int64_t out) {
    tile.in += in, tile.out += out;
    if (tile.finish.summand)
      tile.finish.summand += out;
  };
  // The next call's weights come from the second cache, or from further away, while this one computes. Where the first
  // does not hold both, they would take the place of these.
  constexpr int64_t firstCache = 24 << 10, line = 64;
  const int64_t bytes = rows.weights * static_cast<int64_t>(sizeof(float));
  const int64_t tiles = rows.count * ((rows.columns - aside + mostPixels - 1) / mostPixels);
  uintptr_t next = reinterpret_cast<uintptr_t>(first.weights) + static_cast<uintptr_t>(bytes);
  const uintptr_t end = next + static_cast<uintptr_t>(bytes);
  const int64_t linesAtOnce = 2 * bytes <= firstCache && tiles != 0 ? bytes / (line * tiles) + 1 : 0;
  auto askForNext = [&] {
    for (int64_t i = 0; i != linesAtOnce && next < end; ++i, next += line)
      __builtin_prefetch(reinterpret_cast<const void *>(next)); // which may be beyond the last
  };
  Tile tile = first;
  for (int64_t y = 0; y != rows.count; ++y) {
    forEachTile(tile, rows.columns - aside, kernels, askForNext);
    move(tile, rows.inStep, rows.outStep);
  }
  tile = first;
  move(tile, (rows.columns - aside) * first.pixelStep, (rows.columns - aside) * first.outStep);
  tile.pixelStep = rows.inStep, tile.outStep = rows.outStep;
  for (int64_t x = 0; x != aside; ++x) {
    forEachTile(tile, rows.count, kernels);
    move(tile, first.pixelStep, first.outStep);
  }
}

static void dense(const Tile &tile, int64_t blocks, const Rows &rows) {
  assert(blocks >= 1 && blocks <= mostBlocks && "a tile of as many blocks as there are registers for");
  if constexpr (mostBlocks == 1)
    return denseOf<1>(tile, rows);
  else
    switch (blocks) {
    case 1: return denseOf<1>(tile, rows);
    case 2: return denseOf<2>(tile, rows);
    default: return denseOf<3>(tile, rows);
    }
}

static void depthwise(const Tile &tile, int64_t pixels) {
  if (tile.kernelColumns == 3 && tile.columnStep == blocked::width) {
    if (tile.pixelStep == blocked::width)
      return forEachSharingTile<1>(tile, pixels);
    if (tile.pixelStep == 2 * blocked::width)
      return forEachSharingTile<2>(tile, pixels);
  }
  [&]<int... i>(std::integer_sequence<int, i...>) {
    static constexpr std::array<TileKernel, mostPixelsDepthwise> kernels = {&depthwiseTile<i + 1>...};
    forEachTile(tile, pixels, kernels);
  }(std::make_integer_sequence<int, mostPixelsDepthwise>());
}

static blocked::Kernels blockedKernels() { return {mostBlocks, &dense, &depthwise, &toBlock, &toPlanes, &largest}; }
} // namespace tsc::cpu::HWY_NAMESPACE
TSC_AFTER_KERNELS();

#if HWY_ONCE
namespace tsc::cpu {
const blocked::Kernels &blocked::kernels() {
  static const Kernels table = TSC_BEST_OF(blockedKernels)();
  return table;
}
} // namespace tsc::cpu
#endif
