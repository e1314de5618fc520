//===- ConvolutionColumns.h - Convolutions as products ----------*- C++ -*-===//
//
// A convolution is a matrix product over the input's windows, each made a column, or
// a row where there are few of them. A transposed one is the same product backwards:
// columns are made by the product and summed into the output.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_KERNELS_CONVOLUTION_CONVOLUTIONCOLUMNS_H
#define TSC_LIB_KERNELS_CONVOLUTION_CONVOLUTIONCOLUMNS_H

#include "tsc/Support/Status.h"
#include <algorithm>
#include <array>
#include <cstdint>

namespace tsc {
class Tensor;
}

namespace tsc::cpu {

/// Sizes of a convolution with spatial dimensions padded to three by leading ones. "Wide" is the side with the windows
/// (a convolution's input, a transposed one's output), "narrow" the side with one element for each window.
struct WindowGeometry {
  std::array<int64_t, 3> wide{1, 1, 1}, narrow{1, 1, 1}, kernel{1, 1, 1}, stride{1, 1, 1}, padding{0, 0, 0},
      dilation{1, 1, 1};
  int64_t wideCount() const { return wide[0] * wide[1] * wide[2]; }
  int64_t narrowCount() const { return narrow[0] * narrow[1] * narrow[2]; }
  int64_t kernelCount() const { return kernel[0] * kernel[1] * kernel[2]; }
};

/// Fills the channels of a result with their biases, or with zeros where there are none.
template <typename T> void fillBias(T *out, int64_t samples, int64_t channels, int64_t plane, const T *bias) {
  assert(plane >= 0 && channels >= 0 && samples >= 0 && "sizes of a result");
  for (int64_t i = 0; i < samples * channels; ++i)
    std::fill_n(out + i * plane, plane, bias ? bias[i % channels] : T(0));
}

/// Whether all samples together have so few windows that the product reads the weights once, where they stand.
bool hasFewWindows(const WindowGeometry &g, int64_t samples, int64_t outChannels, int64_t depth);

/// Adds the convolution to `out`, which holds the bias, for one of the types that products have. Input, weight and out
/// are contiguous and of the same dtype. An error is a lack of memory.
template <typename T>
Status convolveColumns(const WindowGeometry &g, const Tensor &input, const Tensor &weight, const Tensor &out,
                       int64_t groups);

/// Adds the transposed convolution to `out`, under the conditions of convolveColumns.
template <typename T>
Status convolveTransposed(const WindowGeometry &g, const Tensor &input, const Tensor &weight, const Tensor &out,
                          int64_t groups);

} // namespace tsc::cpu

#endif
