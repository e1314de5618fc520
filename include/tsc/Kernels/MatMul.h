//===- MatMul.h - Products of matrices, vectors and tensors ----*- C++ -*-===//
//
// Unless its comment says otherwise, a function is the kernel of an operator whose
// record in include/tsc/IR/Ops names it, and computes what PyTorch computes for that
// operator, or fails with its message. Arguments are those of the schema, in its
// order; an undefined tensor stands for None.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_KERNELS_MATMUL_H
#define TSC_KERNELS_MATMUL_H

#include "tsc/Tensor/Tensor.h"
#include "llvm/ADT/StringRef.h"
#include <tuple>
#include <vector>

namespace tsc::cpu {

// Products of matrices and vectors (MatMul.cpp).
StatusOr<Tensor> mm(const Tensor &self, const Tensor &mat2);
StatusOr<Tensor> bmm(const Tensor &self, const Tensor &mat2);
StatusOr<Tensor> matmul(const Tensor &self, const Tensor &other);
StatusOr<Tensor> addmm(const Tensor &self, const Tensor &mat1, const Tensor &mat2, const Scalar &beta,
                       const Scalar &alpha);
/// Writes what addmm gives into self, to the bit, with its dtypes and errors; an error, too, where self has other sizes
/// than the product. Where self is dense, of Float or Double, and shares no memory with the factors, the product is
/// added to it where it lies.
Status addmmInPlace(const Tensor &self, const Tensor &mat1, const Tensor &mat2, const Scalar &beta,
                    const Scalar &alpha);
/// Adds a @ b to self for each pair of `factors` (a, b, a, b, …) in turn, with the bits of as many addmmInPlace.
Status addProducts(const Tensor &self, ArrayRef<Tensor> factors);
StatusOr<Tensor> addmmActivation(const Tensor &self, const Tensor &mat1, const Tensor &mat2, const Scalar &beta,
                                 const Scalar &alpha, bool useGelu);
StatusOr<Tensor> addbmm(const Tensor &self, const Tensor &batch1, const Tensor &batch2, const Scalar &beta,
                        const Scalar &alpha);
StatusOr<Tensor> baddbmm(const Tensor &self, const Tensor &batch1, const Tensor &batch2, const Scalar &beta,
                         const Scalar &alpha);
/// Does for baddbmm what addmmInPlace does for addmm.
Status baddbmmInPlace(const Tensor &self, const Tensor &batch1, const Tensor &batch2, const Scalar &beta,
                      const Scalar &alpha);
StatusOr<Tensor> mv(const Tensor &self, const Tensor &vec);
StatusOr<Tensor> addmv(const Tensor &self, const Tensor &mat, const Tensor &vec, const Scalar &beta,
                       const Scalar &alpha);
StatusOr<Tensor> dot(const Tensor &self, const Tensor &tensor);
StatusOr<Tensor> vdot(const Tensor &self, const Tensor &other);
StatusOr<Tensor> inner(const Tensor &self, const Tensor &other);
StatusOr<Tensor> outer(const Tensor &self, const Tensor &vec2);
StatusOr<Tensor> addr(const Tensor &self, const Tensor &vec1, const Tensor &vec2, const Scalar &beta,
                      const Scalar &alpha);
StatusOr<Tensor> linear(const Tensor &input, const Tensor &weight, const Tensor &bias);

// Products with one matrix that a loop asks for step by step (StepProducts.cpp).

/// Returns the products of all steps with the weight, k x n or transposed n x k, stacked along dimension 0: to the bit
/// what the loop gets when it asks for them one by one, of matrices by mm or, where the weight is transposed, of
/// matrices or vectors by linear. The result has no elements where that is not sure, where `trips` products do not pay
/// for it, or where it takes much memory. Operands of any kind are accepted.
StatusOr<Tensor> stepProducts(ArrayRef<Tensor> steps, const Tensor &weight, const Tensor &bias, bool transposed,
                              int64_t trips);
/// Returns the same for the steps that stand along dimension `dim` of self.
StatusOr<Tensor> stepProductsAlong(const Tensor &self, int64_t dim, const Tensor &weight, const Tensor &bias,
                                   bool transposed, int64_t trips);
/// Returns a copy of a step's product out of those of stepProducts(); steps count from the end where they are negative.
/// InvalidArgument where there is no such step.
StatusOr<Tensor> stepProduct(const Tensor &products, int64_t step);

// Sums of products (Einsum.cpp).
StatusOr<Tensor> tensordot(const Tensor &self, const Tensor &other, ArrayRef<int64_t> dimsSelf,
                           ArrayRef<int64_t> dimsOther);
StatusOr<Tensor> einsum(llvm::StringRef equation, ArrayRef<Tensor> tensors, std::optional<ArrayRef<int64_t>> path);
StatusOr<Tensor> bilinear(const Tensor &input1, const Tensor &input2, const Tensor &weight, const Tensor &bias);
StatusOr<Tensor> trilinear(const Tensor &i1, const Tensor &i2, const Tensor &i3, ArrayRef<int64_t> expand1,
                           ArrayRef<int64_t> expand2, ArrayRef<int64_t> expand3, ArrayRef<int64_t> sumdim,
                           int64_t unrollDim);
StatusOr<Tensor> kron(const Tensor &self, const Tensor &other);
StatusOr<Tensor> multiDot(ArrayRef<Tensor> matrices);
StatusOr<Tensor> chainMatmul(ArrayRef<Tensor> matrices);
StatusOr<Tensor> matrixPower(const Tensor &self, int64_t n);

} // namespace tsc::cpu

#endif
