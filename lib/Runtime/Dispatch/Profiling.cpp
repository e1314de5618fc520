//===- Profiling.cpp - What runs tell of tensors, and guards --------------===//
#include "tsc/Runtime/Dispatch/Profiling.h"
#include "llvm/ADT/STLExtras.h"

using namespace tsc;

ProfileObserver::~ProfileObserver() = default;

/// Whether each dimension that is a number is the one of the tensor.
static bool fit(const std::optional<llvm::SmallVector<Dimension, 4>> &asked, llvm::ArrayRef<int64_t> found) {
  if (!asked)
    return true;
  if (asked->size() != found.size())
    return false;
  for (auto [dim, number] : llvm::zip(*asked, found))
    if (dim.isKnown() && dim.value() != number)
      return false;
  return true;
}

bool tsc::passesGuard(const IValue &value, const TensorFacts &facts) {
  const bool asksNothing = !facts.dtype && !facts.device && !facts.sizes && !facts.strides;
  if (!value.isTensor() || !value.asTensor().defined())
    return asksNothing && facts.requiresGrad != true;
  const Tensor &tensor = value.asTensor();
  if (tensor.dtype() == DType::Opaque)
    return asksNothing && facts.requiresGrad != false;
  return (!facts.dtype || tensor.dtype() == *facts.dtype) && (!facts.device || tensor.device() == *facts.device) &&
         (facts.requiresGrad != false || !tensor.requiresGrad()) && fit(facts.sizes, tensor.sizes()) &&
         fit(facts.strides, tensor.strides());
}
