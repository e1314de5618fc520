//===- RegionPool.cpp - Maxima and means of the cells of regions ----------===//
//
// roi_pool and ps_roi_pool: regions rounded to whole elements, cells that may
// overlap by an element, and what goes back through them.
//
//===----------------------------------------------------------------------===//
#include "Regions.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Kernels/Vision.h"
#include "tsc/Support/ThreadPool.h"
#include "tsc/Support/WorkMeter.h"
#include "tsc/Tensor/Dispatch.h"
#include <limits>

using namespace tsc;
using namespace tsc::cpu;

/// Where the cells of a region begin and end along an axis.
struct CellBounds {
  std::vector<std::pair<int64_t, int64_t>> cells;

  /// How many bytes those of both axes take.
  static double bytesOf(int64_t height, int64_t width) {
    return (static_cast<double>(height) + static_cast<double>(width)) * sizeof(cells[0]);
  }

  template <typename T> static CellBounds make(int64_t start, int64_t length, int64_t count, int64_t limit) {
    CellBounds bounds;
    const T cell = static_cast<T>(length) / static_cast<T>(count);
    for (int64_t i = 0; i != count; ++i) {
      auto begin = static_cast<int64_t>(std::floor(static_cast<T>(i) * cell));
      auto end = static_cast<int64_t>(std::ceil(static_cast<T>(i + 1) * cell));
      bounds.cells.emplace_back(std::clamp<int64_t>(begin + start, 0, limit),
                                std::clamp<int64_t>(end + start, 0, limit));
    }
    return bounds;
  }
};

/// A region in whole elements.
struct WholeRegion {
  int64_t image, x, y, width, height;

  template <typename T> static WholeRegion of(const Region<T> &region, int64_t more) {
    const int64_t x1 = rounded(region.x1), y1 = rounded(region.y1);
    return {region.image, x1, y1, std::max<int64_t>(rounded(region.x2) - x1 + more, 1),
            std::max<int64_t>(rounded(region.y2) - y1 + more, 1)};
  }

private:
  template <typename T> static int64_t rounded(T value) {
    return static_cast<int64_t>(std::round(std::clamp(value, T(-1e9), T(1e9))));
  }
};

/// Whether the call goes on. Counts the elements of a cell, which the numbers in the regions set.
static bool mayFold(int64_t rows, int64_t columns) {
  return work::LongLoop(1 + std::max<int64_t>(0, rows) * std::max<int64_t>(0, columns)).goOn();
}

static StatusOr<Tensor> rowMajor(const Tensor &tensor) {
  const bool isHalf = tensor.dtype() == DType::Half || tensor.dtype() == DType::BFloat16;
  if (!isHalf)
    return contiguous(tensor, MemoryFormat::Contiguous);
  TSC_ASSIGN_OR_RETURN(Tensor floats, toDType(tensor, DType::Float));
  return contiguous(floats, MemoryFormat::Contiguous);
}

static Status checkGradient(const Tensor &grad, const Tensor &rois, int64_t channels, int64_t height, int64_t width,
                            const Tensor &places) {
  TSC_RETURN_IF_ERROR(checkRegions(grad, rois, height, width));
  if (grad.size(0) != rois.size(0) || grad.size(1) != channels || grad.size(2) != height || grad.size(3) != width)
    return invalidArgument("the gradient of shape " + shapeString(grad.sizes()) + " does not fit the regions");
  if (places.sizes() != grad.sizes() || places.dtype() != DType::Int32)
    return invalidArgument("places of elements are an int32 tensor of the gradient's shape " +
                           shapeString(grad.sizes()));
  return okStatus();
}

