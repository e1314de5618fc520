//===- Gradients.cpp - Gradients of what a host computes ------------------===//
#include "Eager.h"
#include "tsc/Runtime/Dispatch/CallByName.h"
#include "tsc/Tensor/TensorHistory.h"

using namespace tsc;
using namespace tsc::capi;

/// The tensor of a value, of any device.
static StatusOr<Tensor> tensorOf(const tsc_value *value, const char *name) {
  TSC_RETURN_IF_ERROR(checkNotNull({{value, name}}));
  if (!value->value.isTensor())
    return wrongKind(value, "a tensor");
  return value->value.toTensor();
}

/// Does something with the tensor of a value.
static tsc_error *withTensor(const tsc_value *value, llvm::function_ref<Status(const Tensor &)> body) {
  return guarded([&]() -> Status {
    TSC_ASSIGN_OR_RETURN(const Tensor tensor, tensorOf(value, "tensor"));
    return body(tensor);
  });
}

/// Gives something that is found out about the tensor of a value; an undefined tensor is None.
static tsc_error *give(const tsc_value *value, tsc_value **result, llvm::function_ref<IValue(const Tensor &)> body) {
  if (result)
    *result = nullptr;
  return withTensor(value, [&](const Tensor &tensor) -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{result, "result"}}));
    *result = newValue(body(tensor), nullptr);
    return okStatus();
  });
}

//===----------------------------------------------------------------------===//
// What tensors have
//===----------------------------------------------------------------------===//

tsc_error *tsc_tensor_set_requires_grad(const tsc_value *tensor, int needed) {
  return withTensor(tensor, [&](const Tensor &self) -> Status {
    if (needed && !isFloating(self.dtype()) && !isComplex(self.dtype()))
      return invalidArgument("only Tensors of floating point dtype can require gradients");
    if (!needed && !isLeaf(*tensor))
      return invalidArgument("you can only change requires_grad flags of leaf variables. If you want to use a computed "
                             "variable in a subgraph that doesn't require differentiation use var_no_grad = "
                             "var.detach().");
    if (self.requiresGrad() != (needed != 0)) {
      if (Tape::isLeaf(self))
        self.get()->setLeafOfFile(needed != 0);
      else
        self.get()->requiresGrad = needed != 0;
    }
    noteGradientMark();
    return okStatus();
  });
}

tsc_error *tsc_tensor_grad(const tsc_value *tensor, tsc_value **grad) {
  return give(tensor, grad, [](const Tensor &self) { return IValue(Tape::gradient(self)); });
}

tsc_error *tsc_tensor_grad_fn(const tsc_value *tensor, tsc_value **name) {
  return give(tensor, name, [&](const Tensor &self) {
    const TensorHistory *history = tensorHistoryOf(self);
    if (isLeaf(*tensor))
      return IValue();
    return IValue(history ? history->nodeName(self).value_or("") : std::string());
  });
}

tsc_error *tsc_tensor_set_grad(const tsc_value *tensor, const tsc_value *grad) {
  return withTensor(tensor, [&](const Tensor &self) -> Status {
    if (!grad || grad->value.isNone()) {
      if (tensorHistoryOf(self))
        Tape::setGradient(self, Tensor());
      return okStatus();
    }
    TSC_ASSIGN_OR_RETURN(const Tensor gradient, tensorOf(grad, "grad"));
    if (gradient.isSameAs(self))
      return invalidArgument("can't assign Variable as its own grad");
    if (gradient.sizes() != self.sizes())
      return invalidArgument("assigned grad has data of a different size");
    if (gradient.dtype() != self.dtype())
      return invalidArgument("assigned grad has data of a different type");
    Tape::setGradient(self, gradient);
    return okStatus();
  });
}

tsc_error *tsc_tensor_retain_grad(const tsc_value *tensor) {
  return withTensor(tensor, [&](const Tensor &self) -> Status {
    if (!self.requiresGrad())
      return invalidArgument("can't retain_grad on Tensor that has requires_grad=False");
    EagerCall call;
    TSC_RETURN_IF_ERROR(call.status());
    call.tape().retainGradient(call.context(), self);
    return okStatus();
  });
}

