//===- IntegerProducts.cpp - Products of small integers by kernels of our own -===//
//
// A block of windows of the input becomes rows of integers of 16 bits, less the zero
// point, so that what lies outside of an image is 0. Tiles of these rows are multiplied
// with panels of the weight's columns, a part of the depth at a time that a core's
// first cache holds. Where each channel is convolved alone, there is nothing to share
// between columns: vectors of channels are multiplied as they lie in memory, and the
// zero point times the sum of the weights is subtracted once.
//
//===----------------------------------------------------------------------===//
#include "IntegerProducts.h"
#include "IntegerRows.h"
#include "tsc/Support/MemoryErrors.h"
#include "tsc/Support/ThreadPool.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>

using namespace tsc;
using namespace tsc::cpu;
using namespace tsc::cpu::quantized;

static int64_t divideUp(int64_t n, int64_t by) { return (n + by - 1) / by; }

/// Returns the place in a weight's channel of the number that is the k-th one in the order of a window: kernel elements
/// outside, channels inside.
static int64_t placeOf(int64_t k, int64_t inner, int64_t kernel) { return k % inner * kernel + k / inner; }

StatusOr<std::shared_ptr<const PackedWeight>> quantized::packWeight(const Tensor &weight, int64_t groups) {
  assert(weight.dtype() == DType::Int8 && weight.isContiguous() && weight.dim() >= 2 && groups > 0 &&
         weight.size(0) % groups == 0);
  auto packed = std::make_shared<PackedWeight>();
  const int64_t channels = weight.size(0), inner = weight.size(1);
  const int64_t depth = channels == 0 ? 0 : weight.numel() / channels, kernel = inner == 0 ? 0 : depth / inner;
  packed->groups = groups;
  packed->channels = channels;
  packed->depth = depth;
  packed->isDepthwise = groups > 1 && groups == channels && inner == 1;
  const int8_t *from = weight.data<int8_t>();
  const int64_t pairs = divideUp(depth, 2);
  if (packed->isDepthwise) {
    TSC_ASSIGN_OR_RETURN(packed->pairs, Tensor::full({pairs, channels, 2}, int64_t{0}, DType::Int16));
    int16_t *to = packed->pairs.mutableData<int16_t>();
    packed->weightSums.resize(channels);
    for (int64_t c = 0; c != channels; ++c)
      for (int64_t k = 0; k != depth; ++k) {
        to[2 * (k / 2 * channels + c) + k % 2] = from[c * depth + k];
        packed->weightSums[c] += from[c * depth + k];
      }
    return std::shared_ptr<const PackedWeight>(packed);
  }
  const int64_t columns = integerKernels().panelColumns, own = channels / groups, panels = divideUp(own, columns);
  TSC_ASSIGN_OR_RETURN(packed->panels, Tensor::full({groups, panels, pairs, columns, 2}, int64_t{0}, DType::Int8));
  int8_t *to = packed->panels.mutableData<int8_t>();
  for (int64_t c = 0; c != channels; ++c) {
    const int64_t panel = c / own * panels + c % own / columns, column = c % own % columns;
    for (int64_t k = 0; k != depth; ++k)
      to[((panel * pairs + k / 2) * columns + column) * 2 + k % 2] = from[c * depth + placeOf(k, inner, kernel)];
  }
  return std::shared_ptr<const PackedWeight>(packed);
}

namespace {
using Three = std::array<int64_t, 3>;

/// A convolution as one of three dimensions.
struct Geometry {
  int64_t batch, channels; ///< Channels of the input, of all groups.
  Three in, out, kernel, stride, padding, dilation;
  int64_t numWindows() const { return batch * out[0] * out[1] * out[2]; }
};
} // namespace

/// Returns three numbers, of which the last are `numbers`, with `filler` before them.
static Three three(ArrayRef<int64_t> numbers, int64_t filler) {
  assert(numbers.size() <= 3);
  Three result = {filler, filler, filler};
  llvm::copy(numbers, result.end() - numbers.size());
  return result;
}