StatusOr<TensorPair> cpu::roiPool(const Tensor &input, const Tensor &rois, double scale, int64_t height,
                                  int64_t width) {
  TSC_RETURN_IF_ERROR(checkRegions(input, rois, height, width));
  const ImageSizes sizes{input.size(0), input.size(1), input.size(2), input.size(3)};
  TSC_ASSIGN_OR_RETURN(Tensor from, rowMajor(input));
  TSC_ASSIGN_OR_RETURN(Tensor regionRows, rowMajor(rois));
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty({rois.size(0), sizes.channels, height, width}, from.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor places, Tensor::empty(result.sizes(), DType::Int32));
  if (result.numel() == 0) { // of no channels, regions may have any number of cells
    TSC_ASSIGN_OR_RETURN(result, toDType(result, input.dtype()));
    return TensorPair(result, places);
  }
  TSC_RETURN_IF_ERROR(dispatchFloatDouble(
      from.dtype(),
      [&](auto tag) -> Status {
        using T = typename decltype(tag)::Type;
        TSC_ASSIGN_OR_RETURN(std::vector<Region<T>> regions, readRegions<T>(regionRows, sizes, scale, 0));
        TSC_RETURN_IF_ERROR(checkScratch(CellBounds::bytesOf(height, width), rois.size(0)));
        const int64_t plane = sizes.height * sizes.width;
        parallelFor(0, static_cast<int64_t>(regions.size()), 1, [&](int64_t begin, int64_t end) {
          for (int64_t i = begin; i != end; ++i) {
            const WholeRegion region = WholeRegion::of(regions[i], 1);
            const auto rows = CellBounds::make<T>(region.y, region.height, height, sizes.height);
            const auto columns = CellBounds::make<T>(region.x, region.width, width, sizes.width);
            int64_t at = i * sizes.channels * height * width;
            for (int64_t channel = 0; channel != sizes.channels; ++channel) {
              const T *elements = from.data<T>() + (region.image * sizes.channels + channel) * plane;
              for (auto [top, bottom] : rows.cells)
                for (auto [left, right] : columns.cells) {
                  if (!mayFold(bottom - top, right - left))
                    return;
                  const bool isEmpty = bottom <= top || right <= left;
                  T best = isEmpty ? T(0) : std::numeric_limits<T>::lowest();
                  int64_t place = -1;
                  for (int64_t y = top; y < bottom; ++y)
                    for (int64_t x = left; x < right; ++x)
                      if (elements[y * sizes.width + x] > best) {
                        place = y * sizes.width + x;
                        best = elements[place];
                      }
                  result.mutableData<T>()[at] = best;
                  places.mutableData<int32_t>()[at++] = static_cast<int32_t>(place);
                }
            }
          }
        });
        return okStatus();
      },
      "roi_pool"));
  TSC_ASSIGN_OR_RETURN(result, toDType(result, input.dtype()));
  return TensorPair(result, places);
}

StatusOr<Tensor> cpu::roiPoolBackward(const Tensor &grad, const Tensor &rois, const Tensor &argmax, double,
                                      int64_t height, int64_t width, int64_t batch, int64_t channels,
                                      int64_t inputHeight, int64_t inputWidth) {
  TSC_RETURN_IF_ERROR(checkGradient(grad, rois, channels, height, width, argmax));
  const ImageSizes sizes{batch, channels, inputHeight, inputWidth};
  TSC_ASSIGN_OR_RETURN(Tensor from, rowMajor(grad));
  TSC_ASSIGN_OR_RETURN(Tensor places, contiguous(argmax, MemoryFormat::Contiguous));
  TSC_ASSIGN_OR_RETURN(Tensor regionRows, rowMajor(rois));
  TSC_ASSIGN_OR_RETURN(Tensor result,
                       Tensor::full({batch, channels, inputHeight, inputWidth}, Scalar(0), from.dtype()));
  const int64_t plane = inputHeight * inputWidth, cells = height * width;
  TSC_RETURN_IF_ERROR(dispatchFloatDouble(
      from.dtype(),
      [&](auto tag) -> Status {
        using T = typename decltype(tag)::Type;
        TSC_ASSIGN_OR_RETURN(std::vector<Region<T>> regions, readRegions<T>(regionRows, sizes, 1, 0));
        int64_t at = 0;
        for (const Region<T> &region : regions)
          for (int64_t channel = 0; channel != channels; ++channel) {
            T *elements = result.mutableData<T>() + (region.image * channels + channel) * plane;
            for (int64_t i = 0; i != cells; ++i, ++at) {
              const int32_t place = places.data<int32_t>()[at];
              if (place >= plane)
                return invalidArgument("place " + llvm::Twine(place) + " is outside of the image");
              if (place >= 0)
                elements[place] += from.data<T>()[at];
            }
          }
        return okStatus();
      },
      "roi_pool_backward"));
  return toDType(result, grad.dtype());
}

/// Calls body(first element of the plane, rows, columns, number of the cell in the result) for the cells of every
/// region, until the call is to end. torchvision leaves the image's last row and column out, but not on the way back:
/// `spared` is 1 or 0.
template <typename T, typename Body>
static Status forEachOwnCell(const std::vector<Region<T>> &regions, const ImageSizes &sizes, int64_t channels,
                             int64_t height, int64_t width, int64_t spared, Body body) {
  if (channels == 0)
    return okStatus();
  TSC_RETURN_IF_ERROR(checkScratch(CellBounds::bytesOf(height, width), 1));
  int64_t at = 0;
  for (const Region<T> &of : regions) {
    const WholeRegion region = WholeRegion::of(of, 0);
    const auto rows = CellBounds::make<T>(region.y, region.height, height, sizes.height - spared);
    const auto columns = CellBounds::make<T>(region.x, region.width, width, sizes.width - spared);
    for (int64_t channel = 0; channel != channels; ++channel)
      for (int64_t y = 0; y != height; ++y)
        for (int64_t x = 0; x != width; ++x) {
          if (!mayFold(rows.cells[y].second - rows.cells[y].first, columns.cells[x].second - columns.cells[x].first))
            return work::stopped();
          const int64_t own = (channel * height + y) * width + x;
          body((region.image * sizes.channels + own) * sizes.height * sizes.width, rows.cells[y], columns.cells[x],
               at++);
        }
  }
  return okStatus();
}

