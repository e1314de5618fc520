//===- Scalars.h - Arithmetic of int, float, bool, complex ------*- C++ -*-===//
//
// Kernels of Scalars.td: what PyTorch computes. Where Python computes the same, its
// definition (tsc/Python) is called. This is the one place of what PyTorch computes in
// another way, with which archives were made: ints wrap at 64 bits; a float division by
// zero gives an infinity or NaN; // of floats rounds the quotient; the remainder of zero
// keeps its sign; numbers of two kinds compare as floats; of a NaN and a number min()
// and max() give the second; round() of one operand is a float; floor() and ceil() have
// their own words for what is no int. Nodes of source mean what Python means where
// Runtime/Dispatch/Ops/Python.h has a kernel for them.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_DISPATCH_OPS_SCALARS_H
#define TSC_RUNTIME_DISPATCH_OPS_SCALARS_H

#include "tsc/Python/Math.h"
#include "tsc/Python/Numbers.h"
#include "tsc/Support/IntegerArithmetic.h"
#include "tsc/Support/Status.h"
#include "tsc/Tensor/Scalar.h"
#include "llvm/ADT/StringRef.h"
#include <cmath>
#include <complex>
#include <cstdint>
#include <numeric>
#include <tuple>

namespace tsc::ops {

/// TorchScript's `complex`.
using Complex = std::complex<double>;
/// An int, float or bool.
template <typename T>
concept RealNumber = std::is_arithmetic_v<T>;

// Wrapping integer arithmetic, ordinary for the rest.
inline int64_t add(int64_t a, int64_t b) { return arithmetic::add(a, b); }
inline int64_t sub(int64_t a, int64_t b) { return arithmetic::subtract(a, b); }
inline int64_t mul(int64_t a, int64_t b) { return arithmetic::multiply(a, b); }
inline int64_t negate(int64_t a) { return arithmetic::negate(a); }
inline int64_t absolute(int64_t a) { return arithmetic::absolute(a); }
/// The type in which an operator computes with operands of types A and B that are not both ints.
template <typename A, typename B>
using Wider = std::conditional_t<std::is_same_v<A, Complex> || std::is_same_v<B, Complex>, Complex, double>;
#define TSC_ARITHMETIC(NAME, OP)                                                                                       \
  template <typename A, typename B>                                                                                    \
    requires(!(std::is_integral_v<A> && std::is_integral_v<B>))                                                        \
  Wider<A, B> NAME(const A &a, const B &b) {                                                                           \
    using T = Wider<A, B>;                                                                                             \
    return T(static_cast<T>(a) OP static_cast<T>(b));                                                                  \
  }
TSC_ARITHMETIC(add, +)
TSC_ARITHMETIC(sub, -)
TSC_ARITHMETIC(mul, *)
#undef TSC_ARITHMETIC
inline double negate(double a) { return -a; }
inline Complex negate(const Complex &a) { return -a; }
inline double absolute(double a) { return std::fabs(a); }
inline double absolute(const Complex &a) { return std::abs(a); }

inline double divide(int64_t a, int64_t b) { return static_cast<double>(a) / static_cast<double>(b); }
inline double divide(double a, double b) { return a / b; }
inline Complex divide(const Complex &a, const Complex &b) { return a / b; }
/// Returns a number as a float, or fails where it is complex.
StatusOr<double> toReal(const Scalar &a);
inline StatusOr<double> divide(const Scalar &a, const Scalar &b) {
  TSC_ASSIGN_OR_RETURN(double x, toReal(a));
  TSC_ASSIGN_OR_RETURN(double y, toReal(b));
  return x / y;
}

// `//`, `%` and truncating division of ints fail where the divisor is 0.
inline StatusOr<int64_t> floorDivide(int64_t a, int64_t b) {
  if (b == 0)
    return python::floorDivisionByZero();
  return arithmetic::floorQuotient(a, b);
}
inline StatusOr<int64_t> pythonModulo(int64_t a, int64_t b) { return python::modulo(a, b); }
inline StatusOr<int64_t> truncatingDivide(int64_t a, int64_t b) {
  if (b == 0)
    return python::divisionByZero();
  return arithmetic::truncatedQuotient(a, b);
}
template <RealNumber A, RealNumber B>
  requires(!(std::is_integral_v<A> && std::is_integral_v<B>))
double floorDivide(A a, B b) {
  return std::floor(static_cast<double>(a) / static_cast<double>(b));
}
template <RealNumber A, RealNumber B>
  requires(!(std::is_integral_v<A> && std::is_integral_v<B>))
double pythonModulo(A x, B y) {
  double b = static_cast<double>(y), r = std::fmod(static_cast<double>(x), b);
  return (r != 0 && (r < 0) != (b < 0)) ? r + b : r;
}
/// Returns divmod(a, b), computed in the type T, or fails where the divisor is 0.
template <typename T, typename A, typename B> StatusOr<std::tuple<T, T>> divmod(A a, B b) {
  T x = static_cast<T>(a), y = static_cast<T>(b);
  if constexpr (std::is_integral_v<T>) {
    TSC_ASSIGN_OR_RETURN(T quotient, floorDivide(x, y));
    return std::tuple<T, T>(quotient, *pythonModulo(x, y));
  } else {
    if (y == T(0))
      return python::divisionByZero();
    T r = pythonModulo(x, y);
    return std::tuple<T, T>((x - r) / y, r);
  }
}

inline double toDouble(double v) { return v; }
inline double toDouble(int64_t v) { return static_cast<double>(v); }
inline double toDouble(const Scalar &s) { return s.toDouble(); }
template <typename A, typename B> double fmodFloat(const A &a, const B &b) {
  return std::fmod(toDouble(a), toDouble(b));
}
template <typename A, typename B> double ieeeRemainder(const A &a, const B &b) {
  return std::remainder(toDouble(a), toDouble(b));
}
template <typename A, typename B> double copySign(const A &a, const B &b) {
  return std::copysign(toDouble(a), toDouble(b));
}
template <typename A, typename B> double arcTangent2(const A &a, const B &b) {
  return std::atan2(toDouble(a), toDouble(b));
}
/// Returns math.log(a, b), the logarithm of `a` to the base `b`.
template <typename A, typename B> double logBase(const A &a, const B &b) {
  return std::log(toDouble(a)) / std::log(toDouble(b));
}
/// Returns a ** b, or fails where that is zero to a negative power.
inline StatusOr<double> power(double a, double b) {
  if (a == 0 && b < 0)
    return python::zeroToNegativePower();
  return std::pow(a, b);
}
template <RealNumber A, RealNumber B> StatusOr<double> power(A a, B b) { return power(toDouble(a), toDouble(b)); }
inline StatusOr<double> power(const Scalar &a, const Scalar &b) {
  TSC_ASSIGN_OR_RETURN(double x, toReal(a));
  TSC_ASSIGN_OR_RETURN(double y, toReal(b));
  return power(x, y);
}
inline Complex power(const Complex &a, const Complex &b) { return std::pow(a, b); }
inline Complex power(double a, const Complex &b) { return std::pow(Complex(a), b); }
inline Complex power(const Complex &a, double b) { return std::pow(a, Complex(b)); }
/// Returns base ** exponent, wrapped to 64 bits. Where the exponent is negative, the power is rounded towards zero, and
/// that of 0 is 0.
int64_t integerPower(int64_t base, int64_t exponent);

// Comparisons. Numbers of unlike kinds compare as floats, as in TorchScript.
inline Complex comparable(const Scalar &s) { return s.toComplex(); }
template <typename T> const T &comparable(const T &v) { return v; }
#define TSC_COMPARE(NAME, OP)                                                                                          \
  template <typename A, typename B> bool NAME(const A &a, const B &b) {                                                \
    if constexpr (std::is_same_v<A, Scalar>) {                                                                         \
      return a.isIntegral() && b.isIntegral() ? a.toInt() OP b.toInt() : a.toDouble() OP b.toDouble();                 \
    } else if constexpr (std::is_same_v<A, B>) {                                                                       \
      return a OP b;                                                                                                   \
    } else {                                                                                                           \
      return static_cast<double>(a) OP static_cast<double>(b);                                                         \
    }                                                                                                                  \
  }
TSC_COMPARE(less, <)
TSC_COMPARE(lessEqual, <=)
TSC_COMPARE(greater, >)
TSC_COMPARE(greaterEqual, >=)
#undef TSC_COMPARE
template <typename A, typename B> bool equals(const A &a, const B &b) {
  if constexpr (std::is_same_v<A, Scalar>)
    return a.isIntegral() && b.isIntegral() ? a.toInt() == b.toInt() : a.toComplex() == b.toComplex();
  else if constexpr (std::is_same_v<A, B>)
    return a == b;
  else
    return Complex(a) == Complex(b);
}
template <> inline bool equals(const int64_t &a, const double &b) { return static_cast<double>(a) == b; }
template <> inline bool equals(const double &a, const int64_t &b) { return a == static_cast<double>(b); }
template <typename A, typename B> bool differs(const A &a, const B &b) { return !equals(a, b); }

// Bits and logic. A shift by 64 or more gives what an unbounded shift would leave in 64 bits; one by a negative number
// fails.
template <typename T> T bitAnd(T a, T b) { return a & b; }
template <typename T> T bitOr(T a, T b) { return a | b; }
template <typename T> T bitXor(T a, T b) { return a ^ b; }
StatusOr<int64_t> shiftLeft(int64_t a, int64_t b);
StatusOr<int64_t> shiftRight(int64_t a, int64_t b);
inline bool logicalNot(bool a) { return !a; }

// Functions of one real or complex number.
inline double gamma(double a) { return std::tgamma(a); }
using python::degrees;
using python::radians;
#define TSC_COMPLEX_FUNCTIONS(X)                                                                                       \
  X(exp)                                                                                                               \
  X(log)                                                                                                               \
  X(log10)                                                                                                             \
  X(sqrt)                                                                                                              \
  X(sin)                                                                                                               \
  X(cos)                                                                                                               \
  X(tan)                                                                                                               \
  X(asin)                                                                                                              \
  X(acos)                                                                                                              \
  X(atan)                                                                                                              \
  X(sinh)                                                                                                              \
  X(cosh)                                                                                                              \
  X(tanh)                                                                                                              \
  X(asinh)                                                                                                             \
  X(acosh)                                                                                                             \
  X(atanh)
#define TSC_REAL_FUNCTIONS(X)                                                                                          \
  X(log1p)                                                                                                             \
  X(expm1)                                                                                                             \
  X(lgamma)                                                                                                            \
  X(fabs)                                                                                                              \
  X(erf)                                                                                                               \
  X(erfc)
#define X(F)                                                                                                           \
  inline Complex F(const Complex &a) { return std::F(a); }
TSC_COMPLEX_FUNCTIONS(X)
#undef X
#define X(F)                                                                                                           \
  inline double F(double a) { return std::F(a); }                                                                      \
  inline double F(int64_t a) { return std::F(static_cast<double>(a)); }
// clang-format off
TSC_COMPLEX_FUNCTIONS(X) TSC_REAL_FUNCTIONS(X)
// clang-format on
#undef X
inline double gamma(int64_t a) { return gamma(static_cast<double>(a)); }
inline double degrees(int64_t a) { return degrees(static_cast<double>(a)); }
inline double radians(int64_t a) { return radians(static_cast<double>(a)); }

/// Returns PyTorch's error for floor() and ceil() of a float that is infinite, NaN, or beyond the ints.
Status noIntegerFor(double a);
/// Returns the largest int that is at most `a`, or that error.
StatusOr<int64_t> floorToInt(double a);
/// Returns the smallest int that is at least `a`, or that error.
StatusOr<int64_t> ceilToInt(double a);
inline StatusOr<int64_t> floorToInt(int64_t a) { return a; }
inline StatusOr<int64_t> ceilToInt(int64_t a) { return a; }
using python::roundHalfEven;
inline double roundHalfEven(int64_t a) { return static_cast<double>(a); }
using python::splitExponent;
using python::splitFraction;
inline double scaleByPowerOfTwo(double x, int64_t exponent) {
  return python::scaleByPowerOfTwo(x, static_cast<double>(exponent));
}
/// Returns the factorial, wrapped to 64 bits, or fails where `a` is negative.
StatusOr<int64_t> factorial(int64_t a);
inline int64_t greatestCommonDivisor(int64_t a, int64_t b) {
  uint64_t x = absolute(a), y = absolute(b);
  return static_cast<int64_t>(std::gcd(x, y));
}
inline bool isnanScalar(double a) { return std::isnan(a); }
inline bool isinfScalar(double a) { return std::isinf(a); }
inline bool isfiniteScalar(double a) { return std::isfinite(a); }
inline bool isnanScalar(const Complex &a) { return std::isnan(a.real()) || std::isnan(a.imag()); }
inline bool isinfScalar(const Complex &a) { return std::isinf(a.real()) || std::isinf(a.imag()); }
inline bool isfiniteScalar(const Complex &a) { return std::isfinite(a.real()) && std::isfinite(a.imag()); }
// The angle of a number in the complex plane, in radians.
inline double phase(double a) { return std::signbit(a) ? 3.14159265358979323846 : 0.0; }
inline double phase(int64_t a) { return a < 0 ? 3.14159265358979323846 : 0.0; }
inline double phase(const Complex &a) { return std::arg(a); }
/// Returns the complex number of absolute value `r` and phase `angle`, in radians.
template <typename A, typename B> Complex polar(A r, B angle) {
  double x = static_cast<double>(r), y = static_cast<double>(angle);
  return {x * std::cos(y), x * std::sin(y)};
}

// Casts.
inline bool toBool(int64_t a) { return a != 0; }
inline bool toBool(double a) { return a != 0; }
inline int64_t toInt(bool a) { return a; }
using python::toInt;
/// Returns int(a), or fails where the number is complex, infinite, NaN, or beyond the ints.
StatusOr<int64_t> toInt(const Scalar &a);
inline StatusOr<int64_t> parseInt(llvm::StringRef text) { return python::parseInt(text); }
using python::parseFloat;
inline double toFloat(int64_t a) { return static_cast<double>(a); }
inline double toFloat(bool a) { return a; }
inline double toFloat(const Scalar &a) { return a.toDouble(); }
inline Complex toComplex(const Scalar &a) { return a.toComplex(); }
template <typename A, typename B> Complex makeComplex(A x, B y) {
  return {static_cast<double>(x), static_cast<double>(y)};
}

// Of a NaN and a number, in either order, PyTorch gives the second.
inline int64_t minimum(int64_t a, int64_t b) { return a < b ? a : b; }
inline int64_t maximum(int64_t a, int64_t b) { return a > b ? a : b; }
template <RealNumber A, RealNumber B>
  requires(!(std::is_integral_v<A> && std::is_integral_v<B>))
double minimum(A x, B y) {
  double a = x, b = y;
  return a < b ? a : b;
}
template <RealNumber A, RealNumber B>
  requires(!(std::is_integral_v<A> && std::is_integral_v<B>))
double maximum(A x, B y) {
  double a = x, b = y;
  return a > b ? a : b;
}

/// Returns len(range(low, high, step)), or fails where `step` is 0.
StatusOr<int64_t> rangeLength(int64_t low, int64_t high, int64_t step);
/// Returns element `index` of a range that begins at `start`.
inline int64_t deriveIndex(int64_t index, int64_t start, int64_t step) {
  return arithmetic::rangeElement(index, start, step);
}

// Functions of Scalars. Math_F is a type whose call operator is the overload set F, so that a template can take it.
#define X(F)                                                                                                           \
  struct Math_##F {                                                                                                    \
    template <typename... T> auto operator()(const T &...v) const -> decltype(F(v...)) { return F(v...); }             \
  };
