//===- Autograd.cpp - Programs that ask for gradients ---------------------===//
#include "tsc/IR/Context.h"
#include "tsc/IR/IValue.h"
#include "tsc/Runtime/Dispatch/OperatorObserver.h"
#include "tsc/Runtime/Dispatch/OperatorServices.h"
#include "tsc/Runtime/Dispatch/Ops/Prims.h"
using namespace tsc;

/// The tensors of a list, undefined where it has None; none of None.
static std::vector<Tensor> tensorsOf(const IValue &list) {
  std::vector<Tensor> all;
  for (size_t i = 0; list.isList() && i != list.listSize(); ++i) {
    IValue element = list.listElement(i);
    all.push_back(element.isTensor() ? element.asTensor() : Tensor());
  }
  return all;
}

static bool boolOr(const IValue &value, bool otherwise) { return value.isNone() ? otherwise : value.toBool(); }

/// What `weights` has to have, when it is given.
static Status checkWeights(const GradientRequest &request) {
  if (!request.weights.empty() && request.weights.size() != request.outputs.size())
    return invalidArgument("got " + llvm::Twine(request.outputs.size()) + " tensors and " +
                           llvm::Twine(request.weights.size()) + " gradients");
  return okStatus();
}

Status ops::autogradGrad(CallContext &context, const IValue *const *args, IValue *results) {
  GradientRecorder *recorder = recorderOf(context);
  if (!recorder)
    return withoutTape();
  GradientRequest request;
  request.outputs = tensorsOf(*args[0]);
  request.inputs = tensorsOf(*args[1]);
  request.weights = tensorsOf(*args[2]);
  request.createGraph = args[4]->toBool();
  request.retainGraph = boolOr(*args[3], request.createGraph);
  request.allowUnused = args[5]->toBool();
  TSC_RETURN_IF_ERROR(checkWeights(request));
  if (request.inputs.empty())
    return invalidArgument("grad requires non-empty inputs.");
  TSC_ASSIGN_OR_RETURN(std::vector<Tensor> gradients, recorder->backward(context, request));
  IValue list = makeList(context.context().optionalOf(Type::tensorType()));
  for (const Tensor &gradient : gradients)
    appendToList(list, gradient.defined() ? IValue(gradient) : IValue());
  results[0] = std::move(list);
  return okStatus();
}

static Status backward(CallContext &context, GradientRequest request, const IValue &retain, const IValue &create) {
  GradientRecorder *recorder = recorderOf(context);
  if (!recorder)
    return withoutTape();
  request.createGraph = create.toBool();
  request.retainGraph = boolOr(retain, request.createGraph);
  TSC_RETURN_IF_ERROR(checkWeights(request));
  return recorder->backward(context, request).status();
}

Status ops::autogradBackward(CallContext &context, const IValue *const *args, IValue *) {
  GradientRequest request;
  request.outputs = {args[0]->asTensor()};
  if (args[1]->isTensor())
    request.weights = {args[1]->asTensor()};
  return backward(context, std::move(request), *args[2], *args[3]);
}

Status ops::autogradBackwardList(CallContext &context, const IValue *const *args, IValue *) {
  GradientRequest request;
  request.outputs = tensorsOf(*args[0]);
  request.weights = tensorsOf(*args[1]);
  return backward(context, std::move(request), *args[2], *args[3]);
}

Status ops::gradientOrNone(CallContext &, const IValue *const *args, IValue *results) {
  if (Tensor gradient = gradOf(args[0]->asTensor()); gradient.defined())
    results[0] = std::move(gradient);
  return okStatus();
}

/// Sets `self.grad`. A tensor without a history, which keeps it, gets one.
static Status store(CallContext &context, const Tensor &self, const Tensor &gradient) {
  GradientServices *services = gradientServicesOf(context.context());
  if (!services)
    return unimplemented("this program sets no gradients: it does not link tsc's Runtime");
  services->setGradient(self, gradient);
  return okStatus();
}

Status ops::setGradient(CallContext &context, const IValue *const *args, IValue *) {
  const Tensor &self = args[0]->asTensor();
  if (!args[1]->isTensor())
    return store(context, self, Tensor());
  const Tensor &gradient = args[1]->asTensor();
  if (gradient.isSameAs(self))
    return invalidArgument("can't assign Variable as its own grad");
  if (gradient.sizes() != self.sizes())
    return invalidArgument("assigned grad has data of a different size");
  if (gradient.dtype() != self.dtype())
    return invalidArgument("assigned grad has data of a different type");
  return store(context, self, gradient);
}

Status ops::retainGradient(CallContext &context, const IValue *const *args, IValue *) {
  const Tensor &self = args[0]->asTensor();
  if (!self.requiresGrad())
    return invalidArgument("can't retain_grad on Tensor that has requires_grad=False");
  GradientRecorder *recorder = recorderOf(context);
  if (!recorder)
    return withoutTape();
  recorder->retainGradient(context, self);
  return okStatus();
}
