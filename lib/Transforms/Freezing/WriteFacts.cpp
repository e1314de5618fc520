//===- WriteFacts.cpp - Which attributes may change -----------------------===//
#include "WriteFacts.h"
#include "tsc/IR/ClassType.h"
using namespace tsc;

void WriteFacts::keep(AttributeSlot slot, const std::string &reason) {
  if (!reasons.try_emplace(slot, reason).second)
    return;
  llvm::SmallVector<AttributeSlot> pending{slot};
  while (!pending.empty()) {
    AttributeSlot kept = pending.pop_back_val();
    std::string shared = "it shares memory with '" + tree.pathOf(kept) + "', which stays";
    for (ModuleTree::Memory memory : tree.memoryOf(kept))
      for (AttributeSlot other : tree.slotsWith(memory))
        if (reasons.try_emplace(other, shared).second)
          pending.push_back(other);
  }
}

void WriteFacts::keepOfClass(const ClassType *type, llvm::StringRef name, const std::string &reason) {
  auto index = type->findAttribute(name);
  for (const ObjectValue *object : tree.objectsOf(type))
    if (index && *index < object->slots.size())
      keep({object, *index}, reason);
}

void WriteFacts::keepAllIn(const ObjectValue &object, const std::string &reason) {
  ModuleTree::forEachSlot(tree.reachableFrom(object), [&](AttributeSlot slot) { keep(slot, reason); });
}

llvm::StringRef WriteFacts::reasonToKeep(AttributeSlot slot) const {
  auto at = reasons.find(slot);
  return at == reasons.end() ? llvm::StringRef() : llvm::StringRef(at->second);
}
