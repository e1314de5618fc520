//===- Effects.h - What a graph may write ----------------------*- C++ -*-===//
//
// Groups values that may share storage and tells which groups are written and
// which the outside world can see. Deliberately coarse: two values are in one
// group when any chain of operators might make them alias. Linear in the size
// of the graph (union-find).
//
//===----------------------------------------------------------------------===//
#ifndef TSC_ANALYSIS_EFFECTS_H
#define TSC_ANALYSIS_EFFECTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace tsc {

class Block;
class Graph;
class Node;
class Value;

class Effects {
public:
  explicit Effects(const Graph &graph);

  /// Whether some node of the graph may write what `value` refers to.
  bool isWritten(const Value *value) const;
  /// Whether `value` may be seen from outside: an input, a returned value, an attribute, an argument of a call.
  bool escapes(const Value *value) const;
  /// Nodes that may write what `value` refers to.
  llvm::ArrayRef<Node *> writers(const Value *value) const;
  /// Whether the node writes anything at all (its overload says so, or it is not known).
  static bool mayWrite(const Node &node);

private:
  struct Group {
    unsigned parent;
    bool escapes = false;
    llvm::SmallVector<Node *, 0> writers;
  };
  unsigned find(unsigned group) const;
  unsigned groupOf(const Value *value);
  const Group *lookup(const Value *value) const;
  void join(unsigned a, unsigned b);
  void joinValues(const Value *a, const Value *b);
  void escape(const Value *value);
  void visitBlock(const Block &block);
  void visit(Node &node);
  void joinAll(const Node &node);

  mutable std::vector<Group> groups;
  llvm::DenseMap<const Value *, unsigned> groupNumbers;
};

} // namespace tsc

#endif
