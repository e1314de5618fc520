//===- Products.h - Operators that are products of matrices -----*- C++ -*-===//
#ifndef TSC_LIB_KERNELSCUDA_PRODUCTS_H
#define TSC_LIB_KERNELSCUDA_PRODUCTS_H

#include "CublasLt.h"
#include "tsc/IR/IValue.h"
#include <optional>

namespace tsc::fuser {

/// A product of matrices, or a batch of them: alpha a b + beta summand + bias.
struct ProductOperands {
  Tensor a, b;
  Tensor summand; ///< Undefined, or of the result's sizes; of a row, a bias.
  Tensor bias;    ///< Undefined, or an element for each column.
  double alpha = 1, beta = 0;
};
/// Computes a product of tensors in `memory`. Returns false, with nothing done, where sizes do not fit, there are no
/// elements, or the library has no such product.
StatusOr<bool> runProduct(CublasLt &library, const DeviceMemory &memory, const ProductOperands &operands,
                          IValue &result);

} // namespace tsc::fuser

namespace tsc::cuda {

// Each returns what the operator of its name computes, or nothing where an operand has another number of dimensions
// than the operator takes.
std::optional<fuser::ProductOperands> mm(const Tensor &self, const Tensor &mat2);
std::optional<fuser::ProductOperands> mv(const Tensor &self, const Tensor &vec);
std::optional<fuser::ProductOperands> bmm(const Tensor &self, const Tensor &mat2);
std::optional<fuser::ProductOperands> matmul(const Tensor &self, const Tensor &other);
std::optional<fuser::ProductOperands> linear(const Tensor &input, const Tensor &weight, const Tensor &bias);
std::optional<fuser::ProductOperands> addmm(const Tensor &self, const Tensor &mat1, const Tensor &mat2,
                                            const Scalar &beta, const Scalar &alpha);
std::optional<fuser::ProductOperands> baddbmm(const Tensor &self, const Tensor &batch1, const Tensor &batch2,
                                              const Scalar &beta, const Scalar &alpha);

} // namespace tsc::cuda

#endif
