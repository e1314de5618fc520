//===- Dependence.h - What the values of a trace depend on ------*- C++ -*-===//
//
// A trace holds for other inputs as long as its decisions do. So the tracer of graphs
// knows of each value whether other inputs could change it, and by what.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_RUNTIME_TRACER_DEPENDENCE_H
#define TSC_LIB_RUNTIME_TRACER_DEPENDENCE_H

#include "tsc/IR/Graph.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"

namespace tsc {

class Function;

/// What of the inputs may change a value, in increasing order of how easily they do.
enum class Dependence : uint8_t {
  Constant, ///< Nothing.
  Kind,     ///< The rank, dtype or device of a tensor, whether an argument is None, or an attribute nobody assigns.
  Sizes,    ///< The sizes of tensors.
  Elements  ///< The elements of tensors, numbers, and all that a call or a random operator may give.
};

/// A value of the traced function. Of a tensor, `on` is what its sizes depend on; of a list or dict it is which one it
/// is, since what it holds may change (Dependences); of all else it is what the value depends on.
struct Datum {
  IValue value;
  Value *traced = nullptr; ///< The value of the trace, null for a constant that the trace has no use of yet.
  Dependence on = Dependence::Constant;
  const Value *constant = nullptr; ///< The constant of the traced function that it is, or null.
  /// Whether a call or a container gave it as an optional value: if it is None may depend on all that the value does.
  bool isOptional = false;
  /// What each field of a tuple depends on; empty where that is not known one by one.
  llvm::SmallVector<Dependence, 2> fields;
};

/// The dependences of what a function computes.
class Dependences {
public:
  /// Notes which attributes the graph, and what it is seen to call, assigns, and which lists and dicts among them it
  /// writes to.
  void noteAssignments(Graph &graph);
  /// Returns an argument of the function, with nothing but its value known.
  Datum argument(const IValue &value);
  /// Returns the results of a node, of which the operands and the values are given.
  std::vector<Datum> results(const Node &node, llvm::ArrayRef<const Datum *> operands, llvm::ArrayRef<IValue> values);

private:
  /// A list or dict.
  struct Container {
    IValue keep; ///< Keeps the address from being used again.
    Dependence length = Dependence::Constant, contents = Dependence::Constant;
    bool isState = false; ///< Whether it is an attribute's value, which later calls see as this one left it.
  };
  Dependence ofAll(const Datum &datum) const;
  Dependence ofLength(const Datum &datum) const;
  void noteAttributeWrites(const Node &node);
  void dropUnused();
  void note(const IValue &container, Dependence length, Dependence contents, bool isState = false);
  void noteWrites(const Node &node, llvm::ArrayRef<const Datum *> operands, Dependence all);
  void noteCall(const IValue &operand);
  void setResult(const Node &node, llvm::ArrayRef<const Datum *> operands, Dependence all, Datum &result);
  void setAttribute(const Node &node, Datum &result);
  Dependence ofAnswer(const Node &node, llvm::ArrayRef<const Datum *> operands, Dependence all) const;

  llvm::DenseMap<const RefCounted *, Container> containers;
  size_t limit = 256;          ///< The number of containers at which those are dropped that nobody else refers to.
  llvm::StringSet<> assigned;  ///< The names of attributes that the code assigns.
  llvm::StringSet<> resized;   ///< The names of attributes whose list or dict the code may make longer or shorter.
  llvm::StringSet<> rewritten; ///< The names of attributes whose list the code writes to, without that.
  llvm::DenseSet<const Function *> seen;
};

} // namespace tsc

#endif
