//===- RuleEvaluator.h - Runs rules on what is known ------------*- C++ -*-===//
//
// Executes the graph of a rule with abstract numbers: a branch whose condition
// is unknown runs both ways and joins; a branch that raises is taken not to
// happen, and what it asserts is learned; a loop whose trip count is unknown
// makes unknown what it writes. Steps are limited, so that it always ends.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_ANALYSIS_SHAPES_RULEEVALUATOR_H
#define TSC_LIB_ANALYSIS_SHAPES_RULEEVALUATOR_H

#include "tsc/Analysis/AbstractValue.h"
#include "llvm/ADT/DenseMap.h"

namespace tsc {

class Block;
class Graph;
class Node;
class Value;

/// Evaluates rules for shapes, which are graphs, on numbers of which some are not known.
class RuleEvaluator {
public:
  explicit RuleEvaluator(SymbolTable &symbols) : symbols(symbols) {}
  /// What the rule returns, several results as a tuple; nullopt when it raises for these arguments or takes too long.
  /// A rule may write the lists that it makes, never its arguments.
  std::optional<AbstractValue> call(Function &rule, std::vector<AbstractValue> arguments);
  /// Whether, whatever the unknown numbers of the last call() are, the rule returns: all that it asserts is known to
  /// hold.
  bool surelyReturned() const { return !inDoubt; }

private:
  using Frame = std::vector<AbstractValue>; ///< The values of a call, at the places that Value::id() says.
  /// The contents of all lists that the rule has made.
  using Snapshot = std::vector<AbstractValue::List>;

  AbstractValue &slot(Frame &frame, const Value *value);
  const AbstractValue &read(Frame &frame, const Value *value);
  std::optional<AbstractValue> callFunction(Function &function, std::vector<AbstractValue> arguments);
  // Each returns false when execution surely does not get past.
  bool runBlock(const Block &block, Frame &frame);
  bool runNode(Node &node, Frame &frame);
  bool runIf(Node &node, Frame &frame);
  bool runBranch(const Block &block, Frame &frame, std::vector<AbstractValue> &results);
  bool runLoop(Node &node, Frame &frame);
  bool runCall(Node &node, Frame &frame);
  void assume(const Value *condition, bool holds, Frame &frame);
  bool runListWrite(Node &node, Frame &frame);
  void forgetLoop(Node &node, Frame &frame);

  void track(const AbstractValue &value);
  Snapshot save();
  void restore(const Snapshot &snapshot);
  void joinLists(const Snapshot &other);

  static constexpr unsigned maxDepth = 64, maxSteps = 1 << 20;
  SymbolTable &symbols;
  std::vector<AbstractValue::ListRef> lists; ///< Made by the call under way.
  llvm::DenseMap<const Value *, AbstractValue> constants;
  unsigned depth = 0, steps = 0, undecided = 0; ///< `undecided`: branches under way that may not happen.
  bool inDoubt = false;                         ///< Something that may raise was passed, or not looked at.
};

} // namespace tsc

#endif
