//===- ConvolutionBlocked.cpp - Convolutions of channels in blocks --------===//
//
// A convolution is a walk over strips of a few hundred results in up to four blocks of
// channels, the weights of a part of the input channels at a time, which stay in the
// nearest cache with the strip. Windows that hang over read a copy with zeros around it.
//
// The sum of a result has the same order for every processor and every number of
// threads: parts of about 128 terms, each begun with zero.
//
//===----------------------------------------------------------------------===//
#include "ConvolutionBlocked.h"
#include "BlockedRows.h"
#include "SimdTargets.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Kernels/Views.h"
#include "tsc/Support/ThreadPool.h"
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

StatusOr<Tensor> BlockedImage::asTensor() const { return makeOpaque(sizes(), makeRef<BlockedParts>(*this)); }

std::optional<BlockedImage> tsc::cpu::blockedImage(const Tensor &tensor) {
  if (!tensor.defined() || tensor.dtype() != DType::Opaque)
    return std::nullopt;
  const auto *parts = dynamic_cast<const BlockedParts *>(tensor.get()->companion.get());
  return parts ? std::optional(parts->image) : std::nullopt;
}

StatusOr<BlockedImage> tsc::cpu::emptyBlocked(ArrayRef<int64_t> sizes) {
  TSC_ASSIGN_OR_RETURN(Tensor elements,
                       Tensor::empty({sizes[0], blocksOf(sizes[1]), sizes[2], sizes[3], width}, DType::Float));
  return BlockedImage{std::move(elements), sizes[1]};
}

namespace {
/// The same elements of the two layouts: channels of whole blocks, or of the last one.
struct SameChannels {
  Tensor planes, blocks;
};
} // namespace

static SameChannels sameChannels(const Tensor &plain, const Tensor &elements, int64_t firstBlock, int64_t blocks,
                                 int64_t channels) {
  ArrayRef<int64_t> from = plain.strides(), to = elements.strides();
  const int64_t height = plain.size(2), columns = plain.size(3);
  Dims sizes{plain.size(0), blocks, height * columns, channels};
  return {
      plain.alias(sizes, {from[0], from[1] * width, 1, from[1]}, plain.storageOffset() + firstBlock * width * from[1]),
      elements.alias(sizes, {to[0], to[1], width, 1}, elements.storageOffset() + firstBlock * to[1])};
}

/// Calls copy(planes, blocks) for whole blocks, and for the channels of one that is not whole.
template <typename Copy> static Status forEachPart(const Tensor &plain, const BlockedImage &image, Copy copy) {
  const int64_t whole = image.channels / width, rest = image.channels % width;
  for (auto [first, blocks, channels] : {std::tuple(int64_t{0}, whole, width), std::tuple(whole, int64_t{1}, rest)})
    if (blocks != 0 && channels != 0) {
      SameChannels same = sameChannels(plain, image.elements, first, blocks, channels);
      TSC_RETURN_IF_ERROR(copy(same.planes, same.blocks));
    }
  return okStatus();
}

StatusOr<BlockedImage> tsc::cpu::arrangeInBlocks(const Tensor &plain) {
  TSC_ASSIGN_OR_RETURN(Tensor dense, contiguous(plain));
  TSC_ASSIGN_OR_RETURN(BlockedImage image, emptyBlocked(plain.sizes()));
  if (plain.numel() == 0)
    return image;
  if (image.channels % width != 0)
    std::memset(image.elements.mutableData(), 0, static_cast<size_t>(image.elements.numel()) * sizeof(float));
  TSC_RETURN_IF_ERROR(
      forEachPart(dense, image, [](const Tensor &planes, const Tensor &blocks) { return copyInto(blocks, planes); }));
  return image;
}

StatusOr<Tensor> tsc::cpu::arrangeInPlanes(const BlockedImage &image) {
  TSC_ASSIGN_OR_RETURN(Tensor plain, Tensor::empty(image.sizes(), DType::Float));
  if (plain.numel() != 0)
    TSC_RETURN_IF_ERROR(
        forEachPart(plain, image, [](const Tensor &planes, const Tensor &blocks) { return copyInto(planes, blocks); }));
  return plain;
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
    Tensor elements; ///< Undefined: not asked for yet, or not finite.
  };
  const Form *find(const Tensor &weight, bool channelsAlone) const {
    for (const Form &form : forms)
      if (form.channelsAlone == channelsAlone && form.offset == weight.storageOffset() &&
          ArrayRef<int64_t>(form.sizes) == weight.sizes() && ArrayRef<int64_t>(form.strides) == weight.strides())
        return &form;
    return nullptr;
  }
  std::vector<Form> forms;
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

