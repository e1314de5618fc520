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

/// What a reduction of a given tensor folds, in which types, and what it gives.
struct FoldFacts {
  FoldKind kind;
  llvm::SmallVector<bool, 6> reduced; ///< Whether a dimension of the operand is folded.
  DType element;                      ///< The type that an element is rounded to before it is folded.
  DType inside, result;               ///< The type in which elements are folded, and that of the result.
  Dims sizes;                         ///< The sizes of the result.
};
/// Returns the facts of reduction `op`, which has a foldSignature(), of `self`. Returns nothing where the operator
/// refuses its operands, `self` has no elements, or the result is complex or of another type that kernels lack.
/// `operand(i)` returns operand i.
std::optional<FoldFacts> findFold(OpKind op, const Tensor &self, llvm::function_ref<const IValue &(int)> operand);

/// Returns a view of `t`, the result of a fold, in the shape `sizes` of the fold's operand: with stride 0 along reduced
/// dimensions, which `t` may lack or have with size 1. `reduced` has a flag for each of `sizes`. Returns nothing where
/// `t` has another shape.
std::optional<Tensor> withReducedDims(const Tensor &t, ArrayRef<bool> reduced, ArrayRef<int64_t> sizes);

/// Rows of up to fewElements elements, such as coordinates, are not walked as rows where there are manyRows of them or
/// more.
inline constexpr int64_t fewElements = 4, manyRows = 64;

/// Returns the one dimension that a fold goes along when it has up to fewElements elements, so that a kernel can
/// compute each result from these. Dimensions of size 1 do not count unless all folded ones are such. Returns nothing
/// for other folds, and for means.
std::optional<int64_t> findShortRun(ArrayRef<int64_t> sizes, const FoldFacts &fold);

/// Whether the folded dimensions, of which `reduced` has a flag for each of `sizes`, are neighbours, those of size 1
/// apart. The elements of a fold are then one row, and a walk along it is in the eager kernels' order.
bool foldsOneRun(ArrayRef<bool> reduced, ArrayRef<int64_t> sizes);

} // namespace tsc::fuser

#endif
