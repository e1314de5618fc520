//===- ShapeAnalysis.h - Shapes, dtypes and devices of a graph --*- C++ -*-===//
//
// What every value of a graph is known to be, from the types of its inputs, its
// constants, and the records' rules: tensors up to symbolic sizes, numbers, lists
// and tuples. Sparse and optimistic: a loop's values start as what enters it and
// lose what an iteration changes; a value changes a bounded number of times, so
// that the whole is linear in the size of the graph.
//
// Sound under mutation: a list that somebody writes is unknown; a tensor whose
// geometry an operator changes (t_, resize_, out=) keeps only its dtype and device.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_ANALYSIS_SHAPEANALYSIS_H
#define TSC_ANALYSIS_SHAPEANALYSIS_H

#include "tsc/Analysis/AbstractValue.h"
#include <memory>

namespace tsc {

class Graph;
class Node;
class ShapeRuleSource;
class Value;

class ShapeAnalysis {
public:
  ShapeAnalysis(Graph &graph, ShapeRuleSource &rules);
  ~ShapeAnalysis();
  const AbstractValue &of(const Value *value) const;
  SymbolTable &symbols();
  /// The value's type with all that is known: for tensors, and tuples and optionals of them. A part that no rule
  /// decides stays as it was. Symbols that occur once in the graph say nothing and are left out.
  const Type *refinedType(const Value *value);
  /// Whether what is known of a node's operands shows that its operator does not fail: false where it might, and where
  /// the columns of its record do not tell of all that it asks of them.
  bool surelySucceeds(const Node &node);

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace tsc

#endif
