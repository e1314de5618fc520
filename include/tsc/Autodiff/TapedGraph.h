//===- TapedGraph.h - A graph that a tape takes for one operator -*- C++ -*-===//
//
// A tape may record a call of a prim::DifferentiableGraph as one node. A TapedGraph says
// what runs, which values of it are kept, and, when gradients have arrived, how those of
// the operands are computed.
//
// The results have the same bits as if the tape had recorded each operator by itself:
// each use of an operand has a gradient of its own, in the order in which that tape would
// add them. And elements of a tensor that others may write to are read only where that
// tape would read them, and check for such a write, too.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_AUTODIFF_TAPEDGRAPH_H
#define TSC_AUTODIFF_TAPEDGRAPH_H

#include "tsc/Support/Status.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>

namespace tsc {

class Graph;

/// A graph that a tape records as one operator. Owns its graphs and is not changed once it is made.
class TapedGraph {
public:
  /// Makes the TapedGraph of `graph`, whose nodes are operators with one result and without blocks, and whose inputs
  /// have the types of a call's arguments, of which some require gradients. Returns Unimplemented where the graph
  /// cannot be differentiated as a whole.
  static StatusOr<std::unique_ptr<TapedGraph>> make(const Graph &graph);
  ~TapedGraph();

  /// What a value stands for: an input or result of forward(), or the gradient of a result.
  struct Source {
    /// Which of the three it is.
    enum Kind : uint8_t { Input, Result, Gradient } kind;
    unsigned index; ///< Its position among the inputs or the results; for a gradient, that of the result.
    bool operator==(const Source &) const = default;
  };
  /// An input or a result whose elements a formula reads, directly or through a view.
  struct Read {
    Source source;
    /// A graph that makes the view of the source; null for the source itself, and where the view depends on more than
    /// the source and constants.
    std::shared_ptr<const Graph> view;
    /// Returns the sizes of what the formula reads where the source has the sizes `ofSource`; these themselves where
    /// the view's do not follow from them.
    llvm::SmallVector<int64_t, 4> sizes(llvm::ArrayRef<int64_t> ofSource) const;
  };
  /// How the gradients of some operands are computed.
  struct Backward {
    std::unique_ptr<Graph> graph;            ///< Computes the gradients.
    llvm::SmallVector<Source, 8> captures;   ///< What each input of the graph stands for.
    llvm::SmallVector<unsigned, 4> operands; ///< The position in TapedGraph::operands() of each output; ascending.
    /// The operators, by position in forward(), whose formulas take part and read elements. What they read is kept for
    /// a single backward pass unless the program retains the graph.
    llvm::SmallBitVector operators;
    llvm::SmallVector<Read, 4> checked; ///< What those formulas read, in the order in which a tape would check it.
    unsigned numRecomputed = 0;         ///< The number of forward operators that it runs again.
  };

  /// Returns the graph that runs: it returns the original graph's results, and behind them what is kept for the
  /// gradients.
  const Graph &forward() const { return *kept; }
  /// Returns the number of the original graph's results.
  unsigned numResults() const { return resultCount; }
  /// Returns which results depend on inputs that may require gradients, and so require one.
  const llvm::SmallBitVector &tracked() const { return activeResults; }
  /// Returns the inputs that get gradients, with one entry for each use, in the order in which the gradients are added.
  llvm::ArrayRef<unsigned> operands() const { return uses; }
  /// Returns how the gradients of the operands in `wanted` (positions in operands()) are computed from those of the
  /// results in `arrived`. Returns Unimplemented where the graph does not keep what that takes.
  StatusOr<Backward> backward(const llvm::SmallBitVector &arrived, const llvm::SmallBitVector &wanted) const;

private:
  TapedGraph();
  struct Sweep;
  static StatusOr<Sweep> sweep(const Graph &base, unsigned numResults, const llvm::SmallBitVector &arrived,
                               const llvm::SmallBitVector &inputs);
  bool splitUses(Graph &graph);
  StatusOr<Backward> backward(const llvm::SmallBitVector &arrived, const llvm::SmallBitVector &wanted,
                              bool readsAll) const;

  /// `kept` is what forward() returns; `split` is the same with an input of its own for each use.
  std::unique_ptr<Graph> split, kept;
  unsigned resultCount = 0;
  llvm::SmallBitVector activeResults;
  llvm::SmallVector<Read, 4> readByAll; ///< The inputs of `split` and the results that formulas of all gradients read.
  llvm::SmallVector<unsigned, 4> uses;
  llvm::SmallVector<unsigned, 4> splitInputs; ///< The input of `split` for each of `uses`.
  llvm::SmallVector<unsigned, 8> originals;   ///< The graph's input for each input of `split`.
};

} // namespace tsc

#endif
