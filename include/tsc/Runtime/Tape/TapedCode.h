//===- TapedCode.h - Graphs that a tape records as one operator -*- C++ -*-===//
#ifndef TSC_RUNTIME_TAPE_TAPEDCODE_H
#define TSC_RUNTIME_TAPE_TAPEDCODE_H

#include "tsc/Autodiff/TapedGraph.h"
#include "tsc/IR/IValue.h"
#include "tsc/Runtime/Interpreter/Code.h"
#include "tsc/Support/PlanCache.h"
#include <limits>

namespace tsc {

/// A graph that a tape records as one operator, for arguments of some types: its code and, once gradients have arrived,
/// the code of its derivative.
///
/// Ownership: borrows the cache that has the code.
/// Threads:   safe.
class TapedCode {
public:
  /// Compiles a graph whose inputs have the types of the arguments. `codes` optimizes what is compiled, and `name`
  /// stands for the graph in messages. Fails where no result of it requires a gradient, and where no derivative is
  /// known.
  static StatusOr<std::shared_ptr<TapedCode>> make(const Graph &graph, CodeCache &codes, llvm::StringRef name);

  /// The derivative for some of the results' gradients by some of the operands.
  struct Backward {
    std::vector<unsigned> key; ///< The numbers of the gradients that have arrived, ~0, and those of the operands.
    TapedGraph::Backward how;  ///< What it reads and gives; its graph is compiled, and gone.
    const Code *code = nullptr;
  };
  /// Returns the derivative for the gradients that have `arrived`, by the operands that are `wanted`. It is compiled
  /// when it is first asked for.
  StatusOr<const Backward *> backward(const llvm::SmallBitVector &arrived, const llvm::SmallBitVector &wanted);

  const TapedGraph &graph() const { return *taped; }
  const Code &forward() const { return *forwardCode; }
  /// The tensors that a call keeps, and their numbers.
  llvm::ArrayRef<TapedGraph::Source> kept() const { return keptTensors; }
  int numberOf(TapedGraph::Source source) const; ///< Returns the position of one of these, or -1 for another one.
  /// The operators that gradients may go through and whose formulas read elements.
  const llvm::SmallBitVector &operators() const { return allOperators; }
  /// Those that run again on the way back, where all gradients are wanted.
  unsigned numRecomputed() const { return recomputed; }

private:
  StatusOr<Backward> makeBackward(const llvm::SmallBitVector &arrived, const llvm::SmallBitVector &wanted);
  std::unique_ptr<TapedGraph> taped;
  const Code *forwardCode = nullptr;
  CodeCache *codes = nullptr;
  std::string name;
  llvm::SmallVector<TapedGraph::Source, 8> keptTensors;
  llvm::SmallBitVector allOperators;
  unsigned recomputed = 0;
  PlanCache<const Backward> backwards{std::numeric_limits<size_t>::max()};
};

} // namespace tsc

#endif
