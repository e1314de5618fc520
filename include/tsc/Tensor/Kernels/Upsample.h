//===- Upsample.h - Resizing, sampling and sliding windows -----*- C++ -*-===//
#ifndef TSC_TENSOR_KERNELS_UPSAMPLE_H
#define TSC_TENSOR_KERNELS_UPSAMPLE_H

#include "tsc/Tensor/Tensor.h"
#include "llvm/ADT/StringRef.h"
#include <tuple>
#include <vector>

namespace tsc::cpu {

// Upsample.cpp.
StatusOr<Tensor> upsampleNearest1d(const Tensor &self, ArrayRef<int64_t> outputSize, std::optional<double> scales);
StatusOr<Tensor> upsampleNearest1dVec(const Tensor &input, std::optional<ArrayRef<int64_t>> outputSize,
                                      std::optional<ArrayRef<double>> scaleFactors);
StatusOr<Tensor> upsampleNearest2d(const Tensor &self, ArrayRef<int64_t> outputSize, std::optional<double> scalesH,
                                   std::optional<double> scalesW);
StatusOr<Tensor> upsampleNearest2dVec(const Tensor &input, std::optional<ArrayRef<int64_t>> outputSize,
                                      std::optional<ArrayRef<double>> scaleFactors);
StatusOr<Tensor> upsampleNearest3d(const Tensor &self, ArrayRef<int64_t> outputSize, std::optional<double> scalesD,
                                   std::optional<double> scalesH, std::optional<double> scalesW);
StatusOr<Tensor> upsampleNearest3dVec(const Tensor &input, std::optional<ArrayRef<int64_t>> outputSize,
                                      std::optional<ArrayRef<double>> scaleFactors);
StatusOr<Tensor> upsampleNearestExact1d(const Tensor &self, ArrayRef<int64_t> outputSize, std::optional<double> scales);
StatusOr<Tensor> upsampleNearestExact1dVec(const Tensor &input, std::optional<ArrayRef<int64_t>> outputSize,
                                           std::optional<ArrayRef<double>> scaleFactors);
StatusOr<Tensor> upsampleNearestExact2d(const Tensor &self, ArrayRef<int64_t> outputSize, std::optional<double> scalesH,
                                        std::optional<double> scalesW);
StatusOr<Tensor> upsampleNearestExact2dVec(const Tensor &input, std::optional<ArrayRef<int64_t>> outputSize,
                                           std::optional<ArrayRef<double>> scaleFactors);
StatusOr<Tensor> upsampleNearestExact3d(const Tensor &self, ArrayRef<int64_t> outputSize, std::optional<double> scalesD,
                                        std::optional<double> scalesH, std::optional<double> scalesW);
StatusOr<Tensor> upsampleNearestExact3dVec(const Tensor &input, std::optional<ArrayRef<int64_t>> outputSize,
                                           std::optional<ArrayRef<double>> scaleFactors);
StatusOr<Tensor> upsampleLinear1d(const Tensor &self, ArrayRef<int64_t> outputSize, bool alignCorners,
                                  std::optional<double> scales);
StatusOr<Tensor> upsampleLinear1dVec(const Tensor &input, std::optional<ArrayRef<int64_t>> outputSize,
                                     bool alignCorners, std::optional<ArrayRef<double>> scaleFactors);
StatusOr<Tensor> upsampleBilinear2d(const Tensor &self, ArrayRef<int64_t> outputSize, bool alignCorners,
                                    std::optional<double> scalesH, std::optional<double> scalesW);
StatusOr<Tensor> upsampleBilinear2dVec(const Tensor &input, std::optional<ArrayRef<int64_t>> outputSize,
                                       bool alignCorners, std::optional<ArrayRef<double>> scaleFactors);
StatusOr<Tensor> upsampleTrilinear3d(const Tensor &self, ArrayRef<int64_t> outputSize, bool alignCorners,
                                     std::optional<double> scalesD, std::optional<double> scalesH,
                                     std::optional<double> scalesW);
StatusOr<Tensor> upsampleTrilinear3dVec(const Tensor &input, std::optional<ArrayRef<int64_t>> outputSize,
                                        bool alignCorners, std::optional<ArrayRef<double>> scaleFactors);
StatusOr<Tensor> upsampleBicubic2d(const Tensor &self, ArrayRef<int64_t> outputSize, bool alignCorners,
                                   std::optional<double> scalesH, std::optional<double> scalesW);
StatusOr<Tensor> upsampleBicubic2dVec(const Tensor &input, std::optional<ArrayRef<int64_t>> outputSize,
                                      bool alignCorners, std::optional<ArrayRef<double>> scaleFactors);
StatusOr<Tensor> upsampleBilinear2dAA(const Tensor &self, ArrayRef<int64_t> outputSize, bool alignCorners,
                                      std::optional<double> scalesH, std::optional<double> scalesW);
StatusOr<Tensor> upsampleBilinear2dAAVec(const Tensor &input, std::optional<ArrayRef<int64_t>> outputSize,
                                         bool alignCorners, std::optional<ArrayRef<double>> scaleFactors);
StatusOr<Tensor> upsampleBicubic2dAA(const Tensor &self, ArrayRef<int64_t> outputSize, bool alignCorners,
                                     std::optional<double> scalesH, std::optional<double> scalesW);
StatusOr<Tensor> upsampleBicubic2dAAVec(const Tensor &input, std::optional<ArrayRef<int64_t>> outputSize,
                                        bool alignCorners, std::optional<ArrayRef<double>> scaleFactors);

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
