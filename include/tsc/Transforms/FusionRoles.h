//===- FusionRoles.h - What a node can be in a fusion group -----*- C++ -*-===//
#ifndef TSC_TRANSFORMS_FUSIONROLES_H
#define TSC_TRANSFORMS_FUSIONROLES_H

#include "tsc/IR/Graph.h"

namespace tsc {

class AliasAnalysis;

enum class FusionRole : uint8_t {
  None,
  Pointwise,     ///< Each element of the result from the same element of the operands.
  Cast,          ///< Point-wise too, or row-major; may give its operand itself when nothing is to be done.
  Fill,          ///< One number in the operand's shape: zeros_like, ones_like, full_like.
  IndexMap,      ///< Elements of the operand in other places: transpose, slice, expand, …
  Reshape,       ///< The operand's elements in row-major order, in another shape: view, reshape, flatten.
  Split,         ///< A list of index maps: chunk, split, unbind.
  Pick,          ///< Takes pieces from the list of a Split.
  Gather,        ///< The list of a Concatenation.
  Concatenation, ///< Writes its operands side by side.
  Reduction,     ///< Folds elements along dimensions.
  Number,        ///< An int, a list of ints or a bool, that shapes decide: size, numel, [size, -1].
};

/// The role that the operator has, whatever its operands are. The same for all fusers.
FusionRole fusionRole(const Node &node);

/// Whether the node could be in a group by itself: its role, and operands of kinds that a group takes. `aliases` tells
/// of lists that somebody writes.
bool mayBeFused(const Node &node, const AliasAnalysis &aliases);

/// Computes elements that would be stored and read again without fusion.
inline bool isComputing(FusionRole role) {
  return role == FusionRole::Pointwise || role == FusionRole::Cast || role == FusionRole::Fill ||
         role == FusionRole::Reduction || role == FusionRole::Concatenation;
}
/// Gives elements of its operand, elsewhere: costs nothing where it is fused, and little where it is not.
inline bool isRearranging(FusionRole role) {
  return role == FusionRole::IndexMap || role == FusionRole::Reshape || role == FusionRole::Split ||
         role == FusionRole::Pick;
}

} // namespace tsc

#endif
