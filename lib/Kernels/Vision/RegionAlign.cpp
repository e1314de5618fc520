//===- RegionAlign.cpp - Means of bilinear samples of regions -------------===//
//
// roi_align and ps_roi_align, and what goes back through them. A sample is a
// product of two along the axes, so that each axis is placed once for a region.
//
//===----------------------------------------------------------------------===//
#include "Regions.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Kernels/Views.h"
#include "tsc/Kernels/Vision.h"
#include "tsc/Support/ThreadPool.h"
#include "tsc/Support/WorkMeter.h"
#include "tsc/Tensor/Dispatch.h"
#include "tsc/Tensor/MemoryAccount.h"

using namespace tsc;
using namespace tsc::cpu;

Status tsc::cpu::checkRegions(const Tensor &input, const Tensor &rois, int64_t height, int64_t width) {
  if (rois.dim() != 2 || rois.size(1) != 5)
    return invalidArgument("Tensor rois should have shape as Tensor[K, 5]");
  if (input.dim() != 4)
    return invalidArgument("the input of an operator on regions has 4 dimensions, not " + llvm::Twine(input.dim()));
  if (input.dtype() != rois.dtype())
    return invalidArgument("Expected tensor for argument #1 'input' to have the same type as tensor for argument #2 "
                           "'rois'; but type " +
                           irName(input.dtype()) + " does not equal " + irName(rois.dtype()));
  if (height <= 0 || width <= 0)
    return invalidArgument("pooled_height and pooled_width must be positive, but are " + llvm::Twine(height) + " and " +
                           llvm::Twine(width));
  return okStatus();
}

Status tsc::cpu::checkScratch(double bytesOfRegion, int64_t regions) {
  const Executor *executor = currentExecutor();
  const auto atOnce = std::min<int64_t>(regions, executor ? executor->concurrency() : 1);
  const double bytes = std::min(bytesOfRegion * static_cast<double>(atOnce), 0x1p62);
  if (!memory::hasRoom(static_cast<size_t>(bytes)))
    return resourceExhausted("no memory for the samples of regions");
  return okStatus();
}

/// Half numbers are computed with as floats.
static StatusOr<Tensor> wide(const Tensor &tensor) {
  const bool isHalf = tensor.dtype() == DType::Half || tensor.dtype() == DType::BFloat16;
  if (!isHalf)
    return contiguous(tensor, MemoryFormat::Contiguous);
  TSC_ASSIGN_OR_RETURN(Tensor floats, toDType(tensor, DType::Float));
  return contiguous(floats, MemoryFormat::Contiguous);
}

namespace {
struct Pooling {
  double scale;
  int64_t height, width, samplingRatio;
  bool aligned;         ///< Regions are moved by half an element, and may be smaller than one.
  bool usesOwnChannels; ///< Each cell reads channels of its own (ps_roi_align).
};

/// A region's samples along both axes.
template <typename T> struct Grid {
  AxisSamples<T> rows, columns;
  T count;

  Grid(const Region<T> &region, const Pooling &pooling, const ImageSizes &sizes)
      : rows(region.y1, length(region.y2 - region.y1, pooling), pooling.height, pooling.samplingRatio, sizes.height),
        columns(region.x1, length(region.x2 - region.x1, pooling), pooling.width, pooling.samplingRatio, sizes.width),
        count(static_cast<T>(rows.perCell) * static_cast<T>(columns.perCell)) {
    if (!pooling.usesOwnChannels)
      count = std::max(count, T(1));
  }
  static double mostBytes(const Region<T> &region, const Pooling &pooling, const ImageSizes &sizes) {
    return AxisSamples<T>::mostBytes(length(region.y2 - region.y1, pooling), pooling.height, pooling.samplingRatio,
                                     sizes.height) +
           AxisSamples<T>::mostBytes(length(region.x2 - region.x1, pooling), pooling.width, pooling.samplingRatio,
                                     sizes.width);
  }
  static T length(T given, const Pooling &pooling) { return pooling.aligned ? given : std::max(given, T(1)); }

  /// Calls body(offset in the plane, weight) for the four elements of every sample of a cell.
  template <typename Body> void forEach(int64_t y, int64_t x, int64_t width, Body body) const {
    work::LongLoop turns(1 + columns.begins[x + 1] - columns.begins[x]);
    for (int64_t i = rows.begins[y]; i != rows.begins[y + 1] && turns.goOn(); ++i)
      for (int64_t j = columns.begins[x]; j != columns.begins[x + 1]; ++j) {
        const auto &row = rows.samples[i];
        const auto &column = columns.samples[j];
        body(row.low * width + column.low, row.lowWeight * column.lowWeight);
        body(row.low * width + column.high, row.lowWeight * column.highWeight);
        body(row.high * width + column.low, row.highWeight * column.lowWeight);
        body(row.high * width + column.high, row.highWeight * column.highWeight);
      }
  }
};
} // namespace

