//===- ConstantLattice.h - What every value is known to be ------*- C++ -*-===//
//
// Sparse conditional constant propagation over structured control flow: which
// blocks can run, and which values are one constant whenever they are computed. A
// value starts as unvisited, may become a constant and then varying, and never goes
// back, so each node is computed at most once.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_TRANSFORMS_CONSTANTLATTICE_H
#define TSC_LIB_TRANSFORMS_CONSTANTLATTICE_H

#include "tsc/IR/GraphTable.h"
#include "llvm/ADT/DenseSet.h"

namespace tsc {

class ConstantEvaluator;
class AliasAnalysis;

/// Which values take part.
enum class FoldedTypes { All, Immutable };

/// Which values of a graph are constants, and which blocks can run, as sparse conditional constant propagation finds
/// them.
class ConstantLattice {
public:
  ConstantLattice(Graph &graph, const AliasAnalysis &aliases, ConstantEvaluator *evaluator, FoldedTypes types);
  /// The constant that `value` is; null when it varies.
  const IValue *constant(const Value *value) const;
  /// Whether the block can run at all.
  bool canRun(const Block &block) const { return running.contains(&block); }

private:
  struct State {
    bool isKnown = false, isVarying = false;
    IValue value; ///< The constant, when it is known and does not vary.
  };

  void enter(Block &block);
  void visit(Node &node);
  void visitReturn(Node &node);
  void visitIf(Node &node);
  void visitLoop(Node &node);
  void visitAttribute(Node &node);
  void visitOperator(Node &node);
  std::optional<std::vector<IValue>> compute(Node &node, llvm::ArrayRef<IValue> operands) const;
  bool mayHold(const Value *value) const;

  bool isUnvisited(const Value *value) const { return !states.find(value) || !states.find(value)->isKnown; }
  void setConstant(Value *value, const IValue &constant);
  void setVarying(Value *value);
  void setVarying(Node &node);
  /// What flows from `from` reaches `to`.
  void join(Value *to, const Value *from);
  void push(Node *node);
  void pushUsers(Value *value);

  const AliasAnalysis &aliases;
  ConstantEvaluator *evaluator;
  FoldedTypes types;
  GraphTable<Value, State> states;
  llvm::DenseSet<const Block *> running;
  GraphSet<Node> queued;
  llvm::SmallVector<Node *> worklist, returns;
};

} // namespace tsc

#endif
