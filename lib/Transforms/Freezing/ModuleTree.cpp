//===- ModuleTree.cpp - A module and the objects in it --------------------===//
#include "ModuleTree.h"
#include "tsc/IR/ClassType.h"
#include "llvm/ADT/STLExtras.h"
using namespace tsc;

/// Calls `visit` for a value and for all values in its lists, tuples and dicts; not for what is in objects.
template <typename F> static void walkContainers(const IValue &value, F &&visit) {
  llvm::SmallVector<IValue, 4> pending{value};
  llvm::DenseSet<const void *> seen;
  while (!pending.empty()) {
    IValue current = pending.pop_back_val();
    visit(current);
    if (current.isCounted() && !seen.insert(current.counted()).second)
      continue;
    if (current.isTuple())
      llvm::append_range(pending, current.toTuple().elements);
    else if (current.isGenericList())
      llvm::append_range(pending, current.toGenericList().elements);
    else if (current.isTensorList())
      llvm::append_range(pending, current.toTensorList().elements);
    else if (current.isDict())
      current.toDict().forEach([&](const IValue &key, const IValue &element) {
        pending.push_back(key);
        pending.push_back(element);
      });
  }
}

ModuleTree::ModuleTree(const ObjectValue &root) : root(root) {
  add(&root, "");
  for (size_t i = 0; i != order.size(); ++i) // grows as objects are found
    addSlots(*order[i], std::string(paths[order[i]]));
}

void ModuleTree::add(const ObjectValue *object, std::string path) {
  if (!paths.try_emplace(object, std::move(path)).second)
    return;
  order.push_back(object);
  byClass[object->type].push_back(object);
}

unsigned ModuleTree::numSlots(const ObjectValue &object) {
  return std::min<size_t>(object.slots.size(), object.type->numAttributes());
}

void ModuleTree::addSlots(const ObjectValue &object, const std::string &path) {
  for (unsigned i = 0; i != numSlots(object); ++i) {
    AttributeSlot slot{&object, i};
    llvm::DenseSet<Memory> known;
    std::string inside = (path.empty() ? "" : path + ".") + object.type->attribute(i).name;
    walkContainers(object.slots[i], [&](const IValue &value) {
      Memory held = nullptr;
      if (value.isObject()) {
        containersHoldObjects |= !object.slots[i].isObject();
        children[&object].push_back(&value.toObject());
        add(&value.toObject(), inside);
      } else if (value.isTensor()) {
        held = value.asTensor().get()->storage.get();
      } else if (value.isList() || value.isDict()) {
        held = value.counted();
      }
      if (held && known.insert(held).second) {
        memory[slot].push_back(held);
        sharers[held].push_back(slot);
      }
    });
  }
}

llvm::ArrayRef<const ObjectValue *> ModuleTree::objectsOf(const ClassType *type) const {
  auto at = byClass.find(type);
  return at == byClass.end() ? llvm::ArrayRef<const ObjectValue *>() : at->second;
}

std::string ModuleTree::pathOf(AttributeSlot slot) const {
  assert(paths.contains(slot.object) && "an object of the tree has a path");
  assert(slot.index < numSlots(*slot.object) && "a slot that the class declares");
  const std::string &path = paths.find(slot.object)->second;
  return (path.empty() ? "" : path + ".") + slot.object->type->attribute(slot.index).name;
}

std::optional<AttributeSlot> ModuleTree::find(llvm::StringRef path) const {
  const ObjectValue *object = &root;
  while (true) {
    auto [name, rest] = path.split('.');
    auto index = object->type->findAttribute(name);
    if (!index || *index >= object->slots.size())
      return std::nullopt;
    if (rest.empty())
      return AttributeSlot{object, *index};
    if (!object->slots[*index].isObject())
      return std::nullopt;
    object = &object->slots[*index].toObject();
    path = rest;
  }
}

llvm::SmallVector<const ObjectValue *> ModuleTree::reachableFrom(const ObjectValue &from) const {
  llvm::SmallVector<const ObjectValue *> found{&from};
  llvm::DenseSet<const ObjectValue *> seen{&from};
  for (size_t i = 0; i != found.size(); ++i)
    if (auto at = children.find(found[i]); at != children.end())
      for (const ObjectValue *child : at->second)
        if (seen.insert(child).second)
          found.push_back(child);
  return found;
}

llvm::ArrayRef<ModuleTree::Memory> ModuleTree::memoryOf(AttributeSlot slot) const {
  auto at = memory.find(slot);
  return at == memory.end() ? llvm::ArrayRef<Memory>() : at->second;
}

llvm::ArrayRef<AttributeSlot> ModuleTree::slotsWith(Memory held) const {
  auto at = sharers.find(held);
  return at == sharers.end() ? llvm::ArrayRef<AttributeSlot>() : at->second;
}
