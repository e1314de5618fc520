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

struct FreezeOptions {
  /// Every method that will be called: what any of them writes stays an attribute. Each takes
  /// the module as its first argument.
  std::vector<Function *> methods;
  /// Attributes to be kept, by path ("head.bias"); of a submodule, all that is in it.
  std::vector<std::string> keep;
};

/// What became of an attribute that the methods read.
struct AttributeFate {
  std::string path;
  std::string keptBecause; ///< Empty: frozen.
};

/// A slot of an object.
struct AttributeSlot {
  const ObjectValue *object;
  unsigned index;
  bool operator==(const AttributeSlot &) const = default;
};

struct FrozenMethod {
  Function *function;
  std::unique_ptr<Graph> graph; ///< Calls inlined; the module is still its first input.
};

struct FrozenModule {
  std::vector<FrozenMethod> methods;     ///< As FreezeOptions::methods.
  std::vector<AttributeFate> attributes; ///< Sorted by path.
  std::vector<AttributeSlot> used;       ///< Attributes that the graphs still read or write; nobody needs the others.
};

/// Freezes the attributes of `root` that no method can write: values are shared with the object, and tensors lose
/// requires_grad, as PyTorch's do. InvalidArgument for a method that does not compile or an attribute to keep that does
/// not exist.
StatusOr<FrozenModule> freezeModule(const Ref<ObjectValue> &root, const FreezeOptions &options);

/// The module's objects anew, with the values of `used` (shared with the old ones) and None in all other slots.
Ref<ObjectValue> copyUsed(const Ref<ObjectValue> &root, llvm::ArrayRef<AttributeSlot> used);

} // namespace tsc

#endif
