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

/// Where a pattern was found. Valid until the graph changes.
class Match {
public:
  Node &anchor() const { return *last; } ///< What the last node of the pattern matched.
  /// What a value of the pattern matched; null for a value that is not the pattern's.
  Value *operator[](const Value *pattern) const { return values.lookup(pattern); }
  /// By the name it has in the pattern's text; null when there is none.
  Value *operator[](StringRef name) const;
  /// The matched nodes without constants, in the pattern's order.
  ArrayRef<Node *> nodes() const { return matched; }

private:
  friend class SubgraphMatcher;
  Node *last = nullptr;
  llvm::SmallVector<Node *, 8> matched;
  llvm::DenseMap<const Value *, Value *> values;
};

class SubgraphMatcher {
public:
  /// InvalidArgument for a pattern that cannot be looked for: empty, with blocks, or with nodes that do not lead to its
  /// last one.
  static Status check(const Graph &pattern);
  /// Borrows the pattern, which check() accepted.
  explicit SubgraphMatcher(const Graph &pattern);
  Symbol anchorKind() const { return anchor->kind(); }
  /// Matches backwards from `node` as the pattern's last node.
  std::optional<Match> match(Node &node) const;

private:
  bool matchNode(const Node &pattern, Node &node, Match &match) const;
  bool matchValue(const Value *pattern, Value *value, Match &match) const;
  const Graph &pattern;
  const Node *anchor;
};

class SubgraphRewriter {
public:
  /// A further condition on a match.
  using Filter = std::function<bool(const Match &)>;

  explicit SubgraphRewriter(Context &context) : context(context) {}
  /// Both as IR text; the replacement has as many inputs and outputs as the pattern.
  Status addPattern(StringRef pattern, StringRef replacement, Filter filter = nullptr);
  Status addPattern(std::unique_ptr<Graph> pattern, std::unique_ptr<Graph> replacement, Filter filter = nullptr);
  /// Replaces matches from the first node to the last, at each node by the first pattern that fits. What was put in can
  /// be part of a later match. A match is left alone where a write between its nodes could make a difference.
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

/// Reads pairs of graphs, pattern and replacement, out of a text.
Status readRewriteRules(Context &context, StringRef name, StringRef text, SubgraphRewriter &rewriter);

} // namespace tsc

#endif
