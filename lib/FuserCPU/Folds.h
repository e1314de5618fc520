//===- Folds.h - Reductions that a kernel can hold --------------*- C++ -*-===//
#ifndef TSC_LIB_FUSERCPU_FOLDS_H
#define TSC_LIB_FUSERCPU_FOLDS_H

#include "LoopNest.h"
#include "tsc/IR/OpRecord.h"
#include "tsc/Tensor/Tensor.h"
#include <optional>

namespace tsc {
class IValue;
}

namespace tsc::fuser {

/// A reduction of a given tensor.
struct FoldFacts {
  FoldKind kind;
  llvm::SmallVector<bool, 6> reduced; ///< By dimension of the operand.
  DType element;                      ///< What an element is rounded to before it takes part.
  DType inside, result;               ///< Of the elements as they are folded, and of the outcome.
  Dims sizes;                         ///< Of the outcome.
};
/// Nothing where the operator refuses its operands, or gives another kind of result. `operand(i)` is operand number i.
std::optional<FoldFacts> findFold(OpKind op, const Tensor &self, llvm::function_ref<const IValue &(int)> operand);

/// `t`, of a shape with or without the reduced dimensions, with those of `sizes`: stride 0 where a dimension is
/// reduced.
std::optional<Tensor> withReducedDims(const Tensor &t, ArrayRef<bool> reduced, ArrayRef<int64_t> sizes);

} // namespace tsc::fuser

#endif
