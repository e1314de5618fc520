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

/// A number that a nest reads: which input it is, the type that it is stored as, and what is made of it first.
struct NumberSource {
  unsigned input;
  DType dtype;
  NumberConversion conversion;
  IValue value = {}; ///< Not None: one that shapes decide, and no input.

  /// As a kernel reads it: a float, double or int64_t.
  uint64_t stored(ArrayRef<const IValue *> inputs) const;
};

struct FusedNest {
  /// All operands are taken to be Strided: the device sets their classes, and the levels of the steps with them.
  LoopNest nest;
  Dims sizes;                         ///< Of what is walked.
  llvm::SmallVector<bool, 6> reduced; ///< The dimensions that folds go along; empty without folds.
  struct Operand {
    unsigned source; ///< An input; from the number of inputs on, an output; behind these, a temporary.
    Tensor geometry; ///< Of the walk's sizes, without storage; offsets count from the source's first element.
  };
  std::vector<Operand> operands; ///< Of the nest, in order.
  llvm::SmallVector<NumberSource, 4> numbers;
  /// What a Fold step of the nest gives, row-major, for the dimensions that are not reduced.
  struct FoldResult {
    unsigned nestStep;
    FoldKind kind; ///< A mean is the step's sum, divided.
    DType inside, dtype;
    unsigned source;
    bool crosses = false; ///< It goes along the other dimensions instead, and is for those that are reduced.
  };
  std::vector<FoldResult> results; ///< With any, the nest stores nothing else.

  /// Whether folds are of rows, and their results are read by elements of the same nest.
  bool foldsRows() const { return results.empty() && !reduced.empty(); }
};

} // namespace tsc::fuser

#endif
