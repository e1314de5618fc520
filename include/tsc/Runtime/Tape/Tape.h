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
#ifndef TSC_RUNTIME_TAPE_TAPE_H
#define TSC_RUNTIME_TAPE_TAPE_H

#include "tsc/Runtime/Dispatch/OperatorObserver.h"
#include "llvm/ADT/SmallBitVector.h"
#include <memory>

namespace tsc {

class TapedCode;

/// Lets operators of the context set the gradients of tensors (Dispatch/OperatorServices.h). Who makes a Tape or calls
/// functions by a GraphExecutor need not: these do it.
void installGradientServices(Context &context);

/// A derivative that a host computes.
///
/// Threads: gradients may go through it in several threads at once.
class HostDerivative {
public:
  /// What arrives at an operation of a host's.
  struct Arrived {
    llvm::ArrayRef<Tensor> gradients;   ///< One for each result; undefined: none has arrived.
    llvm::ArrayRef<Tensor> saved;       ///< HostOperation::saved, with their histories.
    const llvm::SmallBitVector &wanted; ///< The operands whose gradients somebody asks for.
  };
  virtual ~HostDerivative() = default;
  /// Returns one gradient for each operand; an undefined one is none. It is recorded in turn where `call.gradMode` says
  /// so.
  virtual StatusOr<std::vector<Tensor>> run(CallContext &call, const Arrived &arrived) = 0;
};

/// What a host has computed, to be recorded as one operator.
struct HostOperation {
  std::string name;             ///< What History::nodeName() gives.
  std::vector<Tensor> operands; ///< May be undefined.
  std::vector<Tensor> results;  ///< Undefined for those that have no gradient.
  std::vector<Tensor> saved;    ///< What the derivative reads: operands, results and others; may be undefined.
  std::shared_ptr<HostDerivative> derivative;
};

/// Records operators as they run, and computes gradients from the record.
///
/// Ownership: borrows the Context. Nodes belong to the tensors that were computed from them, and outlive the tape.
/// Threads:   a tape is used by one thread at a time. Histories are shared by all that hold the tensors.
class Tape final : public GradientRecorder {
public:
  explicit Tape(Context &context);
  ~Tape() override;
  Tape(const Tape &) = delete;
  /// Returns the tape among the context's observers, or null. (No other class derives from GradientRecorder.)
  static Tape *of(const CallContext &context) { return static_cast<Tape *>(recorderOf(context)); }

  /// Runs an operator, and records it in grad mode where an operand requires a gradient. Fails with PyTorch's errors
  /// where autograd forbids the call, such as a write to a leaf.
  Status run(CallContext &context, const OperatorCall &call, Operands operands, Results results,
             Kernel kernel) override;
  /// Records a graph that ran as one node. `results` holds the graph's outputs, which get the node as their history,
  /// and behind them what the node keeps for its derivative.
  void recordGraph(CallContext &call, const std::shared_ptr<TapedCode> &code, llvm::ArrayRef<IValue> args,
                   llvm::ArrayRef<IValue> results);
  /// Records what a host has computed without the tape, where an operand requires a gradient and `call` is in grad
  /// mode; else nothing. A result that is an operand was written to. InvalidArgument, in PyTorch's words, where that is
  /// a leaf that requires a gradient; Unimplemented where it is a view.
  Status recordHost(CallContext &call, HostOperation operation);
  StatusOr<std::vector<Tensor>> backward(CallContext &call, const GradientRequest &request) override;

  /// Sets requires_grad of each view among the operands whose base requires a gradient since a write to its memory.
  static void refresh(llvm::ArrayRef<const IValue *> operands);
  /// Notes which results of an operator that is not recorded share memory with an operand, so that a later write to one
  /// counts as a write to all.
  static void noteViews(llvm::ArrayRef<const IValue *> operands, llvm::ArrayRef<IValue> results);
  /// Marks the results of an operator without a derivative: they require a gradient, and computing one through them
  /// fails with an error that contains `name`, the operator's.
  static void refuse(llvm::MutableArrayRef<IValue> results, llvm::StringRef name);

  void retainGradient(CallContext &call, const Tensor &tensor) override;
  /// Returns the tensor's `.grad`: what backward() has added up for a leaf, or for a tensor that retains its gradient.
  /// Undefined where there is none.
  static Tensor gradient(const Tensor &tensor);
  /// Sets the tensor's `.grad`, or takes it away where `gradient` is undefined.
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
