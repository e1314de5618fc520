//===- WriteFacts.h - Which attributes may change ---------------*- C++ -*-===//
#ifndef TSC_LIB_TRANSFORMS_FREEZING_WRITEFACTS_H
#define TSC_LIB_TRANSFORMS_FREEZING_WRITEFACTS_H

#include "ModuleTree.h"

namespace tsc {

/// The attributes that must stay attributes, each with the reason. What shares memory with such an attribute must stay
/// too.
class WriteFacts {
public:
  explicit WriteFacts(const ModuleTree &tree) : tree(tree) {}

  /// Notes that an attribute must stay. The first reason counts.
  void keep(AttributeSlot slot, const std::string &reason);
  /// The attribute of that name of every object of the class: which object it is, is not known.
  void keepOfClass(const ClassType *type, llvm::StringRef name, const std::string &reason);
  /// Every attribute of the object and of those it can reach.
  void keepAllIn(const ObjectValue &object, const std::string &reason);

  /// Returns why an attribute must stay; empty when it may be frozen.
  llvm::StringRef reasonToKeep(AttributeSlot slot) const;

private:
  const ModuleTree &tree;
  llvm::DenseMap<AttributeSlot, std::string> reasons;
};

} // namespace tsc

#endif
