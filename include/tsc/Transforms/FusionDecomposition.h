//===- FusionDecomposition.h - Composites inside fusion groups --*- C++ -*-===//
#ifndef TSC_TRANSFORMS_FUSIONDECOMPOSITION_H
#define TSC_TRANSFORMS_FUSIONDECOMPOSITION_H

#include "tsc/IR/Graph.h"

namespace tsc {

/// What a value must be at run time for a decomposition to give the bits of the operator, and not be refused where the
/// operator would be: a tensor of floats or doubles, and
struct FusionRequirement {
  Value *value;
  bool isRowMajor = false;
  Value *sameDTypeAs = nullptr;                ///< when not null, of the dtype of that one,
  llvm::SmallVector<int64_t, 2> trailing = {}; ///< with these sizes last,
  bool hasOnlyTrailing = false;                ///< and no others,
  Value *channelsOf = nullptr;                 ///< a vector as long as that one's dimension 1,
  Value *trailingList = nullptr;               ///< with the sizes of that list in place of `trailing`,
  size_t trailingCount = 0;                    ///< which must be as many.
};

/// Whether decomposeForFusion replaces the node: it is a composite that point-wise operators and reductions make up,
/// and the operands that decide which are constants.
bool hasFusionDecomposition(const Node &node);

/// Replaces the composites of the outermost block. Unlike the pass `decompose`, which takes PyTorch's definitions and
/// differentiates well, this gives what the eager kernels compute, bit for bit.
std::vector<FusionRequirement> decomposeForFusion(Graph &graph);

} // namespace tsc

#endif
