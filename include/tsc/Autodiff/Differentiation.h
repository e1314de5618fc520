//===- Differentiation.h - A graph and its derivative -----------*- C++ -*-===//
//
// Makes of a graph a pair: f computes the graph's results, df later the gradients of
// its inputs. What df needs of f's intermediate values f returns behind the results.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_AUTODIFF_DIFFERENTIATION_H
#define TSC_AUTODIFF_DIFFERENTIATION_H

#include "tsc/Support/Status.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>

namespace tsc {

class Graph;

/// The options of differentiate().
struct DifferentiationOptions {
  /// Whether gradients of results may be undefined. df then guards what it computes of them by prim::GradOf and adds by
  /// prim::AutogradAdd, which `specialize-zero-gradients` and `lower-grad-of` simplify later. Graphs with branches or
  /// loops are refused.
  bool mayBeAbsent = false;
};

/// The pair of f, which has the graph's inputs and results, and df, which returns the gradients of inputs.
struct DifferentiatedGraph {
  /// What an input of df stands for.
  struct Capture {
    enum Kind : uint8_t { Input, Result, Gradient } kind; ///< An input or result of f, or the gradient of a result.
    unsigned index;                                       ///< The position of that input or result of f.
  };
  std::unique_ptr<Graph> forward, backward; ///< f and df.
  unsigned numResults = 0; ///< The number of the graph's own results; f returns values for df behind them.
  llvm::SmallVector<Capture, 8> captures; ///< What each input of df stands for.
  llvm::SmallVector<unsigned, 4> inputs;  ///< The input of f whose gradient each output of df is.
  /// The inputs of f that may require a gradient, also those without influence on a result.
  llvm::SmallVector<unsigned, 4> candidates;
  unsigned numRecomputed = 0; ///< The number of nodes of f that df runs again.
};

/// Differentiates a graph, which stays as it is, with respect to the inputs that may require a gradient. df computes
/// views, sizes and cheap point-wise operators again where that needs no further kept value; f keeps the rest. Returns
/// Unimplemented where something in the graph cannot be differentiated; the message says what.
StatusOr<DifferentiatedGraph> differentiate(const Graph &graph, DifferentiationOptions options = {});

} // namespace tsc

#endif
