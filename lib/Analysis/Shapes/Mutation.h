//===- Mutation.h - What writes do to what is known -------------*- C++ -*-===//
#ifndef TSC_LIB_ANALYSIS_SHAPES_MUTATION_H
#define TSC_LIB_ANALYSIS_SHAPES_MUTATION_H

#include "tsc/Analysis/Effects.h"
#include "llvm/ADT/DenseMap.h"

namespace tsc {

/// Answers for one graph what its writes leave valid. Values that may alias are answered for alike; each such group's
/// writers are looked at once.
class Mutation {
public:
  explicit Mutation(const Graph &graph);
  /// Whether elements may be put into or taken out of a list, or replaced.
  bool listIsWritten(const Value *value) { return summaryOf(value).list; }
  /// Whether an operator may change the tensor's sizes or strides.
  bool geometryIsWritten(const Value *value) { return summaryOf(value).geometry; }
  /// Whether an operator may write its elements.
  bool tensorIsWritten(const Value *value) { return summaryOf(value).tensor; }
  /// Whether the tensor may come to require a gradient by what is written into it.
  bool mayTakeGrad(const Value *value) { return somethingRequiresGrad && summaryOf(value).tensor; }
  /// Whether the program switches grad mode.
  bool switchesGradMode() const { return gradModeSwitched; }

private:
  struct Summary {
    bool list = false, geometry = false, tensor = false;
  };
  const Summary &summaryOf(const Value *value);
  void scan(const Graph &graph);

  Effects effects;
  llvm::DenseMap<const void *, Summary> summaries; ///< By the group's list of writers.
  bool somethingRequiresGrad = false, gradModeSwitched = false;
};

} // namespace tsc

#endif