/// For each group of blocks of output channels, input channel by input channel of a block for each kernel element: one
/// vector of the group's channels. Of channels convolved alone: block by block, kernel element by element.
static StatusOr<Tensor> packed(const Tensor &weight, bool channelsAlone) {
  const int64_t outChannels = weight.size(0), inChannels = weight.size(1), kernel = weight.size(2) * weight.size(3);
  const int64_t blocks = blocksOf(outChannels);
  TSC_ASSIGN_OR_RETURN(Tensor dense, contiguous(weight));
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty({blocks * width * inChannels * kernel}, DType::Float));
  const float *from = dense.data<float>();
  float *to = result.mutableData<float>();
  const Groups groups(blocks, channelsAlone ? 1 : blocked::kernels().mostBlocks);
  for (int64_t group = 0; group != groups.count; ++group) {
    const int64_t first = groups.first(group) * width, count = groups.first(group + 1) * width - first;
    for (int64_t block = 0; block < inChannels; block += width)
      for (int64_t k = 0; k != kernel; ++k)
        for (int64_t c = block; c != std::min(block + width, inChannels); ++c)
          for (int64_t o = first; o != first + count; ++o)
            *to++ = o < outChannels ? from[(o * inChannels + c) * kernel + k] : 0;
  }
  return result;
}

static bool isFinite(const Tensor &weight) {
  StatusOr<Tensor> dense = contiguous(weight);
  if (!dense.ok())
    return false;
  const float *elements = dense->data<float>();
  float sum = 0; // NaN as soon as one element is not finite
  for (int64_t i = 0; i != dense->numel(); ++i)
    sum += elements[i] * 0;
  return sum == 0;
}

/// What is known of the weights, from earlier calls where they are long-lived, and for later ones. With `pack` the
/// packed elements are there, unless there is no memory.
static PackedWeights::Form formOf(const Tensor &weight, bool pack, bool channelsAlone) {
  constexpr size_t mostForms = 4; // a storage with more of them has the others made for each call
  std::optional<Kept> kept = keptFor(weight, Keeper::Blocks);
  const auto *before = kept ? static_cast<const PackedWeights *>(kept->object.get()) : nullptr;
  const PackedWeights::Form *found = before ? before->find(weight, channelsAlone) : nullptr;
  if (found && (!pack || found->elements.defined()))
    return *found;
  PackedWeights::Form form{weight.storageOffset(),
                           Dims(weight.sizes()),
                           Dims(weight.strides()),
                           channelsAlone,
                           found ? found->isFinite : isFinite(weight),
                           Tensor()};
  if (pack)
    if (StatusOr<Tensor> elements = packed(weight, channelsAlone); elements.ok())
      form.elements = *elements;
  if (kept && (found || !before || before->forms.size() < mostForms)) {
    auto after = before ? makeRef<PackedWeights>(*before) : makeRef<PackedWeights>();
    if (found)
      after->forms[found - before->forms.data()] = form;
    else
      after->forms.push_back(form);
    keepFor(weight, Keeper::Blocks, kept->version, std::move(after));
  }
  return form;
}

//===----------------------------------------------------------------------===//
// What is computed in blocks
//===----------------------------------------------------------------------===//

