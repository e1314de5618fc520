//===- Promotion.cpp - dtype and layout of a result -----------------------===//
#include "tsc/Tensor/Promotion.h"

using namespace tsc;

/// `high` outranks `low`, which matters only by a higher category.
static std::optional<DType> combine(std::optional<DType> high, std::optional<DType> low) {
  if (!high || !low)
    return high ? high : low;
  if (isComplex(*high))
    return high;
  if (isFloating(*high))
    return isComplex(*low) ? toComplexDType(*high) : *high;
  if (*high == DType::Bool || isFloating(*low) || isComplex(*low))
    return promoteTypes(*high, *low);
  return high;
}

DType ResultType::get() const { return combine(dimensioned, combine(zeroDim, number)).value_or(DType::Float); }

DType tsc::resultType(const Tensor &a, const Tensor &b) { return ResultType().add(a).add(b).get(); }
DType tsc::resultType(const Tensor &a, const Scalar &b) { return ResultType().add(a).add(b).get(); }
DType tsc::resultType(ArrayRef<Tensor> tensors) {
  ResultType result;
  for (const Tensor &t : tensors)
    result.add(t);
  return result.get();
}

bool tsc::canCast(DType from, DType to) {
  if (isComplex(from) && !isComplex(to))
    return false;
  if (isFloating(from) && isIntegral(to, /*includeBool=*/true))
    return false;
  return from == DType::Bool || to != DType::Bool;
}

Status tsc::checkCast(DType from, DType to) {
  if (canCast(from, to))
    return okStatus();
  return invalidArgument("result type " + irName(from) + " can't be cast to the desired output type " + irName(to));
}

PointwiseDTypes tsc::pointwiseDTypes(DTypeRule rule, DType common, bool rounds) {
  auto floating = [](DType d) { return isIntegral(d, true) ? DType::Float : d; };
  auto both = [](DType d) { return PointwiseDTypes{d, d}; };
  auto real = [](DType d) { return isComplex(d) ? toRealDType(d) : d; };
  switch (rule) {
  case DTypeRule::Promote: case DTypeRule::Self: return both(common);
  case DTypeRule::PromoteInt: return both(common == DType::Bool ? DType::Int64 : common);
  case DTypeRule::PromoteFloat: return both(floating(common));
  case DTypeRule::Bool: return {common, DType::Bool};
  case DTypeRule::Real: return {common, real(common)};
  case DTypeRule::RealFloat: return {floating(common), real(floating(common))};
  case DTypeRule::Double: return both(isComplex(common) ? DType::ComplexDouble : DType::Double);
  case DTypeRule::Division: return both(rounds ? common : floating(common));
  }
  return both(common);
}
