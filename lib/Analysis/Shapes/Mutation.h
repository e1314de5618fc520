//===- Mutation.h - What writes do to what is known -------------*- C++ -*-===//
#ifndef TSC_LIB_ANALYSIS_SHAPES_MUTATION_H
#define TSC_LIB_ANALYSIS_SHAPES_MUTATION_H

#include "tsc/Analysis/AliasAnalysis.h"
#include "llvm/ADT/DenseMap.h"

namespace tsc {

/// Answers for one graph what its writes leave valid. Each value and each place in memory is looked at once.
class Mutation {
public:
  explicit Mutation(const Graph &graph);
  /// Whether somebody may write the tensor's elements, or change the list itself.
  bool isWritten(const Value *value) { return writesTo(value).anything; }
  /// Whether an operator may change the tensor's sizes or strides.
  bool geometryIsWritten(const Value *value) { return writesTo(value).geometry; }
  /// Whether the tensor may come to require a gradient by what is written into it.
  bool mayTakeGrad(const Value *value) { return somethingRequiresGrad && isWritten(value); }
  /// Whether a tensor that requires a gradient may come to require none: what is written into it takes none away.
  bool mayLoseGrad(const Value *value) { return writesTo(value).detaches; }
  /// Whether the program switches grad mode.
  bool switchesGradMode() const { return gradModeSwitched; }

private:
  struct Writes {
    bool anything = false, geometry = false, detaches = false;
    void add(Writes other) {
      anything |= other.anything;
      geometry |= other.geometry;
      detaches |= other.detaches;
    }
  };
  Writes writesTo(const Value *value);
  Writes writesTo(Location location);
  void scan(const Graph &graph);

  AliasAnalysis aliases;
  llvm::DenseMap<const Value *, Writes> ofValues;
  llvm::DenseMap<unsigned, Writes> ofLocations;
  bool somethingRequiresGrad = false, gradModeSwitched = false;
};

} // namespace tsc

#endif
