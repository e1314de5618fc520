//===- OperatorObserver.h - Who sees the calls of operators -----*- C++ -*-===//
//
//   class Counter final : public OperatorObserver {
//     Status run(CallContext &, const OperatorCall &call, Operands operands, Results results, Kernel kernel) override {
//       ++counts[call.name];
//       return kernel(operands, results.data());
//     }
//   };
//   context.observer = &counter;
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_DISPATCH_OPERATOROBSERVER_H
#define TSC_RUNTIME_DISPATCH_OPERATOROBSERVER_H

#include "tsc/IR/IValue.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Support/Status.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <vector>

namespace tsc {

class Function;
class GradientRecorder;
struct OperatorCall;
class Tracer;

/// Sees every call of an operator in a CallContext whose `observer` it is, in the place of the kernel. Operators that
/// code runs beside the interpreter, such as those of a fusion group, are called through it only where the code is made
/// for an observer.
///
/// Threads: one thread at a time calls it, the one that uses the context.
class OperatorObserver {
public:
  using Operands = llvm::ArrayRef<const IValue *>; ///< One for each argument of the schema.
  using Results = llvm::MutableArrayRef<IValue>;   ///< One None slot for each result of the call.
  /// Runs what stands behind observers: the operator on devices, its lazy operands, its kernel.
  using Kernel = llvm::function_ref<Status(Operands operands, IValue *results)>;

  virtual ~OperatorObserver();
  /// Makes a call: runs `kernel`, or stores the results itself. The list of operands may change while the kernel runs
  /// other operators; who reads it afterwards copies it before.
  virtual Status run(CallContext &context, const OperatorCall &call, Operands operands, Results results,
                     Kernel kernel) = 0;
  /// Returns the recorder of gradients that this is, or hands calls on to; null where there is none.
  virtual GradientRecorder *recorder() { return nullptr; }
  /// Returns the tracer (Tracer.h) that this is; null for others.
  virtual Tracer *tracer() { return nullptr; }
  /// Whether runCall() takes calls of compiled functions that a host makes. Where it does not, the operators of the
  /// function are called through the observer one by one.
  virtual bool takesCalls() const { return false; }
  /// Makes a call of a compiled function that a host makes: `run` makes it without this observer, and sets `results`.
  /// `args` have the types of the schema, and `run` moves them away.
  virtual Status runCall(CallContext &context, Function &function, llvm::MutableArrayRef<IValue> args,
                         std::vector<IValue> &results, llvm::function_ref<Status(CallContext &)> run);
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

/// An observer that records operators for gradients, and computes them: what operators such as torch.autograd.grad ask.
/// The Tape (Tape.h) is one.
class GradientRecorder : public OperatorObserver {
public:
  /// Computes gradients, and returns one for each of the request's inputs. InvalidArgument, in PyTorch's words, where
  /// they cannot be computed.
  virtual StatusOr<std::vector<Tensor>> backward(CallContext &call, const GradientRequest &request) = 0;
  /// Lets backward() keep the gradient of a tensor that requires one and is no leaf, as Tensor.retain_grad() does.
  virtual void retainGradient(CallContext &call, const Tensor &tensor) = 0;
  GradientRecorder *recorder() final { return this; }
};

/// Returns the recorder of gradients among the context's observers, or null.
inline GradientRecorder *recorderOf(const CallContext &context) {
  return context.observer ? context.observer->recorder() : nullptr;
}

/// Returns the failure of an operator that asks for gradients in a call without a recorder.
Status withoutTape();
/// Whether a status is, or was made of, that failure.
bool isWithoutTape(const Status &status);

} // namespace tsc

#endif
