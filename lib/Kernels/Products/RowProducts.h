//===- RowProducts.h - Products of rows, in double --------------*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_PRODUCTS_ROWPRODUCTS_H
#define TSC_LIB_KERNELS_PRODUCTS_ROWPRODUCTS_H

#include "tsc/Tensor/Tensor.h"

namespace tsc::cpu {

/// The sums of a b over the last dimension, in double, of Float tensors of one shape, which has that
/// dimension.
StatusOr<Tensor> rowProducts(const Tensor &a, const Tensor &b);

} // namespace tsc::cpu

#endif
