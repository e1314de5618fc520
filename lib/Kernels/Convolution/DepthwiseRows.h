//===- DepthwiseRows.h - Convolutions of each channel alone -----*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_CONVOLUTION_DEPTHWISEROWS_H
#define TSC_LIB_KERNELS_CONVOLUTION_DEPTHWISEROWS_H

#include <cstdint>

namespace tsc::cpu::depthwise {

/// Floats that may be read behind the last element of a plane: vectors go beyond a row's end.
constexpr int64_t slack = 256;
/// Strides along a row for which there are kernels: 1 to this.
constexpr int64_t mostStride = 2;

/// One channel with its borders written out: element (y, x) of the padded plane is plane[y * rowLength + x]. A kernel
/// of several planes takes those that are `planeStep` apart from it on.
struct Plane {
  const float *plane, *weights;
  float *out;
  float bias;
  int64_t rowLength, outRows, outColumns;
  int64_t kernelRows, kernelColumns, stepRows, stepColumns, dilationRows, dilationColumns;
  int64_t kernelPlanes = 1, planeStep = 0;
};

/// The convolution of a plane, for every instruction set (SimdDepthwise.cpp): to the bias, products are added in the
/// order of the kernel's elements.
using Kernel = void (*)(const Plane &plane);
/// Returns the convolution of a plane for the best instruction set that the processor has.
Kernel kernel();

/// Pixels side by side of an image whose channels lie inside, for all of which the same elements of the kernel count:
/// element k of them takes the channels at in + places[k] + pixel * step, and its own at weights + weightPlaces[k].
struct Pixels {
  const float *in, *weights, *bias; ///< No bias: null.
  float *out;                       ///< One pixel behind the other.
  const int64_t *places, *weightPlaces;
  int64_t elements, channels, count, step;
};
/// Convolves such pixels; products are added in the order of the kernel's elements.
using PixelKernel = void (*)(const Pixels &pixels);
/// Returns the convolution of pixels for the best instruction set that the processor has.
PixelKernel pixelKernel();

} // namespace tsc::cpu::depthwise

#endif
