//===- PointwiseProgram.h - Several point-wise operators in one pass -*- C++ -*-===//
//
// What a fusion group runs when no code has been generated for it: the operators'
// own kernels, one after another on a block of elements that stays in the first-
// level cache, so that memory is read and written once. Nothing is compiled, and
// every element sees the kernels, conversions and roundings of an unfused call:
// the bits are the same.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_KERNELS_POINTWISEPROGRAM_H
#define TSC_KERNELS_POINTWISEPROGRAM_H

#include "tsc/Kernels/PointwiseOps.h"
#include "llvm/ADT/SmallVector.h"
#include <string>
#include <vector>

namespace tsc {

/// Several point-wise operators: steps in order, each an operator on inputs, numbers and results of earlier steps.
///
/// Shapes:  inputs broadcast as the operators would; any strides, sizes of zero, 0-dim. Nothing is specialized by size.
/// Dtypes:  found at each call by the operators' promotion rules.
/// Results: new tensors, with the strides that unfused calls would give them; they alias nothing.
/// Threads: run() is const and may be called from many threads; it uses the pool above a size.
/// Errors:  those of the operators, before anything is written. What cannot run block by block (a check that reads
///          elements of an intermediate value, complex numbers, outputs of unlike shapes) runs operator by operator.
class PointwiseProgram {
public:
  /// An argument of a step: an input of the program, an earlier step's result, a number, a text, or None.
  struct Operand {
    /// Which of the five it is.
    enum Kind : uint8_t { None, Input, Step, Number, Text };
    Kind kind = None;
    unsigned index = 0; ///< The number of the input, step or number.
    std::string text;
  };
  /// One call of an operator.
  struct Step {
    PointwiseKind kind;
    llvm::SmallVector<Operand, 3> operands; ///< All arguments of the schema, in order.
  };

  /// Adds a step, which has an operand for each parameter of its operator, and whose operands name earlier steps only.
  /// Returns its index.
  unsigned addStep(Step step);
  /// Makes the result of a step that was added an output of the program, behind those added before.
  void addOutput(unsigned step) {
    assert(step < stepList.size() && "a step of the program");
    outputs.push_back(step);
  }
  ArrayRef<Step> steps() const { return stepList; }

  /// Computes the outputs, of which there is one at least, in the order in which they were added. There are as many
  /// inputs and numbers as the steps name.
  StatusOr<std::vector<Tensor>> run(ArrayRef<Tensor> inputs, ArrayRef<Scalar> numbers) const;
  /// Computes the same outputs operator by operator.
  StatusOr<std::vector<Tensor>> runUnfused(ArrayRef<Tensor> inputs, ArrayRef<Scalar> numbers) const;

private:
  std::vector<Step> stepList;
  llvm::SmallVector<unsigned, 2> outputs;
};

} // namespace tsc

#endif
