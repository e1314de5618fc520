//===- Promotion.cpp - dtype of a point-wise result -----------------------===//
#include "tsc/Tensor/Promotion.h"

using namespace tsc;

void ResultType::addNumber(Scalar::Kind kind) {
  switch (kind) {
  case Scalar::Kind::Bool: return fold(number, DType::Bool);
  case Scalar::Kind::Int: return fold(number, DType::Int64);
  case Scalar::Kind::Double: return fold(number, DType::Float);
  case Scalar::Kind::Complex: return fold(number, DType::ComplexFloat);
  }
}

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

DType ResultType::get() const { return combine(combine(dimensioned, zeroDim), number).value_or(DType::Float); }

PointwiseDTypes tsc::pointwiseDTypes(DTypeRule rule, DType common, bool rounds) {
  auto floating = [](DType d) { return isIntegral(d, true) ? DType::Float : d; };
  auto both = [](DType d) { return PointwiseDTypes{d, d}; };
  auto real = [](DType d) { return isComplex(d) ? toRealDType(d) : d; };
  switch (rule) {
  case DTypeRule::Promote: case DTypeRule::Self: return both(common);
  case DTypeRule::PromoteFloat: return both(floating(common));
  case DTypeRule::Bool: return {common, DType::Bool};
  case DTypeRule::Real: return {common, real(common)};
  case DTypeRule::RealFloat: return {floating(common), real(floating(common))};
  case DTypeRule::Double: return both(isComplex(common) ? DType::ComplexDouble : DType::Double);
  case DTypeRule::Division: return both(rounds ? common : floating(common));
  }
  return both(common);
}
