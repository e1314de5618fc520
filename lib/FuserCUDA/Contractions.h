//===- Contractions.h - Sums over indices, on a GPU -------------*- C++ -*-===//
#ifndef TSC_LIB_FUSERCUDA_CONTRACTIONS_H
#define TSC_LIB_FUSERCUDA_CONTRACTIONS_H

#include "CublasLt.h"
#include "HandKernels.h"
#include "tsc/IR/OpRecord.h"

namespace tsc::fuser {

/// The products of the elements of two tensors, summed over the labels that the result does not have. Labels name
/// dimensions; none is named twice by one tensor.
struct Contraction {
  using Labels = llvm::SmallVector<int, 8>;
  Tensor a, b;
  Labels ofA, ofB, ofResult;
};
/// What einsum of two tensors and tensordot ask for; nullopt: the operator is none of these, or a tensor has to be
/// summed, repeated or narrowed to a diagonal before.
std::optional<Contraction> contractionOf(OpKind op, llvm::ArrayRef<const IValue *> args);

/// As one product of matrices, or a batch of them. `kernels` copy operands whose dimensions do not merge; null: they
/// are not taken. False: nothing was done, as above.
StatusOr<bool> contract(CublasLt &library, const DeviceMemory &memory, HandKernels *kernels,
                        const Contraction &contraction, IValue &result);

} // namespace tsc::fuser

#endif