tsc_error *tsc_tensor_detach(const tsc_value *tensor, tsc_value **detached) {
  return give(tensor, detached, [](const Tensor &self) { return IValue(Tape::detached(self)); });
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

/// The tensors of an array of values. With `mayLack`, a null pointer or None stands for none.
static StatusOr<std::vector<Tensor>> tensorsOf(tsc_value *const *handles, size_t count, const char *name,
                                               bool mayLack) {
  if (count != 0)
    TSC_RETURN_IF_ERROR(checkNotNull({{handles, name}}));
  TSC_RETURN_IF_ERROR(checkLength(count, name));
  std::vector<Tensor> tensors;
  for (size_t i = 0; i != count; ++i) {
    if (mayLack && (!handles[i] || handles[i]->value.isNone())) {
      tensors.emplace_back();
      continue;
    }
    TSC_ASSIGN_OR_RETURN(Tensor tensor, tensorOf(handles[i], name));
    tensors.push_back(handles[i]->isUnrecorded ? recordable(tensor).toTensor() : std::move(tensor));
  }
  return tensors;
}

static StatusOr<GradientRequest> requestOf(tsc_value *const *outputs, size_t num_outputs, tsc_value *const *weights,
                                           tsc_value *const *inputs, size_t num_inputs, uint32_t flags) {
  GradientRequest request;
  if (flags & ~uint32_t(TSC_RETAIN_GRAPH | TSC_CREATE_GRAPH | TSC_ALLOW_UNUSED))
    return invalidArgument("there are no flags " + llvm::Twine(flags));
  TSC_ASSIGN_OR_RETURN(request.outputs, tensorsOf(outputs, num_outputs, "outputs", false));
  if (weights) {
    TSC_ASSIGN_OR_RETURN(request.weights, tensorsOf(weights, num_outputs, "weights", true));
  }
  TSC_ASSIGN_OR_RETURN(request.inputs, tensorsOf(inputs, num_inputs, "inputs", false));
  request.createGraph = flags & TSC_CREATE_GRAPH;
  request.retainGraph = request.createGraph || (flags & TSC_RETAIN_GRAPH);
  request.allowUnused = flags & TSC_ALLOW_UNUSED;
  return request;
}

/// Adds a gradient to the tensor's own, or makes it that.
static Status addGradient(CallContext &context, const Tensor &tensor, const Tensor &gradient) {
  const Tensor before = Tape::gradient(tensor);
  TSC_ASSIGN_OR_RETURN(std::vector<IValue> sum, before.defined()
                                                    ? callOperator(context, "aten::add", {before, gradient})
                                                    : callOperator(context, "aten::clone", {gradient}));
  Tape::setGradient(tensor, sum.front().toTensor());
  return okStatus();
}

tsc_error *tsc_backward(tsc_value *const *outputs, size_t num_outputs, tsc_value *const *weights,
                        tsc_value *const *inputs, size_t num_inputs, uint32_t flags) {
  return guarded([&]() -> Status {
    TSC_ASSIGN_OR_RETURN(GradientRequest request,
                         requestOf(outputs, num_outputs, weights, inputs, num_inputs, flags | TSC_ALLOW_UNUSED));
    EagerCall call;
    TSC_RETURN_IF_ERROR(call.status());
    TSC_ASSIGN_OR_RETURN(std::vector<Tensor> gradients, call.tape().backward(call.context(), request));
    call.context().gradMode = request.createGraph;
    for (size_t i = 0; i != num_inputs; ++i)
      if (gradients[i].defined())
        TSC_RETURN_IF_ERROR(addGradient(call.context(), request.inputs[i], gradients[i]));
    return okStatus();
  });
}

tsc_error *tsc_gradients(tsc_value *const *outputs, size_t num_outputs, tsc_value *const *weights,
                         tsc_value *const *inputs, size_t num_inputs, uint32_t flags, tsc_value **gradients) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{gradients, "gradients"}}));
    TSC_RETURN_IF_ERROR(checkLength(num_inputs, "inputs"));
    std::fill_n(gradients, num_inputs, nullptr);
    TSC_ASSIGN_OR_RETURN(GradientRequest request, requestOf(outputs, num_outputs, weights, inputs, num_inputs, flags));
    if (num_inputs == 0)
      return invalidArgument("grad requires non-empty inputs.");
    std::vector<Tensor> found;
    {
      EagerCall call;
      TSC_RETURN_IF_ERROR(call.status());
      TSC_ASSIGN_OR_RETURN(found, call.tape().backward(call.context(), request));
    }
    std::vector<std::unique_ptr<tsc_value>> handles;
    for (const Tensor &one : found)
      handles.emplace_back(newValue(IValue(one), nullptr));
    for (size_t i = 0; i != num_inputs; ++i)
      gradients[i] = handles[i].release();
    return okStatus();
  });
}
