//===- Quantized.h - Real numbers to small integers and back -*- C++ -*-===//
//
// Unless its comment says otherwise, a function is the kernel of an operator whose
// record in include/tsc/IR/Ops names it, and computes what PyTorch computes for that
// operator, or fails with its message. Arguments are those of the schema, in its
// order; an undefined tensor stands for None.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_KERNELS_QUANTIZED_H
#define TSC_KERNELS_QUANTIZED_H

#include "tsc/Tensor/Tensor.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tsc::cpu {

/// Returns self / scale, rounded to the nearest integer (halves to even), plus the zero point, kept within the dtype.
StatusOr<Tensor> quantizePerTensor(const Tensor &self, double scale, int64_t zeroPoint, DType dtype);
/// Quantizes self with a scale and a zero point found from its smallest and largest element; `reduceRange`: for half of
/// the integers.
StatusOr<Tensor> quantizePerTensorDynamic(const Tensor &self, DType dtype, bool reduceRange);
StatusOr<Tensor> quantizePerChannel(const Tensor &self, const Tensor &scales, const Tensor &zeroPoints, int64_t axis,
                                    DType dtype);
/// Returns the real numbers, as float; a tensor that is not quantized is converted to float.
StatusOr<Tensor> dequantize(const Tensor &self);
/// Returns the real numbers as dequantize() does, but rounded as PyTorch's vector kernels do inside: scale * integer +
/// (-zero point * scale), rounded once.
StatusOr<Tensor> quantizedExpand(const Tensor &self);
/// Returns the integers, as a tensor of their own.
StatusOr<Tensor> intRepr(const Tensor &self);
/// Return a quantized tensor of a copy of the integers of `self`, which are uint8, int8 or int32.
StatusOr<Tensor> makePerTensorQuantized(const Tensor &self, double scale, int64_t zeroPoint);
StatusOr<Tensor> makePerChannelQuantized(const Tensor &self, const Tensor &scales, const Tensor &zeroPoints,
                                         int64_t axis);
/// Copies `src` into `dst` where one of them is quantized: integers with their quantizer, or real numbers that `dst`
/// quantizes. InvalidArgument from a quantized tensor into one that is not.
Status copyQuantized(const Tensor &dst, const Tensor &src);
/// Makes every element of a quantized tensor stand for `value`.
Status fillQuantized(const Tensor &dst, double value);
/// Sets each byte of `dst` to the entry of `table`, 256 bytes, that the byte of `src` is the index of. `dst` and `src`,
/// which may be one, are dense and laid out alike.
void mapBytes(const Tensor &dst, const Tensor &src, const Tensor &table);
/// Returns the sum, or the product (`multiply`), of two quantized tensors, quantized with the first one's dtype, at
/// least zero when `relu`.
StatusOr<Tensor> quantizedPair(const Tensor &a, const Tensor &b, double scale, int64_t zeroPoint, bool multiply,
                               bool relu);
/// Returns quint8 [..., in] times the transpose of qint8 [out, in], plus a bias of real numbers, as quint8 [..., out].
StatusOr<Tensor> quantizedLinear(const Tensor &input, const Tensor &weight, const Tensor &bias, double scale,
                                 int64_t zeroPoint, bool relu);
/// Does what quantizedLinear does for real numbers, which are rounded to eight bits (or seven, with `reduceRange`) by
/// their bounds; the result is real, too.
StatusOr<Tensor> quantizedLinearDynamic(const Tensor &input, const Tensor &weight, const Tensor &bias, bool reduceRange,
                                        bool relu);
/// Returns a convolution of quint8 with qint8 of two or three dimensions, transposed or not; the result has its
/// channels innermost. `config` has the numbers of PyTorch's packed convolutions.
StatusOr<Tensor> quantizedConvolution(const Tensor &input, const Tensor &config, const Tensor &weight,
                                      const Tensor &bias, double scale, int64_t zeroPoint, bool relu);
/// Returns the real numbers of rows of a quint8 matrix [rows, width], float [n, width] for `indices` [n] of int32 or
/// int64. OutOfRange for an index of no row.
StatusOr<Tensor> quantizedRows(const Tensor &self, const Tensor &indices);
/// Returns a copy of the integers with another scale and zero point.
StatusOr<Tensor> withQuantizer(const Tensor &self, double scale, int64_t zeroPoint);
StatusOr<double> qScale(const Tensor &self);
StatusOr<int64_t> qZeroPoint(const Tensor &self);
StatusOr<Tensor> qPerChannelScales(const Tensor &self);
StatusOr<Tensor> qPerChannelZeroPoints(const Tensor &self);
StatusOr<int64_t> qPerChannelAxis(const Tensor &self);

} // namespace tsc::cpu

#endif
