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

/// Whether two values are one constant: 1, 1.0 and True differ, a NaN is itself, and tensors and containers are
/// compared by what they hold.
bool isSameConstant(const IValue &a, const IValue &b);

/// Whether two graphs have the same nodes, which compute the same of the same inputs. Names, scopes and places in the
/// source do not matter.
bool areSameGraph(const Graph &a, const Graph &b);

/// Whether an object is compared with `is` or `is not`: two equal ones must stay two.
bool isComparedByIdentity(const Value &value);

/// Whether only operators take the value that neither keep it nor hand it on: nobody can tell it from an equal one.
bool isOnlyRead(const Value *value);

/// A node as a key of a DenseSet, for what it computes. It keeps its hash: a table that grows, or is searched, would
/// look into nodes all over memory otherwise.
class Expression {
public:
  explicit Expression(Node &node);
  Node &node() const { return *theNode; }

private:
  friend struct ExpressionInfo;
  Expression(Node *marker, unsigned hash) : theNode(marker), hash(hash) {}
  Node *theNode;
  unsigned hash;
};

/// Lets an Expression be the key of LLVM's hash tables.
struct ExpressionInfo {
  static Expression getEmptyKey() { return {llvm::DenseMapInfo<Node *>::getEmptyKey(), 0}; }
  static Expression getTombstoneKey() { return {llvm::DenseMapInfo<Node *>::getTombstoneKey(), 0}; }
  static unsigned getHashValue(const Expression &expression) { return expression.hash; }
  /// Whether the nodes compute the same: kind, attributes, types and operands are equal.
  static bool isEqual(const Expression &a, const Expression &b);
};

} // namespace tsc

#endif