/// Calls fn(pixel, element, count) for each run of elements of a window that lie side by side in the input, too: the
/// pixel of the first one in the input, its number in the kernel, and how many there are. Other elements of the window
/// are outside of the image.
template <typename Fn> static void forEachRun(const Geometry &g, int64_t window, Fn fn) {
  Three at; // of the window's first element
  for (int d = 2; d >= 0; --d) {
    at[d] = window % g.out[d] * g.stride[d] - g.padding[d];
    window /= g.out[d];
  }
  const int64_t image = window * g.in[0];
  // The kernel's columns that are inside: 0 <= at + k * step < in.
  const int64_t step = g.dilation[2];
  const int64_t first = at[2] >= 0 ? 0 : divideUp(-at[2], step);
  const int64_t last = std::min(g.kernel[2], at[2] >= g.in[2] ? 0 : divideUp(g.in[2] - at[2], step));
  if (first >= last)
    return;
  for (int64_t i = 0; i != g.kernel[0]; ++i) {
    const int64_t plane = at[0] + i * g.dilation[0];
    if (plane < 0 || plane >= g.in[0])
      continue;
    for (int64_t j = 0; j != g.kernel[1]; ++j) {
      const int64_t row = at[1] + j * g.dilation[1];
      if (row < 0 || row >= g.in[1])
        continue;
      const int64_t base = ((image + plane) * g.in[1] + row) * g.in[2], element = (i * g.kernel[1] + j) * g.kernel[2];
      if (step == 1)
        fn(base + at[2] + first, element + first, last - first);
      else
        for (int64_t k = first; k != last; ++k)
          fn(base + at[2] + k * step, element + k, int64_t{1});
    }
  }
}

/// Makes a row of words of the channels `begin` to `begin + inner` of a window, and zeros of the rest of its `length`.
static void widenWindow(int16_t *row, const uint8_t *input, const Geometry &g, int64_t window, int64_t begin,
                        int64_t inner, int64_t length, int32_t zero) {
  const IntegerKernels &kernels = integerKernels();
  std::fill(row, row + length, 0);
  forEachRun(g, window, [&](int64_t pixel, int64_t element, int64_t count) {
    const uint8_t *from = input + pixel * g.channels + begin;
    int16_t *to = row + element * inner;
    if (inner == g.channels) {
      kernels.widen(to, from, count * inner, zero);
      return;
    }
    for (int64_t i = 0; i != count; ++i)
      kernels.widen(to + i * inner, from + i * g.channels, inner, zero);
  });
}

/// Computes the sums of the windows from `firstRow` on. `rows` has room for the words of `numRows` windows.
static void multiplyBlock(int32_t *sums, const uint8_t *input, const Geometry &g, const PackedWeight &weight,
                          int64_t firstRow, int64_t numRows, int16_t *rows, int32_t zero) {
  const IntegerKernels &kernels = integerKernels();
  constexpr int64_t partPairs = 256; // of the depth at a time: 16 to 32 kB of a panel
  const int64_t inner = g.channels / weight.groups, own = weight.channels / weight.groups;
  const int64_t pairs = divideUp(weight.depth, 2), columns = kernels.panelColumns, panels = divideUp(own, columns);
  const int8_t *packed = weight.panels.data<int8_t>();
  for (int64_t group = 0; group != weight.groups; ++group) {
    for (int64_t r = 0; r != numRows; ++r)
      widenWindow(rows + r * 2 * pairs, input, g, firstRow + r, group * inner, inner, 2 * pairs, zero);
    for (int64_t part = 0; part < pairs; part += partPairs)
      for (int64_t panel = 0; panel != panels; ++panel)
        kernels.multiply(sums + firstRow * weight.channels + group * own + panel * columns, weight.channels,
                         rows + 2 * part, 2 * pairs, packed + ((group * panels + panel) * pairs + part) * columns * 2,
                         std::min(partPairs, pairs - part), numRows, std::min(columns, own - panel * columns),
                         part != 0);
  }
}

