//===- Contractions.h - Sums over indices, on a GPU -------------*- C++ -*-===//
#ifndef TSC_LIB_KERNELSCUDA_CONTRACTIONS_H
#define TSC_LIB_KERNELSCUDA_CONTRACTIONS_H

#include "CublasLt.h"
#include "HandKernels.h"

namespace tsc::fuser {

/// The products of the elements of two tensors, summed over the labels that the result does not have. Labels name
/// dimensions; none is named twice by one tensor.
struct Contraction {
  using Labels = llvm::SmallVector<int, 8>;
  Tensor a, b;
  Labels ofA, ofB, ofResult;
};
/// Computes a contraction as one product of matrices, or a batch of them. `kernels` copy operands whose dimensions do
/// not merge; where it is null, such operands are not taken. Returns false, with nothing done, where there is no such
/// product.
StatusOr<bool> contract(CublasLt &library, const DeviceMemory &memory, HandKernels *kernels,
                        const Contraction &contraction, IValue &result);

} // namespace tsc::fuser

namespace tsc::cuda {

// Each returns what the operator of its name contracts, or nothing where there are not two tensors, or one has to be
// summed, repeated or narrowed to a diagonal before.
std::optional<fuser::Contraction> einsum(llvm::StringRef equation, ArrayRef<Tensor> tensors);
std::optional<fuser::Contraction> tensordot(const Tensor &self, const Tensor &other, ArrayRef<int64_t> dimsSelf,
                                            ArrayRef<int64_t> dimsOther);

} // namespace tsc::cuda

#endif
