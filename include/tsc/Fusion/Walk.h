//===- Walk.h - Dimensions in the order in which they are walked *- C++ -*-===//
//
// Devices walk nests in ways of their own; how dimensions are ordered and merged before
// that is the same for all.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_FUSION_WALK_H
#define TSC_FUSION_WALK_H

#include "tsc/Fusion/FusedNest.h"

namespace tsc::fuser {

/// A dimension of a walk over the operands of a nest.
struct WalkDim {
  int64_t size;
  llvm::SmallVector<int64_t, 8> strides; ///< The strides of the operands, in bytes, one for each.
  int64_t resultStep = 0; ///< By how many elements the result of a fold moves with each step along the dimension.
};
/// The dimensions of a walk, the outermost first.
using WalkDims = llvm::SmallVectorImpl<WalkDim>;

/// Returns dimension `d` of the nest.
WalkDim walkDim(const FusedNest &fused, size_t d);
/// Returns a dimension of size 1, along which no operand moves.
WalkDim stillDim(const FusedNest &fused);
/// Appends an inner dimension. Where `mayContinue` and the strides of every operand allow it, it is merged with the
/// last one.
void appendDim(WalkDims &dims, WalkDim dim, bool mayContinue = true);

/// Appends to `dims` all dimensions of a nest that computes elements and stores some, outermost first and merged, in
/// the order in which the tensor of the first store lies in memory. Dimensions that rows are folded along come last, as
/// one dimension. Returns false where they do not merge into one.
bool orderByElements(const FusedNest &fused, WalkDims &dims);

/// Orders the dimensions of a nest whose folds' results are stored. `kept` receives those that are not folded,
/// outermost first and merged; `run` is the innermost run of neighbouring folded dimensions, merged, which devices cut
/// into blocks; `runs` receives the other folded ones. Returns false where `run` has no single stride.
bool orderByFolds(const FusedNest &fused, WalkDims &kept, WalkDims &runs, WalkDim &run);

} // namespace tsc::fuser

#endif
