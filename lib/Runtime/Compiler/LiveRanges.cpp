//===- LiveRanges.cpp - Where values live and die -------------------------===//
//
// Structured control flow makes this a recursion over each value's uses: lifted
// to the block that defines the value, the last of them decides. If that is an
// If, each branch is looked at in turn; if it is a Loop, the value lives to its
// end. Linear in the number of uses times the nesting depth.
//
//===----------------------------------------------------------------------===//
#include "LiveRanges.h"

using namespace tsc;

LiveRanges::LiveRanges(const Graph &graph) {
  number(graph.block());
  auto visitBlock = [&](auto &self, const Block &block) -> void {
    for (Value *input : block.inputs())
      analyze(input);
    for (const Node &node : block.nodes()) {
      for (Value *output : node.outputs())
        analyze(output);
      if (node.kind() == prim::If || node.kind() == prim::Loop)
        for (const Block &inner : node.blocks())
          self(self, inner);
    }
  };
  visitBlock(visitBlock, graph.block());
}

/// Positions are two apart, so that a result nobody uses has a range of its own.
void LiveRanges::number(const Block &block) {
  starts[&block] = next += 2;
  auto remember = [&](Value *value) {
    if (value->id() >= liveRanges.size())
      liveRanges.resize(value->id() + 1);
  };
  for (Value *input : block.inputs())
    remember(input);
  for (const Node &node : block.nodes()) {
    positions[&node] = next += 2;
    for (Value *output : node.outputs())
      remember(output);
    if (node.kind() != prim::If && node.kind() != prim::Loop)
      continue;
    for (const Block &inner : node.blocks())
      number(inner);
    ends[&node] = next += 2;
  }
  positions[&block.returnNode()] = next += 2;
}

int LiveRanges::definition(const Value *value) const {
  const Node *node = value->node();
  const Block *block = node->block();
  if (node == &block->paramNode()) {
    // A loop's parameters are written where the loop begins.
    const Node *owner = block->owner();
    return owner && owner->kind() == prim::Loop ? position(owner) : starts.lookup(block);
  }
  auto at = ends.find(node);
  return at != ends.end() ? at->second : position(node);
}

void LiveRanges::analyze(Value *value) {
  llvm::SmallVector<Point, 4> uses;
  for (Use &use : value->uses())
    uses.push_back({use.user(), use.index()});
  const Node *node = value->node();
  const Block *block = node->block();
  int begin = definition(value);
  if (!uses.empty()) {
    follow(value, block, begin, uses);
  } else {
    liveRanges[value->id()].push_back({begin, begin + 1});
    if (node == &block->paramNode())
      atStart[block].push_back(value);
    else
      after[node].push_back(value);
  }
  // Loop parameters live on from the end of the body to the end of the loop, where they become its results; the trip
  // count is the loop's own counter.
  if (node == &block->paramNode() && block->owner() && block->owner()->kind() == prim::Loop) {
    const Node *loop = block->owner();
    if (value->offset() == 0)
      liveRanges[value->id()].assign(1, {begin, end(loop)});
    else
      liveRanges[value->id()].push_back({position(&block->returnNode()), end(loop)});
  }
}

/// `value` is live in `block` from `begin`; `uses` are in the block or nested in it.
void LiveRanges::follow(Value *value, const Block *block, int begin, llvm::ArrayRef<Point> uses) {
  auto lift = [&](const Node *node) -> std::pair<const Node *, const Block *> {
    const Block *inside = nullptr;
    while (node->block() != block) {
      inside = node->block();
      node = inside->owner();
    }
    return {node, inside};
  };
  const Node *last = nullptr;
  for (const Point &use : uses) {
    const Node *here = lift(use.user).first;
    if (!last || position(here) > position(last))
      last = here;
  }
  llvm::SmallVector<Point, 4> direct;
  llvm::SmallVector<std::pair<const Block *, Point>, 4> nested;
  for (const Point &use : uses) {
    auto [here, inside] = lift(use.user);
    if (here != last)
      continue;
    if (inside)
      nested.push_back({inside, use});
    else
      direct.push_back(use);
  }
  auto &ranges = liveRanges[value->id()];
  bool isTripCount = last->kind() == prim::Loop && llvm::any_of(direct, [](const Point &p) { return p.index == 0; });
  if (isTripCount || (last->kind() == prim::Loop && !nested.empty())) {
    ranges.push_back({begin, end(last)});
    after[last].push_back(value);
    return;
  }
  ranges.push_back({begin, position(last)});
  if (nested.empty()) {
    const Point *final = &direct.front();
    for (const Point &use : direct)
      if (use.index > final->index)
        final = &use;
    lastUses.insert({final->user, final->index});
    return;
  }
  for (const Block &branch : last->blocks()) {
    llvm::SmallVector<Point, 4> inBranch;
    for (auto &[inside, use] : nested)
      if (inside == &branch)
        inBranch.push_back(use);
    if (inBranch.empty())
      atStart[&branch].push_back(value);
    else
      follow(value, &branch, starts.lookup(&branch), inBranch);
  }
}

llvm::ArrayRef<Value *> LiveRanges::droppedAtStart(const Block *block) const {
  auto found = atStart.find(block);
  return found == atStart.end() ? llvm::ArrayRef<Value *>() : llvm::ArrayRef<Value *>(found->second);
}

llvm::ArrayRef<Value *> LiveRanges::droppedAfter(const Node *node) const {
  auto found = after.find(node);
  return found == after.end() ? llvm::ArrayRef<Value *>() : llvm::ArrayRef<Value *>(found->second);
}
