//===- Folds.h - Reductions that a kernel can hold --------------*- C++ -*-===//
#ifndef TSC_FUSION_FOLDS_H
#define TSC_FUSION_FOLDS_H

#include "tsc/Fusion/LoopNest.h"
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

/// So few elements, such as coordinates, are no row to walk where there are so many of them.
inline constexpr int64_t fewElements = 4, manyRows = 64;

/// The dimension of a fold's operand that the fold goes along, when it has a few elements: kernels of results may
/// compute each of them from these. Nothing for others, and for means.
std::optional<int64_t> findShortRun(ArrayRef<int64_t> sizes, const FoldFacts &fold);

/// Whether a fold's elements are one row, in the order of the dimensions; the fold is in the eager kernels' order then.
bool foldsOneRun(ArrayRef<bool> reduced, ArrayRef<int64_t> sizes);

} // namespace tsc::fuser

#endif
