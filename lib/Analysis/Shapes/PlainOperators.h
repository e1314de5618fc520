//===- PlainOperators.h - Operators on numbers and lists --------*- C++ -*-===//
#ifndef TSC_LIB_ANALYSIS_SHAPES_PLAINOPERATORS_H
#define TSC_LIB_ANALYSIS_SHAPES_PLAINOPERATORS_H

#include "tsc/Analysis/AbstractValue.h"
#include "tsc/IR/Symbol.h"

namespace tsc {

/// What an operator that writes nothing makes of numbers, strings, lists and tuples. Unknown for one that is not
/// understood, and where its operands decide too little.
AbstractValue evaluatePlainOperator(Symbol kind, ArrayRef<AbstractValue> operands, SymbolTable &symbols);

} // namespace tsc

#endif
