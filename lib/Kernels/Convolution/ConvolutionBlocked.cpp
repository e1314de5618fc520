//===- ConvolutionBlocked.cpp - Convolutions of channels in blocks --------===//
//
// A convolution is a walk over strips of a few hundred results in up to three blocks of
// channels, the weights of a part of the input channels at a time, which stay in the
// nearest cache with the strip. Where windows hang over, a strip reads a copy of its
// input with zeros around it.
//
// The sum of a result has the same order for every processor and every number of
// threads: parts of about 128 terms, each begun with zero. ConvolutionPlanes.cpp adds in
// that order, too.
//
//===----------------------------------------------------------------------===//
#include "ConvolutionBlocked.h"
#include "BlockedRows.h"
#include "Support/MemoryFormats.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Kernels/Views.h"
#include "tsc/Support/AtSimdLevel.h"
#include "tsc/Support/SimdLevel.h"
#include "tsc/Support/ThreadPool.h"
#include "tsc/Support/WorkMeter.h"
#include "tsc/Tensor/LongLivedTensors.h"
#include "tsc/Tensor/Opaque.h"
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>

using namespace tsc;
using namespace tsc::cpu;
using blocked::width;

static int64_t blocksOf(int64_t channels) { return (channels + width - 1) / width; }

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

namespace {
struct BlockedParts final : RefCounted {
  explicit BlockedParts(BlockedImage image) : image(std::move(image)) {}
  BlockedImage image;
};
} // namespace

StatusOr<Tensor> BlockedImage::asTensor() const {
  assert(elements.isContiguous() && elements.dim() == 5 && channels <= elements.size(1) * elements.size(4) &&
         "the blocks hold the channels");
  return makeOpaque(sizes(), makeRef<BlockedParts>(*this));
}

std::optional<BlockedImage> tsc::cpu::blockedImage(const Tensor &tensor) {
  if (!tensor.defined() || tensor.dtype() != DType::Opaque)
    return std::nullopt;
  const auto *parts = dynamic_cast<const BlockedParts *>(tensor.get()->companion.get());
  return parts ? std::optional(parts->image) : std::nullopt;
}

StatusOr<BlockedImage> tsc::cpu::emptyBlocked(ArrayRef<int64_t> sizes) {
  assert(sizes.size() == 4 && "sizes of a batch of images");
  TSC_ASSIGN_OR_RETURN(Tensor elements,
                       Tensor::empty({sizes[0], blocksOf(sizes[1]), sizes[2], sizes[3], width}, DType::Float));
  return BlockedImage{std::move(elements), sizes[1]};
}

/// Calls arrange(place in planes, place in blocks, arrangement) for each block of each sample.
template <typename Fn> static void forEachBlock(const BlockedImage &image, Fn arrange) {
  const int64_t plane = image.elements.size(2) * image.elements.size(3), blocks = image.elements.size(1);
  parallelFor(0, image.elements.size(0) * blocks, std::max<int64_t>(1, parallelGrain / (plane * width + 1)),
              [&](int64_t begin, int64_t end) {
                for (int64_t i = begin; i != end; ++i) {
                  const int64_t channel = i % blocks * width;
                  arrange((i / blocks * image.channels + channel) * plane, i * plane * width,
                          blocked::Arrangement{plane, plane, std::min(width, image.channels - channel)});
                }
              });
}

StatusOr<BlockedImage> tsc::cpu::arrangeInBlocks(const Tensor &plain) {
  assert(plain.dim() == 4 && plain.dtype() == DType::Float && "a batch of images of floats");
  TSC_ASSIGN_OR_RETURN(Tensor dense, contiguous(plain));
  TSC_ASSIGN_OR_RETURN(BlockedImage image, emptyBlocked(plain.sizes()));
  const float *from = dense.data<float>();
  float *to = image.elements.mutableData<float>();
  forEachBlock(image, [&](int64_t inPlanes, int64_t inBlocks, const blocked::Arrangement &arrangement) {
    blocked::kernels().toBlock(to + inBlocks, from + inPlanes, arrangement);
  });
  image.isChannelsLast = suggestsChannelsLast(plain);
  return image;
}

