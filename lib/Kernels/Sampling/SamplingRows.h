//===- SamplingRows.h - Images sampled at rows of points --------*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_SAMPLING_SAMPLINGROWS_H
#define TSC_LIB_KERNELS_SAMPLING_SAMPLINGROWS_H

#include <cstdint>

namespace tsc::cpu::sampling {

/// Points of one image, all of whose channels are sampled: the same bits as GridSampler.cpp's plain loops. T is float
/// or double.
template <typename T> struct Points {
  const T *grid;  ///< x and y, and z where the image has a depth, of each point, from -1 to 1.
  const T *image; ///< Channels of depth x height x width elements.
  T *out;         ///< Result (channel, point) is out[channel * outStride + point].
  bool hasDepth;  ///< Then only the nearest element is found here.
  int64_t channels, depth, height, width, outStride;
  bool alignCorners;
  /// Whether points outside of the image are moved to its border, and whether they are mirrored before. Where neither
  /// is so, they read zeros.
  bool isBorder, isReflected;
  bool isNearest;
};

/// Samples as many of the first `count` points as fill vectors, and gives their number. For every instruction set
/// (SimdSampling.cpp).
template <typename T> using Kernel = int64_t (*)(const Points<T> &points, int64_t count);
/// Returns the sampling for the best instruction set that the processor has.
template <typename T> Kernel<T> kernel();

} // namespace tsc::cpu::sampling

#endif
