//===- IntegerTransforms.cpp - Convolutions of 3 x 3 by Winograd's method -===//
//
// Tiles of 2 x 2 pixels of the result, each of 4 x 4 of the input, are products of
// transformed pixels and weights, one for each of 16 positions: 4 products for 9. All
// of it is exact: the weights' transform is taken four times, so that it has no
// fractions, and each sum of a result is a multiple of four. Words of 16 bits hold what
// is transformed, up to 4 * 255 of an input and 9 * 128 of a weight, and sums may wrap
// around, as long as the results' do not.
//
//===----------------------------------------------------------------------===//
#include "IntegerProducts.h"
#include "IntegerRows.h"
#include "tsc/Support/ThreadPool.h"
#include <algorithm>
#include <cassert>
#include <memory>

using namespace tsc;
using namespace tsc::cpu;
using namespace tsc::cpu::quantized;

static int64_t divideUp(int64_t n, int64_t by) { return (n + by - 1) / by; }

/// Returns a weight's panels, transformed for each position.
static std::vector<int16_t> transformedPanels(const PackedWeight &weight) {
  assert(weight.groups == 1 && weight.depth % 36 == 0 && "3 x 3 elements of channels in quads");
  const int64_t inner = weight.depth / 9, columns = integerKernels().panelColumns, panels = weight.panels.size(1);
  const int64_t size = inner * columns, matrix = panels * size;
  std::vector<int16_t> result(16 * matrix);
  const int8_t *from = weight.panels.data<int8_t>();
  for (int64_t panel = 0; panel != panels; ++panel, from += 9 * size)
    for (int64_t i = 0; i != size; ++i) {
      int32_t rows[4][3];
      for (int64_t x = 0; x != 3; ++x) {
        const int32_t a = from[x * size + i], b = from[(3 + x) * size + i], c = from[(6 + x) * size + i];
        rows[0][x] = 2 * a;
        rows[1][x] = a + b + c;
        rows[2][x] = a - b + c;
        rows[3][x] = 2 * c;
      }
      // From [quad][column][4] to [pair][column][2].
      const int64_t quad = i / (4 * columns), column = i / 4 % columns, pair = 2 * quad + i % 4 / 2;
      int16_t *to = result.data() + panel * size + 2 * (pair * columns + column) + i % 2;
      for (const auto &[a, b, c] : rows)
        for (int32_t value : {2 * a, a + b + c, a - b + c, 2 * c}) {
          *to = static_cast<int16_t>(value);
          to += matrix;
        }
    }
  return result;
}

const int16_t *PackedWeight::transformed() const {
  std::call_once(once, [&] { wide = transformedPanels(*this); });
  return wide.data();
}

namespace {
/// The tiles of a convolution of images, whose sums are computed block by block: some rows of tiles of one image.
class Tiles {
public:
  Tiles(const uint8_t *input, ArrayRef<int64_t> in, ArrayRef<int64_t> out, ArrayRef<int64_t> padding,
        const PackedWeight &weight, int64_t zero, TakeSums take)
      : input(input), channels(in[1]), height(in[2]), width(in[3]), outHeight(out[2]), outWidth(out[3]),
        top(padding[0]), left(padding[1]), images(in[0]), weight(weight), take(take),
        panels(divideUp(weight.channels, kernels.panelColumns)), start(panels * kernels.panelColumns),
        outside(channels, static_cast<uint8_t>(zero)) {
    for (int64_t c = 0; c != weight.channels; ++c)
      start[c] = static_cast<int32_t>(-zero * weight.weightSums[c]);
    // So many tiles that they stay in a core's second cache, and best a multiple of what is multiplied at once.
    const int64_t most = std::clamp<int64_t>((256 << 10) / (16 * channels), 1, 96);
    const Executor *executor = currentExecutor();
    const int64_t share = divideUp(images * tileRows(), executor ? executor->concurrency() : 1);
    rows = std::clamp<int64_t>(std::min(most / tileColumns(), share), 1, tileRows());
    for (int64_t some = rows; some > rows / 2; --some)
      if (some * tileColumns() % kernels.tileRows == 0) {
        rows = some;
        break;
      }
  }
  int64_t count() const { return images * tileRows() * tileColumns(); }
  void run() const;

private:
  int64_t tileRows() const { return divideUp(outHeight, 2); }
  int64_t tileColumns() const { return divideUp(outWidth, 2); }
  /// The rows that are multiplied for so many tiles: a few that nobody needs are cheaper than as many single ones.
  int64_t paddedTo(int64_t tiles) const {
    return 3 * (tiles % kernels.tileRows) / 2 < kernels.tileRows ? tiles
                                                                 : divideUp(tiles, kernels.tileRows) * kernels.tileRows;
  }
  void transformTile(int16_t *to, int64_t step, int64_t image, int64_t y, int64_t x) const;
  void multiplyBlock(int64_t image, int64_t row, int16_t *pixels, int32_t *products, int32_t *sums) const;

