//===- OperatorInference.h - One operator's results from its operands -*- C++ -*-===//
//
// Applies the columns of an operator's record: shape, dtype, strides; device and
// requires_grad follow one rule for all. Serves propagation over graphs, and
// whoever has operands in hand and wants to know the result before computing it.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_ANALYSIS_OPERATORINFERENCE_H
#define TSC_ANALYSIS_OPERATORINFERENCE_H

#include "tsc/Analysis/AbstractValue.h"
#include "tsc/IR/OpRecord.h"
#include <memory>

namespace tsc {

class FunctionSchema;
class ShapeRuleSource;

/// Infers the results of operators. Parses the columns of an operator once and keeps them. Borrows the symbols and
/// rules.
class OperatorInference {
public:
  OperatorInference(SymbolTable &symbols, ShapeRuleSource &rules);
  ~OperatorInference();
  /// Returns what is known of each result of the schema; unknown where the columns do not tell. `operands` and their
  /// static `types` stand for all arguments of the schema, in order. `gradModeKnown` says that grad mode is on, as a
  /// program finds it; without it no result is said to require a gradient.
  std::vector<AbstractValue> infer(const OpRecord &record, const FunctionSchema &schema,
                                   ArrayRef<AbstractValue> operands, ArrayRef<const Type *> types,
                                   bool gradModeKnown = true);
  /// Whether all that the operator's shape rules assert of such operands holds, whatever the unknown numbers are. Then
  /// the operator does not fail because of its operands' sizes, provided that its rules assert all that it requires of
  /// them.
  bool sizesSurelyFit(const OpRecord &record, const FunctionSchema &schema, ArrayRef<AbstractValue> operands,
                      ArrayRef<const Type *> types);

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace tsc

#endif
