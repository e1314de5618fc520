//===- Compare.cpp - Whether a result is what was expected ----------------===//
#include "tsc/Runtime/Compare.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Kernels/Quantized.h"
#include "tsc/Kernels/Sparse.h"
#include "tsc/Runtime/Dispatch/Arguments.h"
#include "tsc/Tensor/DeviceCopy.h"
#include "tsc/Tensor/Quantizer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace tsc;

namespace {
struct Bounds {
  double relative, absolute;
};

Bounds boundsFor(DType dtype, const Tolerance &tolerance) {
  Bounds bounds{0, 0};
  switch (dtype) {
  case DType::Half: bounds = {1e-3, 1e-5}; break;
  case DType::BFloat16: bounds = {1.6e-2, 1e-5}; break;
  case DType::Float:
  case DType::ComplexFloat: bounds = {1.3e-6, 1e-5}; break;
  case DType::Double:
  case DType::ComplexDouble: bounds = {1e-7, 1e-7}; break;
  default: break;
  }
  return {tolerance.relative.value_or(bounds.relative), tolerance.absolute.value_or(bounds.absolute)};
}

bool isClose(double actual, double expected, const Bounds &bounds) {
  if (actual == expected || (std::isnan(actual) && std::isnan(expected)))
    return true;
  if (!std::isfinite(actual) || !std::isfinite(expected))
    return false;
  return std::fabs(actual - expected) <= bounds.absolute + bounds.relative * std::fabs(expected);
}
bool isClose(std::complex<double> actual, std::complex<double> expected, const Bounds &bounds) {
  auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  if (same(actual.real(), expected.real()) && same(actual.imag(), expected.imag()))
    return true;
  double distance = std::abs(actual - expected);
  return std::isfinite(distance) && distance <= bounds.absolute + bounds.relative * std::abs(expected);
}
bool isClose(int64_t actual, int64_t expected, const Bounds &bounds) {
  return actual == expected || isClose(static_cast<double>(actual), static_cast<double>(expected), bounds);
}

std::string textOf(double v) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.9g", v);
  return text;
}
std::string textOf(int64_t v) { return std::to_string(v); }
std::string textOf(std::complex<double> v) {
  return textOf(v.real()) + (v.imag() < 0 ? "" : "+") + textOf(v.imag()) + "j";
}

class Comparison {
public:
  explicit Comparison(const Tolerance &tolerance) : tolerance(tolerance) {}

  std::optional<std::string> values(const IValue &actual, const IValue &expected, const std::string &at,
                                    unsigned depth = 0) {
    if (depth > 100)
      return at + ": mismatch: nested too deeply to compare";
    if (actual.isTensor() && expected.isTensor())
      return tensorsAnywhere(actual.asTensor(), expected.asTensor(), at);
    if (isSequence(actual) && isSequence(expected) && actual.isTuple() == expected.isTuple())
      return sequences(actual, expected, at, depth);
    if (actual.isDict() && expected.isDict())
      return dicts(actual.toDict(), expected.toDict(), at, depth);
    if (actual.isEnum() && !expected.isEnum())
      return values(actual.toEnum().value, expected, at, depth + 1);
    if (actual.getTag() != expected.getTag())
      return at + ": type mismatch: got " + pythonTypeName(actual) + ", expected " + pythonTypeName(expected);
    bool same = actual.isDouble() ? isClose(actual.toDouble(), expected.toDouble(), boundsFor(DType::Double, tolerance))
                : actual.isComplex()
                    ? isClose(actual.toComplex(), expected.toComplex(), boundsFor(DType::ComplexDouble, tolerance))
                : actual.isObject() ? actual.toObject().type == expected.toObject().type
                                    : valuesEqual(actual, expected);
    if (same)
      return std::nullopt;
    std::string text = at + ": mismatch: got ";
    llvm::raw_string_ostream os(text);
    reprValue(os, actual);
    os << ", expected ";
    reprValue(os, expected);
    return text;
  }

private:
  /// Where they are does not matter.
  std::optional<std::string> tensorsAnywhere(const Tensor &actual, const Tensor &expected, const std::string &at) {
    StatusOr<Tensor> one = onHost(actual), other = onHost(expected);
    if (!one.ok() || !other.ok())
      return at + ": " + messageOf(one.ok() ? other.status() : one.status()).str();
    if (actual.defined())
      one->get()->requiresGrad = actual.requiresGrad();
    return tensors(*one, *other, at);
  }
  static bool isSequence(const IValue &v) { return v.isList() || v.isTuple(); }
  static size_t sizeOf(const IValue &v) { return v.isTuple() ? v.toTuple().elements.size() : v.listSize(); }
  static IValue elementOf(const IValue &v, size_t i) {
    return v.isTuple() ? v.toTuple().elements[i] : v.listElement(i);
  }

