//===- SlotAllocator.cpp - Placing values in slots ------------------------===//
//
// O(n log n) in the number of values, apart from moving those ranges of a group
// that lie behind the first one of a smaller group that joins it.
//
//===----------------------------------------------------------------------===//
#include "SlotAllocator.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/MeetFacts.h"
#include "tsc/IR/NodeFacts.h"
#include <algorithm>
#include <array>
#include <queue>

using namespace tsc;

static constexpr unsigned noGroup = ~0u;

SlotAllocator::SlotAllocator(Routine &routine, const LiveRanges &liveness,
                             llvm::function_ref<bool(const Value *)> needsSlot)
    : routine(routine), liveness(liveness), needsSlot(needsSlot), parent(liveness.numValueIds(), noGroup),
      types(liveness.numValueIds()), groupRanges(liveness.numValueIds()) {
  collect(routine.graph->block());
  joinControlFlow(routine.graph->block());
  assign();
}

static bool holdsCode(const Node &node) {
  return node.kind().id() == SymbolId::prim_If || node.kind().id() == SymbolId::prim_Loop;
}

void SlotAllocator::collect(const Block &block) {
  auto add = [&](const Value *value) {
    if (!needsSlot(value))
      return;
    parent[value->id()] = value->id();
    types[value->id()] = value->type();
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

unsigned SlotAllocator::find(unsigned id) {
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

void SlotAllocator::tryJoin(const Value *a, const Value *b) {
  if (parent[a->id()] == noGroup || parent[b->id()] == noGroup || classOfType(a->type()) != classOfType(b->type()))
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

std::optional<int64_t> tsc::numberOfObserver(const Node &node) {
  const AttributeValue *attribute = node.attribute(attr::index);
  const auto *number = attribute ? std::get_if<int64_t>(attribute) : nullptr;
  if (node.kind() != prim::profile || !number || *number < 0 || *number > INT32_MAX ||
      !node.output()->type()->isTensor())
    return std::nullopt;
  return *number;
}

bool tsc::needsCastCheck(const Node &node) {
  if (node.kind() == prim::profile)
    return numberOfObserver(node).has_value();
  if (const auto *guarded = llvm::dyn_cast<TensorType>(node.output()->type()); guarded && node.kind() == prim::Guard)
    return guarded->facts() != TensorFacts();
  const Type *from = node.input(0)->type(), *to = node.output()->type();
  if (from->kind() == TypeKind::Optional && from->contained()[0]->isTensor() && to->isTensor())
    return false; // None serves as a Tensor: the undefined one
  return !from->isSubtypeOf(to);
}

/// Whether the node's result is its operand as it is, but for a conversion between classes, so that no step is needed
/// where both are in one slot.
static bool isPlainCopy(const Node &node) {
  if (node.numInputs() != 1 || node.numOutputs() != 1)
    return false;
  const bool isScalar = classOfType(node.output()->type()) != SlotClass::Value;
  if (node.kind() == aten::_unwrap_optional)
    return isScalar;
  return hasFact(node.kind(), NodeFact::PassesThrough) && (isScalar || !needsCastCheck(node));
}

void SlotAllocator::joinControlFlow(const Block &block) {
  for (const Node &node : block.nodes()) {
    if (!holdsCode(node)) {
      if (isPlainCopy(node))
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

/// A type of the values of both. Where their facts differ, of tensors what both agree on.
const Type *SlotAllocator::commonType(const Type *a, const Type *b) const {
  if (!a || a == b)
    return b;
  const auto *x = llvm::dyn_cast<TensorType>(a), *y = llvm::dyn_cast<TensorType>(b);
  Context &context = routine.graph->context();
  return x && y ? context.tensor(meetFacts(x->facts(), y->facts())) : context.unify(a, b, /*allowUnion=*/true);
}

void SlotAllocator::assign() {
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

  using Busy = std::pair<int, unsigned>; // (free from, place)
  std::array<std::priority_queue<Busy, std::vector<Busy>, std::greater<>>, 4> busy;
  std::vector<uint32_t> slotOfRoot(parent.size(), Routine::noSlot);
  routine.slots.reserve(hulls.size());
  for (const Hull &hull : hulls) {
    const SlotClass kind = classOfType(types[hull.root]);
    auto &queue = busy[static_cast<unsigned>(kind)];
    unsigned place;
    if (!queue.empty() && queue.top().first <= hull.begin) {
      place = queue.top().second;
      queue.pop();
    } else {
      place = kind == SlotClass::Value ? routine.numValuePlaces++ : routine.numScalarPlaces++;
    }
    slotOfRoot[hull.root] = routine.slots.size();
    routine.slots.push_back({kind, /*isScratch=*/false, place, nullptr});
    queue.push({hull.end, place});
  }
  routine.slotOfValue.assign(parent.size(), Routine::noSlot);
  for (unsigned id = 0; id != parent.size(); ++id)
    if (parent[id] != noGroup)
      if (const uint32_t number = slotOfRoot[find(id)]; number != Routine::noSlot) {
        Slot &slot = routine.slots[number];
        routine.slotOfValue[id] = number;
        slot.type = commonType(slot.type, types[id]);
      }
}
