//===- ModuleTree.h - A module and the objects in it ------------*- C++ -*-===//
#ifndef TSC_LIB_TRANSFORMS_FREEZING_MODULETREE_H
#define TSC_LIB_TRANSFORMS_FREEZING_MODULETREE_H

#include "tsc/Transforms/Freezing.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

template <> struct llvm::DenseMapInfo<tsc::AttributeSlot> {
  using Pair = llvm::DenseMapInfo<std::pair<const void *, unsigned>>;
  static tsc::AttributeSlot getEmptyKey() { return {DenseMapInfo<const tsc::ObjectValue *>::getEmptyKey(), 0}; }
  static tsc::AttributeSlot getTombstoneKey() { return {DenseMapInfo<const tsc::ObjectValue *>::getTombstoneKey(), 0}; }
  static unsigned getHashValue(const tsc::AttributeSlot &slot) { return Pair::getHashValue({slot.object, slot.index}); }
  static bool isEqual(const tsc::AttributeSlot &a, const tsc::AttributeSlot &b) { return a == b; }
};

namespace tsc {

/// The objects that a module can reach, each under the path on which it was found first, and the memory that their
/// attributes refer to. Objects in lists, tuples and dicts count; they have no path of their own.
class ModuleTree {
public:
  explicit ModuleTree(const ObjectValue &root);

  llvm::ArrayRef<const ObjectValue *> objects() const { return order; }
  /// Returns the objects of a class, in the order of objects().
  llvm::ArrayRef<const ObjectValue *> objectsOf(const ClassType *type) const;
  /// "head.bias", for a slot of an object of the tree; the root has the empty path.
  std::string pathOf(AttributeSlot slot) const;
  /// The slot of a path; nullopt when there is none.
  std::optional<AttributeSlot> find(llvm::StringRef path) const;
  /// All objects that `from` can reach, itself among them.
  llvm::SmallVector<const ObjectValue *> reachableFrom(const ObjectValue &from) const;

  /// Calls `visit` for every slot of the objects that their classes declare.
  template <typename F> static void forEachSlot(llvm::ArrayRef<const ObjectValue *> objects, F &&visit) {
    for (const ObjectValue *object : objects)
      for (unsigned i = 0; i != numSlots(*object); ++i)
        visit(AttributeSlot{object, i});
  }
  bool hasObjectsInContainers() const { return containersHoldObjects; }

  using Memory = const void *; ///< A storage or a container.
  /// Returns the storages and containers that a slot refers to, itself or by what its containers hold.
  llvm::ArrayRef<Memory> memoryOf(AttributeSlot slot) const;
  /// Returns the slots that refer to a storage or container.
  llvm::ArrayRef<AttributeSlot> slotsWith(Memory memory) const;

private:
  static unsigned numSlots(const ObjectValue &object);
  void add(const ObjectValue *object, std::string path);
  void addSlots(const ObjectValue &object, const std::string &path);

  const ObjectValue &root;
  bool containersHoldObjects = false;
  std::vector<const ObjectValue *> order;
  llvm::DenseMap<const ObjectValue *, std::string> paths;
  llvm::DenseMap<const ObjectValue *, llvm::SmallVector<const ObjectValue *, 4>> children;
  llvm::DenseMap<const ClassType *, llvm::SmallVector<const ObjectValue *, 4>> byClass;
  llvm::DenseMap<AttributeSlot, llvm::SmallVector<Memory, 1>> memory;
  llvm::DenseMap<Memory, llvm::SmallVector<AttributeSlot, 1>> sharers;
};

} // namespace tsc

#endif
