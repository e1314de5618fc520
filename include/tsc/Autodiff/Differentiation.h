//===- Differentiation.h - A graph and its derivative -----------*- C++ -*-===//
//
// The pair (f, df) of a graph whose gradients somebody asks for later: what f keeps for
// df are results of f behind its own.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_AUTODIFF_DIFFERENTIATION_H
#define TSC_AUTODIFF_DIFFERENTIATION_H

#include "tsc/Support/Status.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>

namespace tsc {

class Graph;

struct DifferentiationOptions {
  /// Results may have no gradient: df guards what it computes of them by prim::GradOf, and adds with prim::AutogradAdd,
  /// until `specialize-zero-gradients` and `lower-grad-of` know more. Not through branches and loops.
  bool mayBeAbsent = false;
};

/// f has the graph's inputs and results; df gives the gradients of inputs.
struct DifferentiatedGraph {
  /// What an input of df stands for.
  struct Capture {
    enum Kind : uint8_t { Input, Result, Gradient } kind; ///< Of f; a gradient is that of one of f's results.
    unsigned index;
  };
  std::unique_ptr<Graph> forward, backward;
  unsigned numResults = 0;                   ///< Of the graph; results of f behind them are kept for df.
  llvm::SmallVector<Capture, 8> captures;    ///< One for each input of df.
  llvm::SmallVector<unsigned, 4> inputs;     ///< One for each output of df: the input whose gradient it is.
  llvm::SmallVector<unsigned, 4> candidates; ///< Inputs that may require a gradient; some have no influence.
  unsigned numRecomputed = 0; ///< Nodes of f that df runs again, since that is cheaper than to keep them.
};

/// Differentiates a graph by those of its inputs that may require a gradient. What is point-wise and cheap, a view or a
/// question, and depends on nothing that df would have to keep for that alone, df computes again; the rest it keeps.
/// Unimplemented: something in the graph cannot be differentiated, and the message says what.
StatusOr<DifferentiatedGraph> differentiate(const Graph &graph, DifferentiationOptions options = {});

} // namespace tsc

#endif
