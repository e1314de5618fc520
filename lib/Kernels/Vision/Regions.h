//===- Regions.h - Regions of images that detectors look at -----*- C++ -*-===//
//
// What roi_align, roi_pool and their position-sensitive forms share: regions read
// from rows of five numbers, and bilinear samples along one axis.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_KERNELS_VISION_REGIONS_H
#define TSC_LIB_KERNELS_VISION_REGIONS_H

#include "tsc/Support/WorkMeter.h"
#include "tsc/Tensor/Tensor.h"
#include <algorithm>
#include <cmath>
#include <vector>

namespace tsc::cpu {

/// The sizes of a batch of images.
struct ImageSizes {
  int64_t batch = 0, channels = 0, height = 0, width = 0;
};

/// A region of an image, in the image's elements.
template <typename T> struct Region {
  int64_t image;
  T x1, y1, x2, y2;
};

/// The regions' rows, scaled and moved. InvalidArgument for an image that is not there and for numbers that are not
/// finite.
template <typename T>
StatusOr<std::vector<Region<T>>> readRegions(const Tensor &rois, const ImageSizes &sizes, double scale, double moved) {
  if (sizes.height <= 0 || sizes.width <= 0)
    return invalidArgument("regions want images with elements, not of " + llvm::Twine(sizes.height) + " by " +
                           llvm::Twine(sizes.width));
  std::vector<Region<T>> regions;
  regions.reserve(rois.size(0));
  const T *row = rois.data<T>();
  const T factor = static_cast<T>(scale), offset = static_cast<T>(moved);
  for (int64_t i = 0; i != rois.size(0); ++i, row += 5) {
    for (int64_t j = 0; j != 5; ++j)
      if (!(std::fabs(row[j]) < T(1e15)) || !(std::fabs(row[j] * factor) < T(1e15)))
        return invalidArgument("region " + llvm::Twine(i) + " has a number that is not finite");
    if (row[0] < 0 || row[0] >= static_cast<T>(sizes.batch))
      return invalidArgument("region " + llvm::Twine(i) + " is in image " + llvm::Twine(static_cast<int64_t>(row[0])) +
                             " of a batch of " + llvm::Twine(sizes.batch));
    regions.push_back({static_cast<int64_t>(row[0]), row[1] * factor - offset, row[2] * factor - offset,
                       row[3] * factor - offset, row[4] * factor - offset});
  }
  return regions;
}

/// The places along an axis that a region's cells sample, and how each lies between two elements. Those outside of the
/// image, which count as zeros, are left out.
template <typename T> struct AxisSamples {
  /// A place between two elements, and how much of each counts there.
  struct Sample {
    int64_t low, high;
    T lowWeight, highWeight;
  };
  std::vector<Sample> samples;
  std::vector<int64_t> begins; ///< Where the samples of each cell begin, and where the last ones end.
  int64_t perCell = 0;         ///< Places in a cell, those outside included.

  /// Where the call is to end, the rest of the cells have no samples.
  AxisSamples(T start, T length, int64_t cells, int64_t ratio, int64_t size) {
    const T cell = length / static_cast<T>(cells);
    perCell = placesInCell(cell, ratio);
    work::LongLoop turns(4);
    for (int64_t p = 0; p != cells; ++p) {
      begins.push_back(static_cast<int64_t>(samples.size()));
      const T first = start + static_cast<T>(p) * cell, step = cell / static_cast<T>(perCell);
      int64_t from = 0, to = perCell;
      if (step > 0) { // only those that may lie within: a region may be much larger than its image
        from = std::clamp<int64_t>(toInteger((T(-1) - first) / step) - 1, 0, perCell);
        to = std::clamp<int64_t>(toInteger((static_cast<T>(size) - first) / step) + 2, from, perCell);
      }
      for (int64_t i = from; i < to && turns.goOn(); ++i)
        add(first + (static_cast<T>(i) + T(0.5)) * cell / static_cast<T>(perCell), size);
    }
    begins.push_back(static_cast<int64_t>(samples.size()));
  }

  /// How many bytes the samples of an axis take at most. It may be more than an integer holds.
  static double mostBytes(T length, int64_t cells, int64_t ratio, int64_t size) {
    const T cell = length / static_cast<T>(cells);
    const auto inCell = static_cast<double>(placesInCell(cell, ratio)), all = static_cast<double>(cells) * inCell;
    const double step = static_cast<double>(cell) / inCell;
    double within = std::max(all, 0.0);
    if (step > 0) // a few more for each cell, whose ends are rounded
      within = std::min(all, static_cast<double>(size + 1) / step + 3 * static_cast<double>(cells));
    return within * sizeof(Sample) + static_cast<double>(cells + 1) * sizeof(int64_t);
  }

private:
  static int64_t placesInCell(T cell, int64_t ratio) {
    return ratio > 0 ? ratio : static_cast<int64_t>(std::ceil(cell));
  }
  static int64_t toInteger(T value) { return static_cast<int64_t>(std::clamp(value, T(-1e9), T(1e9))); }
  void add(T place, int64_t size) {
    if (!(place >= -1 && place <= static_cast<T>(size)))
      return;
    place = std::max(place, T(0));
    auto low = static_cast<int64_t>(place);
    if (low >= size - 1) {
      samples.push_back({size - 1, size - 1, T(1), T(0)});
      return;
    }
    const T above = place - static_cast<T>(low);
    samples.push_back({low, low + 1, T(1) - above, above});
  }
};

/// PyTorch's checks of what the operators on regions are given.
Status checkRegions(const Tensor &input, const Tensor &rois, int64_t height, int64_t width);
/// Whether the call has memory for what the kernel keeps of each region, `bytesOfRegion` at most, while it works on it:
/// on several threads for as many regions. ResourceExhausted where it has not.
Status checkScratch(double bytesOfRegion, int64_t regions);
/// How many channels there are for each cell of a region (ps_roi_align, ps_roi_pool), whose numbers are positive.
StatusOr<int64_t> ownChannelsOfCells(int64_t channels, int64_t height, int64_t width);
/// Which channel each cell of ps_roi_align and ps_roi_pool reads: int32 [regions, channels, height, width].
StatusOr<Tensor> ownChannels(int64_t regions, int64_t channels, int64_t height, int64_t width);

} // namespace tsc::cpu

#endif