StatusOr<Tensor> tsc::cpu::arrangeInPlanes(const BlockedImage &image) {
  assert(image.elements.isContiguous() && image.elements.dim() == 5 && image.elements.size(4) == width &&
         "blocks, one behind the other");
  TSC_ASSIGN_OR_RETURN(Tensor plain, Tensor::empty(image.sizes(), DType::Float));
  const float *from = image.elements.data<float>();
  float *to = plain.mutableData<float>();
  forEachBlock(image, [&](int64_t inPlanes, int64_t inBlocks, const blocked::Arrangement &arrangement) {
    blocked::kernels().toPlanes(to + inPlanes, from + inBlocks, arrangement);
  });
  return image.isChannelsLast ? inChannelsLast(plain) : StatusOr<Tensor>(plain);
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

namespace {
/// Packed weights of the tensors in one storage, kept with it. Immutable: threads share it.
class PackedWeights final : public RefCounted {
public:
  struct Form {
    int64_t offset; ///< Of the weights in their storage.
    Dims sizes, strides;
    bool channelsAlone; ///< Packed for channels that are convolved alone.
    bool isFinite;
    Tensor elements;
  };
  const Form *find(const Tensor &weight, bool channelsAlone) const {
    const auto *found = llvm::find_if(forms, [&](const Form &form) {
      return form.channelsAlone == channelsAlone && form.offset == weight.storageOffset() &&
             ArrayRef<int64_t>(form.sizes) == weight.sizes() && ArrayRef<int64_t>(form.strides) == weight.strides();
    });
    return found == forms.end() ? nullptr : found;
  }
  llvm::SmallVector<Form, 1> forms;
};
} // namespace

namespace {
/// Blocks of output channels that are computed together, in groups about equally large.
struct Groups {
  Groups(int64_t blocks, int64_t most) : blocks(blocks), count((blocks + most - 1) / most) {}
  int64_t first(int64_t group) const { return blocks * group / count; }
  int64_t blocks, count;
};
} // namespace

/// Sets *sum to 0 if all elements are finite, and else to NaN.
LLVM_ATTRIBUTE_ALWAYS_INLINE static void addZeros(const float *elements, int64_t count, float *sum) {
  constexpr int64_t lanes = 32;
  float sums[lanes] = {}, rest = 0;
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes)
    for (int64_t lane = 0; lane != lanes; ++lane)
      sums[lane] += elements[i + lane] * 0;
  for (; i != count; ++i)
    rest += elements[i] * 0;
  for (float lane : sums)
    rest += lane;
  *sum = rest;
}
/// Whether all elements are finite.
static bool areFinite(ArrayRef<float> elements) {
  float sum;
  atSimdLevel<addZeros, Overlap::None>(elements.data(), static_cast<int64_t>(elements.size()), &sum);
  return sum == 0;
}

