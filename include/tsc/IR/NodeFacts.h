//===- NodeFacts.h - Nodes that the language is made of ---------*- C++ -*-===//
#ifndef TSC_IR_NODEFACTS_H
#define TSC_IR_NODEFACTS_H

#include "tsc/IR/Symbol.h"

namespace tsc {

/// What holds of a node by its kind, where no record says it.
enum class NodeFact : uint8_t {
  CannotFail = 1,      ///< Where types are right. What its blocks hold may.
  SideEffects = 2,     ///< Printing, raising, attributes set, code elsewhere: stays even when no output is used.
  LeavesBlock = 4,     ///< Control may not come back to the next node.
  PassesThrough = 8,   ///< Results are operands.
  MayGiveOperand = 16, ///< A result is new, or one of the operands.
  NewMemory = 32,      ///< Results are new, and hold nothing of the operands.
  NoMemory = 64,       ///< No result may be written: there is none, or it is a number or text.
};
constexpr NodeFact operator|(NodeFact a, NodeFact b) {
  return static_cast<NodeFact>(static_cast<uint8_t>(a) | static_cast<uint8_t>(b));
}

/// A fact of the nodes of this kind (NodeFacts.def); false for operators.
bool hasFact(Symbol kind, NodeFact fact);

} // namespace tsc

#endif
