//===- SamplingRows.h - Images sampled at rows of points --------*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_SAMPLINGROWS_H
#define TSC_LIB_KERNELS_SAMPLINGROWS_H

#include <cstdint>

namespace tsc::cpu::sampling {

/// Points of one image of floats, all of whose channels are sampled: the same bits as GridSampler.cpp's plain loops.
struct Points {
  const float *grid;  ///< x and y of each point, from -1 to 1.
  const float *image; ///< Channels of height x width elements.
  float *out;         ///< Result (channel, point) is out[channel * outStride + point].
  int64_t channels, height, width, outStride;
  bool alignCorners, isBorder, isNearest; ///< Outside of the image: its border, or zeros.
};

/// Samples as many of the first `count` points as fill vectors, and gives their number. For every instruction set
/// (SimdSampling.cpp).
using Kernel = int64_t (*)(const Points &points, int64_t count);
Kernel kernel();

} // namespace tsc::cpu::sampling

#endif
