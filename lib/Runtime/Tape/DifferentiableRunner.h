//===- DifferentiableRunner.h - Graphs that a tape takes as one -*- C++ -*-===//
//
// What a prim::DifferentiableGraph becomes in a call that has a tape: code of the graph and,
// when gradients have arrived, code of its derivative, both optimized and fused.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_RUNTIME_TAPE_DIFFERENTIABLERUNNER_H
#define TSC_LIB_RUNTIME_TAPE_DIFFERENTIABLERUNNER_H

#include "tsc/Autodiff/TapedGraph.h"
#include "tsc/IR/IValue.h"
#include "tsc/Runtime/Specializer.h"
#include <map>
#include <mutex>

namespace tsc {

class CallContext;
class Code;
class CodeCache;

/// A graph for arguments of some types.
///
/// Threads: safe.
class TapedCode {
public:
  static StatusOr<std::shared_ptr<TapedCode>> make(const Graph &graph, CodeCache &codes, llvm::StringRef name);

  struct Backward {
    TapedGraph::Backward how; ///< Without its graph.
    const Code *code = nullptr;
  };
  /// Compiled when it is first asked for.
  StatusOr<const Backward *> backward(const llvm::SmallBitVector &arrived, const llvm::SmallBitVector &wanted);

  const TapedGraph &graph() const { return *taped; }
  const Code &forward() const { return *forwardCode; }
  /// The tensors that a call keeps, and their numbers.
  llvm::ArrayRef<TapedGraph::Source> kept() const { return keptTensors; }
  int numberOf(TapedGraph::Source source) const;
  /// The operators that gradients may go through and whose formulas read elements.
  const llvm::SmallBitVector &operators() const { return allOperators; }
  /// Those that run again on the way back, where all gradients are wanted.
  unsigned numRecomputed() const { return recomputed; }

private:
  std::unique_ptr<TapedGraph> taped;
  const Code *forwardCode = nullptr;
  CodeCache *codes = nullptr;
  std::string name;
  llvm::SmallVector<TapedGraph::Source, 8> keptTensors;
  llvm::SmallBitVector allOperators;
  unsigned recomputed = 0;
  std::mutex lock;
  std::map<std::vector<unsigned>, std::unique_ptr<Backward>> backwards; ///< By what has arrived and is wanted.
};

/// One place in a program.
///
/// Threads: safe.
class DifferentiableRunner {
public:
  /// `codes` optimizes what it compiles. The first `callsBefore` calls that it could take are left.
  DifferentiableRunner(const Graph &graph, CodeCache &codes, unsigned callsBefore);
  /// False: the tape is to take down the operators one by one; nothing was done.
  bool run(CallContext &context, llvm::ArrayRef<const IValue *> operands, llvm::MutableArrayRef<IValue> results);

private:
  std::shared_ptr<TapedCode> codeFor(llvm::ArrayRef<IValue> args);

  const Graph &graph;
  CodeCache &codes;
  const unsigned callsBefore;
  std::mutex lock;
  unsigned calls = 0;
  struct Plan {
    ArgumentSpec spec;
    std::shared_ptr<TapedCode> code; ///< Null: these are for the operators.
  };
  std::vector<Plan> plans;
};

} // namespace tsc

#endif
