//===- IntegerProducts.cpp - Products of small integers by kernels of our own -===//
//
// A block of windows of the input becomes rows of bytes, unless its pixels are such rows
// as they lie. Tiles of these rows are multiplied with panels of the weight's columns,
// and who asked for the sums takes those of a block and a panel from the first cache.
// The zero point is what lies outside of an image, and its products are subtracted once
// for all rows, where sums begin. Where each channel is convolved alone, there is nothing
// to share between columns: vectors of channels are multiplied as they lie in memory.
//
//===----------------------------------------------------------------------===//
#include "IntegerProducts.h"
#include "IntegerRows.h"
#include "tsc/Support/ThreadPool.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <array>
#include <cassert>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <numeric>

using namespace tsc;
using namespace tsc::cpu;
using namespace tsc::cpu::quantized;

static int64_t divideUp(int64_t n, int64_t by) { return (n + by - 1) / by; }

/// Returns the place in a weight's channel of the number that is the k-th one in the order of a window: kernel elements
/// outside, channels inside.
static int64_t placeOf(int64_t k, int64_t inner, int64_t kernel) { return k % inner * kernel + k / inner; }

// What is done once for a weight is small code.

/// Finds the quads of each panel with a pair of weights whose products with bytes 16 bits may not hold the sum of.
[[gnu::cold]] static void findSplits(PackedWeight &weight, int64_t quads, int64_t columns) {
  const int8_t *panel = weight.panels.data<int8_t>();
  const int64_t panels = quads == 0 ? 0 : weight.panels.numel() / (quads * columns * 4);
  for (int64_t p = 0; p != panels; ++p) {
    weight.splitsOf.push_back(weight.splits.size());
    for (int64_t quad = 0; quad != quads; ++quad, panel += columns * 4)
      for (int64_t i = 0; i != columns * 4; i += 2)
        if (std::abs(panel[i] + panel[i + 1]) > std::numeric_limits<int16_t>::max() / 255) {
          weight.splits.push_back(static_cast<int32_t>(quad));
          break;
        }
    weight.splits.push_back(static_cast<int32_t>(quads));
  }
  // A split quad takes twice the time, and rows of words a third more.
  if (static_cast<int64_t>(weight.splits.size()) - panels > quads * panels / 4)
    weight.splits.clear();
}

[[gnu::cold]] StatusOr<std::shared_ptr<const PackedWeight>> quantized::packWeight(const Tensor &weight,
                                                                                  int64_t groups) {
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
  packed->weightSums.resize(channels);
  for (int64_t c = 0; c != channels; ++c)
    packed->weightSums[c] = std::accumulate(from + c * depth, from + (c + 1) * depth, int32_t{0});
  if (packed->isDepthwise) {
    const int64_t pairs = divideUp(depth, 2);
    TSC_ASSIGN_OR_RETURN(packed->pairs, Tensor::full({pairs, channels, 2}, int64_t{0}, DType::Int16));
    int16_t *to = packed->pairs.mutableData<int16_t>();
    for (int64_t c = 0; c != channels; ++c)
      for (int64_t k = 0; k != depth; ++k)
        to[2 * (k / 2 * channels + c) + k % 2] = from[c * depth + k];
    return std::shared_ptr<const PackedWeight>(packed);
  }
  const int64_t columns = integerKernels().panelColumns, own = channels / groups, panels = divideUp(own, columns);
  const int64_t quads = divideUp(depth, 4);
  TSC_ASSIGN_OR_RETURN(packed->panels, Tensor::full({groups, panels, quads, columns, 4}, int64_t{0}, DType::Int8));
  int8_t *to = packed->panels.mutableData<int8_t>();
  for (int64_t c = 0; c != channels; ++c) {
    const int64_t panel = c / own * panels + c % own / columns, column = c % own % columns;
    for (int64_t k = 0; k != depth; ++k)
      to[((panel * quads + k / 4) * columns + column) * 4 + k % 4] = from[c * depth + placeOf(k, inner, kernel)];
  }
  if (integerKernels().multiplyBytes)
    findSplits(*packed, quads, columns);
  return std::shared_ptr<const PackedWeight>(packed);
}

namespace {
using Three = std::array<int64_t, 3>;

/// A convolution as one of three dimensions.
struct ByteWindows {
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

namespace {
/// Elements of a window that lie side by side in the input, too.
struct Run {
  int64_t pixel;   ///< The first one's in the input.
  int64_t element; ///< The first one's number in the kernel.
  int64_t count;
};

/// The runs of one window after another. Other elements of a window are outside of its image.
struct WindowRuns {
  llvm::SmallVector<Run, 32> runs;
  int64_t shift = 0;    ///< By how many pixels the window's runs lie behind these.
  bool wasWide = false; ///< Whether all columns of the window are in the image.

