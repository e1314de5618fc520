//===- Tape.h - Gradients of operators as they ran --------------*- C++ -*-===//
//
// While a CallContext has a tape, each operator that runs in grad mode on a tensor that
// requires a gradient leaves a node: its derivative (tsc/Autodiff/Derivatives.h), what
// that reads, and where the gradients of its operands go. A tensor's history is the
// node that made it. Nodes live as long as a tensor that was computed from them.
//
// Reverse accumulation as in Griewank and Walther, "Evaluating Derivatives", 2008,
// chapter 3: nodes in the reverse of the order in which they ran, each once.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_TAPE_H
#define TSC_RUNTIME_TAPE_H

#include "tsc/IR/FunctionSchema.h"
#include "tsc/IR/IValue.h"
#include "tsc/IR/OpRecord.h"
#include "tsc/Runtime/CallContext.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tsc {

class GradientNode;
class TapedCode;

/// A call of an operator, as a tape records it.
struct TapedCall {
  OpKind op;
  const FunctionSchema &schema;
  llvm::ArrayRef<const IValue *> operands; ///< One for each argument of the schema.
  IValue *results;                         ///< Points at as many None slots as the schema has results.
};

/// The gradients to compute, as torch.autograd.grad and torch.autograd.backward take them.
struct GradientRequest {
  std::vector<Tensor> outputs; ///< The tensors to differentiate. Each requires a gradient.
  /// The weight of each output, of the output's shape. It may be missing or undefined where the output has one element,
  /// whose weight is 1 then.
  std::vector<Tensor> weights;
  /// The tensors to differentiate by. Where there are none, gradients are added to the `.grad` of all leaves that the
  /// outputs depend on.
  std::vector<Tensor> inputs;
  bool retainGraph = false; ///< Whether nodes keep what they captured, so that they can be differentiated again.
  bool createGraph = false; ///< Whether the gradients can be differentiated in turn; implies retainGraph.
  bool allowUnused = false; ///< Whether an input that no output depends on gets an undefined gradient, and no error.
};

/// Returns the failure of an operator that asks for gradients in a call without a tape.
Status withoutTape();
/// Whether a status is, or was made of, that failure.
bool isWithoutTape(const Status &status);

/// Records operators as they run, and computes gradients from the record.
///
/// Ownership: borrows the Context. Nodes belong to the tensors that were computed from them, and outlive the tape.
/// Threads:   a tape is used by one thread at a time. Histories are shared by all that hold the tensors.
class Tape {
public:
  explicit Tape(Context &context);
  ~Tape();
  Tape(const Tape &) = delete;

  /// Runs an operator and records it. `kernel` computes the results from the call's operands. Fails with PyTorch's
  /// errors where autograd forbids the call, such as a write to a leaf.
  Status run(CallContext &call, const TapedCall &operation, llvm::function_ref<Status(IValue *results)> kernel);
  /// Records a graph that ran as one node. `results` holds the graph's outputs, which get the node as their history,
  /// and behind them what the node keeps for its derivative.
  void recordGraph(CallContext &call, const std::shared_ptr<TapedCode> &code, llvm::ArrayRef<IValue> args,
                   llvm::ArrayRef<IValue> results);
  /// Computes gradients, and returns one for each of the request's inputs. InvalidArgument, in PyTorch's words, where
  /// they cannot be computed.
  StatusOr<std::vector<Tensor>> backward(CallContext &call, const GradientRequest &request);

  /// Sets requires_grad of each view among the operands whose base requires a gradient since a write to its memory.
  static void refresh(llvm::ArrayRef<const IValue *> operands);
  /// Notes which results of an operator that is not recorded share memory with an operand, so that a later write to one
  /// counts as a write to all.
  static void noteViews(llvm::ArrayRef<const IValue *> operands, llvm::ArrayRef<IValue> results);
  /// Marks the results of an operator without a derivative: they require a gradient, and computing one through them
  /// fails with an error that contains `name`, the operator's.
  static void refuse(llvm::MutableArrayRef<IValue> results, llvm::StringRef name);

  /// Lets backward() keep the gradient of a tensor that requires one and is no leaf, as Tensor.retain_grad() does.
  void retainGradient(CallContext &call, const Tensor &tensor);
  static bool retainsGradient(const Tensor &tensor);
  /// Returns the tensor's `.grad`: what backward() has added up for a leaf, or for a tensor that retains its gradient.
  /// Undefined where there is none.
  static Tensor gradient(const Tensor &tensor);
  static void setGradient(const Tensor &tensor, const Tensor &gradient);
  /// Whether no recorded operator has computed the tensor.
  static bool isLeaf(const Tensor &tensor);
  /// Returns a view of the tensor that requires no gradient.
  static Tensor detached(const Tensor &tensor);

  struct Impl;

private:
  std::unique_ptr<Impl> impl;
};

} // namespace tsc

#endif