static bool isImage(ArrayRef<int64_t> inputSizes, const Tensor &weight, const ConvParams &params) {
  return simd::hasAVX2() && inputSizes.size() == 4 && weight.dim() == 4 && weight.dtype() == DType::Float &&
         !params.transposed && inputSizes[0] * inputSizes[2] * inputSizes[3] != 0 && weight.numel() != 0;
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
  return results * weight.numel() >= fewMultiplications && formOf(weight, false, false).isFinite;
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

/// Zeros around what a window that hangs over finds.
class Border {
public:
  Border(const Walk &walk, int64_t blocks, int64_t pixels)
      : walk(walk), columns((pixels - 1) * walk.stride[1] + (walk.kernel[1] - 1) * walk.dilation[1] + 1),
        elements(static_cast<size_t>(blocks * walk.kernel[0] * columns * (walk.isPlain ? walk.inChannels : width))) {}

  /// Sets the tile's input to the windows of `pixels` results from (y, x) on, blocks from `from` on.
  void place(blocked::Tile &tile, const float *sample, int64_t y, int64_t x, int64_t pixels, int64_t fromBlock) {
    const int64_t top = y * walk.stride[0] - walk.padding[0], left = x * walk.stride[1] - walk.padding[1];
    const int64_t below = top + (walk.kernel[0] - 1) * walk.dilation[0];
    const int64_t right = left + (pixels - 1) * walk.stride[1] + (walk.kernel[1] - 1) * walk.dilation[1];
    const float *from = sample + fromBlock * walk.blockStep + top * walk.rowStep() + left * walk.columnStep;
    tile.pixelStep = walk.stride[1] * walk.columnStep;
    tile.columnStep = walk.dilation[1] * walk.columnStep;
    if (top >= 0 && left >= 0 && below < walk.in[0] && right < walk.in[1]) {
      tile.in = from;
      tile.channelStep = walk.channelStep, tile.blockStep = walk.blockStep;
      tile.rowStep = walk.dilation[0] * walk.rowStep();
      return;
    }
    // Planes of a channel or of a block.
    const int64_t planes = walk.isPlain ? walk.inChannels : tile.inBlocks;
    const int64_t planeStep = walk.isPlain ? walk.channelStep : walk.blockStep, length = right - left + 1;
    const int64_t before = std::clamp<int64_t>(-left, 0, length);
    const int64_t inside = std::clamp<int64_t>(walk.in[1] - left, before, length) - before;
    float *to = elements.data();
    tile.in = to;
    tile.rowStep = length * walk.columnStep;
    tile.channelStep = walk.isPlain ? walk.kernel[0] * length : 1;
    tile.blockStep = walk.kernel[0] * length * walk.columnStep;
    // A block at a time, in a few instructions: mostly there are few.
    const int64_t step = walk.columnStep;
    const auto copy = [&](int64_t count, const float *source) {
      const float zeros[width] = {};
      for (int64_t i = 0; i != count; ++i, to += step) {
        if (step == width)
          std::memcpy(to, source ? source + i * width : zeros, sizeof(zeros));
        else
          *to = source ? source[i] : 0;
      }
    };
    for (int64_t plane = 0; plane != planes; ++plane)
      for (int64_t i = 0; i != walk.kernel[0]; ++i) {
        const int64_t row = top + i * walk.dilation[0];
        const float *line = from + plane * planeStep + i * walk.dilation[0] * walk.rowStep();
        const bool isInside = row >= 0 && row < walk.in[0];
        copy(before, nullptr);
        copy(inside, isInside ? line + before * walk.columnStep : nullptr);
        copy(length - before - inside, nullptr);
      }
  }

private:
  const Walk &walk;
  const int64_t columns;
  std::vector<float> elements;
};

/// Results in a row, in tiles that are about equally long.
class Row {
public:
  Row(int64_t first, int64_t last, int64_t most)
      : first(first), count(last - first), tiles((count + most - 1) / most) {}
  template <typename Fn> void forEachTile(Fn fn) const {
    for (int64_t i = 0; i != tiles; ++i)
      fn(first + count * i / tiles, count * (i + 1) / tiles - count * i / tiles);
  }

private:
  int64_t first, count, tiles;
};

/// Results that are computed together: all columns of some rows, or some of one row.
struct Strip {
  int64_t rows[2], columns[2];
};
class Strips {
public:
  explicit Strips(const Walk &walk) : walk(walk) {
    constexpr int64_t results = 224; // with four blocks of channels, a part of the second-level cache
    isWide = walk.out[1] >= 2 * results;
    step = isWide ? results : std::max<int64_t>(1, results / walk.out[1]);
    perRow = isWide ? (walk.out[1] + step - 1) / step : 1;
  }
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

static void convolveDense(const Walk &walk, const float *weights, const ChannelRows &rows, const BlockedFinish &finish,
                          float *out) {
  const blocked::Kernels &kernels = blocked::kernels();
  const int64_t inBlocks = blocksOf(walk.inChannels), outBlocks = blocksOf(walk.outChannels);
  const int64_t kernel = walk.kernel[0] * walk.kernel[1], plane = walk.out[0] * walk.out[1] * width;
  const Groups groups(outBlocks, kernels.mostBlocks);
  constexpr int64_t terms = 128; // of a part of a sum
  const int64_t partBlocks = std::max<int64_t>(1, terms / (width * kernel));
  const Strips strips(walk);
  const int64_t units = walk.samples * groups.count * strips.count();
  const int64_t unitWork = plane * walk.inChannels * kernel * kernels.mostBlocks / strips.count() + 1;
  parallelFor(0, units, std::max<int64_t>(1, 8 * parallelGrain / unitWork), [&](int64_t begin, int64_t end) {
    Border border(walk, partBlocks, kernels.mostPixels[1]);
    for (int64_t unit = begin; unit != end; ++unit) {
      const int64_t sample = unit / (groups.count * strips.count()), group = unit / strips.count() % groups.count;
      const Strip strip = strips.at(unit % strips.count());
      const int64_t firstBlock = groups.first(group), blocks = groups.first(group + 1) - firstBlock;
      const float *groupWeights = weights + firstBlock * width * walk.inChannels * kernel;
      blocked::Tile tile;
      tile.outBlockStep = plane;
      tile.kernelRows = walk.kernel[0], tile.kernelColumns = walk.kernel[1];
      tile.bias = rows.bias.empty() ? nullptr : rows.bias.data() + firstBlock * width;
      for (int64_t part = 0; part < inBlocks; part += partBlocks) {
        tile.inBlocks = std::min(partBlocks, inBlocks - part);
        tile.isFirst = part == 0, tile.isLast = part + tile.inBlocks == inBlocks;
        tile.lastChannels = std::min(width, walk.inChannels - (part + tile.inBlocks - 1) * width);
        tile.weights = groupWeights + part * width * kernel * blocks * width;
        for (int64_t y = strip.rows[0]; y != strip.rows[1]; ++y)
          Row(strip.columns[0], strip.columns[1], kernels.mostPixels[blocks])
              .forEachTile([&](int64_t x, int64_t pixels) {
                const int64_t place = (sample * outBlocks + firstBlock) * plane + (y * walk.out[1] + x) * width;
                border.place(tile, walk.input + sample * walk.sampleStep, y, x, pixels, part);
                tile.out = out + place;
                if (tile.isLast)
                  tile.finish = finishAt(finish, rows, firstBlock * width, place);
                kernels.dense(tile, blocks, pixels);
              });
      }
    }
  });
}

static void convolveChannels(const Walk &walk, const float *weights, const ChannelRows &rows,
                             const BlockedFinish &finish, float *out) {
  const blocked::Kernels &kernels = blocked::kernels();
  const int64_t blocks = blocksOf(walk.outChannels), kernel = walk.kernel[0] * walk.kernel[1];
  const int64_t rowWork = walk.out[1] * width * kernel;
  parallelFor(0, walk.samples * blocks * walk.out[0], std::max<int64_t>(1, parallelGrain / (rowWork + 1)),
              [&](int64_t begin, int64_t end) {
                Border border(walk, 1, kernels.mostPixelsDepthwise);
                for (int64_t unit = begin; unit != end; ++unit) {
                  const int64_t y = unit % walk.out[0], plane = unit / walk.out[0], block = plane % blocks;
                  const float *sample = walk.input + plane / blocks * walk.sampleStep;
                  blocked::Tile tile;
                  tile.kernelRows = walk.kernel[0], tile.kernelColumns = walk.kernel[1];
                  tile.weights = weights + block * width * kernel;
                  tile.bias = rows.bias.empty() ? nullptr : rows.bias.data() + block * width;
                  Row(0, walk.out[1], kernels.mostPixelsDepthwise).forEachTile([&](int64_t x, int64_t pixels) {
                    const int64_t place = (unit * walk.out[1] + x) * width;
                    border.place(tile, sample, y, x, pixels, block);
                    tile.out = out + place;
                    tile.finish = finishAt(finish, rows, block * width, place);
                    kernels.depthwise(tile, pixels);
                  });
                }
              });
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

StatusOr<BlockedImage> tsc::cpu::convolveInBlocks(const Tensor &input, const BlockedImage *blocked,
                                                  const Tensor &weight, const Tensor &bias, const ConvParams &params,
                                                  ArrayRef<int64_t> outSizes, const BlockedFinish &finish) {
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
  PackedWeights::Form form = formOf(weight, true, channelsAlone);
  if (!form.elements.defined())
    return resourceExhausted("convolution: no memory for packed weights");
  ChannelRows rows;
  if (bias.defined()) {
    TSC_ASSIGN_OR_RETURN(Tensor dense, contiguous(bias));
    rows.bias = filledUp(ArrayRef<float>(dense.data<float>(), static_cast<size_t>(dense.numel())));
  }
  if (!finish.scale.empty())
    rows.scale = filledUp(finish.scale), rows.shift = filledUp(finish.shift);
  TSC_ASSIGN_OR_RETURN(BlockedImage out, emptyBlocked(outSizes));
  const Walk walk = walkOf(plain, blocked, weight, params, outSizes);
  (channelsAlone ? convolveChannels : convolveDense)(walk, form.elements.data<float>(), rows, finish,
                                                     out.elements.mutableData<float>());
  return out;
}