  /// Goes to a window: the first one, or the next one. Returns whether only `shift` changes.
  bool moveTo(const ByteWindows &g, int64_t window);

private:
  void find(const ByteWindows &g, int64_t window);
};
} // namespace

bool WindowRuns::moveTo(const ByteWindows &g, int64_t window) {
  const int64_t x = window % g.out[2] * g.stride[2] - g.padding[2];
  const bool isWide = x >= 0 && x + (g.kernel[2] - 1) * g.dilation[2] < g.in[2];
  const bool isSame = wasWide && isWide && x != -g.padding[2]; // in a row of pixels of the result
  wasWide = isWide;
  if (isSame) {
    shift += g.stride[2];
    return true;
  }
  shift = 0;
  find(g, window);
  return false;
}

void WindowRuns::find(const ByteWindows &g, int64_t window) {
  runs.clear();
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
        runs.push_back({base + at[2] + first, element + first, last - first});
      else
        for (int64_t k = first; k != last; ++k)
          runs.push_back({base + at[2] + k * step, element + k, 1});
    }
  }
}

/// Copies the channels `begin` to `begin + inner` of a window's runs to a row.
static void copyRuns(uint8_t *row, const uint8_t *input, const WindowRuns &window, int64_t channels, int64_t begin,
                     int64_t inner) {
  for (const Run &run : window.runs) {
    const uint8_t *from = input + (run.pixel + window.shift) * channels + begin;
    uint8_t *to = row + run.element * inner;
    const int64_t parts = inner == channels ? 1 : run.count, length = run.count * inner / parts;
    for (int64_t i = 0; i != parts; ++i)
      std::memcpy(to + i * length, from + i * channels, length);
  }
}

namespace {
/// A byte of a row that is more than 127.
struct Outlier {
  int64_t row, at; ///< Its row, and its place there.
  int32_t excess;  ///< By how much it is more.
};

/// Memory of a thread for the rows and sums of a block.
struct Scratch {
  std::unique_ptr<int32_t[]> sums; ///< Of a panel.
  std::unique_ptr<uint8_t[]> bytes;
  std::unique_ptr<int16_t[]> wide; ///< The same rows as words.
  std::vector<Outlier> outliers;
};

/// The windows of a convolution, as rows that are multiplied.
class Product {
public:
  Product(const uint8_t *input, const ByteWindows &g, const PackedWeight &weight, int32_t zero, TakeSums take);
  void run() const;

private:
  bool clampOutliers(Scratch &scratch, const uint8_t *rows, int64_t count) const;
  void multiplyBlock(int64_t firstRow, int64_t numRows, Scratch &scratch) const;
  void multiplyPanels(const uint8_t *rows, int64_t firstRow, int64_t numRows, int64_t group, bool isNarrow,
                      Scratch &scratch) const;

  const IntegerKernels &kernels = integerKernels();
  const uint8_t *input;
  const ByteWindows &g;
  const PackedWeight &weight;
  const int32_t zero;
  const TakeSums take;
  const int64_t inner, own;   ///< Channels of a group, of the input and of the result.
  const int64_t quads;        ///< Of a row.
  const int64_t panels;       ///< Of a group.
  bool isPlain;               ///< Whether pixels of the input are rows.
  bool allNarrow = false;     ///< Whether no byte of the input is more than 127.
  std::vector<int32_t> start; ///< What the sums of each panel's columns begin with.
};
} // namespace

Product::Product(const uint8_t *input, const ByteWindows &g, const PackedWeight &weight, int32_t zero, TakeSums take)
    : input(input), g(g), weight(weight), zero(zero), take(take), inner(g.channels / weight.groups),
      own(weight.channels / weight.groups), quads(divideUp(weight.depth, 4)),
      panels(divideUp(own, kernels.panelColumns)) {
  const Three one = {1, 1, 1};
  isPlain = g.kernel == one && g.stride == one && g.padding == Three{0, 0, 0} && weight.groups == 1 && inner % 4 == 0;
  if (kernels.multiplyBytes && zero <= 127) {
    const int64_t count = g.batch * g.in[0] * g.in[1] * g.in[2] * g.channels;
    allNarrow = kernels.findAbove127(input, count) == count;
  }
  const int64_t columns = kernels.panelColumns;
  start.resize(weight.groups * panels * columns);
  for (int64_t c = 0; c != weight.channels; ++c)
    start[c / own * panels * columns + c % own] = -zero * weight.weightSums[c];
}

