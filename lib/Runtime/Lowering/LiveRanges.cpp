//===- LiveRanges.cpp - Where values live and die -------------------------===//
//
// Structured control flow makes this a recursion over each value's uses: lifted
// to the block that defines the value, the last of them decides. If that is an
// If, each branch is looked at in turn; if it is a Loop, the value lives to its
// end. Uses are sorted by position, so that those in a node or a branch are
// neighbours: linear in the number of uses times the nesting depth, but for the
// sorting.
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
  for (Use &use : value->uses()) {
    Point point{use.user(), use.index()};
    while (!positions.contains(point.user)) // in a block that is no control flow: its node has the value
      point = {point.user->block()->owner(), 0};
    uses.push_back(point);
  }
  llvm::sort(uses, [this](const Point &a, const Point &b) {
    return std::pair(position(a.user), a.index) < std::pair(position(b.user), b.index);
  });
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

/// `value` is live in `block` from `begin`; `uses`, which are sorted, are in the block or nested in it.
void LiveRanges::follow(Value *value, const Block *block, int begin, llvm::ArrayRef<Point> uses) {
  // The blocks around the last use, from the inside out.
  llvm::SmallVector<const Block *, 8> around;
  for (const Block *each = uses.back().user->block(); each != block; each = each->owner()->block())
    around.push_back(each);
  auto &ranges = liveRanges[value->id()];
  while (true) {
    const Node *last = around.empty() ? uses.back().user : around.back()->owner();
    auto isBefore = [this](const Point &use, int at) { return position(use.user) < at; };
    auto usesFrom = [&](int at) { return uses.drop_front(llvm::lower_bound(uses, at, isBefore) - uses.begin()); };
    uses = usesFrom(position(last));
    const llvm::ArrayRef<Point> nested = usesFrom(position(last) + 1), direct = uses.drop_back(nested.size());
    const bool isTripCount = last->kind() == prim::Loop && !direct.empty() && direct.front().index == 0;
    if (isTripCount || (last->kind() == prim::Loop && !nested.empty())) {
      ranges.push_back({begin, end(last)});
      after[last].push_back(value);
      return;
    }
    ranges.push_back({begin, position(last)});
    if (nested.empty()) {
      lastUses.insert({last, direct.back().index});
      return;
    }
    llvm::ArrayRef<Point> rest = nested;
    for (const Block &branch : last->blocks()) {
      const int branchEnd = position(&branch.returnNode());
      auto inBranch = rest.take_while([&](const Point &use) { return position(use.user) <= branchEnd; });
      rest = rest.drop_front(inBranch.size());
      if (inBranch.empty())
        atStart[&branch].push_back(value);
      else if (&branch == around.back())
        uses = inBranch;
      else
        follow(value, &branch, starts.lookup(&branch), inBranch);
    }
    begin = starts.lookup(around.back());
    around.pop_back();
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
