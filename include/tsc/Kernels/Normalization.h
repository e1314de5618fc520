//===- Normalization.h - Batch, layer and group norm, softmax --*- C++ -*-===//
//
// Each function is the kernel of an operator whose record in include/tsc/IR/Ops
// names it, and computes what PyTorch computes for that operator, or fails with its
// message. Arguments are those of the schema, in its order; an undefined tensor
// stands for None.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_KERNELS_NORMALIZATION_H
#define TSC_KERNELS_NORMALIZATION_H

#include "tsc/Tensor/Tensor.h"
#include "llvm/ADT/StringRef.h"
#include <tuple>
#include <vector>

namespace tsc::cpu {

// Normalization.cpp.
StatusOr<Tensor> batchNorm(const Tensor &input, const Tensor &weight, const Tensor &bias, const Tensor &runningMean,
                           const Tensor &runningVar, bool training, double momentum, double eps, bool cudnnEnabled);
StatusOr<std::tuple<Tensor, Tensor, Tensor>> nativeBatchNorm(const Tensor &input, const Tensor &weight,
                                                             const Tensor &bias, const Tensor &runningMean,
                                                             const Tensor &runningVar, bool training, double momentum,
                                                             double eps);
StatusOr<Tensor> instanceNorm(const Tensor &input, const Tensor &weight, const Tensor &bias, const Tensor &runningMean,
                              const Tensor &runningVar, bool useInputStats, double momentum, double eps,
                              bool cudnnEnabled);
StatusOr<Tensor> layerNorm(const Tensor &input, ArrayRef<int64_t> normalizedShape, const Tensor &weight,
                           const Tensor &bias, double eps, bool cudnnEnable);
StatusOr<std::tuple<Tensor, Tensor, Tensor>> nativeLayerNorm(const Tensor &input, ArrayRef<int64_t> normalizedShape,
                                                             const Tensor &weight, const Tensor &bias, double eps);
StatusOr<Tensor> groupNorm(const Tensor &input, int64_t numGroups, const Tensor &weight, const Tensor &bias, double eps,
                           bool cudnnEnabled);
StatusOr<std::tuple<Tensor, Tensor, Tensor>> nativeGroupNorm(const Tensor &input, const Tensor &weight,
                                                             const Tensor &bias, int64_t n, int64_t c, int64_t hxW,
                                                             int64_t group, double eps);
StatusOr<Tensor> weightNorm(const Tensor &v, const Tensor &g, int64_t dim);
StatusOr<std::tuple<Tensor, Tensor>> weightNormInterface(const Tensor &v, const Tensor &g, int64_t dim);

// Softmax.cpp.
StatusOr<Tensor> softmax(const Tensor &self, int64_t dim, std::optional<DType> dtype);
StatusOr<Tensor> softmaxRaw(const Tensor &self, int64_t dim, bool halfToFloat);
StatusOr<Tensor> logSoftmax(const Tensor &self, int64_t dim, std::optional<DType> dtype);
StatusOr<Tensor> logSoftmaxRaw(const Tensor &self, int64_t dim, bool halfToFloat);
StatusOr<Tensor> maskedSoftmax(const Tensor &self, const Tensor &mask, std::optional<int64_t> dim,
                               std::optional<int64_t> maskType);
StatusOr<Tensor> glu(const Tensor &self, int64_t dim);

} // namespace tsc::cpu

#endif
