//===- GraphSplitter.h - A graph and its derivative, apart ------*- C++ -*-===//
#ifndef TSC_LIB_AUTODIFF_GRAPHSPLITTER_H
#define TSC_LIB_AUTODIFF_GRAPHSPLITTER_H

#include "tsc/Autodiff/Differentiation.h"
#include "tsc/IR/Graph.h"
#include "llvm/ADT/DenseSet.h"

namespace tsc {

/// What stands in a graph that holds its gradients.
struct SplitParts {
  unsigned numInputs, numResults;     ///< How many are the graph's own; inputs behind them are gradients of results.
  llvm::ArrayRef<unsigned> gradients; ///< The result of which each of these inputs is the gradient.
  llvm::ArrayRef<Value *> found;      ///< The gradients of inputs.
  /// f is as it is: results behind the graph's are what it keeps, and it keeps no more.
  bool isFixed = false;
};

/// Erases what neither results nor gradients need; what comes from `start` on, a node of the graph with one result,
/// computes these.
void eraseUnneeded(Graph &whole, Node &start, llvm::ArrayRef<Value *> gradients);

/// Takes a graph apart from which `start` on computes gradients: what the second part reads of the first is an input or
/// a result, is computed again, or becomes one more result.
class GraphSplitter {
public:
  /// `readable`: of the tensors among inputs and results those whose elements may be read to compute something again;
  /// null: all.
  GraphSplitter(std::unique_ptr<Graph> graph, Node &start, const SplitParts &parts,
                const llvm::DenseSet<const Value *> *readable);
  /// Takes the graph apart. The result has no df where a fixed f does not keep what that reads.
  DifferentiatedGraph run();

private:
  bool isForward(const Value *value) const;
  void collectNeeded();
  bool decideCaptures();
  bool isVisible(const Value *value) const;
  bool isAvailable(Value *value, unsigned depth, bool isMeasured) const;
  void copy(const Node &node);
  Value *valueInReverse(Value *value);
  Value *input(const Value *value, DifferentiatedGraph::Capture::Kind kind, unsigned index);
  void simplify();
  void dropUnread();
  void eraseReverse();

  std::unique_ptr<Graph> whole;
  Graph *df = nullptr;
  Node &start;
  const SplitParts parts;
  const llvm::DenseSet<const Value *> *readable;
  llvm::SmallVector<Value *> needed;
  llvm::DenseMap<const Value *, unsigned> resultNumbers;
  llvm::DenseMap<const Value *, Value *> known;
  DifferentiatedGraph pair;
};

} // namespace tsc

#endif
