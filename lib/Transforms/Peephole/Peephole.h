//===- Peephole.h - Rules that look at one node and its operands -*- C++ -*-===//
//
// One class holds what the rules share; each family of rules has a file.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_TRANSFORMS_PEEPHOLE_PEEPHOLE_H
#define TSC_LIB_TRANSFORMS_PEEPHOLE_PEEPHOLE_H

#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/IR/OpViews.h"
#include "llvm/ADT/DenseSet.h"

namespace tsc {

/// Rewrites one node at a time. Every family returns whether it gave the node's users something better; the node itself
/// stays for dead code elimination.
class PeepholeRewriter {
public:
  /// `usesShapes`: whether sizes, dtypes and devices in types may be relied upon; `keepsOperators`: whether operators
  /// on tensors stay.
  PeepholeRewriter(Graph &graph, const AliasAnalysis &aliases, bool usesShapes, bool keepsOperators)
      : graph(graph), aliases(aliases), usesShapes(usesShapes), keepsOperators(keepsOperators) {}

  bool simplifyScalars(Node &node);    ///< Arithmetic and logic on numbers, bools and strings.
  bool simplifyTensors(Node &node);    ///< Questions about tensors, and operators that give their operand.
  bool simplifyContainers(Node &node); ///< Lists, dicts and tuples whose making is in sight.
  bool simplifyTypeTests(Node &node);  ///< Optionals, casts and instance tests that types decide.

private:
  // What the rules ask.
  bool isUnwritten(const Value *value) const { return unwritten.contains(value) || !aliases.hasWriters(value); }
  /// Whether `result` may be the same object as `operand`, where the program makes two.
  bool mayShare(const Value *result, const Value *operand) const;
  bool escapes(const Value *value) const { return aliases.escapes(value) || escapesNow.contains(value); }
  /// What its type says of a tensor; null when nothing, or when the pass must not use it.
  const TensorFacts *factsOf(const Value *value) const;
  /// All its sizes, when they are known and nothing changes them.
  std::optional<std::vector<int64_t>> sizesOf(const Value *value) const;

  // What the rules do.
  /// Replaces a node's output by a value. Returns false when the new value does not fit the type of the old one, or the
  /// optimization limit is reached.
  bool replace(Node &node, Value *by);
  bool replaceWithConstant(Node &node, const IValue &value);
  /// Replaces a node's output by an operand, where both are tensors and may be one.
  bool replaceWithOperand(Node &node, Value *operand) {
    return mayShare(node.output(), operand) && replace(node, operand);
  }
  Value *insertBefore(Node &node, Symbol kind, llvm::ArrayRef<Value *> inputs, const Type *type);

  bool convertNothing(Node &node);
  bool simplifyByLaws(Node &node);
  bool simplifyRepetition(Node &node);
  bool simplifyIf(Node &node);
  bool answerQuestion(Node &node);
  bool dropRepetition(Node &node);
  bool computeConjugate(Node &node);
  bool passThroughNumber(Node &node);
  bool dropCast(Node &node);
  bool dropComplexity(Node &node);
  bool dropArithmetic(Node &node);
  bool dropResizing(Node &node);
  bool decideIdentity(Node &node);
  bool countGradients(Node &node);
  bool countDimensions(Node &node);
  bool simplifyList(Node &node);
  bool simplifyDict(Node &node);
  bool simplifyTuple(Node &node);
  /// The list's elements, when they are in sight and stay as they were made.
  const Node *knownList(const Value *list) const;
  /// Whether nobody changes which elements the list has.
  bool isUnedited(const Value *list) const;
  bool makeList(Node &node, llvm::ArrayRef<Value *> elements);

  Graph &graph;
  const AliasAnalysis &aliases;
  const bool usesShapes, keepsOperators;
  llvm::DenseSet<const Value *> unwritten;  ///< Lists of our own making.
  llvm::DenseSet<const Value *> escapesNow; ///< Operands that stand for a result which the caller sees.
};

/// `index` as Python counts in `size` elements; nullopt out of range.
std::optional<size_t> pythonIndex(int64_t index, size_t size);

} // namespace tsc

#endif