StatusOr<int64_t> tsc::cpu::ownChannelsOfCells(int64_t channels, int64_t height, int64_t width) {
  int64_t cells;
  const bool isTooMany = __builtin_mul_overflow(height, width, &cells);
  if (isTooMany ? channels != 0 : channels % cells != 0)
    return invalidArgument("input channels must be a multiple of pooling height * pooling width");
  return isTooMany ? 0 : channels / cells;
}

/// Channels of the result; InvalidArgument where they do not fit the cells.
static StatusOr<int64_t> resultChannels(const Pooling &pooling, int64_t channels) {
  return pooling.usesOwnChannels ? ownChannelsOfCells(channels, pooling.height, pooling.width) : channels;
}

/// Calls body(grid, region, number) for every region, side by side where each writes its own part.
template <typename T, typename Body>
static Status forEachRegion(const Tensor &rois, const Pooling &pooling, const ImageSizes &sizes, bool sideBySide,
                            Body body) {
  constexpr int64_t mostSamples = 4096; // an axis; a grid of them is far finer than any image
  if (pooling.samplingRatio > mostSamples)
    return invalidArgument("sampling_ratio is at most " + llvm::Twine(mostSamples) + ", but is " +
                           llvm::Twine(pooling.samplingRatio));
  TSC_ASSIGN_OR_RETURN(std::vector<Region<T>> regions,
                       readRegions<T>(rois, sizes, pooling.scale, pooling.aligned ? 0.5 : 0));
  double most = 0;
  for (const Region<T> &region : regions)
    most = std::max(most, Grid<T>::mostBytes(region, pooling, sizes));
  TSC_RETURN_IF_ERROR(checkScratch(most, sideBySide ? static_cast<int64_t>(regions.size()) : 1));
  auto run = [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i != end; ++i)
      body(Grid<T>(regions[i], pooling, sizes), regions[i], i);
  };
  if (sideBySide)
    parallelFor(0, static_cast<int64_t>(regions.size()), 1, run);
  else
    run(0, static_cast<int64_t>(regions.size()));
  return okStatus();
}

static ImageSizes sizesOfImages(const Tensor &input) {
  return {input.size(0), input.size(1), input.size(2), input.size(3)};
}

/// The channel of the input that a cell of a channel of the result reads.
static int64_t channelFor(const Pooling &pooling, int64_t channel, int64_t y, int64_t x) {
  return pooling.usesOwnChannels ? (channel * pooling.height + y) * pooling.width + x : channel;
}

static StatusOr<Tensor> align(const Tensor &input, const Tensor &rois, const Pooling &pooling) {
  TSC_RETURN_IF_ERROR(checkRegions(input, rois, pooling.height, pooling.width));
  const ImageSizes sizes = sizesOfImages(input);
  TSC_ASSIGN_OR_RETURN(int64_t channels, resultChannels(pooling, sizes.channels));
  TSC_ASSIGN_OR_RETURN(Tensor from, wide(input));
  TSC_ASSIGN_OR_RETURN(Tensor places, wide(rois));
  TSC_ASSIGN_OR_RETURN(Tensor result,
                       Tensor::empty({rois.size(0), channels, pooling.height, pooling.width}, from.dtype()));
  if (result.numel() == 0) // of no channels, regions may have any number of cells
    return toDType(result, input.dtype());
  TSC_RETURN_IF_ERROR(dispatchFloatDouble(
      from.dtype(),
      [&](auto tag) -> Status {
        using T = typename decltype(tag)::Type;
        const int64_t plane = sizes.height * sizes.width, cells = pooling.height * pooling.width;
        return forEachRegion<T>(
            places, pooling, sizes, true, [&](const Grid<T> &grid, const Region<T> &region, int64_t number) {
              const T *image = from.data<T>() + region.image * sizes.channels * plane;
              T *to = result.mutableData<T>() + number * channels * cells;
              for (int64_t channel = 0; channel != channels; ++channel)
                for (int64_t y = 0; y != pooling.height; ++y)
                  for (int64_t x = 0; x != pooling.width; ++x) {
                    const T *elements = image + channelFor(pooling, channel, y, x) * plane;
                    T sum = 0;
                    grid.forEach(y, x, sizes.width, [&](int64_t at, T weight) { sum += weight * elements[at]; });
                    *to++ = sum / grid.count;
                  }
            });
      },
      "roi_align"));
  return toDType(result, input.dtype());
}

