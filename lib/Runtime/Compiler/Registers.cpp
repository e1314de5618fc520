//===- Registers.cpp - Placing values in the slots of a frame -------------===//
//
// O(n log n) in the number of values, apart from moving those ranges of a group
// that lie behind the first one of a smaller group that joins it.
//
//===----------------------------------------------------------------------===//
#include "Registers.h"
#include <algorithm>
#include <array>
#include <queue>

using namespace tsc;

static constexpr unsigned noGroup = ~0u;

SlotClass tsc::classOfType(const Type *type) {
  switch (type->kind()) {
  case TypeKind::Int:
  case TypeKind::ScalarType:
  case TypeKind::Layout:
  case TypeKind::MemoryFormat:
  case TypeKind::SymInt: return SlotClass::Int;
  case TypeKind::Float: return SlotClass::Float;
  case TypeKind::Bool: return SlotClass::Bool;
  default: return SlotClass::Value;
  }
}

Registers::Registers(const Graph &graph, const LiveRanges &liveness,
                     llvm::function_ref<bool(const Value *)> needsRegister)
    : liveness(liveness), needsRegister(needsRegister), parent(liveness.numValueIds(), noGroup),
      classes(liveness.numValueIds()), groupRanges(liveness.numValueIds()), slots(liveness.numValueIds(), noGroup) {
  collect(graph.block());
  joinControlFlow(graph.block());
  assign();
}

static bool holdsCode(const Node &node) {
  return node.kind().id() == SymbolId::prim_If || node.kind().id() == SymbolId::prim_Loop;
}

void Registers::collect(const Block &block) {
  auto add = [&](const Value *value) {
    if (!needsRegister(value))
      return;
    parent[value->id()] = value->id();
    classes[value->id()] = classOfType(value->type());
    auto &ranges = liveness.ranges(value);
    groupRanges[value->id()].assign(ranges.begin(), ranges.end());
  };
  for (const Value *input : block.inputs())
    add(input);
  for (const Node &node : block.nodes()) {
    for (const Value *output : node.outputs())
      add(output);
    if (holdsCode(node))
      for (const Block &inner : node.blocks())
        collect(inner);
  }
}

unsigned Registers::find(unsigned id) {
  while (parent[id] != id)
    id = parent[id] = parent[parent[id]];
  return id;
}

static bool overlap(const std::vector<LiveRange> &small, const std::vector<LiveRange> &large) {
  for (const LiveRange &range : small) {
    // The first range of `large` that ends after this one begins.
    auto at = std::upper_bound(large.begin(), large.end(), range.begin,
                               [](int begin, const LiveRange &other) { return begin < other.end; });
    if (at != large.end() && at->begin < range.end)
      return true;
  }
  return false;
}

void Registers::tryJoin(const Value *a, const Value *b) {
  if (parent[a->id()] == noGroup || parent[b->id()] == noGroup || classes[a->id()] != classes[b->id()])
    return;
  unsigned x = find(a->id()), y = find(b->id());
  if (x == y)
    return;
  if (groupRanges[x].size() > groupRanges[y].size())
    std::swap(x, y);
  std::vector<LiveRange> &small = groupRanges[x], &large = groupRanges[y];
  if (overlap(small, large))
    return;
  parent[x] = y;
  // Values are joined in the order of the program: what the smaller group has mostly comes last, and little moves.
  auto comesBefore = [](const LiveRange &l, const LiveRange &r) { return l.begin < r.begin; };
  auto from = small.empty() ? large.end() : std::upper_bound(large.begin(), large.end(), small.front(), comesBefore);
  const std::vector<LiveRange> tail(from, large.end());
  const size_t kept = from - large.begin();
  large.resize(large.size() + small.size());
  std::merge(tail.begin(), tail.end(), small.begin(), small.end(), large.begin() + kept, comesBefore);
  small = {};
}

bool tsc::needsCastCheck(const Node &node) {
  const Type *from = node.input(0)->type(), *to = node.output()->type();
  if (from->kind() == TypeKind::Optional && from->contained()[0]->isTensor() && to->isTensor())
    return false; // None serves as a Tensor: the undefined one
  return !from->isSubtypeOf(to);
}

void Registers::joinControlFlow(const Block &block) {
  for (const Node &node : block.nodes()) {
    if (!holdsCode(node)) {
      SymbolId kind = node.kind().id();
      if ((kind == SymbolId::prim_unchecked_cast || kind == SymbolId::prim_annotate) && !needsCastCheck(node))
        tryJoin(node.input(0), node.output(0));
      continue;
    }
    for (const Block &inner : node.blocks())
      joinControlFlow(inner);
    if (node.kind().id() == SymbolId::prim_If) {
      for (unsigned i = 0; i != node.numOutputs(); ++i)
        for (const Block &branch : node.blocks())
          tryJoin(branch.returnNode().input(i), node.output(i));
      continue;
    }
    const Block &body = node.block(0);
    for (unsigned i = 0; i != node.numOutputs(); ++i) {
      tryJoin(body.inputs()[i + 1], node.output(i));
      tryJoin(body.returnNode().input(i + 1), body.inputs()[i + 1]);
      tryJoin(node.input(i + 2), body.inputs()[i + 1]);
    }
  }
}

void Registers::assign() {
  struct Hull {
    int begin, end;
    unsigned root;
  };
  std::vector<Hull> hulls;
  for (unsigned id = 0; id != parent.size(); ++id)
    if (parent[id] == id && !groupRanges[id].empty()) {
      int end = 0;
      for (const LiveRange &range : groupRanges[id])
        end = std::max(end, range.end);
      hulls.push_back({groupRanges[id].front().begin, end, id});
    }
  std::sort(hulls.begin(), hulls.end(),
            [](const Hull &a, const Hull &b) { return a.begin < b.begin || (a.begin == b.begin && a.root < b.root); });

  using Busy = std::pair<int, unsigned>; // (free from, slot)
  std::array<std::priority_queue<Busy, std::vector<Busy>, std::greater<>>, 4> busy;
  std::vector<unsigned> slotOfRoot(parent.size(), noGroup);
  for (const Hull &hull : hulls) {
    SlotClass kind = classes[hull.root];
    auto &queue = busy[static_cast<unsigned>(kind)];
    unsigned slot;
    if (!queue.empty() && queue.top().first <= hull.begin) {
      slot = queue.top().second;
      queue.pop();
    } else {
      slot = kind == SlotClass::Value ? addValue() : addScalar(kind);
    }
    slotOfRoot[hull.root] = slot;
    queue.push({hull.end, slot});
  }
  for (unsigned id = 0; id != parent.size(); ++id)
    if (parent[id] != noGroup)
      slots[id] = slotOfRoot[find(id)];
}
