//===- OperatorInference.h - One operator's results from its operands -*- C++ -*-===//
#ifndef TSC_LIB_ANALYSIS_SHAPES_OPERATORINFERENCE_H
#define TSC_LIB_ANALYSIS_SHAPES_OPERATORINFERENCE_H

#include "RuleEvaluator.h"
#include "tsc/Analysis/OperatorInference.h"
#include "tsc/Analysis/ShapeRules.h"
#include "tsc/IR/FunctionSchema.h"
#include "llvm/ADT/DenseMap.h"

namespace tsc {

/// One call of an operator that has a record: what the columns speak of.
struct InferredCall {
  const OpRecord &record;
  const FunctionSchema &schema;
  ArrayRef<AbstractValue> operands; ///< One for each argument of the schema.
  ArrayRef<const Type *> types;     ///< Their static types.
  bool gradModeKnown;               ///< False where the program switches grad mode.

  /// Returns the operand of that name; null where the schema has none.
  const AbstractValue *operand(llvm::StringRef name) const;
  /// Returns the static type of the operand of that name; null where the schema has none.
  const Type *typeOf(llvm::StringRef name) const;
  bool has(Trait trait) const { return record.has(trait); }
  /// Every tensor among the operands and in lists of them.
  llvm::SmallVector<const AbstractTensor *, 4> tensors() const;
  /// Whether some operand of type Tensor is not known to be one.
  bool hasUnknownTensor() const;
};

/// The dtype column of result `index`.
std::optional<DType> inferDType(const InferredCall &call, llvm::StringRef column, unsigned index);
/// Returns the device of new results; nothing where it is not known.
std::optional<Device> inferDevice(const InferredCall &call);
/// Returns whether results of that dtype require gradients; nothing where that is not known.
std::optional<bool> inferRequiresGrad(const InferredCall &call, std::optional<DType> dtype);
/// Whether every tensor operand with dimensions is known to be row-major.
bool operandsAreContiguous(const InferredCall &call);
/// Row-major strides; unknown from the first dimension that may be empty without being known.
SymbolicDims contiguousStrides(const SymbolicDims &sizes, SymbolTable &symbols);
/// Strides of a new point-wise result, when all sizes and strides are known.
std::optional<SymbolicDims> elementwiseStrides(const InferredCall &call, const SymbolicDims &sizes);

} // namespace tsc

#endif
