//===- Products.h - Operators that are products of matrices -----*- C++ -*-===//
#ifndef TSC_LIB_FUSERCUDA_PRODUCTS_H
#define TSC_LIB_FUSERCUDA_PRODUCTS_H

#include "CublasLt.h"
#include "OperandTensors.h"
#include "tsc/IR/OpRecord.h"

namespace tsc::fuser {

/// What mm, mv, bmm, matmul, linear, addmm and baddbmm ask for: alpha a b + beta summand + bias.
struct ProductOperands {
  Tensor a, b;
  Tensor summand; ///< Undefined, or of the result's sizes; of a row, a bias.
  Tensor bias;    ///< Undefined, or an element for each column.
  double alpha = 1, beta = 0;
};
/// Nullopt: the operator is none of these, or its operands are not as many dimensions as it takes.
std::optional<ProductOperands> productOf(OpKind op, llvm::ArrayRef<const IValue *> args);
/// Of tensors in `memory`. False: nothing was done, as sizes do not fit, there are no elements, or the library has no
/// such product.
StatusOr<bool> runProduct(CublasLt &library, const DeviceMemory &memory, const ProductOperands &operands,
                          IValue &result);

} // namespace tsc::fuser

#endif
