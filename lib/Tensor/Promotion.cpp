//===- Promotion.cpp - dtype and layout of a result -----------------------===//
#include "tsc/Tensor/Promotion.h"
#include "tsc/Tensor/DefaultDType.h"
#include <algorithm>
#include <cmath>
#include <limits>

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

DType ResultType::get() const {
  auto isWhole = [](std::optional<DType> dtype) { return !dtype || isIntegral(*dtype, /*includeBool=*/true); };
  std::optional<DType> last = number;
  if (number && !isWhole(number) && isWhole(dimensioned) && isWhole(zeroDim)) // the number decides on the category
    last = isComplex(*number) ? defaultComplexDType() : defaultDType();
  const std::optional<DType> found = combine(dimensioned, combine(zeroDim, last));
  return found ? *found : defaultDType();
}

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

/// As PyTorch's messages call an element type.
static llvm::StringRef elementTypeName(DType dtype) {
  switch (dtype) {
  case DType::UInt8: return "uint8_t";
  case DType::Int8: return "int8_t";
  case DType::Int16: return "int16_t";
  case DType::Int32: return "int";
  case DType::Int64: return "int64_t";
  case DType::Half: return "at::Half";
  case DType::BFloat16: return "at::BFloat16";
  case DType::Float: return "float";
  case DType::Double: return "double";
  case DType::ComplexHalf: return "c10::complex<c10::Half>";
  case DType::ComplexFloat: return "c10::complex<float>";
  case DType::ComplexDouble: return "c10::complex<double>";
  default: return irName(dtype);
  }
}

/// The least and the most that an integer type holds.
static std::pair<int64_t, int64_t> integersIn(DType dtype) {
  auto of = [](auto zero) {
    using T = decltype(zero);
    return std::pair<int64_t, int64_t>(std::numeric_limits<T>::lowest(), std::numeric_limits<T>::max());
  };
  switch (dtype) {
  case DType::UInt8: return of(uint8_t{});
  case DType::Int8: return of(int8_t{});
  case DType::Int16: return of(int16_t{});
  case DType::Int32: return of(int32_t{});
  default: return of(int64_t{});
  }
}

static bool fitsInteger(const Scalar &value, DType dtype) {
  auto [least, most] = integersIn(dtype);
  if (!value.isIntegral()) {
    const double v = value.toDouble();
    // The bound of int64 is no double: the next one up is.
    return v >= static_cast<double>(least) && (dtype == DType::Int64 ? v < 0x1p63 : v <= static_cast<double>(most));
  }
  const int64_t v = value.toInt();
  return v >= (least == 0 ? -most : least) && v <= most;
}

static bool fitsFloating(double v, DType dtype) {
  double largest = dtype == DType::Half || dtype == DType::ComplexHalf     ? 65504.
                   : dtype == DType::BFloat16                              ? 0x1.fep127
                   : dtype == DType::Float || dtype == DType::ComplexFloat ? std::numeric_limits<float>::max()
                                                                           : std::numeric_limits<double>::max();
  return std::isnan(v) || std::isinf(v) || std::abs(v) <= largest;
}

static bool fits(const Scalar &value, DType dtype) {
  if (dtype == DType::Bool)
    return true;
  if (isComplex(dtype))
    return fitsFloating(value.toComplex().real(), dtype) && fitsFloating(value.toComplex().imag(), dtype);
  if (value.isComplex() && value.toComplex().imag() != 0)
    return false;
  return isIntegral(dtype) ? fitsInteger(value, dtype) : fitsFloating(value.toDouble(), dtype);
}

Status tsc::checkConversion(const Scalar &value, DType to) {
  return fits(value, to) ? okStatus()
                         : invalidArgument("value cannot be converted to type " + llvm::Twine(elementTypeName(to)) +
                                           " without overflow");
}

Scalar tsc::roundNumber(const Scalar &value, DType to) {
  if (value.isComplex() || value.isBool() || (isIntegral(to) && !value.isIntegral()))
    return value;
  switch (to) {
  case DType::Half: return Scalar(double{Half(static_cast<float>(value.toDouble()))});
  case DType::BFloat16: return Scalar(double{BFloat16(static_cast<float>(value.toDouble()))});
  case DType::Bool: return Scalar(value.toDouble() != 0);
  case DType::UInt8: return Scalar(int64_t{static_cast<uint8_t>(value.toInt())});
  case DType::Int8: return Scalar(int64_t{static_cast<int8_t>(value.toInt())});
  case DType::Int16: return Scalar(int64_t{static_cast<int16_t>(value.toInt())});
  case DType::Int32: return Scalar(int64_t{static_cast<int32_t>(value.toInt())});
  default: return value;
  }
}

/// A number as an integer; the nearest int64 of one that is too large, or infinite, and 0 of NaN.
static int64_t wholePart(const Scalar &value) {
  if (value.isIntegral())
    return value.toInt();
  const double v = value.toDouble();
  return std::isnan(v) ? 0 : v >= 0x1p63 ? INT64_MAX : v <= -0x1p63 ? INT64_MIN : static_cast<int64_t>(v);
}

Scalar NumberConversion::operator()(const Scalar &value) const {
  if (!saturates || !isIntegral(to) || value.isComplex())
    return roundNumber(value, to);
  auto [least, most] = integersIn(to);
  return Scalar(std::clamp(wholePart(value), least, most));
}

Status tsc::checkBound(const Scalar &value, DType dtype, Bound which) {
  if (!isIntegral(dtype) || value.isComplex())
    return checkConversion(value, dtype);
  auto [least, most] = integersIn(dtype);
  const int64_t bound = wholePart(value);
  if (which == Bound::Low ? bound <= most : bound >= least)
    return okStatus();
  return invalidArgument(llvm::Twine("Clamp ") + (which == Bound::Low ? "min" : "max") + " value " +
                         llvm::Twine(bound) + " is outside the representable range of " + irName(dtype));
}

PointwiseDTypes tsc::pointwiseDTypes(DTypeRule rule, DType common, bool rounds) {
  auto floating = [](DType d) { return isIntegral(d, true) ? defaultDType() : d; };
  auto both = [](DType d) { return PointwiseDTypes{d, d}; };
  auto real = [](DType d) { return isComplex(d) ? toRealDType(d) : d; };
  switch (rule) {
  case DTypeRule::Promote:
  case DTypeRule::Self: return both(common);
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