StatusOr<TensorPair> cpu::psRoiPool(const Tensor &input, const Tensor &rois, double scale, int64_t height,
                                    int64_t width) {
  TSC_RETURN_IF_ERROR(checkRegions(input, rois, height, width));
  const ImageSizes sizes{input.size(0), input.size(1), input.size(2), input.size(3)};
  TSC_ASSIGN_OR_RETURN(int64_t channels, ownChannelsOfCells(sizes.channels, height, width));
  TSC_ASSIGN_OR_RETURN(Tensor from, rowMajor(input));
  TSC_ASSIGN_OR_RETURN(Tensor regionRows, rowMajor(rois));
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty({rois.size(0), channels, height, width}, from.dtype()));
  TSC_RETURN_IF_ERROR(dispatchFloatDouble(
      from.dtype(),
      [&](auto tag) -> Status {
        using T = typename decltype(tag)::Type;
        TSC_ASSIGN_OR_RETURN(std::vector<Region<T>> regions, readRegions<T>(regionRows, sizes, scale, 0));
        return forEachOwnCell<T>(regions, sizes, channels, height, width, 1,
                                 [&](int64_t plane, auto rows, auto columns, int64_t at) {
                                   const T *elements = from.data<T>() + plane;
                                   T sum = 0;
                                   for (int64_t y = rows.first; y < rows.second; ++y)
                                     for (int64_t x = columns.first; x < columns.second; ++x)
                                       sum += elements[y * sizes.width + x];
                                   const bool isEmpty = rows.second <= rows.first || columns.second <= columns.first;
                                   const int64_t area = (rows.second - rows.first) * (columns.second - columns.first);
                                   result.mutableData<T>()[at] = isEmpty ? T(0) : sum / static_cast<T>(area);
                                 });
      },
      "ps_roi_pool"));
  TSC_ASSIGN_OR_RETURN(result, toDType(result, input.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor mapping, ownChannels(rois.size(0), channels, height, width));
  return TensorPair(result, mapping);
}

StatusOr<Tensor> cpu::psRoiPoolBackward(const Tensor &grad, const Tensor &rois, const Tensor &mapping, double scale,
                                        int64_t height, int64_t width, int64_t batch, int64_t inputChannels,
                                        int64_t inputHeight, int64_t inputWidth) {
  const ImageSizes sizes{batch, inputChannels, inputHeight, inputWidth};
  if (height <= 0 || width <= 0)
    return invalidArgument("pooled_height and pooled_width must be positive");
  TSC_ASSIGN_OR_RETURN(int64_t channels, ownChannelsOfCells(inputChannels, height, width));
  TSC_RETURN_IF_ERROR(checkGradient(grad, rois, channels, height, width, mapping));
  TSC_ASSIGN_OR_RETURN(Tensor from, rowMajor(grad));
  TSC_ASSIGN_OR_RETURN(Tensor regionRows, rowMajor(rois));
  TSC_ASSIGN_OR_RETURN(Tensor result,
                       Tensor::full({batch, inputChannels, inputHeight, inputWidth}, Scalar(0), from.dtype()));
  TSC_RETURN_IF_ERROR(dispatchFloatDouble(
      from.dtype(),
      [&](auto tag) -> Status {
        using T = typename decltype(tag)::Type;
        TSC_ASSIGN_OR_RETURN(std::vector<Region<T>> regions, readRegions<T>(regionRows, sizes, scale, 0));
        return forEachOwnCell<T>(regions, sizes, channels, height, width, 0,
                                 [&](int64_t plane, auto rows, auto columns, int64_t at) {
                                   T *elements = result.mutableData<T>() + plane;
                                   const int64_t area = (rows.second - rows.first) * (columns.second - columns.first);
                                   for (int64_t y = rows.first; y < rows.second; ++y)
                                     for (int64_t x = columns.first; x < columns.second; ++x)
                                       elements[y * sizes.width + x] += from.data<T>()[at] / static_cast<T>(area);
                                 });
      },
      "ps_roi_pool_backward"));
  return toDType(result, grad.dtype());
}