static Status multiplyWindows(int32_t *sums, const uint8_t *input, const Geometry &g, const PackedWeight &weight,
                              int32_t zero) {
  const IntegerKernels &kernels = integerKernels();
  const int64_t length = 2 * divideUp(weight.depth, 2), windows = g.numWindows();
  if (length == 0) {
    std::fill(sums, sums + windows * weight.channels, 0);
    return okStatus();
  }
  // So many rows that each panel is read seldom, and that they stay in a core's second cache.
  constexpr int64_t mostWords = 64 << 10, mostTiles = 16;
  const int64_t tile = kernels.tileRows;
  const int64_t blockRows = tile * std::clamp<int64_t>(mostWords / (length * tile), 1, mostTiles);
  const int64_t blocks = divideUp(windows, blockRows);
  std::atomic<bool> failed = false;
  parallelFor(0, blocks, std::max<int64_t>(1, parallelGrain / (blockRows * length)), [&](int64_t begin, int64_t end) {
    auto rows = Tensor::empty({std::min(blockRows, windows), length}, DType::Int16);
    if (!rows.ok()) {
      failed = true;
      return;
    }
    for (int64_t block = begin; block != end; ++block)
      multiplyBlock(sums, input, g, weight, block * blockRows, std::min(blockRows, windows - block * blockRows),
                    rows->mutableData<int16_t>(), zero);
  });
  return failed ? outOfMemory() : okStatus();
}

static Status multiplyDepthwise(int32_t *sums, const uint8_t *input, const Geometry &g, const PackedWeight &weight,
                                int32_t zero) {
  assert(zero >= 0 && zero <= 255 && "a byte");
  const IntegerKernels &kernels = integerKernels();
  const int64_t pairs = divideUp(weight.depth, 2), channels = g.channels, windows = g.numWindows();
  // A pixel outside of the image.
  TSC_ASSIGN_OR_RETURN(Tensor outside, Tensor::full({channels}, int64_t{zero}, DType::UInt8));
  std::vector<int32_t> start(channels);
  for (int64_t c = 0; c != channels; ++c)
    start[c] = -zero * weight.weightSums[c];
  const int64_t work = std::max<int64_t>(1, weight.depth * channels);
  parallelFor(0, windows, std::max<int64_t>(1, parallelGrain / work), [&](int64_t begin, int64_t end) {
    llvm::SmallVector<const uint8_t *, 32> taps(2 * pairs);
    for (int64_t window = begin; window != end; ++window) {
      std::fill(taps.begin(), taps.end(), outside.data<uint8_t>());
      forEachRun(g, window, [&](int64_t pixel, int64_t element, int64_t count) {
        for (int64_t i = 0; i != count; ++i)
          taps[element + i] = input + (pixel + i) * channels;
      });
      kernels.multiplyChannels(sums + window * channels, start.data(), taps.data(), weight.pairs.data<int16_t>(), pairs,
                               channels);
    }
  });
  return okStatus();
}

Status quantized::multiplyRows(int32_t *sums, const uint8_t *rows, int64_t numRows, int64_t zeroPoint,
                               const PackedWeight &weight) {
  const Three one = {1, 1, 1}, none = {0, 0, 0};
  const Geometry g = {1, weight.depth, {1, 1, numRows}, {1, 1, numRows}, one, one, none, one};
  return multiplyWindows(sums, rows, g, weight, static_cast<int32_t>(zeroPoint));
}

Status quantized::convolveIntegers(int32_t *sums, const uint8_t *input, ArrayRef<int64_t> inputSizes,
                                   ArrayRef<int64_t> outSizes, const Windows &windows, int64_t zeroPoint,
                                   const PackedWeight &weight) {
  assert(inputSizes.size() == outSizes.size() && inputSizes.size() == windows.kernel.size() + 2 &&
         outSizes[1] == weight.channels && inputSizes[1] % weight.groups == 0);
  const Geometry g = {inputSizes[0],
                      inputSizes[1],
                      three(inputSizes.drop_front(2), 1),
                      three(outSizes.drop_front(2), 1),
                      three(windows.kernel, 1),
                      three(windows.stride, 1),
                      three(windows.padding, 0),
                      three(windows.dilation, 1)};
  const auto zero = static_cast<int32_t>(zeroPoint);
  return weight.isDepthwise ? multiplyDepthwise(sums, input, g, weight, zero)
                            : multiplyWindows(sums, input, g, weight, zero);
}
