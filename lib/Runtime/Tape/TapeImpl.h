//===- TapeImpl.h - The inside of a tape ------------------------*- C++ -*-===//
#ifndef TSC_LIB_RUNTIME_TAPE_TAPEIMPL_H
#define TSC_LIB_RUNTIME_TAPE_TAPEIMPL_H

#include "GradientNode.h"
#include "tsc/IR/FunctionSchema.h"
#include "tsc/Runtime/Interpreter/Code.h"
#include "tsc/Runtime/Tape/Tape.h"
#include "tsc/Tensor/Tensor.h"

namespace tsc {

class Definitions;

/// Whether a tensor is of a dtype that has gradients: floating or complex.
bool isDifferentiable(const Tensor &tensor);

/// A call of an operator, as a tape records it.
struct TapedCall {
  OpKind op;
  const FunctionSchema &schema;
  llvm::ArrayRef<const IValue *> operands; ///< One for each argument of the schema.
  IValue *results;                         ///< Points at as many None slots as the schema has results.
};

/// A tape's state, and the recording and the reverse pass behind its interface.
struct Tape::Impl {
  explicit Impl(Context &context);

  /// Runs an operator by `kernel`, by its definition, or as a write to a view, and records it: see Tape::run.
  Status run(CallContext &call, const TapedCall &operation, llvm::function_ref<Status(IValue *results)> kernel);
  /// Computes the gradients that are asked for: see Tape::backward.
  StatusOr<std::vector<Tensor>> backward(CallContext &call, const GradientRequest &request);

  /// Records a graph that ran as one node: see Tape::recordGraph.
  void recordGraph(CallContext &call, const std::shared_ptr<TapedCode> &code, llvm::ArrayRef<IValue> args,
                   llvm::ArrayRef<IValue> results);
  /// Records what a host has computed: see Tape::recordHost.
  Status recordHost(CallContext &call, HostOperation operation);
  /// Returns where the gradient of a tensor goes; no node where it requires none.
  GradientEdge edgeOf(CallContext &call, const Tensor &tensor);
  /// Runs an operator of one result, which is recorded in grad mode.
  StatusOr<Tensor> runOperator(CallContext &call, OpKind op, std::vector<IValue> operands);
  /// Converts a tensor by an operator that is taken down; one of that dtype is returned as it is.
  StatusOr<Tensor> toDType(CallContext &call, const Tensor &value, DType dtype);
  /// Runs a formula's or definition's graph, whose operators are recorded in grad mode, and returns its outputs. `name`
  /// is for call stacks.
  StatusOr<std::vector<IValue>> runGraph(CallContext &call, const Graph &graph, llvm::StringRef name,
                                         std::vector<IValue> inputs);

  Context &context;
  Derivatives &derivatives;
  Definitions &definitions;
  CodeCache codes;        ///< The code of formulas and definitions.
  uint64_t lastOrder = 0; ///< GradientNode::order of the node that was made last.

private:
  Tensor geometryOf(const Tensor &tensor);
  Ref<Storage> noMemory; ///< The storage of tensors that only have a geometry: it has no elements.
  /// The operands that require a gradient and have an influence on results, one bit each.
  uint32_t wantedOperands(const TapedCall &operation);
  Ref<GradientNode> makeNode(CallContext &call, const TapedCall &operation, uint32_t wanted);
  GradientNode::Captured capture(CallContext &call, GradientNode &node, const IValue &value,
                                 const Derivative::Capture &how);
  void takeResults(CallContext &call, const TapedCall &operation, const Ref<GradientNode> &node);
  void record(CallContext &call, const TapedCall &operation, uint32_t wanted);
  void recordView(CallContext &call, const Tensor &view);
  StatusOr<Tensor> takeView(CallContext &call, const Tensor &base, const Tensor &view);
  StatusOr<Tensor> withPart(CallContext &call, const Tensor &base, const Tensor &view, Tensor value);
  Status runInPlace(CallContext &call, const TapedCall &operation, llvm::function_ref<Status(IValue *results)> kernel);
  Status changeGeometry(CallContext &call, const TapedCall &operation,
                        llvm::function_ref<Status(IValue *results)> kernel);
  Tensor sameAs(CallContext &call, const Tensor &self);
  Status rebase(CallContext &call, const Tensor &self, const Tensor &value);
  StatusOr<Tensor> withDiagonal(CallContext &call, const Tensor &self, const IValue &number, const IValue &wraps);
  const OpRecord *viewOf(const TapedCall &operation);
  bool hasOperandsOf(const OpRecord &functional, const TapedCall &operation);
  void forget(const Tensor &tensor, const TapedCall &operation);
  void adopt(const Tensor &tensor, const Tensor &value);
};

inline bool holdsTensors(const IValue &value) {
  return (value.isTensor() && value.asTensor().defined()) || value.isTensorList();
}

} // namespace tsc

#endif