/// For each group of blocks of output channels, input channel by input channel of a block for each kernel element: one
/// vector of the group's channels. Of channels convolved alone: block by block, kernel element by element.
static StatusOr<PackedWeights::Form> pack(const Tensor &weight, bool channelsAlone) {
  const int64_t outChannels = weight.size(0), inChannels = weight.size(1), kernel = weight.size(2) * weight.size(3);
  const int64_t blocks = blocksOf(outChannels);
  TSC_ASSIGN_OR_RETURN(Tensor dense, contiguous(weight));
  PackedWeights::Form result{
      weight.storageOffset(), Dims(weight.sizes()), Dims(weight.strides()), channelsAlone, true, {}};
  TSC_ASSIGN_OR_RETURN(result.elements, Tensor::empty({blocks * width * inChannels * kernel}, DType::Float));
  const float *from = dense.data<float>();
  float *to = result.elements.mutableData<float>();
  const Groups groups(blocks, channelsAlone ? 1 : blocked::kernels().mostBlocks);
  std::vector<float> vectors(static_cast<size_t>(width * width * kernel)); // of a block's channels, kernels inside
  for (int64_t group = 0; group != groups.count; ++group) {
    const int64_t first = groups.first(group) * width, count = groups.first(group + 1) * width - first;
    for (int64_t c = 0; c < inChannels; c += width) {
      const int64_t channels = std::min(width, inChannels - c);
      for (int64_t o = 0; o != count; o += width) {
        blocked::kernels().toBlock(vectors.data(), from + ((first + o) * inChannels + c) * kernel,
                                   {inChannels * kernel, channels * kernel, std::min(width, outChannels - first - o)});
        result.isFinite &= areFinite(ArrayRef<float>(vectors).take_front(channels * kernel * width));
        for (int64_t k = 0; k != kernel; ++k)
          for (int64_t i = 0; i != channels; ++i)
            std::memcpy(to + (k * channels + i) * count + o, vectors.data() + (i * kernel + k) * width,
                        width * sizeof(float));
      }
      to += channels * kernel * count;
    }
  }
  return result;
}

/// From earlier calls where the weights are long-lived, and for later ones.
static StatusOr<PackedWeights::Form> formOf(const Tensor &weight, bool channelsAlone) {
  constexpr size_t mostForms = 4; // a storage with more of them has the others made for each call
  std::optional<Kept> kept = keptFor(weight, Keeper::Blocks);
  const auto *before = kept ? static_cast<const PackedWeights *>(kept->object.get()) : nullptr;
  if (const PackedWeights::Form *found = before ? before->find(weight, channelsAlone) : nullptr)
    return *found;
  TSC_ASSIGN_OR_RETURN(PackedWeights::Form form, pack(weight, channelsAlone));
  if (kept && (!before || before->forms.size() < mostForms)) {
    auto after = before ? makeRef<PackedWeights>(*before) : makeRef<PackedWeights>();
    after->forms.push_back(form);
    keepFor(weight, Keeper::Blocks, kept->version, std::move(after));
  }
  return form;
}

StatusOr<Tensor> tsc::cpu::packedWeights(const Tensor &weight, const ConvParams &params) {
  TSC_ASSIGN_OR_RETURN(PackedWeights::Form form, formOf(weight, params.groups != 1));
  // Where a window hangs over, weights are multiplied by zeros.
  const bool mayHangOver = llvm::any_of(params.padding, [](int64_t padding) { return padding != 0; });
  return form.isFinite || !mayHangOver || params.groups != 1 ? form.elements : Tensor();
}

//===----------------------------------------------------------------------===//
// What is computed in blocks
//===----------------------------------------------------------------------===//

static bool isImage(ArrayRef<int64_t> inputSizes, const Tensor &weight, const ConvParams &params) {
  return simdLevel() != SimdLevel::V2 && inputSizes.size() == 4 && weight.dim() == 4 &&
         weight.dtype() == DType::Float && !params.transposed && inputSizes[0] * inputSizes[2] * inputSizes[3] != 0 &&
         weight.numel() != 0;
}

bool tsc::cpu::convolvesInBlocks(ArrayRef<int64_t> inputSizes, const Tensor &weight, const ConvParams &params) {
  if (!isImage(inputSizes, weight, params) || params.groups != 1 || weight.size(0) < width)
    return false;
  int64_t results = inputSizes[0];
  for (int64_t d = 0; d != 2; ++d)
    results *= (inputSizes[d + 2] + 2 * params.padding[d] - params.dilation[d] * (weight.size(d + 2) - 1) - 1) /
                   params.stride[d] +
               1;
  // Less is a product over columns, which needs no packing.
  constexpr int64_t fewMultiplications = int64_t{1} << 20;
  return results * weight.numel() >= fewMultiplications;
}

