//===- Quantized.h - Real numbers to small integers and back -*- C++ -*-===//
#ifndef TSC_KERNELS_QUANTIZED_H
#define TSC_KERNELS_QUANTIZED_H

#include "tsc/Tensor/Tensor.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tsc::cpu {

/// Rounds self / scale + zeroPoint to the nearest even integer within the dtype.
StatusOr<Tensor> quantizePerTensor(const Tensor &self, double scale, int64_t zeroPoint, DType dtype);
StatusOr<Tensor> quantizePerChannel(const Tensor &self, const Tensor &scales, const Tensor &zeroPoints, int64_t axis,
                                    DType dtype);
/// The real numbers, as float; of a tensor of real numbers, itself.
StatusOr<Tensor> dequantize(const Tensor &self);
/// The integers, as a tensor of their own.
StatusOr<Tensor> intRepr(const Tensor &self);
/// `self`, of uint8, int8 or int32, given a meaning.
StatusOr<Tensor> makePerTensorQuantized(const Tensor &self, double scale, int64_t zeroPoint);
/// What `op` gives for the real numbers of `self`, quantized as `self` is: for operators that keep the range.
StatusOr<Tensor> throughReals(const Tensor &self, llvm::function_ref<StatusOr<Tensor>(const Tensor &)> op);
StatusOr<double> qScale(const Tensor &self);
StatusOr<int64_t> qZeroPoint(const Tensor &self);
StatusOr<Tensor> qPerChannelScales(const Tensor &self);
StatusOr<Tensor> qPerChannelZeroPoints(const Tensor &self);
StatusOr<bool> isPerChannel(const Tensor &self);
StatusOr<int64_t> qPerChannelAxis(const Tensor &self);

} // namespace tsc::cpu

#endif
