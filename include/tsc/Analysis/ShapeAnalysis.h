//===- ShapeAnalysis.h - Shapes, dtypes and devices of a graph --*- C++ -*-===//
//
// Computes what is known of every value of a graph, from the types of its inputs,
// its constants, and the records' rules: tensors up to symbolic sizes, numbers, lists
// and tuples. It is sparse and optimistic: a loop's values start as what enters it and
// lose what an iteration changes. A value changes a bounded number of times, so that
// the whole is linear in the size of the graph.
//
// It is sound under mutation: a list that is written is unknown, and of a tensor whose
// geometry an operator changes (t_, resize_, out=) only dtype and device are known.
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

/// The shape analysis of one graph, computed by the constructor. Graph and rules must outlive it.
class ShapeAnalysis {
public:
  ShapeAnalysis(Graph &graph, ShapeRuleSource &rules);
  ~ShapeAnalysis();
  /// Returns what is known of a value. Valid as long as the analysis.
  const AbstractValue &of(const Value *value) const;
  /// Returns the symbols that stand for unknown numbers.
  SymbolTable &symbols();
  /// Returns the type of a tensor, or of a tuple of tensors, with all that is known of it, and the value's own type for
  /// all else. A symbol that is a size only once in the graph says nothing and is left out.
  const Type *refinedType(const Value *value);
  /// Whether what is known of a node's operands shows that its operator does not fail. Returns false where it might,
  /// and where the record's columns do not state all that the operator requires of them.
  bool surelySucceeds(const Node &node);

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace tsc

#endif
