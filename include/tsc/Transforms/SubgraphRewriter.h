//===- SubgraphRewriter.h - Replace what looks like a pattern ---*- C++ -*-===//
//
// Patterns and replacements are graphs, usually written as IR text:
//
//   graph(%x, %w, %b):                          graph(%x, %w, %b):
//     %one : int = prim::Constant[value=1]()      %r : Tensor = aten::linear(%x, %w, %b)
//     %wt : Tensor = aten::t(%w)                  return (%r)
//     %y : Tensor = aten::matmul(%x, %wt)
//     %r : Tensor = aten::add(%y, %b, %one)
//     return (%r)
//
// An input of a pattern matches any value of its type (without a type: any value);
// a constant, an equal one; another node, one of the same kind with the same
// attributes, whose operands match. What a pattern does not return may be used
// inside the match only.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_TRANSFORMS_SUBGRAPHREWRITER_H
#define TSC_TRANSFORMS_SUBGRAPHREWRITER_H

#include "tsc/IR/Graph.h"
#include "tsc/Support/Status.h"
#include <functional>

namespace tsc {

class AliasAnalysis;

/// A place where a pattern was found. Valid until the graph changes.
class Match {
public:
  Node &anchor() const { return *last; } ///< The node that the last node of the pattern matched.
  /// Returns the value that a value of the pattern matched, or null for a value that is not the pattern's.
  Value *operator[](const Value *pattern) const { return values.lookup(pattern); }
  /// Returns the value that the pattern's value of this name matched, or null when no value has the name.
  Value *operator[](StringRef name) const;
  /// Returns the matched nodes without constants, in the pattern's order.
  ArrayRef<Node *> nodes() const { return matched; }

private:
  friend class SubgraphMatcher;
  Node *last = nullptr;
  llvm::SmallVector<Node *, 8> matched;
  llvm::DenseMap<const Value *, Value *> values;
};

/// Finds a pattern at a given node of a graph.
class SubgraphMatcher {
public:
  /// Returns InvalidArgument for a graph that is no pattern: it has only constants, ends in one, holds blocks, or holds
  /// nodes that do not lead to its last one.
  static Status check(const Graph &pattern);
  /// Borrows the pattern, which check() must have accepted.
  explicit SubgraphMatcher(const Graph &pattern);
  /// Returns the kind of the pattern's last node.
  Symbol anchorKind() const { return anchor->kind(); }
  /// Returns the match in which the pattern's last node is `node`, or nothing.
  std::optional<Match> match(Node &node) const;

private:
  bool matchNode(const Node &pattern, Node &node, Match &match) const;
  bool matchValue(const Value *pattern, Value *value, Match &match) const;
  const Graph &pattern;
  const Node *anchor;
};

/// Replaces what matches patterns, by rules that are tried in the order in which they were added.
class SubgraphRewriter {
public:
  /// A further condition on a match, under which it is replaced.
  using Filter = std::function<bool(const Match &)>;

  /// Parses patterns in `context`, that of the graphs to rewrite.
  explicit SubgraphRewriter(Context &context) : context(context) {}
  /// Adds a rule, each side as the IR text of one graph. Returns InvalidArgument for a text that does not parse, a
  /// pattern that SubgraphMatcher::check refuses, or other numbers of inputs or outputs than the pattern has.
  Status addPattern(StringRef pattern, StringRef replacement, Filter filter = nullptr);
  /// Adds a rule, each side as a graph of the rewriter's context.
  Status addPattern(std::unique_ptr<Graph> pattern, std::unique_ptr<Graph> replacement, Filter filter = nullptr);
  /// Replaces matches from the first node to the last, at each node by the first pattern that fits. Nodes that were put
  /// in can be part of a later match. A match is left alone where a write between its nodes could make a difference.
  /// Returns whether the graph changed.
  bool run(Graph &graph, const AliasAnalysis &aliases) const;

private:
  struct Rule {
    std::unique_ptr<Graph> pattern, replacement;
    SubgraphMatcher matcher;
    Filter filter;
  };
  bool rewrite(const Rule &rule, Node &node, const AliasAnalysis &aliases) const;
  Context &context;
  std::vector<Rule> rules;
  llvm::DenseMap<Symbol, llvm::SmallVector<size_t, 2>> rulesByAnchor;
};

/// Adds the rules of a text, in which each pattern is followed by its replacement. Returns InvalidArgument, with `name`
/// and the number of the rule, for a wrong one.
Status readRewriteRules(Context &context, StringRef name, StringRef text, SubgraphRewriter &rewriter);

} // namespace tsc

#endif
