//===- Freezing.h - A module's attributes become constants ------*- C++ -*-===//
//
//   FreezeOptions options{{module.findMethod("forward")}, {"head.bias"}};
//   StatusOr<FrozenModule> frozen = freezeModule(object, options);
//
// Reads the attributes of one object, and of the objects in it, into the graphs
// of its methods. The object is not changed, and the graphs go on using it for
// whatever was not frozen: freezing is right for programs that keep state, and
// for modules that train.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_TRANSFORMS_FREEZING_H
#define TSC_TRANSFORMS_FREEZING_H

#include "tsc/IR/IValue.h"
#include "tsc/Support/Status.h"
#include <memory>
#include <string>
#include <vector>

namespace tsc {

class Function;
class Graph;

/// Which methods of a module are frozen, and which attributes are not.
struct FreezeOptions {
  /// Every method that will be called: what any of them writes stays an attribute. The first argument of each is the
  /// module.
  std::vector<Function *> methods;
  /// The attributes to keep, by path ("head.bias"); the path of a submodule keeps all that is in it.
  std::vector<std::string> keep;
};

/// How freezing treated one attribute that the methods read.
struct AttributeFate {
  std::string path;
  std::string keptBecause; ///< Why it is still an attribute; empty when it became a constant.
};

/// One attribute of one object, by its index in the object's class.
struct AttributeSlot {
  const ObjectValue *object;
  unsigned index;
  bool operator==(const AttributeSlot &) const = default;
};

/// A method with its frozen graph.
struct FrozenMethod {
  Function *function;
  std::unique_ptr<Graph> graph; ///< Has its calls inlined; the module is still its first input.
};

/// What freezing made of a module.
struct FrozenModule {
  std::vector<FrozenMethod> methods;     ///< The methods that were kept, as FreezeOptions::methods lists them.
  std::vector<AttributeFate> attributes; ///< Sorted by path.
  std::vector<AttributeSlot> used; ///< The attributes that the graphs still read or write; nobody needs the others.
};

/// Makes constants of the attributes of `root`, and of the objects in it, that no method can write. The constants share
/// the object's values, and tensors lose requires_grad, as in PyTorch. Returns InvalidArgument for a method that does
/// not compile, or for an attribute to keep that does not exist.
StatusOr<FrozenModule> freezeModule(const Ref<ObjectValue> &root, const FreezeOptions &options);

/// Returns a copy of the module's objects with the values of the attributes `used`, shared with the old objects, and
/// None in all others.
Ref<ObjectValue> copyUsed(const Ref<ObjectValue> &root, llvm::ArrayRef<AttributeSlot> used);

} // namespace tsc

#endif
