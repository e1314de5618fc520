//===- FusedNest.h - A loop nest and where its operands are -----*- C++ -*-===//
//
// What the planner hands to a device: what is computed for each element, over which
// dimensions, and where each operand has its elements. How the dimensions are walked
// is the device's to decide.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_FUSION_FUSEDNEST_H
#define TSC_FUSION_FUSEDNEST_H

#include "tsc/Fusion/LoopNest.h"
#include "tsc/IR/IValue.h"
#include "tsc/Tensor/Promotion.h"
#include "tsc/Tensor/Tensor.h"

namespace tsc::fuser {

/// A number that a nest reads: where it comes from, and how it is converted and stored.
struct NumberSource {
  unsigned input;              ///< The input of the group that holds it, where `value` is None.
  DType dtype;                 ///< The type as which the kernel reads it.
  NumberConversion conversion; ///< What is made of the number before it is stored.
  IValue value = {};           ///< A number that shapes decide; None where an input holds the number.

  /// Returns the bits that a kernel reads: those of a float, a double or an int64_t.
  uint64_t stored(ArrayRef<const IValue *> inputs) const;
};

/// A loop nest with the dimensions that it is computed over and the places of its operands.
struct FusedNest {
  /// Has only Strided operands: the device sets their accesses, and then the levels of the steps.
  LoopNest nest;
  Dims sizes;                         ///< The sizes of the dimensions that are walked.
  llvm::SmallVector<bool, 6> reduced; ///< Whether folds go along a dimension; empty without folds.
  /// The tensor that an operand of the nest stands for.
  struct Operand {
    unsigned source; ///< Counts the group's inputs, then its outputs, then the plan's temporaries.
    Tensor geometry; ///< Has the walk's sizes and no storage; its offset counts elements from the source's first one.
  };
  std::vector<Operand> operands;              ///< One for each operand of the nest, in its order.
  llvm::SmallVector<NumberSource, 4> numbers; ///< One for each uniform of the nest, in its order.
  /// The results of a Fold step of the nest, stored row-major for the dimensions that are not reduced.
  struct FoldResult {
    unsigned nestStep;
    FoldKind kind;       ///< A Mean is the step's sum, divided.
    DType inside, dtype; ///< The type in which elements are folded, and that of the results.
    unsigned source;
    bool crosses = false; ///< Whether the fold goes along the dimensions that are not reduced instead, with results for
                          ///< the others.
  };
  std::vector<FoldResult> results; ///< When there are any, the nest stores nothing else.

  /// Whether the nest folds rows whose results its own elements read.
  bool foldsRows() const { return results.empty() && !reduced.empty(); }
};

} // namespace tsc::fuser

#endif