/// Moves what the bytes of a block's rows have beyond 127 to the scratch's outliers, and the rows to its bytes. Returns
/// false, and leaves the rows as they are, where that is more work than their products as words.
bool Product::clampOutliers(Scratch &scratch, const uint8_t *rows, int64_t count) const {
  const int64_t length = 4 * quads, most = count / 128;
  std::vector<Outlier> &outliers = scratch.outliers;
  for (int64_t at = 0; (at += kernels.findAbove127(rows + at, count - at)) != count; ++at) {
    if (static_cast<int64_t>(outliers.size()) == most)
      return false;
    outliers.push_back({at / length, at % length, rows[at] - 127});
  }
  if (rows != scratch.bytes.get() && !outliers.empty())
    std::memcpy(scratch.bytes.get(), rows, count);
  for (const Outlier &outlier : outliers)
    scratch.bytes[outlier.row * length + outlier.at] = 127;
  return true;
}

/// Multiplies rows of a group with its panels. `isNarrow` says that no byte is more than 127.
void Product::multiplyPanels(const uint8_t *rows, int64_t firstRow, int64_t numRows, int64_t group, bool isNarrow,
                             Scratch &scratch) const {
  const int64_t columns = kernels.panelColumns, length = 4 * quads;
  const auto noSplits = static_cast<int32_t>(quads);
  const bool asBytes = isNarrow || !weight.splits.empty();
  if (!asBytes) {
    if (!scratch.wide)
      scratch.wide = std::make_unique_for_overwrite<int16_t[]>(numRows * length); // the first block is the greatest
    std::copy(rows, rows + numRows * length, scratch.wide.get());
  }
  int32_t *sums = scratch.sums.get();
  for (int64_t i = 0; i != panels; ++i) {
    const int64_t panel = group * panels + i;
    const int8_t *weights = weight.panels.data<int8_t>() + panel * quads * columns * 4;
    const int32_t *from = start.data() + panel * columns;
    if (asBytes)
      kernels.multiplyBytes(sums, rows, length, weights,
                            isNarrow ? &noSplits : weight.splits.data() + weight.splitsOf[panel], quads, numRows, from);
    else
      kernels.multiplyWords(sums, scratch.wide.get(), length, weights, quads, numRows, from);
    for (const Outlier &outlier : scratch.outliers)
      kernels.addProducts(sums + outlier.row * columns, weights + outlier.at / 4 * columns * 4,
                          static_cast<int>(outlier.at % 4), outlier.excess);
    take({sums, columns, firstRow, numRows, group * own + i * columns, std::min(columns, own - i * columns)});
  }
}

/// Computes the sums of the windows from `firstRow` on.
void Product::multiplyBlock(int64_t firstRow, int64_t numRows, Scratch &scratch) const {
  const int64_t length = 4 * quads;
  uint8_t *bytes = scratch.bytes.get();
  for (int64_t group = 0; group != weight.groups; ++group) {
    const uint8_t *rows = isPlain ? input + firstRow * length : bytes;
    if (!isPlain) {
      std::memset(bytes, zero, numRows * length);
      WindowRuns window;
      for (int64_t r = 0; r != numRows; ++r) {
        window.moveTo(g, firstRow + r);
        copyRuns(bytes + r * length, input, window, g.channels, group * inner, inner);
      }
    }
    scratch.outliers.clear();
    bool isNarrow = allNarrow;
    if (!allNarrow && kernels.multiplyBytes) {
      isNarrow = clampOutliers(scratch, rows, numRows * length);
      if (!isNarrow)
        scratch.outliers.clear();
      else if (!scratch.outliers.empty())
        rows = bytes;
    }
    multiplyPanels(rows, firstRow, numRows, group, isNarrow, scratch);
  }
}

void Product::run() const {
  // So many rows that each panel is read seldom, and that they stay in a core's second cache.
  constexpr int64_t mostBytes = 128 << 10, mostRows = 96;
  const int64_t length = std::max<int64_t>(4 * quads, 1), tile = kernels.tileRows, windows = g.numWindows();
  assert(windows != 0 && mostRows % tile == 0);
  const Executor *executor = currentExecutor();
  const int64_t share = divideUp(windows, executor ? executor->concurrency() : 1);
  const int64_t most = std::clamp(std::min(mostBytes / length, share) / tile * tile, tile, mostRows);
  const int64_t blockRows = divideUp(divideUp(windows, divideUp(windows, most)), tile) * tile; // of like sizes
  const int64_t work = std::max<int64_t>(blockRows * length * weight.channels, 1);
  parallelFor(0, divideUp(windows, blockRows), std::max<int64_t>(1, 16 * parallelGrain / work),
              [&](int64_t begin, int64_t end) {
                Scratch scratch;
                scratch.sums = std::make_unique_for_overwrite<int32_t[]>(blockRows * kernels.panelColumns);
                if (!isPlain || !allNarrow)
                  scratch.bytes = std::make_unique_for_overwrite<uint8_t[]>(blockRows * length);
                for (int64_t row = begin * blockRows, last = std::min(end * blockRows, windows); row < last;
                     row += blockRows)
                  multiplyBlock(row, std::min(blockRows, last - row), scratch);
              });
}

