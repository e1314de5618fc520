//===- CompositeRules.h - How composites are taken apart --------*- C++ -*-===//
#ifndef TSC_TRANSFORMS_FUSION_COMPOSITERULES_H
#define TSC_TRANSFORMS_FUSION_COMPOSITERULES_H

#include "tsc/IR/SymbolicVariable.h"
#include "tsc/IR/Type.h"
#include "tsc/Transforms/FusionDecomposition.h"

namespace tsc {

using Requirements = std::vector<FusionRequirement>;

struct CompositeRule {
  /// Whether the operands that decide are constants, and those that the rule knows.
  bool (*applies)(const Node &node);
  /// Inserts the parts at the graph's insertion point; gives the result.
  SymbolicVariable (*build)(Node &node, Requirements &requirements);
};

/// By their types: an optional that may be either is neither.
inline bool isNone(const Value *value) { return value->type()->isNone(); }
inline bool isTensorOrNone(const Value *value) { return isNone(value) || value->type()->isTensor(); }

/// What the records' column `fusion` names. The first row is FusionDecomposition.cpp's, the second
/// StatisticsRules.cpp's.
namespace rules {
extern const CompositeRule softmax, layerNorm, pairLoss, bentLoss, softMargin, divergence, logitsLoss;
extern const CompositeRule moment, logSumExp, norm, extremum, batchNorm, groupNorm;
} // namespace rules

} // namespace tsc

#endif