bool tsc::cpu::convolvesChannelsInBlocks(ArrayRef<int64_t> inputSizes, const Tensor &weight, const ConvParams &params) {
  constexpr int64_t mostElements = 128, mostStride = 2; // as planes have them
  return isImage(inputSizes, weight, params) && params.groups != 1 && weight.size(1) == 1 &&
         inputSizes[1] == params.groups && weight.size(0) == params.groups && params.groups >= width &&
         weight.size(2) * weight.size(3) <= mostElements && params.stride[1] <= mostStride;
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

namespace {
/// Sizes of a convolution, rows before columns; a kernel of one element walks all rows as one.
struct Walk {
  int64_t samples, inChannels, outChannels;
  int64_t in[2], out[2], kernel[2], stride[2], padding[2], dilation[2];
  bool isPlain; ///< The input is in planes.
  const float *input;
  int64_t sampleStep, channelStep, blockStep, columnStep; ///< Of the input.
  int64_t rowStep() const { return in[1] * columnStep; }
};

/// Results that are computed together: all columns of some rows, or some of one row.
struct Strip {
  int64_t rows[2], columns[2];
};
class Strips {
public:
  Strips(const Walk &walk, int64_t results) : walk(walk) {
    isWide = walk.out[1] >= 2 * results;
    step = isWide ? results : std::max<int64_t>(1, results / walk.out[1]);
    perRow = isWide ? (walk.out[1] + step - 1) / step : 1;
  }
  int64_t mostResults() const { return isWide ? step : step * walk.out[1]; }
  int64_t count() const { return isWide ? walk.out[0] * perRow : (walk.out[0] + step - 1) / step; }
  Strip at(int64_t i) const {
    if (!isWide)
      return {{i * step, std::min(walk.out[0], (i + 1) * step)}, {0, walk.out[1]}};
    const int64_t y = i / perRow, x = i % perRow * step;
    return {{y, y + 1}, {x, std::min(walk.out[1], x + step)}};
  }

private:
  const Walk &walk;
  bool isWide;
  int64_t step, perRow;
};

/// What the windows of a strip read: the input where it lies, or a copy with zeros around it where windows hang over.
class StripInput {
public:
  explicit StripInput(const Walk &walk) : walk(walk) {}

  /// Of `blocks` blocks from `first` on; or of all planes, where the input is in planes. False: no memory.
  bool take(const float *sample, const Strip &strip, int64_t first, int64_t blocks) {
    int64_t from[2], size[2]; // of the input
    bool hangsOver = false;
    for (int d = 0; d != 2; ++d) {
      const int64_t *results = d == 0 ? strip.rows : strip.columns;
      from[d] = results[0] * walk.stride[d] - walk.padding[d];
      size[d] = (results[1] - results[0] - 1) * walk.stride[d] + (walk.kernel[d] - 1) * walk.dilation[d] + 1;
      hangsOver |= from[d] < 0 || from[d] + size[d] > walk.in[d];
    }
    const float *origin = sample + first * walk.blockStep + from[0] * walk.rowStep() + from[1] * walk.columnStep;
    if (!hangsOver) {
      start = origin, rowStep = walk.rowStep(), channelStep = walk.channelStep, blockStep = walk.blockStep;
      return true;
    }
    const int64_t planes = walk.isPlain ? walk.inChannels : blocks, step = walk.columnStep;
    rowStep = size[1] * step;
    const int64_t planeSize = size[0] * rowStep;
    channelStep = walk.isPlain ? planeSize : 1, blockStep = planeSize;
    if (!copy.defined() || copy.numel() < planes * planeSize) {
      StatusOr<Tensor> made = Tensor::empty({planes * planeSize}, DType::Float);
      if (!made.ok())
        return false;
      copy = *made;
    }
    float *to = copy.mutableData<float>();
    start = to;
    const int64_t before = std::clamp<int64_t>(-from[1], 0, size[1]);
    const int64_t inside = std::clamp<int64_t>(walk.in[1] - from[1], before, size[1]) - before;
    const int64_t planeStep = walk.isPlain ? walk.channelStep : walk.blockStep;
    for (int64_t plane = 0; plane != planes; ++plane)
      for (int64_t i = 0; i != size[0]; ++i, to += rowStep) {
        const int64_t row = from[0] + i;
        if (row < 0 || row >= walk.in[0]) {
          std::fill_n(to, rowStep, 0.0f);
          continue;
        }
        std::fill_n(to, before * step, 0.0f);
        std::copy_n(origin + plane * planeStep + i * walk.rowStep() + before * step, inside * step, to + before * step);
        std::fill_n(to + (before + inside) * step, rowStep - (before + inside) * step, 0.0f);
      }
    return true;
  }
  /// Sets the tile's input to the windows from the strip's result in this row and column on.
  void place(blocked::Tile &tile, int64_t row, int64_t column = 0) const {
    tile.in = start + row * downStep() + column * walk.stride[1] * walk.columnStep;
    tile.pixelStep = walk.stride[1] * walk.columnStep;
    tile.columnStep = walk.dilation[1] * walk.columnStep;
    tile.rowStep = walk.dilation[0] * rowStep;
    tile.channelStep = channelStep, tile.blockStep = blockStep;
  }
  /// From the window of a result to that of the one below it.
  int64_t downStep() const { return walk.stride[0] * rowStep; }

private:
  const Walk &walk;
  Tensor copy;
  const float *start = nullptr;
  int64_t rowStep = 0, channelStep = 0, blockStep = 0;
};

/// Bias and normalization of all channels, filled up to whole blocks.
struct ChannelRows {
  std::vector<float> bias, scale, shift;
};
} // namespace

static blocked::Finish finishAt(const BlockedFinish &finish, const ChannelRows &rows, int64_t channel, int64_t place) {
  blocked::Finish at;
  if (!rows.scale.empty())
    at.scale = rows.scale.data() + channel, at.shift = rows.shift.data() + channel;
  if (finish.summand.defined())
    at.summand = finish.summand.data<float>() + place;
  at.hasLow = finish.low.has_value(), at.hasHigh = finish.high.has_value();
  at.low = finish.low.value_or(0), at.high = finish.high.value_or(0);
  return at;
}

namespace {
enum class ResultLayout { Blocks, Planes };
} // namespace

/// False: no memory. Results in planes have no summand.
static bool convolveDense(const Walk &walk, const float *weights, const ChannelRows &rows, const BlockedFinish &finish,
                          float *out, ResultLayout layout) {
  const blocked::Kernels &kernels = blocked::kernels();
  const int64_t inBlocks = blocksOf(walk.inChannels), outBlocks = blocksOf(walk.outChannels);
  const int64_t kernel = walk.kernel[0] * walk.kernel[1], plane = walk.out[0] * walk.out[1] * width;
  const Groups groups(outBlocks, kernels.mostBlocks);
  const int64_t partBlocks = std::max<int64_t>(1, convolvedTerms / (width * kernel));
  const Strips strips(walk, 224); // with a few blocks of channels, a part of the second-level cache
  const int64_t units = walk.samples * groups.count * strips.count();
  const int64_t unitWork = plane * walk.inChannels * kernel * kernels.mostBlocks / strips.count() + 1;
  std::atomic<bool> done = true;
  parallelFor(0, units, std::max<int64_t>(1, 8 * parallelGrain / unitWork), [&](int64_t begin, int64_t end) {
    StripInput input(walk);
    StatusOr<Tensor> results = Tensor(); // of a strip, before they are brought into planes
    if (layout == ResultLayout::Planes)
      results = Tensor::empty({kernels.mostBlocks * strips.mostResults() * width}, DType::Float);
    if (!results.ok()) {
      done = false;
      return;
    }
    for (int64_t unit = begin; unit != end && !work::wasStopped(); ++unit) {
      const int64_t sample = unit / (groups.count * strips.count()), group = unit / strips.count() % groups.count;
      const Strip strip = strips.at(unit % strips.count());
      const int64_t firstBlock = groups.first(group), blocks = groups.first(group + 1) - firstBlock;
      const int64_t columns = strip.columns[1] - strip.columns[0],
                    stripSize = (strip.rows[1] - strip.rows[0]) * columns;
      const float *groupWeights = weights + firstBlock * width * walk.inChannels * kernel;
      const int64_t stripPlace = strip.rows[0] * walk.out[1] + strip.columns[0];
      const int64_t blockPlace = (sample * outBlocks + firstBlock) * plane + stripPlace * width;
      blocked::Tile tile;
      tile.outBlockStep = layout == ResultLayout::Planes ? stripSize * width : plane;
      tile.kernelRows = walk.kernel[0], tile.kernelColumns = walk.kernel[1];
      tile.bias = rows.bias.empty() ? nullptr : rows.bias.data() + firstBlock * width;
      for (int64_t part = 0; part < inBlocks; part += partBlocks) {
        tile.inBlocks = std::min(partBlocks, inBlocks - part);
        tile.isFirst = part == 0, tile.isLast = part + tile.inBlocks == inBlocks;
        tile.lastChannels = std::min(width, walk.inChannels - (part + tile.inBlocks - 1) * width);
        tile.weights = groupWeights + part * width * kernel * blocks * width;
        if (!input.take(walk.input + sample * walk.sampleStep, strip, part, tile.inBlocks)) {
          done = false;
          return;
        }
        input.place(tile, 0);
        const blocked::Rows inRows = {strip.rows[1] - strip.rows[0], columns, input.downStep(),
                                      layout == ResultLayout::Planes ? columns * width : walk.out[1] * width,
                                      tile.inBlocks * width * kernel * blocks * width};
        tile.out = layout == ResultLayout::Planes ? results->mutableData<float>() : out + blockPlace;
        if (tile.isLast)
          tile.finish = finishAt(finish, rows, firstBlock * width, blockPlace);
        kernels.dense(tile, blocks, inRows);
      }
      for (int64_t block = firstBlock; layout == ResultLayout::Planes && block != firstBlock + blocks; ++block)
        kernels.toPlanes(out + (sample * walk.outChannels + block * width) * (plane / width) + stripPlace,
                         results->data<float>() + (block - firstBlock) * stripSize * width,
                         {plane / width, stripSize, std::min(width, walk.outChannels - block * width)});
    }
  });
  return done;
}

/// The results along dimension `d` whose windows do not hang over, from the first to behind the last.
static std::pair<int64_t, int64_t> insideResults(const Walk &walk, int d) {
  const int64_t first = std::min(walk.out[d], (walk.padding[d] + walk.stride[d] - 1) / walk.stride[d]);
  const int64_t last =
      walk.in[d] - 1 + walk.padding[d] - (walk.kernel[d] - 1) * walk.dilation[d]; // element of a window
  return {first, last < 0 ? first : std::clamp(last / walk.stride[d] + 1, first, walk.out[d])};
}

namespace {
/// Some neighbouring results, computed row by row, or column by column.
struct Region {
  Strip strip;
  bool byColumns;
};
} // namespace

/// A strip's results whose windows hang over at a side each, and those between, which need no copy of the input.
static llvm::SmallVector<Region, 5> regionsOf(const Walk &walk, const Strip &strip) {
  auto cut = [&](int d, const int64_t(&results)[2]) {
    const auto [first, last] = insideResults(walk, d);
    return std::pair(std::clamp(first, results[0], results[1]), std::clamp(last, results[0], results[1]));
  };
  constexpr int64_t fewResults = 100; // a copy of all that they read costs less than regions
  if ((strip.rows[1] - strip.rows[0]) * (strip.columns[1] - strip.columns[0]) <= fewResults)
    return {{strip, false}};
  const auto [top, bottom] = cut(0, strip.rows);
  const auto [left, right] = cut(1, strip.columns);
  llvm::SmallVector<Region, 5> regions;
  auto add = [&](int64_t y0, int64_t y1, int64_t x0, int64_t x1, bool byColumns) {
    if (y0 < y1 && x0 < x1)
      regions.push_back({{{y0, y1}, {x0, x1}}, byColumns});
  };
  add(strip.rows[0], top, strip.columns[0], strip.columns[1], false);
  add(top, bottom, strip.columns[0], left, true);
  add(top, bottom, left, right, false);
  add(top, bottom, right, strip.columns[1], true);
  add(bottom, strip.rows[1], strip.columns[0], strip.columns[1], false);
  return regions;
}

/// False: no memory.
static bool convolveChannels(const Walk &walk, const float *weights, const ChannelRows &rows,
                             const BlockedFinish &finish, float *out) {
  const blocked::Kernels &kernels = blocked::kernels();
  const int64_t blocks = blocksOf(walk.outChannels), kernel = walk.kernel[0] * walk.kernel[1];
  const Strips strips(walk, 4096); // shared by threads
  const int64_t stripWork = walk.out[0] * walk.out[1] * width * kernel / strips.count();
  std::atomic<bool> done = true;
  auto run = [&](int64_t begin, int64_t end) {
    StripInput input(walk);
    for (int64_t unit = begin; unit != end && !work::wasStopped(); ++unit) {
      const int64_t plane = unit / strips.count(), block = plane % blocks;
      const float *sample = walk.input + plane / blocks * walk.sampleStep;
      blocked::Tile tile;
      tile.kernelRows = walk.kernel[0], tile.kernelColumns = walk.kernel[1];
      tile.weights = weights + block * width * kernel;
      tile.bias = rows.bias.empty() ? nullptr : rows.bias.data() + block * width;
      for (const Region &region : regionsOf(walk, strips.at(unit % strips.count()))) {
        const auto &[y, x] = region.strip;
        if (!input.take(sample, region.strip, block, 1)) {
          done = false;
          return;
        }
        const int64_t rowCount = y[1] - y[0], columnCount = x[1] - x[0];
        for (int64_t i = 0; i != (region.byColumns ? columnCount : rowCount); ++i) {
          const int64_t row = region.byColumns ? 0 : i, column = region.byColumns ? i : 0;
          const int64_t place = ((plane * walk.out[0] + y[0] + row) * walk.out[1] + x[0] + column) * width;
          input.place(tile, row, column);
          tile.outStep = width;
          if (region.byColumns)
            tile.pixelStep = input.downStep(), tile.outStep = walk.out[1] * width;
          tile.out = out + place;
          tile.finish = finishAt(finish, rows, block * width, place);
          kernels.depthwise(tile, region.byColumns ? rowCount : columnCount);
        }
      }
    }
  };
  parallelFor(0, walk.samples * blocks * strips.count(), std::max<int64_t>(1, parallelGrain / (stripWork + 1)), run);
  return done;
}

static Walk walkOf(const Tensor &plain, const BlockedImage *image, const Tensor &weight, const ConvParams &params,
                   ArrayRef<int64_t> outSizes) {
  Walk walk;
  ArrayRef<int64_t> inSizes = image ? ArrayRef<int64_t>(image->elements.sizes()).take_front(4) : plain.sizes();
  walk.samples = inSizes[0], walk.inChannels = weight.size(1), walk.outChannels = weight.size(0);
  for (int d = 0; d != 2; ++d) {
    walk.in[d] = inSizes[d + 2], walk.out[d] = outSizes[d + 2], walk.kernel[d] = weight.size(d + 2);
    walk.stride[d] = params.stride[d], walk.padding[d] = params.padding[d], walk.dilation[d] = params.dilation[d];
  }
  walk.isPlain = !image;
  walk.input = image ? image->elements.data<float>() : plain.data<float>();
  const int64_t plane = walk.in[0] * walk.in[1];
  walk.columnStep = image ? width : 1;
  walk.channelStep = image ? 1 : plane;
  walk.blockStep = plane * width;
  walk.sampleStep = image ? image->elements.size(1) * walk.blockStep : plane * walk.inChannels;
  if (weight.size(2) * weight.size(3) == 1 && walk.stride[0] * walk.stride[1] == 1 && walk.padding[0] == 0 &&
      walk.padding[1] == 0) {
    walk.in[1] = walk.out[1] = plane;
    walk.in[0] = walk.out[0] = 1;
  }
  return walk;
}

static std::vector<float> filledUp(ArrayRef<float> channels) {
  std::vector<float> row(channels.begin(), channels.end());
  row.resize(static_cast<size_t>(blocksOf(static_cast<int64_t>(channels.size())) * width));
  return row;
}

/// Into `elements`, which are those of an image or of a plain tensor.
static Status convolveInto(const Tensor &elements, ResultLayout layout, const Tensor &input,
                           const BlockedImage *blocked, const Tensor &weight, const Tensor &packed, const Tensor &bias,
                           const ConvParams &params, ArrayRef<int64_t> outSizes, const BlockedFinish &finish) {
  const bool channelsAlone = params.groups != 1;
  Tensor plain;
  std::optional<BlockedImage> arranged;
  if (!blocked) {
    if (!channelsAlone && input.size(1) < width) { // a block would be empty for the most part
      TSC_ASSIGN_OR_RETURN(plain, contiguous(input));
    } else {
      TSC_ASSIGN_OR_RETURN(arranged, arrangeInBlocks(input));
      blocked = &*arranged;
    }
  }
  ChannelRows rows;
  if (bias.defined()) {
    TSC_ASSIGN_OR_RETURN(Tensor dense, contiguous(bias));
    rows.bias = filledUp(ArrayRef<float>(dense.data<float>(), static_cast<size_t>(dense.numel())));
  }
  if (!finish.scale.empty())
    rows.scale = filledUp(finish.scale), rows.shift = filledUp(finish.shift);
  const Walk walk = walkOf(plain, blocked, weight, params, outSizes);
  const float *weights = packed.data<float>();
  float *out = elements.mutableData<float>();
  if (!(channelsAlone ? convolveChannels(walk, weights, rows, finish, out)
                      : convolveDense(walk, weights, rows, finish, out, layout)))
    return resourceExhausted("convolution: no memory for a strip");
  return okStatus();
}

StatusOr<BlockedImage> tsc::cpu::convolveInBlocks(const Tensor &input, const BlockedImage *blocked,
                                                  const Tensor &weight, const Tensor &packed, const Tensor &bias,
                                                  const ConvParams &params, ArrayRef<int64_t> outSizes,
                                                  const BlockedFinish &finish) {
  assert(packed.defined() && "the weights have a packed form");
  assert(finish.scale.size() == finish.shift.size() && "a scale and a shift of each channel");
  TSC_ASSIGN_OR_RETURN(BlockedImage out, emptyBlocked(outSizes));
  assert((!finish.summand.defined() || finish.summand.sizes() == out.elements.sizes()) &&
         "a summand of the result's sizes");
  TSC_RETURN_IF_ERROR(
      convolveInto(out.elements, ResultLayout::Blocks, input, blocked, weight, packed, bias, params, outSizes, finish));
  return out;
}

StatusOr<Tensor> tsc::cpu::convolveByBlocks(const Tensor &input, const Tensor &weight, const Tensor &packed,
                                            const Tensor &bias, const ConvParams &params, ArrayRef<int64_t> outSizes) {
  assert(packed.defined() && "the weights have a packed form");
  assert(convolvesInBlocks(input.sizes(), weight, params) && "sizes that are worth blocks");
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(outSizes, DType::Float));
  TSC_RETURN_IF_ERROR(
      convolveInto(out, ResultLayout::Planes, input, nullptr, weight, packed, bias, params, outSizes, {}));
  return out;
}
