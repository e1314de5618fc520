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

/// Of variances, norms, logsumexp and batch_norm (StatisticsRules.cpp); null for others.
const CompositeRule *findStatisticsRule(OpKind kind);

} // namespace tsc

#endif
