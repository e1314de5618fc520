//===- Promotion.h - The dtype of a result ----------------------*- C++ -*-===//
//
// PyTorch's rule: operands fall into three ranks (tensors with dimensions,
// 0-dimensional tensors, Scalars); a lower rank matters only by its category
// (bool < int < float < complex).
//
//===----------------------------------------------------------------------===//
#ifndef TSC_TENSOR_KERNELS_PROMOTION_H
#define TSC_TENSOR_KERNELS_PROMOTION_H

#include "tsc/Tensor/Tensor.h"

namespace tsc::cpu {

/// Collects operands one by one; undefined tensors count as nothing.
class ResultType {
public:
  ResultType &add(const Tensor &t);
  ResultType &add(const Scalar &s);
  DType get() const;

private:
  std::optional<DType> dimensioned, zeroDim, wrapped;
};

DType resultType(const Tensor &a, const Tensor &b);
DType resultType(const Tensor &a, const Scalar &b);
DType resultType(ArrayRef<Tensor> tensors);
bool canCast(DType from, DType to);

} // namespace tsc::cpu

#endif
