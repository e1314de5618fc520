//===- Upsample.h - Resizing, sampling and sliding windows -----*- C++ -*-===//
//
// Unless its comment says otherwise, a function is the kernel of an operator whose
// record in include/tsc/IR/Ops names it, and computes what PyTorch computes for that
// operator, or fails with its message. Arguments are those of the schema, in its
// order; an undefined tensor stands for None.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_KERNELS_UPSAMPLE_H
#define TSC_KERNELS_UPSAMPLE_H

#include "tsc/Tensor/Tensor.h"
#include "llvm/ADT/StringRef.h"
#include <tuple>
#include <vector>

namespace tsc::cpu {

// Upsample.cpp.

/// What an element of a resized tensor is made from; AA: with antialiasing.
enum class UpsampleMode : uint8_t { Nearest, NearestExact, Linear, Cubic, LinearAA, CubicAA, LanczosAA };

/// Resizes `self` to `outputSize`; `scales` has an optional factor for each of these dimensions.
StatusOr<Tensor> upsample(UpsampleMode mode, const Tensor &self, ArrayRef<int64_t> outputSize, bool alignCorners,
                          ArrayRef<std::optional<double>> scales);
/// Resizes as the .vec overloads do: by either sizes or factors, one for each of `spatial` dimensions.
StatusOr<Tensor> upsampleVec(UpsampleMode mode, size_t spatial, const Tensor &input,
                             std::optional<ArrayRef<int64_t>> outputSize, bool alignCorners,
                             std::optional<ArrayRef<double>> scaleFactors);

template <UpsampleMode Mode, size_t Spatial, typename... Scales>
StatusOr<Tensor> upsample(const Tensor &self, ArrayRef<int64_t> outputSize, bool alignCorners, Scales... scales) {
  static_assert(sizeof...(scales) == Spatial);
  return upsample(Mode, self, outputSize, alignCorners, {std::optional<double>(scales)...});
}
template <UpsampleMode Mode, size_t Spatial, typename... Scales>
StatusOr<Tensor> upsampleNearest(const Tensor &self, ArrayRef<int64_t> outputSize, Scales... scales) {
  return upsample<Mode, Spatial>(self, outputSize, /*alignCorners=*/false, scales...);
}
template <UpsampleMode Mode, size_t Spatial>
StatusOr<Tensor> upsampleVec(const Tensor &input, std::optional<ArrayRef<int64_t>> outputSize, bool alignCorners,
                             std::optional<ArrayRef<double>> scaleFactors) {
  return upsampleVec(Mode, Spatial, input, outputSize, alignCorners, scaleFactors);
}
template <UpsampleMode Mode, size_t Spatial>
StatusOr<Tensor> upsampleNearestVec(const Tensor &input, std::optional<ArrayRef<int64_t>> outputSize,
                                    std::optional<ArrayRef<double>> scaleFactors) {
  return upsampleVec<Mode, Spatial>(input, outputSize, /*alignCorners=*/false, scaleFactors);
}

// GridSampler.cpp.
StatusOr<Tensor> gridSampler(const Tensor &input, const Tensor &grid, int64_t interpolationMode, int64_t paddingMode,
                             bool alignCorners);
StatusOr<Tensor> gridSampler2d(const Tensor &input, const Tensor &grid, int64_t interpolationMode, int64_t paddingMode,
                               bool alignCorners);
StatusOr<Tensor> gridSampler3d(const Tensor &input, const Tensor &grid, int64_t interpolationMode, int64_t paddingMode,
                               bool alignCorners);
StatusOr<Tensor> affineGridGenerator(const Tensor &theta, ArrayRef<int64_t> size, bool alignCorners);

// Unfold.cpp.
StatusOr<Tensor> im2col(const Tensor &self, ArrayRef<int64_t> kernelSize, ArrayRef<int64_t> dilation,
                        ArrayRef<int64_t> padding, ArrayRef<int64_t> stride);
StatusOr<Tensor> col2im(const Tensor &self, ArrayRef<int64_t> outputSize, ArrayRef<int64_t> kernelSize,
                        ArrayRef<int64_t> dilation, ArrayRef<int64_t> padding, ArrayRef<int64_t> stride);

} // namespace tsc::cpu

#endif
