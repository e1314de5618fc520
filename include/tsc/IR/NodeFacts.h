//===- NodeFacts.h - Nodes that the language is made of ---------*- C++ -*-===//
#ifndef TSC_IR_NODEFACTS_H
#define TSC_IR_NODEFACTS_H

#include "tsc/IR/Symbol.h"

namespace tsc {

/// Facts about the nodes of one kind that has no operator record, such as prim::If. They are bits and can be combined.
enum class NodeFact : uint8_t {
  CannotFail = 1,      ///< The node itself never raises where types are right; the nodes in its blocks may.
  SideEffects = 2,     ///< It prints, raises, sets an attribute or runs other code, and stays even when unused.
  LeavesBlock = 4,     ///< Control may not come back to the next node.
  PassesThrough = 8,   ///< Its results are its operands, unchanged.
  MayGiveOperand = 16, ///< Each result is either new or one of the operands.
  NewMemory = 32,      ///< Its results are new memory that refers to none of the operands.
  NoMemory = 64,       ///< It has no result that could be written: none at all, or only numbers, strings and the like.
};
constexpr NodeFact operator|(NodeFact a, NodeFact b) {
  return static_cast<NodeFact>(static_cast<uint8_t>(a) | static_cast<uint8_t>(b));
}

/// Whether NodeFacts.def states `fact` of the nodes of this kind. Always false for operators, whose records say it.
bool hasFact(Symbol kind, NodeFact fact);

} // namespace tsc

#endif