  std::optional<std::string> sequences(const IValue &actual, const IValue &expected, const std::string &at,
                                       unsigned depth) {
    if (sizeOf(actual) != sizeOf(expected))
      return at + ": length mismatch: got " + std::to_string(sizeOf(actual)) + ", expected " +
             std::to_string(sizeOf(expected));
    for (size_t i = 0; i != sizeOf(actual); ++i)
      if (auto found =
              values(elementOf(actual, i), elementOf(expected, i), at + "[" + std::to_string(i) + "]", depth + 1))
        return found;
    return std::nullopt;
  }
  std::optional<std::string> dicts(const DictValue &actual, const DictValue &expected, const std::string &at,
                                   unsigned depth) {
    if (actual.size() != expected.size())
      return at + ": length mismatch: got " + std::to_string(actual.size()) + ", expected " +
             std::to_string(expected.size());
    // Keys that are tensors are distinct objects on the two sides: these compare in order.
    std::vector<std::pair<IValue, IValue>> left;
    actual.forEach([&](const IValue &k, const IValue &v) { left.emplace_back(k, v); });
    std::optional<std::string> found;
    size_t index = 0;
    expected.forEach([&](const IValue &k, const IValue &v) {
      size_t i = index++;
      if (found)
        return;
      std::string name = at + "[";
      llvm::raw_string_ostream os(name);
      reprValue(os, k);
      os << "]";
      if (k.isTensor()) {
        found = values(left[i].first, k, at + ".keys()", depth + 1);
        if (!found)
          found = values(left[i].second, v, name, depth + 1);
        return;
      }
      const IValue *mine = actual.find(k);
      found = mine ? values(*mine, v, name, depth + 1) : std::optional(name + ": mismatch: the key is missing");
    });
    return found;
  }

  template <typename T>
  std::optional<std::string> elements(const Tensor &actual, const Tensor &expected, const Bounds &bounds,
                                      const std::string &at) {
    const T *a = actual.data<T>(), *e = expected.data<T>();
    int64_t wrong = 0, first = 0;
    for (int64_t i = 0; i != actual.numel(); ++i)
      if (!isClose(a[i], e[i], bounds) && wrong++ == 0)
        first = i;
    if (!wrong)
      return std::nullopt;
    std::string index;
    int64_t rest = first;
    for (int64_t d = actual.dim() - 1; d >= 0; --d) {
      index = std::to_string(rest % actual.size(d)) + (index.empty() ? "" : ", ") + index;
      rest /= actual.size(d);
    }
    return at + ": mismatch: " + std::to_string(wrong) + " of " + std::to_string(actual.numel()) +
           " elements differ, the first at [" + index + "]: got " + textOf(a[first]) + ", expected " + textOf(e[first]);
  }
  std::optional<std::string> tensors(const Tensor &actual, const Tensor &expected, const std::string &at) {
    if (sparseOf(actual) && sparseOf(expected)) {
      StatusOr<Tensor> a = cpu::toDense(actual, std::nullopt), b = cpu::toDense(expected, std::nullopt);
      return a.ok() && b.ok() ? tensors(*a, *b, at) : at + ": sparse tensors too large to be compared";
    }
    if (actual.dtype() != expected.dtype())
      return at + ": dtype mismatch: got torch." + pythonName(actual.dtype()).str() + ", expected torch." +
             pythonName(expected.dtype()).str();
    if (actual.sizes() != expected.sizes())
      return at + ": shape mismatch: got " + shapeString(actual.sizes()) + ", expected " +
             shapeString(expected.sizes());
    if (isQuantized(actual.dtype())) {
      StatusOr<Tensor> a = cpu::dequantize(actual), e = cpu::dequantize(expected);
      if (!a.ok() || !e.ok())
        return at + ": mismatch: cannot compare: " + messageOf(a.ok() ? e.status() : a.status()).str();
      return tensors(*a, *e, at);
    }
    Bounds bounds = boundsFor(actual.dtype(), tolerance);
    DType wide = isComplex(actual.dtype())    ? DType::ComplexDouble
                 : isFloating(actual.dtype()) ? DType::Double
                                              : DType::Int64;
    auto widen = [&](const Tensor &t) -> StatusOr<Tensor> {
      TSC_ASSIGN_OR_RETURN(Tensor converted, cpu::toDType(t, wide));
      return cpu::contiguous(converted);
    };
    StatusOr<Tensor> a = widen(actual), e = widen(expected);
    if (!a.ok() || !e.ok())
      return at + ": mismatch: cannot compare: " + messageOf(a.ok() ? e.status() : a.status()).str();
    if (wide == DType::Double)
      return elements<double>(*a, *e, bounds, at);
    if (wide == DType::Int64)
      return elements<int64_t>(*a, *e, bounds, at);
    return elements<std::complex<double>>(*a, *e, bounds, at);
  }

  const Tolerance &tolerance;
};
} // namespace

std::optional<std::string> tsc::findMismatch(const IValue &actual, const IValue &expected, const Tolerance &tolerance) {
  return Comparison(tolerance).values(actual, expected, "result");
}
