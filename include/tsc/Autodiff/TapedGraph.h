//===- TapedGraph.h - A graph that a tape takes for one operator -*- C++ -*-===//
//
// What a tape needs of a prim::DifferentiableGraph whose call it takes down as one node:
// what runs, what of it is kept, and, when gradients have arrived, how those of the
// operands are computed.
//
// The bits are those of a tape of the operators: gradients are given for each use of an
// operand by itself, in the order in which that tape would add them; and no element is read
// of a tensor that others may write to, unless that tape would read and check it, too.
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

class TapedGraph {
public:
  /// `graph` is of operators with one result each and without blocks; its inputs have the types of a call's arguments,
  /// of which some require gradients. Unimplemented: it cannot be differentiated as one.
  static StatusOr<std::unique_ptr<TapedGraph>> make(const Graph &graph);
  ~TapedGraph();

  struct Source {
    enum Kind : uint8_t { Input, Result, Gradient } kind;
    unsigned index;
    bool operator==(const Source &) const = default;
  };
  /// An input or a result whose elements a formula reads, as they are or through a view.
  struct Read {
    Source source;
    /// The view as a graph of the source; null for the source itself, and where the view takes more than constants.
    std::shared_ptr<const Graph> view;
    /// The sizes of what the formula reads, of a source of these sizes.
    llvm::SmallVector<int64_t, 4> sizes(llvm::ArrayRef<int64_t> ofSource) const;
  };
  /// How gradients are computed.
  struct Backward {
    std::unique_ptr<Graph> graph;
    llvm::SmallVector<Source, 8> captures;   ///< One for each input.
    llvm::SmallVector<unsigned, 4> operands; ///< One for each output: a number in operands(). In ascending order.
    /// Which of the graph's it goes through whose formulas read elements: what these read is kept for one time.
    llvm::SmallBitVector operators;
    llvm::SmallVector<Read, 4> checked; ///< What their formulas read, in the order in which a tape would look at it.
    unsigned numRecomputed = 0;         ///< Operators of the way forth that it runs again.
  };

  /// The graph's results, and behind them what is kept for its gradients.
  const Graph &forward() const { return *kept; }
  unsigned numResults() const { return resultCount; }
  /// The results that require gradients.
  const llvm::SmallBitVector &tracked() const { return activeResults; }
  /// The inputs that get gradients: one entry for each use, in the order in which their gradients are added.
  llvm::ArrayRef<unsigned> operands() const { return uses; }
  /// Where gradients have arrived for some of the results, and are wanted for some of the operands.
  StatusOr<Backward> backward(const llvm::SmallBitVector &arrived, const llvm::SmallBitVector &wanted) const;

private:
  TapedGraph();
  struct Sweep;
  static StatusOr<Sweep> sweep(const Graph &base, unsigned numResults, const llvm::SmallBitVector &arrived,
                               const llvm::SmallBitVector &inputs);
  bool splitUses(Graph &graph);
  StatusOr<Backward> backward(const llvm::SmallBitVector &arrived, const llvm::SmallBitVector &wanted,
                              bool readsAll) const;

  /// `split` is the forward graph with an input of its own for each use.
  std::unique_ptr<Graph> split, kept;
  unsigned resultCount = 0;
  llvm::SmallBitVector activeResults;
  llvm::SmallVector<Read, 4> readByAll; ///< Of inputs of `split`, and results, where all gradients are wanted.
  llvm::SmallVector<unsigned, 4> uses;
  llvm::SmallVector<unsigned, 4> splitInputs; ///< One for each of `uses`: the input of `split`.
  llvm::SmallVector<unsigned, 8> originals;   ///< By input of `split`: that of the graph.
};

} // namespace tsc

#endif
