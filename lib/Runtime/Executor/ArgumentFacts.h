//===- ArgumentFacts.h - What plans know of values --------------*- C++ -*-===//
//
// A program that asks for gradients is differentiated where all is in sight: the
// entries of dicts, flags, and what modules are configured with. Plans of such programs
// know these; plans of modules that convolve images know what the modules are configured
// with, and the types of their weights. What stands in the arguments themselves is part of their ArgumentSpec;
// attributes of objects are looked at before a plan is used.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_RUNTIME_EXECUTOR_ARGUMENTFACTS_H
#define TSC_LIB_RUNTIME_EXECUTOR_ARGUMENTFACTS_H

#include "tsc/Runtime/Executor/ArgumentSpec.h"
#include <map>

namespace tsc {

class Graph;
class Value;

/// An attribute of an argument (mostly of a module) on which a plan relies: that it has a value, or that it is a tensor
/// of a type.
struct AttributeFact {
  unsigned argument; ///< The number of the argument.
  /// The path to the attribute: a slot of the argument's object, then a slot of the object in that slot, and so on.
  llvm::SmallVector<unsigned, 4> slots;
  IValue value;                     ///< The value that the attribute must equal, where `type` is null.
  const TensorType *type = nullptr; ///< The dtype, device, requires_grad and sizes that a tensor must have.
  /// Whether the attribute is as the plan expects in a call with these arguments.
  bool holds(llvm::ArrayRef<IValue> args) const;
};

/// Returns the type of a tensor, with what its ArgumentSpec knows about it.
const Type *typeOfTensor(Context &context, const Tensor &tensor, bool gradMode, SizeFacts &sizes);

/// Whether plans rely on the entries of a dict: tensors by strings, and not too many.
bool hasKnownEntries(const IValue &value);

/// Numbers, flags, strings, None, lists of these and facts of tensors among the attributes of the arguments, as they
/// are when a plan is asked for. It holds nothing that a later call may write: plans are made beside calls.
class AttributeSnapshot {
public:
  explicit AttributeSnapshot(llvm::ArrayRef<IValue> args);
  /// Puts what the graph reads of them in the place of the reads, unless it writes such an attribute or makes calls;
  /// gives what it relies on then.
  std::vector<AttributeFact> apply(Graph &graph) const;

private:
  using Path = std::vector<unsigned>; ///< The argument, and slots.
  struct Known {
    IValue value;
    std::optional<TensorFacts> tensor; ///< What is known of a tensor; `value` is none then.
  };
  void collect(const IValue &value, Path &path);
  std::map<Path, Known> values;
};

/// Tells kernels that the attributes of modules among the arguments are read by calls to come, too: what they make of a
/// weight is kept with it until it is written to. Gives whether one of them may be of a convolution of images.
bool markWeights(llvm::ArrayRef<IValue> args);

/// Reads the entries of a dict at the head of a graph, so that their types are known (forward-dict-entries).
void readEntries(Graph &graph, Value *dict, llvm::ArrayRef<std::pair<std::string, const Type *>> entries);

} // namespace tsc

#endif
