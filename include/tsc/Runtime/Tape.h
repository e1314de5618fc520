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

/// One operator being called.
struct TapedCall {
  OpKind op;
  const FunctionSchema &schema;
  llvm::ArrayRef<const IValue *> operands;
  IValue *results; ///< As many None slots as the schema has results.
};

/// What asks for gradients says.
struct GradientRequest {
  std::vector<Tensor> outputs;
  /// By which outputs are weighted; undefined where the output is one number, whose weight is 1. As many as outputs.
  std::vector<Tensor> weights;
  /// With respect to these; empty: to the leaves, in whose `.grad` gradients are added up.
  std::vector<Tensor> inputs;
  bool retainGraph = false; ///< Keeps what the nodes have captured, for another time.
  bool createGraph = false; ///< The gradients can be differentiated in turn; implies retainGraph.
  bool allowUnused = false; ///< An input on which no output depends has an undefined gradient; else it is an error.
};

/// What an operator that asks for gradients fails with where nothing is taken down.
Status withoutTape();
bool isWithoutTape(const Status &status);

/// Threads: a tape is used by one thread at a time. Histories are shared by all that hold the tensors.
class Tape {
public:
  explicit Tape(Context &context);
  ~Tape();
  Tape(const Tape &) = delete;

  /// Runs an operator and takes it down. `kernel` computes the results from the operands that it is given.
  Status run(CallContext &call, const TapedCall &operation, llvm::function_ref<Status(IValue *results)> kernel);
  /// Takes a graph that ran down as one node. `results` are the graph's, which get their history, and what it keeps.
  void recordGraph(CallContext &call, const std::shared_ptr<TapedCode> &code, llvm::ArrayRef<IValue> args,
                   llvm::ArrayRef<IValue> results);
  /// Computes gradients: one for each of `inputs`, or none.
  StatusOr<std::vector<Tensor>> backward(CallContext &call, const GradientRequest &request);

  /// Lets views require a gradient whose base has come to, by a write to it or to another view.
  static void refresh(llvm::ArrayRef<const IValue *> operands);
  /// Of an operator that is not taken down: which results share memory with an operand. A write to one is a write to
  /// all.
  static void noteViews(llvm::ArrayRef<const IValue *> operands, llvm::ArrayRef<IValue> results);
  /// Says of the results of an operator that has no derivative what asking for a gradient through it fails with.
  static void refuse(llvm::MutableArrayRef<IValue> results, llvm::StringRef name);

  /// Lets backward() add up the gradient of a tensor that requires one and is no leaf; of a leaf it does so anyway.
  void retainGradient(CallContext &call, const Tensor &tensor);
  static bool retainsGradient(const Tensor &tensor);
  /// The gradient that backward() has added up for a leaf, or for what retains it; undefined when there is none.
  static Tensor gradient(const Tensor &tensor);
  static void setGradient(const Tensor &tensor, const Tensor &gradient);
  /// Whether no operator on a tape has made it.
  static bool isLeaf(const Tensor &tensor);
  /// A tensor with the same elements that requires no gradient.
  static Tensor detached(const Tensor &tensor);

  struct Impl;

private:
  std::unique_ptr<Impl> impl;
};

} // namespace tsc

#endif
