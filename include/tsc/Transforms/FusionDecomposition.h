//===- FusionDecomposition.h - Composites inside fusion groups --*- C++ -*-===//
#ifndef TSC_TRANSFORMS_FUSIONDECOMPOSITION_H
#define TSC_TRANSFORMS_FUSIONDECOMPOSITION_H

#include "tsc/IR/Graph.h"

namespace tsc {

/// What a value must be at run time for the parts of a definition to give the bits of its operator, and to refuse what
/// the operator refuses.
struct FusionRequirement {
  enum Kind : uint8_t {
    Real,     ///< A tensor of floats or doubles.
    NotEmpty, ///< A tensor with elements.
    True,     ///< A bool, which sizes decide.
    False,
  };
  Value *value;
  Kind kind;
};

/// Whether decomposeForFusion replaces the node: it is a composite, the operands that decide what it is made of are
/// constants, and a group can hold all of that.
bool hasFusionDecomposition(const Node &node);

/// Replaces the composites of the outermost block by the records' definitions. Unlike the pass `decompose`, it leaves
/// no control flow.
std::vector<FusionRequirement> decomposeForFusion(Graph &graph);

} // namespace tsc

#endif
