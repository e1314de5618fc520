//===- SubgraphMatcher.cpp - Find what looks like a pattern ---------------===//
#include "tsc/Transforms/SubgraphRewriter.h"
#include "llvm/ADT/DenseSet.h"
using namespace tsc;

Value *Match::operator[](StringRef name) const {
  for (auto [pattern, value] : values)
    if (pattern->hasName() && pattern->name() == name)
      return value;
  return nullptr;
}

Status SubgraphMatcher::check(const Graph &pattern) {
  const auto &nodes = pattern.block().nodes();
  if (llvm::all_of(nodes, [](const Node &node) { return node.kind() == prim::Constant; }))
    return invalidArgument("a pattern needs a node that is no constant");
  const Node *anchor = &nodes.back();
  if (anchor->kind() == prim::Constant)
    return invalidArgument("the last node of a pattern must not be a constant");
  llvm::DenseSet<const Node *> reached{anchor};
  llvm::SmallVector<const Node *> pending{anchor};
  while (!pending.empty())
    for (const Value *input : pending.pop_back_val()->inputs())
      if (reached.insert(input->node()).second)
        pending.push_back(input->node());
  for (const Node &node : nodes) {
    if (node.numBlocks())
      return invalidArgument("a pattern must not have blocks, but " + node.kindName() + " has");
    if (!reached.contains(&node))
      return invalidArgument("every node of a pattern must lead to its last one, but a " + node.kindName() +
                             " node does not");
  }
  return okStatus();
}

SubgraphMatcher::SubgraphMatcher(const Graph &pattern) : pattern(pattern), anchor(&pattern.block().nodes().back()) {
  assert(check(pattern).ok() && "check() has accepted the pattern");
}

namespace {
struct SameAttribute {
  template <typename T> bool operator()(const T &a, const T &b) const { return a == b; }
  bool operator()(const Tensor &, const Tensor &) const { return false; }
  bool operator()(const IValue &, const IValue &) const { return false; }
  bool operator()(const std::vector<Tensor> &, const std::vector<Tensor> &) const { return false; }
  template <typename T, typename U> bool operator()(const T &, const U &) const { return false; }
};
} // namespace

static bool sameAttributes(const Node &a, const Node &b) {
  return a.attributes().size() == b.attributes().size() &&
         llvm::all_of(a.attributes(), [&](const NamedAttribute &attribute) {
           const AttributeValue *other = b.attribute(attribute.name);
           return other && std::visit(SameAttribute(), attribute.value, *other);
         });
}

/// Numbers, strings and None that are equal.
static bool sameConstant(const Value *a, const Value *b) {
  auto x = constantValue(a), y = constantValue(b);
  if (!x || !y || x->getTag() != y->getTag())
    return false;
  if (x->isString())
    return x->toString() == y->toString();
  if (x->isDouble())
    return x->toDouble() == y->toDouble();
  if (x->isInt() || x->isBool())
    return x->toInt() == y->toInt();
  return x->isNone();
}

bool SubgraphMatcher::matchValue(const Value *wanted, Value *value, Match &match) const {
  auto [known, isNew] = match.values.try_emplace(wanted, value);
  if (!isNew)
    return known->second == value;
  const Node &definition = *wanted->node();
  if (definition.kind() == prim::Constant)
    return sameConstant(wanted, value);
  if (definition.kind() == prim::Param)
    return wanted->type() == Type::inferredTensorType() || value->type()->isSubtypeOf(wanted->type());
  return wanted->offset() == value->offset() && matchNode(definition, *value->node(), match);
}

bool SubgraphMatcher::matchNode(const Node &wanted, Node &node, Match &match) const {
  if (wanted.kind() != node.kind() || wanted.numInputs() != node.numInputs() ||
      wanted.numOutputs() != node.numOutputs() || node.numBlocks() || node.block() != match.last->block() ||
      !sameAttributes(wanted, node))
    return false;
  for (auto [mine, theirs] : llvm::zip(wanted.inputs(), node.inputs()))
    if (!matchValue(mine, theirs, match))
      return false;
  for (auto [mine, theirs] : llvm::zip(wanted.outputs(), node.outputs()))
    if (auto [at, isNew] = match.values.try_emplace(mine, theirs); !isNew && at->second != theirs)
      return false;
  if (!llvm::is_contained(match.matched, &node))
    match.matched.push_back(&node);
  return true;
}

std::optional<Match> SubgraphMatcher::match(Node &node) const {
  Match match;
  match.last = &node;
  if (!matchNode(*anchor, node, match))
    return std::nullopt;
  auto isInside = [&](const Use &use) { return llvm::is_contained(match.matched, use.user()); };
  for (const Node &inner : pattern.block().nodes()) {
    if (inner.kind() == prim::Constant)
      continue;
    for (const Value *output : inner.outputs())
      if (!llvm::is_contained(pattern.outputs(), output) && !llvm::all_of(match[output]->uses(), isInside))
        return std::nullopt;
  }
  return match;
}
