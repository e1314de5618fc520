//===- Pooling.h - Pooling -------------------------------------*- C++ -*-===//
//
// Each function is the kernel of an operator whose record in include/tsc/IR/Ops
// names it, and computes what PyTorch computes for that operator, or fails with its
// message. Arguments are those of the schema, in its order; an undefined tensor
// stands for None.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_KERNELS_POOLING_H
#define TSC_KERNELS_POOLING_H

#include "tsc/Tensor/Tensor.h"
#include "llvm/ADT/StringRef.h"
#include <tuple>
#include <vector>

namespace tsc::cpu {

/// The step between windows up to which an average sums them row by row; windows farther apart are summed column by
/// column. The order decides on the last bits of an average.
constexpr int64_t mostVectorStep = 4;

StatusOr<Tensor> avgPool1d(const Tensor &self, ArrayRef<int64_t> kernelSize, ArrayRef<int64_t> stride,
                           ArrayRef<int64_t> padding, bool ceilMode, bool countIncludePad);
StatusOr<Tensor> avgPool2d(const Tensor &self, ArrayRef<int64_t> kernelSize, ArrayRef<int64_t> stride,
                           ArrayRef<int64_t> padding, bool ceilMode, bool countIncludePad,
                           std::optional<int64_t> divisorOverride);
StatusOr<Tensor> avgPool3d(const Tensor &self, ArrayRef<int64_t> kernelSize, ArrayRef<int64_t> stride,
                           ArrayRef<int64_t> padding, bool ceilMode, bool countIncludePad,
                           std::optional<int64_t> divisorOverride);
StatusOr<Tensor> maxPool1d(const Tensor &self, ArrayRef<int64_t> kernelSize, ArrayRef<int64_t> stride,
                           ArrayRef<int64_t> padding, ArrayRef<int64_t> dilation, bool ceilMode);
StatusOr<std::tuple<Tensor, Tensor>> maxPool1dWithIndices(const Tensor &self, ArrayRef<int64_t> kernelSize,
                                                          ArrayRef<int64_t> stride, ArrayRef<int64_t> padding,
                                                          ArrayRef<int64_t> dilation, bool ceilMode);
StatusOr<Tensor> maxPool2d(const Tensor &self, ArrayRef<int64_t> kernelSize, ArrayRef<int64_t> stride,
                           ArrayRef<int64_t> padding, ArrayRef<int64_t> dilation, bool ceilMode);
StatusOr<std::tuple<Tensor, Tensor>> maxPool2dWithIndices(const Tensor &self, ArrayRef<int64_t> kernelSize,
                                                          ArrayRef<int64_t> stride, ArrayRef<int64_t> padding,
                                                          ArrayRef<int64_t> dilation, bool ceilMode);
StatusOr<Tensor> maxPool3d(const Tensor &self, ArrayRef<int64_t> kernelSize, ArrayRef<int64_t> stride,
                           ArrayRef<int64_t> padding, ArrayRef<int64_t> dilation, bool ceilMode);
StatusOr<std::tuple<Tensor, Tensor>> maxPool3dWithIndices(const Tensor &self, ArrayRef<int64_t> kernelSize,
                                                          ArrayRef<int64_t> stride, ArrayRef<int64_t> padding,
                                                          ArrayRef<int64_t> dilation, bool ceilMode);
StatusOr<Tensor> adaptiveAvgPool1d(const Tensor &self, ArrayRef<int64_t> outputSize);
StatusOr<Tensor> adaptiveAvgPool2d(const Tensor &self, ArrayRef<int64_t> outputSize);
StatusOr<Tensor> adaptiveAvgPool3d(const Tensor &self, ArrayRef<int64_t> outputSize);
StatusOr<std::tuple<Tensor, Tensor>> adaptiveMaxPool1d(const Tensor &self, ArrayRef<int64_t> outputSize);
StatusOr<std::tuple<Tensor, Tensor>> adaptiveMaxPool2d(const Tensor &self, ArrayRef<int64_t> outputSize);
StatusOr<std::tuple<Tensor, Tensor>> adaptiveMaxPool3d(const Tensor &self, ArrayRef<int64_t> outputSize);
StatusOr<std::tuple<Tensor, Tensor>> fractionalMaxPool2d(const Tensor &self, ArrayRef<int64_t> kernelSize,
                                                         ArrayRef<int64_t> outputSize, const Tensor &randomSamples);
StatusOr<std::tuple<Tensor, Tensor>> fractionalMaxPool3d(const Tensor &self, ArrayRef<int64_t> kernelSize,
                                                         ArrayRef<int64_t> outputSize, const Tensor &randomSamples);
StatusOr<Tensor> maxUnpool2d(const Tensor &self, const Tensor &indices, ArrayRef<int64_t> outputSize);
StatusOr<Tensor> maxUnpool3d(const Tensor &self, const Tensor &indices, ArrayRef<int64_t> outputSize,
                             ArrayRef<int64_t> stride, ArrayRef<int64_t> padding);

} // namespace tsc::cpu

#endif
