//===- Promotion.cpp - The dtype of a result ------------------------------===//
#include "tsc/Tensor/Kernels/Promotion.h"

using namespace tsc;
using namespace tsc::cpu;

static void promoteInto(std::optional<DType> &sum, DType dtype) { sum = sum ? promoteTypes(*sum, dtype) : dtype; }

ResultType &ResultType::add(const Tensor &t) {
  if (t.defined())
    promoteInto(t.dim() > 0 ? dimensioned : zeroDim, t.dtype());
  return *this;
}

ResultType &ResultType::add(const Scalar &s) {
  promoteInto(wrapped, s.category());
  return *this;
}

static int categoryOf(DType dtype) {
  return isComplex(dtype) ? 3 : isFloating(dtype) ? 2 : dtype == DType::Bool ? 0 : 1;
}

/// `lower` counts only when its category is above that of `higher`.
static std::optional<DType> combine(std::optional<DType> higher, std::optional<DType> lower) {
  if (!higher || !lower)
    return higher ? higher : lower;
  if (isComplex(*higher))
    return higher;
  if (isFloating(*higher))
    // A complex number keeps the precision of the floating tensors it meets.
    return isComplex(*lower) ? toComplexDType(*higher) : higher;
  return categoryOf(*lower) > categoryOf(*higher) ? promoteTypes(*higher, *lower) : *higher;
}

DType ResultType::get() const { return combine(dimensioned, combine(zeroDim, wrapped)).value_or(DType::Float); }

DType cpu::resultType(const Tensor &a, const Tensor &b) { return ResultType().add(a).add(b).get(); }
DType cpu::resultType(const Tensor &a, const Scalar &b) { return ResultType().add(a).add(b).get(); }
DType cpu::resultType(ArrayRef<Tensor> tensors) {
  ResultType result;
  for (const Tensor &t : tensors)
    result.add(t);
  return result.get();
}

bool cpu::canCast(DType from, DType to) {
  if (isComplex(from) && !isComplex(to))
    return false;
  if (isFloating(from) && isIntegral(to, /*includeBool=*/true))
    return false;
  return from == DType::Bool || to != DType::Bool;
}
