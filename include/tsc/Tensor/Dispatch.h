//===- Dispatch.h - From a dtype to a C++ type ------------------*- C++ -*-===//
//
// `dispatchAll(dtype, [&](auto tag) { using T = typename decltype(tag)::Type; … })`
// instantiates the function for each element type of a class of dtypes and calls
// the one that `dtype` names. The function returns nothing, a Status or a
// StatusOr; a dtype outside the class gives PyTorch's `"name" not implemented
// for 'Half'`.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_TENSOR_DISPATCH_H
#define TSC_TENSOR_DISPATCH_H

#include "tsc/Support/Status.h"
#include "tsc/Tensor/Scalar.h"
#include <limits>
#include <type_traits>

namespace tsc {

/// Hands an element type to a generic lambda: `typename decltype(tag)::Type`.
template <typename T> struct TypeTag {
  using Type = T;
};

/// Names the type that sums and products of a T are computed in: float for the half types, T otherwise.
template <typename T> struct ComputeTypeOf {
  using Type = T;
};
template <> struct ComputeTypeOf<Half> {
  using Type = float;
};
template <> struct ComputeTypeOf<BFloat16> {
  using Type = float;
};
/// The type that sums and products of a T are computed in.
template <typename T> using ComputeType = typename ComputeTypeOf<T>::Type;

template <typename T> inline constexpr bool isComplexType = false;
template <typename T> inline constexpr bool isComplexType<std::complex<T>> = true;
template <typename T> inline constexpr bool isHalfType = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;
template <typename T> inline constexpr bool isFloatingType = std::is_floating_point_v<T> || isHalfType<T>;

/// Returns the dtype whose elements are T; Int64 for every integer type of 8 bytes.
template <typename T> constexpr DType dtypeOf() {
  if constexpr (std::is_same_v<T, bool>)
    return DType::Bool;
  else if constexpr (std::is_same_v<T, uint8_t>)
    return DType::UInt8;
  else if constexpr (std::is_same_v<T, int8_t>)
    return DType::Int8;
  else if constexpr (std::is_same_v<T, int16_t>)
    return DType::Int16;
  else if constexpr (std::is_same_v<T, int32_t>)
    return DType::Int32;
  else if constexpr (std::is_integral_v<T> && sizeof(T) == 8)
    return DType::Int64;
  else if constexpr (std::is_same_v<T, Half>)
    return DType::Half;
  else if constexpr (std::is_same_v<T, BFloat16>)
    return DType::BFloat16;
  else if constexpr (std::is_same_v<T, float>)
    return DType::Float;
  else if constexpr (std::is_same_v<T, double>)
    return DType::Double;
  else if constexpr (std::is_same_v<T, std::complex<float>>)
    return DType::ComplexFloat;
  else if constexpr (std::is_same_v<T, std::complex<double>>)
    return DType::ComplexDouble;
  else
    static_assert(!sizeof(T), "not an element type");
}

/// Converts between element types as C++ does, but is defined for every value. A float that the target cannot hold, or
/// NaN, becomes the smallest int64 for types of 8 bytes, else the low bits of int32: of the value where that fits, else
/// of the smallest one. A complex number loses its imaginary part.
template <typename To, typename From> inline To convertTo(From value) {
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else if constexpr (isComplexType<From>) {
    if constexpr (isComplexType<To>)
      return To(static_cast<typename To::value_type>(value.real()), static_cast<typename To::value_type>(value.imag()));
    else if constexpr (std::is_same_v<To, bool>)
      return value.real() != 0 || value.imag() != 0;
    else
      return convertTo<To>(value.real());
  } else if constexpr (isHalfType<From>) {
    return convertTo<To>(static_cast<float>(value));
  } else if constexpr (isComplexType<To>) {
    return To(static_cast<typename To::value_type>(value), 0);
  } else if constexpr (isHalfType<To>) {
    return To(static_cast<float>(value));
  } else if constexpr (std::is_same_v<To, bool>) {
    return value != From(0);
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    // Out-of-range values are undefined in C++; the machine's answer is the smallest integer. A narrow type takes the
    // low bits of a wider conversion.
    using Wide = std::conditional_t<sizeof(To) == 8, int64_t, int32_t>;
    constexpr From limit = sizeof(To) == 8 ? From(9223372036854775808.0) : From(2147483648.0);
    if (!(value >= -limit && value < limit))
      return static_cast<To>(std::numeric_limits<Wide>::min());
    return static_cast<To>(static_cast<Wide>(value));
  } else {
    return static_cast<To>(value);
  }
}

/// Returns a Scalar as an element of type T.
template <typename T> inline T scalarTo(const Scalar &s) {
  if constexpr (isComplexType<T>)
    return convertTo<T>(s.toComplex());
  else if constexpr (std::is_same_v<T, bool>)
    return s.toBool();
  else if constexpr (std::is_integral_v<T>)
    return s.isIntegral() ? static_cast<T>(s.toInt()) : convertTo<T>(s.toDouble());
  else
    return convertTo<T>(s.toDouble());
}
/// Returns an element as a Scalar: a bool, an int, a float or a complex number.
template <typename T> inline Scalar toScalar(T value) {
  if constexpr (std::is_same_v<T, bool>)
    return Scalar(value);
  else if constexpr (isComplexType<T>)
    return Scalar(std::complex<double>(value.real(), value.imag()));
  else if constexpr (std::is_integral_v<T>)
    return Scalar(static_cast<int64_t>(value));
  else
    return Scalar(static_cast<double>(static_cast<ComputeType<T>>(value)));
}

namespace detail {
Status dtypeNotImplemented(const char *name, DType dtype);

template <typename Fn>
using DispatchResult = std::conditional_t<std::is_void_v<std::invoke_result_t<Fn, TypeTag<float>>>, Status,
                                          std::invoke_result_t<Fn, TypeTag<float>>>;

template <typename T, typename Fn> inline auto callWith(Fn &fn) {
  if constexpr (std::is_void_v<std::invoke_result_t<Fn &, TypeTag<T>>>) {
    fn(TypeTag<T>{});
    return okStatus();
  } else {
    return fn(TypeTag<T>{});
  }
}

template <bool Integers, bool Boolean, bool Halves, bool Floats, bool Complexes, typename Fn>
inline auto dispatch(DType dtype, Fn &&fn, const char *name) {
  using Result = decltype(callWith<std::conditional_t<Floats, float, int64_t>>(fn));
  switch (dtype) {
#define TSC_CASE(flag, dt, type)                                                                                       \
  case DType::dt:                                                                                                      \
    if constexpr (flag)                                                                                                \
      return Result(callWith<type>(fn));                                                                               \
    else                                                                                                               \
      break;
    TSC_CASE(Integers, UInt8, uint8_t)
    TSC_CASE(Integers, Int8, int8_t)
    TSC_CASE(Integers, Int16, int16_t)
    TSC_CASE(Integers, Int32, int32_t)
    TSC_CASE(Integers, Int64, int64_t)
    TSC_CASE(Boolean, Bool, bool)
    TSC_CASE(Halves, Half, Half)
    TSC_CASE(Halves, BFloat16, BFloat16)
    TSC_CASE(Floats, Float, float)
    TSC_CASE(Floats, Double, double)
    TSC_CASE(Complexes, ComplexFloat, std::complex<float>)
    TSC_CASE(Complexes, ComplexDouble, std::complex<double>)
#undef TSC_CASE
  default: break;
  }
  return Result(dtypeNotImplemented(name, dtype));
}
} // namespace detail

/// Calls `fn` for float, double, half or bfloat16.
template <typename Fn> auto dispatchFloating(DType dtype, Fn &&fn, const char *name = "operator") {
  return detail::dispatch<false, false, true, true, false>(dtype, fn, name);
}
/// Calls `fn` for float or double alone.
template <typename Fn> auto dispatchFloatDouble(DType dtype, Fn &&fn, const char *name = "operator") {
  return detail::dispatch<false, false, false, true, false>(dtype, fn, name);
}
/// Calls `fn` for one of the five integer types or bool.
template <typename Fn> auto dispatchIntegralAndBool(DType dtype, Fn &&fn, const char *name = "operator") {
  return detail::dispatch<true, true, false, false, false>(dtype, fn, name);
}
/// Calls `fn` for a floating or a complex type.
template <typename Fn> auto dispatchFloatingAndComplex(DType dtype, Fn &&fn, const char *name = "operator") {
  return detail::dispatch<false, false, true, true, true>(dtype, fn, name);
}
/// Calls `fn` for a type that is ordered: integers, bool, half, bfloat16, float, double.
template <typename Fn> auto dispatchReal(DType dtype, Fn &&fn, const char *name = "operator") {
  return detail::dispatch<true, true, true, true, false>(dtype, fn, name);
}
/// Calls `fn` for any of these, or for a complex type. ComplexHalf, quantized dtypes and Opaque are in no class.
template <typename Fn> auto dispatchAll(DType dtype, Fn &&fn, const char *name = "operator") {
  return detail::dispatch<true, true, true, true, true>(dtype, fn, name);
}

} // namespace tsc

#endif