static void multiplyDepthwise(const uint8_t *input, const ByteWindows &g, const PackedWeight &weight, int32_t zero,
                              TakeSums take) {
  assert(zero >= 0 && zero <= 255 && "a byte");
  const IntegerKernels &kernels = integerKernels();
  const int64_t pairs = divideUp(weight.depth, 2), channels = g.channels, windows = g.numWindows();
  const std::vector<uint8_t> outside(channels, static_cast<uint8_t>(zero)); // a pixel outside of the image
  std::vector<int32_t> start(channels);
  for (int64_t c = 0; c != channels; ++c)
    start[c] = -zero * weight.weightSums[c];
  const int64_t work = std::max<int64_t>(1, weight.depth * channels);
  const int64_t most = std::clamp<int64_t>(4096 / channels, 1, 32); // windows whose sums stay in the first cache
  parallelFor(0, windows, std::max<int64_t>(1, parallelGrain / work), [&](int64_t begin, int64_t end) {
    llvm::SmallVector<const uint8_t *, 32> taps(2 * pairs);
    WindowRuns window;
    bool isInside = false; // whether all of the window is in the image
    int64_t shift = 0;     // from the image to the taps, in pixels
    const auto sums = std::make_unique_for_overwrite<int32_t[]>(most * channels);
    for (int64_t first = begin, count = 0; first != end; first += count) {
      count = std::min(most, end - first);
      for (int64_t i = 0; i != count; ++i) {
        // Taps of a window that is inside move with it.
        if (!window.moveTo(g, first + i) || !isInside) {
          shift = window.shift;
          std::fill(taps.begin(), taps.end(), outside.data());
          int64_t found = 0;
          for (const Run &run : window.runs) {
            for (int64_t k = 0; k != run.count; ++k)
              taps[run.element + k] = input + (run.pixel + shift + k) * channels;
            found += run.count;
          }
          isInside = found == weight.depth;
          // One that only fills a pair is multiplied with zeros, and moves with the others.
          if (isInside)
            taps.back() = taps[weight.depth - 1];
        }
        kernels.multiplyChannels(sums.get() + i * channels, start.data(), taps.data(),
                                 (window.shift - shift) * channels, weight.pairs.data<int16_t>(), pairs, channels);
      }
      take({sums.get(), channels, first, count, 0, channels});
    }
  });
}

void quantized::multiplyRows(const uint8_t *rows, int64_t numRows, int64_t zeroPoint, const PackedWeight &weight,
                             TakeSums take) {
  const Three one = {1, 1, 1}, none = {0, 0, 0};
  const ByteWindows g = {1, weight.depth, {1, 1, numRows}, {1, 1, numRows}, one, one, none, one};
  Product(rows, g, weight, static_cast<int32_t>(zeroPoint), take).run();
}

void quantized::convolveIntegers(const uint8_t *input, ArrayRef<int64_t> inputSizes, ArrayRef<int64_t> outSizes,
                                 const Windows &windows, int64_t zeroPoint, const PackedWeight &weight, TakeSums take) {
  assert(inputSizes.size() == outSizes.size() && inputSizes.size() == windows.kernel.size() + 2 &&
         outSizes[1] == weight.channels && inputSizes[1] % weight.groups == 0);
  if (convolveByTransforms(input, inputSizes, outSizes, windows, zeroPoint, weight, take))
    return;
  const ByteWindows g = {inputSizes[0],
                         inputSizes[1],
                         three(inputSizes.drop_front(2), 1),
                         three(outSizes.drop_front(2), 1),
                         three(windows.kernel, 1),
                         three(windows.stride, 1),
                         three(windows.padding, 0),
                         three(windows.dilation, 1)};
  const auto zero = static_cast<int32_t>(zeroPoint);
  if (weight.isDepthwise)
    multiplyDepthwise(input, g, weight, zero, take);
  else
    Product(input, g, weight, zero, take).run();
}