static StatusOr<Tensor> alignBackward(const Tensor &grad, const Tensor &rois, const Pooling &pooling,
                                      const ImageSizes &sizes) {
  TSC_RETURN_IF_ERROR(checkRegions(grad, rois, pooling.height, pooling.width));
  TSC_ASSIGN_OR_RETURN(int64_t channels, resultChannels(pooling, sizes.channels));
  if (grad.size(0) != rois.size(0) || grad.size(1) != channels || grad.size(2) != pooling.height ||
      grad.size(3) != pooling.width)
    return invalidArgument("the gradient of shape " + shapeString(grad.sizes()) + " does not fit the regions");
  TSC_ASSIGN_OR_RETURN(Tensor from, wide(grad));
  TSC_ASSIGN_OR_RETURN(Tensor places, wide(rois));
  TSC_ASSIGN_OR_RETURN(Tensor result,
                       Tensor::full({sizes.batch, sizes.channels, sizes.height, sizes.width}, Scalar(0), from.dtype()));
  if (grad.numel() == 0)
    return toDType(result, grad.dtype());
  TSC_RETURN_IF_ERROR(dispatchFloatDouble(
      from.dtype(),
      [&](auto tag) -> Status {
        using T = typename decltype(tag)::Type;
        const int64_t plane = sizes.height * sizes.width, cells = pooling.height * pooling.width;
        return forEachRegion<T>(
            places, pooling, sizes, false, [&](const Grid<T> &grid, const Region<T> &region, int64_t number) {
              T *image = result.mutableData<T>() + region.image * sizes.channels * plane;
              const T *slopes = from.data<T>() + number * channels * cells;
              for (int64_t channel = 0; channel != channels; ++channel)
                for (int64_t y = 0; y != pooling.height; ++y)
                  for (int64_t x = 0; x != pooling.width; ++x) {
                    T *elements = image + channelFor(pooling, channel, y, x) * plane;
                    const T slope = *slopes++ / grid.count;
                    grid.forEach(y, x, sizes.width, [&](int64_t at, T weight) { elements[at] += weight * slope; });
                  }
            });
      },
      "roi_align_backward"));
  return toDType(result, grad.dtype());
}

StatusOr<Tensor> tsc::cpu::ownChannels(int64_t regions, int64_t channels, int64_t height, int64_t width) {
  TSC_ASSIGN_OR_RETURN(Tensor mapping, Tensor::empty({regions, channels, height, width}, DType::Int32));
  auto *to = mapping.mutableData<int32_t>();
  for (int64_t region = 0; region != regions; ++region)
    for (int64_t i = 0; i != channels * height * width; ++i)
      *to++ = static_cast<int32_t>(i);
  return mapping;
}

StatusOr<Tensor> cpu::roiAlign(const Tensor &input, const Tensor &rois, double scale, int64_t height, int64_t width,
                               int64_t samplingRatio, bool aligned) {
  return align(input, rois, {scale, height, width, samplingRatio, aligned, false});
}

StatusOr<Tensor> cpu::roiAlignBackward(const Tensor &grad, const Tensor &rois, double scale, int64_t height,
                                       int64_t width, int64_t batch, int64_t channels, int64_t inputHeight,
                                       int64_t inputWidth, int64_t samplingRatio, bool aligned) {
  return alignBackward(grad, rois, {scale, height, width, samplingRatio, aligned, false},
                       {batch, channels, inputHeight, inputWidth});
}

StatusOr<TensorPair> cpu::psRoiAlign(const Tensor &input, const Tensor &rois, double scale, int64_t height,
                                     int64_t width, int64_t samplingRatio) {
  TSC_ASSIGN_OR_RETURN(Tensor result, align(input, rois, {scale, height, width, samplingRatio, true, true}));
  TSC_ASSIGN_OR_RETURN(Tensor mapping, ownChannels(rois.size(0), result.size(1), height, width));
  return TensorPair(result, mapping);
}

StatusOr<Tensor> cpu::psRoiAlignBackward(const Tensor &grad, const Tensor &rois, const Tensor &, double scale,
                                         int64_t height, int64_t width, int64_t samplingRatio, int64_t batch,
                                         int64_t channels, int64_t inputHeight, int64_t inputWidth) {
  return alignBackward(grad, rois, {scale, height, width, samplingRatio, true, true},
                       {batch, channels, inputHeight, inputWidth});
}
