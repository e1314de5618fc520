//===- PartialValues.h - Operators on numbers and lists ---------*- C++ -*-===//
#ifndef TSC_ANALYSIS_PARTIALVALUES_H
#define TSC_ANALYSIS_PARTIALVALUES_H

#include "tsc/Analysis/AbstractValue.h"

namespace tsc {
class Node;

/// Lists longer than this are not followed.
inline constexpr size_t maxListLength = 1 << 16;

/// What a node of one result that writes nothing makes of numbers, strings, lists and tuples (the records' column
/// `partial`). Unknown for one that is not understood, and where its operands decide too little.
AbstractValue evaluatePartially(const Node &node, ArrayRef<AbstractValue> operands, SymbolTable &symbols);
/// list[index].
AbstractValue elementOf(const AbstractValue &list, const AbstractValue &index);

} // namespace tsc

#endif
