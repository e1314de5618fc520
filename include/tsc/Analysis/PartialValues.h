//===- PartialValues.h - Operators on numbers and lists ---------*- C++ -*-===//
#ifndef TSC_ANALYSIS_PARTIALVALUES_H
#define TSC_ANALYSIS_PARTIALVALUES_H

#include "tsc/Analysis/AbstractValue.h"

namespace tsc {
class Node;

/// The greatest length of a list whose elements are followed; a longer one is unknown.
inline constexpr size_t maxListLength = 1 << 16;

/// Returns the result of a node on numbers, strings, lists and tuples that are known in part, by the records' column
/// `partial`. The node has one result and writes nothing; there is one operand for each input. Returns an unknown value
/// where the operator has no such column, or its operands decide too little.
AbstractValue evaluatePartially(const Node &node, ArrayRef<AbstractValue> operands, SymbolTable &symbols);
/// Returns what is known of `list[index]`; an unknown value where list or index are unknown or do not fit.
AbstractValue elementOf(const AbstractValue &list, const AbstractValue &index);

} // namespace tsc

#endif
