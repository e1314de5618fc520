//===- FusionRoles.h - What a node can be in a fusion group -----*- C++ -*-===//
#ifndef TSC_TRANSFORMS_FUSIONROLES_H
#define TSC_TRANSFORMS_FUSIONROLES_H

#include "tsc/IR/Graph.h"

namespace tsc {

class AliasAnalysis;

/// What a node can be in a fusion group.
enum class FusionRole : uint8_t {
  None,
  Pointwise,     ///< Computes each element of the result from the same element of the operands.
  Cast,          ///< Converts the dtype, or makes row-major; may give the operand itself when nothing is to be done.
  Fill,          ///< Fills the operand's shape with one number: zeros_like, ones_like, full_like.
  IndexMap,      ///< Gives elements of the operand in other places: transpose, slice, expand, …
  Reshape,       ///< Gives the operand's elements in row-major order in another shape: view, reshape, flatten.
  Split,         ///< Gives a list of index maps of the operand: chunk, split, unbind.
  Pick,          ///< Takes the pieces out of the list of a Split.
  Gather,        ///< Makes the list that a Concatenation joins.
  Concatenation, ///< Writes its operands side by side.
  Reduction,     ///< Folds elements along dimensions.
  Number,        ///< Computes an int, a list of ints or a bool that shapes decide: size, numel, [size, -1].
};

/// Returns the role that the node's operator has, whatever its operands are. It is the same for all fusers.
FusionRole fusionRole(const Node &node);

/// Whether the node alone could be in a group: it has a role, and its operands are of kinds that a group takes.
/// `aliases` tells which lists somebody writes.
bool mayBeFused(const Node &node, const AliasAnalysis &aliases);

/// Whether the node computes elements that would be stored and read again without fusion.
inline bool isComputing(FusionRole role) {
  return role == FusionRole::Pointwise || role == FusionRole::Cast || role == FusionRole::Fill ||
         role == FusionRole::Reduction || role == FusionRole::Concatenation;
}
/// Whether the node gives elements of its operand in other places, which costs nothing in a group and little outside.
inline bool isRearranging(FusionRole role) {
  return role == FusionRole::IndexMap || role == FusionRole::Reshape || role == FusionRole::Split ||
         role == FusionRole::Pick;
}

} // namespace tsc

#endif
