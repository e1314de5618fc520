//===- GradientReduction.cpp - Sums over ranks, beside backward -----------===//
#include "GradientReduction.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Runtime/Dispatch/CallOperator.h"
#include "tsc/Runtime/Dispatch/OperatorObserver.h"
#include "tsc/Tensor/Opaque.h"
#include "llvm/Support/SaveAndRestore.h"
using namespace tsc;

GradientReduction::GradientReduction(std::shared_ptr<Collectives> ranks, Request asked)
    : ranks(std::move(ranks)), request(std::move(asked)), missing(request.leaves.size(), true) {}

StatusOr<std::shared_ptr<GradientReduction>>
GradientReduction::make(CallContext &context, std::shared_ptr<Collectives> ranks, Request asked) {
  GradientServices *services = gradientServicesOf(context.context());
  if (!services)
    return withoutTape();
  std::shared_ptr<GradientReduction> made(new GradientReduction(std::move(ranks), std::move(asked)));
  const Request &request = made->request;
  int64_t count = 0;
  for (const Tensor &leaf : request.leaves) {
    if (leaf.dtype() != request.total.dtype())
      return invalidArgument("all_reduce_gradients: leaves must have the dtype of the output");
    made->begins.push_back(count);
    count += leaf.numel();
  }
  for (const Tensor &sum : request.earlier)
    if (sum.dtype() != request.total.dtype() || sum.sizes() != request.total.sizes())
      return invalidArgument("all_reduce_gradients: sums must be like the output");
  if (request.total.dim() != 1 || count != request.total.numel())
    return invalidArgument("all_reduce_gradients: " + llvm::Twine(count) +
                           " elements of gradients do not fit an output of " + llvm::Twine(request.total.numel()));
  TSC_RETURN_IF_ERROR(services->listen(request.leaves, made));
  if (request.before)
    request.before->next = made;
  return made;
}

/// Returns the part of the sum that a leaf's gradient goes to, in the leaf's sizes.
StatusOr<Tensor> GradientReduction::partOf(size_t leaf) const {
  const Tensor &like = request.leaves[leaf];
  return request.total.alias(like.sizes(), contiguousStrides(like.sizes()),
                             request.total.storageOffset() + begins[leaf]);
}

Status GradientReduction::complete(CallContext &context, size_t leaf, const Tensor &gradient) {
  if (work || !missing.test(leaf))
    return invalidArgument("this gradient has been given to the other ranks: backward() was called again before "
                           "collect(), which DistributedDataParallel(..., overlap=False) allows");
  if (!gradient.defined())
    return okStatus();
  if (sparseOf(gradient) || nestedOf(gradient))
    return unimplemented("gradients that ranks add must be dense");
  TSC_ASSIGN_OR_RETURN(Tensor part, partOf(leaf));
  TSC_RETURN_IF_ERROR(cpu::copyInto(part, gradient));
  missing.reset(leaf);
  return missing.none() && (!request.before || request.before->work) ? start(context) : okStatus();
}

StatusOr<int64_t> GradientReduction::begin(CallContext &context) {
  if (!work) {
    if (request.before)
      TSC_RETURN_IF_ERROR(request.before->begin(context).status());
    for (unsigned leaf : missing.set_bits()) {
      TSC_ASSIGN_OR_RETURN(Tensor part, partOf(leaf));
      TSC_RETURN_IF_ERROR(cpu::fillWith(part, Scalar(int64_t{0})));
    }
    missing.reset();
    if (!work) // the one before begins what has waited for it alone
      TSC_RETURN_IF_ERROR(start(context));
  }
  return *work;
}

/// Starts the exchange, and those that have waited for this alone.
Status GradientReduction::start(CallContext &context) {
  const OperatorCall &add = operatorCallOf(context.context(), OpKind::Aten_add__Tensor);
  const IValue total(request.total), one(int64_t{1});
  for (size_t i = request.earlier.size(); i-- != 0;) {
    const IValue sum(request.earlier[i]);
    const IValue *operands[] = {&total, &sum, &one};
    IValue result;
    llvm::SaveAndRestore<const CallSite *> site(context.site, &add.site);
    TSC_RETURN_IF_ERROR(callUnobserved(context, add, operands, &result));
  }
  request.earlier.clear();
  request.before = nullptr;
  CollectiveCall call;
  call.name = "all_reduce";
  call.reduceOp = request.reduceOp;
  TSC_ASSIGN_OR_RETURN(exchanged, Exchanged::of(context, *ranks, request.group, call, Tensor(), request.total));
  TSC_ASSIGN_OR_RETURN(work, ranks->start(request.group, call, exchanged));
  std::shared_ptr<GradientReduction> waiting = next.lock();
  return waiting && waiting->missing.none() && !waiting->work ? waiting->start(context) : okStatus();
}
