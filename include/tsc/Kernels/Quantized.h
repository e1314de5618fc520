//===- Quantized.h - Real numbers to small integers and back -*- C++ -*-===//
#ifndef TSC_KERNELS_QUANTIZED_H
#define TSC_KERNELS_QUANTIZED_H

#include "tsc/Tensor/Tensor.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tsc::cpu {

/// Rounds self / scale to the nearest even integer, adds the zero point, and keeps within the dtype.
StatusOr<Tensor> quantizePerTensor(const Tensor &self, double scale, int64_t zeroPoint, DType dtype);
/// The same with a scale and a zero point by the tensor's bounds; `reduceRange`: for half of the integers.
StatusOr<Tensor> quantizePerTensorDynamic(const Tensor &self, DType dtype, bool reduceRange);
StatusOr<Tensor> quantizePerChannel(const Tensor &self, const Tensor &scales, const Tensor &zeroPoints, int64_t axis,
                                    DType dtype);
/// The real numbers, as float; of a tensor of real numbers, itself.
StatusOr<Tensor> dequantize(const Tensor &self);
/// The same, rounded as PyTorch's vector kernels do inside: scale * integer + (-zero point * scale), rounded once.
StatusOr<Tensor> quantizedExpand(const Tensor &self);
/// The integers, as a tensor of their own.
StatusOr<Tensor> intRepr(const Tensor &self);
/// `self`, of uint8, int8 or int32, given a meaning.
StatusOr<Tensor> makePerTensorQuantized(const Tensor &self, double scale, int64_t zeroPoint);
StatusOr<Tensor> makePerChannelQuantized(const Tensor &self, const Tensor &scales, const Tensor &zeroPoints,
                                         int64_t axis);
/// dst <- src where one of them is quantized: integers with their quantizer, or real numbers that `dst` quantizes.
Status copyQuantized(const Tensor &dst, const Tensor &src);
/// Every element of a quantized tensor stands for `value`.
Status fillQuantized(const Tensor &dst, double value);
/// Each byte of `dst` becomes the entry of `table`, 256 bytes, that the byte of `src` is the index of. `dst` and `src`,
/// which may be one, are dense and laid out alike.
void mapBytes(const Tensor &dst, const Tensor &src, const Tensor &table);
/// The sum, or the product, of two quantized tensors as integers of the first one's dtype, at least zero when `relu`.
StatusOr<Tensor> quantizedPair(const Tensor &a, const Tensor &b, double scale, int64_t zeroPoint, bool multiply,
                               bool relu);
/// quint8 [..., in] times the transpose of qint8 [out, in], plus a bias of real numbers, as quint8.
StatusOr<Tensor> quantizedLinear(const Tensor &input, const Tensor &weight, const Tensor &bias, double scale,
                                 int64_t zeroPoint, bool relu);
/// The same of real numbers, which are rounded to eight bits (or seven) by their bounds, as real numbers.
StatusOr<Tensor> quantizedLinearDynamic(const Tensor &input, const Tensor &weight, const Tensor &bias, bool reduceRange,
                                        bool relu);
/// A convolution of quint8 with qint8 of two or three dimensions, transposed or not; the result has its channels
/// innermost. `config`: the numbers of PyTorch's packed convolutions.
StatusOr<Tensor> quantizedConvolution(const Tensor &input, const Tensor &config, const Tensor &weight,
                                      const Tensor &bias, double scale, int64_t zeroPoint, bool relu);
/// The real numbers of rows of a quantized matrix: [rows, width] at `indices` [n] of int32 or int64 is float [n,
/// width].
StatusOr<Tensor> quantizedRows(const Tensor &self, const Tensor &indices);
/// A copy whose integers have another scale and zero point.
StatusOr<Tensor> withQuantizer(const Tensor &self, double scale, int64_t zeroPoint);
StatusOr<double> qScale(const Tensor &self);
StatusOr<int64_t> qZeroPoint(const Tensor &self);
StatusOr<Tensor> qPerChannelScales(const Tensor &self);
StatusOr<Tensor> qPerChannelZeroPoints(const Tensor &self);
StatusOr<int64_t> qPerChannelAxis(const Tensor &self);

} // namespace tsc::cpu

#endif
