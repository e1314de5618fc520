//===- FusionDecomposition.h - Composites inside fusion groups --*- C++ -*-===//
#ifndef TSC_TRANSFORMS_FUSIONDECOMPOSITION_H
#define TSC_TRANSFORMS_FUSIONDECOMPOSITION_H

#include "tsc/IR/Graph.h"

namespace tsc {

/// A condition on a value, checked at run time, under which the parts of a composite's definition give the bits of the
/// composite and fail where it fails.
struct FusionRequirement {
  /// What has to hold for the value.
  enum Kind : uint8_t {
    Real,     ///< The value is a tensor of floats or doubles.
    NotEmpty, ///< The value is a tensor with elements.
    True,     ///< The value is a bool that sizes decide, and true.
    False,    ///< The value is such a bool, and false.
  };
  Value *value;
  Kind kind;
};

/// Whether decomposeForFusion replaces the node: it is a composite, the operands that decide what it is made of are
/// constants, and a group can hold all of that.
bool hasFusionDecomposition(const Node &node);

/// Replaces composites in the outermost block by their definitions, as far as hasFusionDecomposition() holds. Unlike
/// the pass `decompose`, it leaves no control flow. Returns the conditions under which the graph is still right.
std::vector<FusionRequirement> decomposeForFusion(Graph &graph);

} // namespace tsc

#endif
