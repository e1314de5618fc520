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

class OperatorInference {
public:
  OperatorInference(SymbolTable &symbols, ShapeRuleSource &rules);
  ~OperatorInference();
  /// One value for each result of the schema. `operands` and their static `types` stand for all arguments of the
  /// schema, in order. `gradModeKnown`: grad mode is on, as a program finds it; else requires_grad=1 is never
  /// concluded.
  std::vector<AbstractValue> infer(const OpRecord &record, const FunctionSchema &schema,
                                   ArrayRef<AbstractValue> operands, ArrayRef<const Type *> types,
                                   bool gradModeKnown = true);
  /// Whether the operator's shape rules hold whatever the unknown numbers are: it does not fail for its operands'
  /// sizes, if its rules tell of all that it asks of them.
  bool sizesSurelyFit(const OpRecord &record, const FunctionSchema &schema, ArrayRef<AbstractValue> operands,
                      ArrayRef<const Type *> types);

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace tsc

#endif
