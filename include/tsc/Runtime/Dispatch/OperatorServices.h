//===- OperatorServices.h - What operators need from above ------*- C++ -*-===//
//
// A few operators need what stands above Dispatch: code of functions, and the
// histories of tensors. They ask the services that libraries above install in the
// context. Interpreter installs its own with everything that compiles code or folds
// constants (installOperatorServices in Interpreter/Code.h); Tape installs its own
// with each tape, and Executor with the first call (installGradientServices in
// Tape/Tape.h).
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_DISPATCH_OPERATORSERVICES_H
#define TSC_RUNTIME_DISPATCH_OPERATORSERVICES_H

#include "tsc/IR/IValue.h"
#include "tsc/IR/OpRecord.h"
#include "tsc/Support/Status.h"
#include "llvm/ADT/ArrayRef.h"
#include <memory>

namespace tsc {

class CallContext;
class Context;
class Function;
class Node;

/// What operators need of the library that compiles code. May be called from many threads at once.
class OperatorServices {
public:
  virtual ~OperatorServices();
  /// Runs a composite operator that has no kernel of its own as its definition, a graph.
  virtual Status runDefinition(CallContext &context, OpKind kind, llvm::ArrayRef<const IValue *> args,
                               llvm::MutableArrayRef<IValue> results) = 0;
  /// Calls a method of the program that calls the operator (`context.site`), such as __lt__ of an object that is
  /// sorted.
  virtual StatusOr<std::vector<IValue>> callMethod(CallContext &context, Function &method,
                                                   std::vector<IValue> args) = 0;
  /// Whether a device's fuser may make a kernel of the node alone, an operator on tensors.
  virtual bool mayBeKernel(const Node &node) = 0;
};

/// Is told of the gradients of leaves while backward() goes on, in the thread that goes backward.
class GradientListener {
public:
  virtual ~GradientListener();
  /// Is called when this backward() has added all that it adds to the gradient of a leaf, which may still be undefined.
  /// A failure ends backward().
  virtual Status complete(CallContext &context, size_t leaf, const Tensor &gradient) = 0;
};

/// What operators need of the library that keeps the histories of tensors. May be called from many threads at once.
class GradientServices {
public:
  virtual ~GradientServices();
  /// Sets the tensor's `.grad`; an undefined one deletes it.
  virtual void setGradient(const Tensor &tensor, const Tensor &gradient) = 0;
  /// Lets backward() tell `listener` of the gradients of these leaves, each by its position, as soon as they are
  /// complete. A leaf has one listener, the last one, while that lives. Tensors that require no gradient are left out.
  /// InvalidArgument: an operator has computed one of the tensors.
  virtual Status listen(llvm::ArrayRef<Tensor> leaves, const std::shared_ptr<GradientListener> &listener) = 0;
};

/// Lets operators of the context use `services`, which live as long as the context. Installing them again changes
/// nothing; of different ones, the last stay.
void installServices(Context &context, OperatorServices &services);
void installServices(Context &context, GradientServices &services);
/// Returns the context's services, or null.
OperatorServices *servicesOf(Context &context);
GradientServices *gradientServicesOf(Context &context); ///< Returns those for gradients, or null.

} // namespace tsc

#endif
