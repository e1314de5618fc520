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

/// A dimension that is walked.
struct WalkDim {
  int64_t size;
  llvm::SmallVector<int64_t, 8> strides; ///< Bytes, by operand.
  int64_t resultStep = 0;                ///< Elements of a fold's result.
};
using WalkDims = llvm::SmallVectorImpl<WalkDim>;

/// Dimension `d` of the nest; one that nothing moves along.
WalkDim walkDim(const FusedNest &fused, size_t d);
WalkDim stillDim(const FusedNest &fused);
/// Adds an inner dimension; one with the last where that continues where it ends, for every operand.
void appendDim(WalkDims &dims, WalkDim dim, bool mayContinue = true);

/// All dimensions, outermost first and merged, those of what is written in the order in which it lies: for elements
/// that are computed each and, with the folded dimension last and alone, for rows whose elements read the row's folds.
/// False where what is folded is no single run.
bool orderByElements(const FusedNest &fused, WalkDims &dims);

/// Of folds whose results are stored: the dimensions that are kept, outermost first and merged; those that are folded
/// but the innermost; and the innermost, neighbours in the nest, which is cut into blocks. False where that has no
/// single stride.
bool orderByFolds(const FusedNest &fused, WalkDims &kept, WalkDims &runs, WalkDim &run);

} // namespace tsc::fuser

#endif
