//===- NodeEquality.h - Nodes that compute the same -------------*- C++ -*-===//
//
// Equality and hashes of nodes by kind, overload, operands and attributes: what
// value numbering and constant pooling look up.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_TRANSFORMS_NODEEQUALITY_H
#define TSC_LIB_TRANSFORMS_NODEEQUALITY_H

#include "tsc/IR/Graph.h"
#include "llvm/ADT/DenseMapInfo.h"

namespace tsc {

/// Whether two values are one constant: 1, 1.0 and True differ, a NaN is itself, and tensors and containers are compared
/// by what they hold.
bool isSameConstant(const IValue &a, const IValue &b);

/// Whether only operators take the value that neither keep it nor hand it on: nobody can tell it from an equal one.
bool isOnlyRead(const Value *value);

/// A node as a key of a DenseSet, for what it computes.
struct ExpressionInfo {
  static Node *getEmptyKey() { return llvm::DenseMapInfo<Node *>::getEmptyKey(); }
  static Node *getTombstoneKey() { return llvm::DenseMapInfo<Node *>::getTombstoneKey(); }
  static unsigned getHashValue(const Node *node);
  static bool isEqual(const Node *a, const Node *b);
};

} // namespace tsc

#endif
