//===- Combine.cpp - Elements of two ranks as one -------------------------===//
#include "Combine.h"
#include <cmath>
#include <complex>
#include <type_traits>

using namespace tsc;
using namespace tsc::ranks;

namespace {
template <typename T> constexpr bool isHalf = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;
template <typename T> constexpr bool isComplexNumber = false;
template <typename T> constexpr bool isComplexNumber<std::complex<T>> = true;

/// The type that elements compute in: integers in an unsigned one, which wraps.
template <typename T>
using Wide = std::conditional_t<isHalf<T>, float, std::conditional_t<std::is_integral_v<T>, uint64_t, T>>;

template <typename T> bool isNaN(T x) {
  if constexpr (std::is_floating_point_v<T> || isHalf<T>)
    return std::isnan(static_cast<Wide<T>>(x));
  return false;
}
// A NaN stays, whichever rank has it.
template <typename T> T least(T a, T b) { return isNaN(a) || (!isNaN(b) && a <= b) ? a : b; }
template <typename T> T largest(T a, T b) { return isNaN(a) || (!isNaN(b) && a >= b) ? a : b; }

/// Calls `use` with a value of the dtype's type.
template <typename Use> void withType(DType dtype, Use use) {
  switch (dtype) {
  case DType::Bool: return use(bool());
  case DType::UInt8: return use(uint8_t());
  case DType::Int8: return use(int8_t());
  case DType::Int16: return use(int16_t());
  case DType::Int32: return use(int32_t());
  case DType::Int64: return use(int64_t());
  case DType::Half: return use(Half());
  case DType::BFloat16: return use(BFloat16());
  case DType::Float: return use(float());
  case DType::Double: return use(double());
  case DType::ComplexFloat: return use(std::complex<float>());
  case DType::ComplexDouble: return use(std::complex<double>());
  default: return;
  }
}

template <typename T, typename Each> void forEach(void *a, const void *b, size_t count, Each each) {
  auto *left = static_cast<T *>(a);
  auto *right = static_cast<const T *>(b);
  for (size_t i = 0; i != count; ++i)
    left[i] = each(left[i], right[i]);
}

template <typename T> void combineAs(CombineOp op, void *a, const void *b, size_t count) {
  using W = Wide<T>;
  switch (op) {
  case CombineOp::None: return;
  case CombineOp::Sum:
  case CombineOp::Average: return forEach<T>(a, b, count, [](T x, T y) { return T(W(x) + W(y)); });
  case CombineOp::Product: return forEach<T>(a, b, count, [](T x, T y) { return T(W(x) * W(y)); });
  case CombineOp::Min:
    if constexpr (!isComplexNumber<T>)
      forEach<T>(a, b, count, [](T x, T y) { return least<T>(x, y); });
    return;
  case CombineOp::Max:
    if constexpr (!isComplexNumber<T>)
      forEach<T>(a, b, count, [](T x, T y) { return largest<T>(x, y); });
    return;
  case CombineOp::And:
    if constexpr (std::is_integral_v<T>)
      forEach<T>(a, b, count, [](T x, T y) { return T(x & y); });
    return;
  case CombineOp::Or:
    if constexpr (std::is_integral_v<T>)
      forEach<T>(a, b, count, [](T x, T y) { return T(x | y); });
    return;
  case CombineOp::Xor:
    if constexpr (std::is_integral_v<T>)
      forEach<T>(a, b, count, [](T x, T y) { return T(x ^ y); });
    return;
  }
}
} // namespace

size_t ranks::elementSize(DType dtype) {
  size_t size = 0;
  withType(dtype, [&](auto value) { size = sizeof value; });
  return size;
}

StatusOr<CombineOp> ranks::combineOpOf(llvm::StringRef name, DType dtype) {
  static constexpr const char *names[] = {"", "sum", "avg", "product", "min", "max", "band", "bor", "bxor"};
  bool isInteger = false, isComplexDType = false;
  withType(dtype, [&](auto value) {
    isInteger = std::is_integral_v<decltype(value)>;
    isComplexDType = isComplexNumber<decltype(value)>;
  });
  for (int i = 1; i != std::size(names); ++i) {
    if (name != names[i])
      continue;
    const auto op = static_cast<CombineOp>(i);
    if ((op == CombineOp::Average && isInteger) || (op >= CombineOp::And && !isInteger) ||
        ((op == CombineOp::Min || op == CombineOp::Max) && isComplexDType))
      return invalidArgument("elements of " + llvm::Twine(pythonName(dtype)) + " have no '" + name + "'");
    return op;
  }
  return invalidArgument("ranks do not combine elements by '" + name +
                         "', but by 'sum', 'avg', 'product', 'min', 'max', 'band', 'bor' or 'bxor'");
}

void ranks::combine(CombineOp op, DType dtype, void *a, const void *b, size_t count) {
  if (dtype == DType::Bool && op == CombineOp::Sum)
    op = CombineOp::Or;
  withType(dtype, [&](auto value) { combineAs<decltype(value)>(op, a, b, count); });
}

void ranks::divide(DType dtype, void *a, size_t count, int ranks) {
  withType(dtype, [&](auto value) {
    using T = decltype(value);
    if constexpr (!std::is_integral_v<T>)
      forEach<T>(a, a, count, [&](T x, T) {
        if constexpr (isComplexNumber<T>)
          return T(x.real() / static_cast<typename T::value_type>(ranks),
                   x.imag() / static_cast<typename T::value_type>(ranks));
        else
          return T(Wide<T>(x) / static_cast<Wide<T>>(ranks));
      });
  });
}