// clang-format off
TSC_COMPLEX_FUNCTIONS(X) TSC_REAL_FUNCTIONS(X) X(gamma) X(degrees) X(radians) X(add) X(sub) X(mul) X(divide) X(negate) X(absolute)
X(floorDivide) X(pythonModulo) X(minimum) X(maximum) X(floorToInt) X(ceilToInt) X(roundHalfEven)
// clang-format on
#undef X
/// Returns a number, or the failure to compute it, as a Scalar.
template <typename T> StatusOr<Scalar> asScalar(StatusOr<T> v) {
  if (!v.ok())
    return v.status();
  return Scalar(*v);
}
template <typename T> StatusOr<Scalar> asScalar(T v) { return Scalar(v); }
/// Applies the functions F to what a Scalar holds: an int (also where it holds a bool), a complex number where F takes
/// one, or else a float.
template <typename F> StatusOr<Scalar> unary(const Scalar &a) {
  F f;
  if (a.isIntegral())
    return asScalar(f(a.toInt()));
  if constexpr (std::is_invocable_v<F, Complex>)
    if constexpr (requires { asScalar(f(Complex())); })
      if (a.isComplex())
        return asScalar(f(a.toComplex()));
  return asScalar(f(a.toDouble()));
}
/// Applies F to two ints where both Scalars hold ints or bools, and else to two floats.
template <typename F> StatusOr<Scalar> realBinary(const Scalar &a, const Scalar &b) {
  F f;
  return a.isIntegral() && b.isIntegral() ? asScalar(f(a.toInt(), b.toInt())) : asScalar(f(a.toDouble(), b.toDouble()));
}
/// Applies F as realBinary() does, or to two complex numbers where one of the Scalars is complex.
template <typename F> StatusOr<Scalar> binary(const Scalar &a, const Scalar &b) {
  if (a.isComplex() || b.isComplex())
    return asScalar(F()(a.toComplex(), b.toComplex()));
  return realBinary<F>(a, b);
}

} // namespace tsc::ops

#endif
