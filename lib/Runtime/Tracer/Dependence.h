//===- Dependence.h - What the values of a trace depend on ------*- C++ -*-===//
//
// A trace holds for other inputs as long as its decisions do. So the tracer of graphs
// knows of each value whether other inputs could change it, and by what.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_RUNTIME_TRACER_DEPENDENCE_H
#define TSC_LIB_RUNTIME_TRACER_DEPENDENCE_H

#include "AttributeWrites.h"
#include "llvm/ADT/DenseMap.h"

namespace tsc {

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
  /// `writes` is what the function, and all that it calls, may do to attributes.
  explicit Dependences(AttributeWrites writes) : writes(std::move(writes)) {}
  /// Returns an argument of the function, with nothing but its value known.
  Datum argument(const IValue &value);
  /// Returns a parameter of a method that the function calls, which is traced for itself: what the operand of the call
  /// is known to depend on, and no less than an argument of a traced function does.
  Datum parameter(const Datum &operand);
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
  void dropUnused();
  void note(const IValue &container, Dependence length, Dependence contents, bool isState = false);
  void noteWrites(const Node &node, llvm::ArrayRef<const Datum *> operands, Dependence all);
  void noteCall(const IValue &operand);
  void setResult(const Node &node, llvm::ArrayRef<const Datum *> operands, Dependence all, Datum &result);
  void setAttribute(const Node &node, Datum &result);
  Dependence ofAnswer(const Node &node, llvm::ArrayRef<const Datum *> operands, Dependence all) const;

  llvm::DenseMap<const RefCounted *, Container> containers;
  size_t limit = 256; ///< The number of containers at which those are dropped that nobody else refers to.
  AttributeWrites writes;
};

} // namespace tsc

#endif
