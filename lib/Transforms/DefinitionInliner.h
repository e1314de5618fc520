//===- DefinitionInliner.h - A composite as the parts it runs ---*- C++ -*-===//
#ifndef TSC_LIB_TRANSFORMS_DEFINITIONINLINER_H
#define TSC_LIB_TRANSFORMS_DEFINITIONINLINER_H

#include "tsc/Transforms/FusionDecomposition.h"

namespace tsc {

/// What inlineDefinition() inserted, and under which conditions it computes what the operator does.
struct InlinedDefinition {
  std::vector<Value *> results; ///< Null where nobody uses the operator's.
  std::vector<Node *> nodes;    ///< What was made, but for constants.
  std::vector<FusionRequirement> requirements;
};

/// Inserts at the graph's insertion point what a composite runs for these operands: of its definition, and of those of
/// composites within, the branches that constants and ranks decide, without control flow. Reads `composite`, which may
/// be in another graph, and does not change it. nullopt, and nothing inserted: it has no definition, something is not
/// decided, or it would write or raise.
///
/// An assertion that sizes decide becomes a requirement, and so does that a tensor has elements, where the definition
/// asks how many.
std::optional<InlinedDefinition> inlineDefinition(const Node &composite, ArrayRef<Value *> operands, Graph &graph);

} // namespace tsc

#endif
