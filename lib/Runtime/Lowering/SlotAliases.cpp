//===- SlotAliases.cpp - Which slots may share memory ---------------------===//
#include "tsc/Runtime/Lowering/SlotAliases.h"
#include "tsc/Analysis/AliasAnalysis.h"
#include "llvm/ADT/DenseMap.h"
#include <algorithm>

using namespace tsc;

/// Calls `visit` for the block's parameters, the results of its nodes, and those of the blocks in these.
template <typename F> static void forEachValue(const Block &block, F &&visit) {
  for (const Value *input : block.inputs())
    visit(input);
  for (const Node &node : block.nodes()) {
    for (const Value *output : node.outputs())
      visit(output);
    for (const Block &inner : node.blocks())
      forEachValue(inner, visit);
  }
}

SlotAliases::SlotAliases(const Routine &routine) : memory(routine.slots.size()) {
  const AliasAnalysis aliases(*routine.graph);
  llvm::DenseMap<unsigned, uint32_t> numbers; // by location, in the order in which values come
  forEachValue(routine.graph->block(), [&](const Value *value) {
    const uint32_t slot = value->id() < routine.slotOfValue.size() ? routine.slotOfValue[value->id()] : Routine::noSlot;
    if (slot == Routine::noSlot || routine.slots[slot].kind != SlotClass::Value)
      return;
    for (Location location : aliases.locations(value))
      memory[slot].push_back(numbers.try_emplace(static_cast<unsigned>(location), numbers.size()).first->second);
  });
  for (auto &list : memory) {
    llvm::sort(list);
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
}

bool SlotAliases::mayAlias(uint32_t a, uint32_t b) const {
  auto x = memory[a].begin(), y = memory[b].begin();
  while (x != memory[a].end() && y != memory[b].end()) {
    if (*x == *y)
      return true;
    *x < *y ? ++x : ++y;
  }
  return false;
}
