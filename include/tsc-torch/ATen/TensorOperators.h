//===- TensorOperators.h - Arithmetic on tensors ----------------*- C++ -*-===//
#ifndef TSC_TORCH_ATEN_TENSOROPERATORS_H
#define TSC_TORCH_ATEN_TENSOROPERATORS_H
#include <ATen/core/Tensor.h>

namespace at {
inline namespace tsc_torch {

/// Defines an operator of two tensors, of a tensor and a number, and of a number and a tensor.
#define TSC_TORCH_BINARY(OP, METHOD, REVERSED)                                                                         \
  inline Tensor operator OP(const Tensor &x, const Tensor &y) { return x.METHOD(y); }                                  \
  inline Tensor operator OP(const Tensor &x, const Scalar &y) { return x.METHOD(y); }                                  \
  inline Tensor operator OP(const Scalar &x, const Tensor &y) { return REVERSED; }
TSC_TORCH_BINARY(+, add, y.add(x))
TSC_TORCH_BINARY(-, sub, y.rsub(x))
TSC_TORCH_BINARY(*, mul, y.mul(x))
TSC_TORCH_BINARY(/, div, y.reciprocal().mul_(x))
TSC_TORCH_BINARY(%, remainder, y.new_full({}, x).remainder(y))
TSC_TORCH_BINARY(&, bitwise_and, y.bitwise_and(x))
TSC_TORCH_BINARY(|, bitwise_or, y.bitwise_or(x))
TSC_TORCH_BINARY(^, bitwise_xor, y.bitwise_xor(x))
TSC_TORCH_BINARY(<, lt, y.gt(x))
TSC_TORCH_BINARY(<=, le, y.ge(x))
TSC_TORCH_BINARY(>, gt, y.lt(x))
TSC_TORCH_BINARY(>=, ge, y.le(x))
TSC_TORCH_BINARY(==, eq, y.eq(x))
TSC_TORCH_BINARY(!=, ne, y.ne(x))
#undef TSC_TORCH_BINARY

} // namespace tsc_torch
} // namespace at

#endif