  const IntegerKernels &kernels = integerKernels();
  const uint8_t *input;
  const int64_t channels, height, width, outHeight, outWidth, top, left, images;
  const PackedWeight &weight;
  const TakeSums take;
  const int64_t panels;
  int64_t rows; ///< Of tiles, in a block.
  std::vector<int32_t> start;
  std::vector<uint8_t> outside; ///< A pixel outside of the image.
};
} // namespace

/// Transforms the 4 x 4 pixels from (y, x) on, some of which may be outside of the image.
void Tiles::transformTile(int16_t *to, int64_t step, int64_t image, int64_t y, int64_t x) const {
  const uint8_t *pixels[16];
  for (int64_t i = 0; i != 4; ++i)
    for (int64_t j = 0; j != 4; ++j) {
      const bool isInside = y + i >= 0 && y + i < height && x + j >= 0 && x + j < width;
      pixels[4 * i + j] = isInside ? input + ((image * height + y + i) * width + x + j) * channels : outside.data();
    }
  kernels.transformPixels(to, step, pixels, channels);
}

/// Computes the sums of a block that begins with this row of tiles.
void Tiles::multiplyBlock(int64_t image, int64_t row, int16_t *pixels, int32_t *products, int32_t *sums) const {
  const int64_t columns = kernels.panelColumns, wide = tileColumns(), numRows = std::min(rows, tileRows() - row);
  const int64_t tiles = numRows * wide, padded = paddedTo(tiles), step = padded * channels;
  for (int64_t t = 0; t != tiles; ++t)
    transformTile(pixels + t * channels, step, image, 2 * (row + t / wide) - top, 2 * (t % wide) - left);
  const int16_t *weights = weight.transformed();
  for (int64_t panel = 0; panel != panels; ++panel) {
    for (int64_t position = 0; position != 16; ++position)
      kernels.multiplyWide(products + position * padded * columns, pixels + position * step, channels,
                           weights + (position * panels + panel) * channels * columns, channels / 2, padded);
    // Rows of pixels as they are computed, of which the last one and the last column may not be in the result.
    for (int64_t t = 0; t != tiles; ++t)
      kernels.transformSums(sums + (4 * wide * (t / wide) + 2 * (t % wide)) * columns, 2 * wide * columns,
                            products + t * columns, padded * columns, start.data() + panel * columns);
    const int64_t first = panel * columns, numColumns = std::min(columns, weight.channels - first);
    for (int64_t y = 2 * row, last = std::min(2 * (row + numRows), outHeight); y != last; ++y)
      take({sums + (y - 2 * row) * 2 * wide * columns, columns, (image * outHeight + y) * outWidth, outWidth, first,
            numColumns});
  }
}

void Tiles::run() const {
  const int64_t blocks = divideUp(tileRows(), rows), padded = paddedTo(rows * tileColumns()) + kernels.tileRows;
  parallelFor(0, images * blocks, 1, [&](int64_t begin, int64_t end) {
    // Zeros, for the rows that nobody needs.
    std::vector<int16_t> pixels(16 * padded * channels);
    const auto products = std::make_unique_for_overwrite<int32_t[]>(16 * padded * kernels.panelColumns);
    const auto sums = std::make_unique_for_overwrite<int32_t[]>(4 * padded * kernels.panelColumns);
    for (int64_t block = begin; block != end; ++block)
      multiplyBlock(block / blocks, block % blocks * rows, pixels.data(), products.get(), sums.get());
  });
}

bool quantized::convolveByTransforms(const uint8_t *input, ArrayRef<int64_t> inputSizes, ArrayRef<int64_t> outSizes,
                                     const Windows &windows, int64_t zeroPoint, const PackedWeight &weight,
                                     TakeSums take) {
  const int64_t three[] = {3, 3}, one[] = {1, 1};
  const IntegerKernels &kernels = integerKernels();
  const int64_t channels = inputSizes[1];
  // Four times a sum has to fit 32 bits.
  if (!kernels.multiplyWide || windows.kernel != ArrayRef(three) || windows.stride != ArrayRef(one) ||
      windows.dilation != ArrayRef(one) || weight.groups != 1 || channels % 4 != 0 || channels < kernels.panelColumns ||
      channels * 9 > 16000)
    return false;
  const Tiles tiles(input, inputSizes, outSizes, windows.padding, weight, zeroPoint, take);
  // For few tiles the transformed weight is read longer than it is multiplied.
  constexpr int64_t leastTiles = 24;
  if (tiles.count() < leastTiles)
    return false;
  tiles.run();
  return true;
}
