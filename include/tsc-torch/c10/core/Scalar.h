//===- Scalar.h - A number of any kind --------------------------*- C++ -*-===//
#ifndef TSC_TORCH_C10_SCALAR_H
#define TSC_TORCH_C10_SCALAR_H
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>
#include <cmath>
#include <limits>
#include <type_traits>

namespace c10 {
inline namespace tsc_torch {

/// A float, an int, a bool or a complex number.
class Scalar {
public:
  Scalar() : Scalar(int64_t{0}) {}
  Scalar(bool value) : kind(Kind::Bool), whole(value), real(0), imaginary(0) {}
  template <typename T, std::enable_if_t<std::is_integral<T>::value && !std::is_same<T, bool>::value, int> = 0>
  Scalar(T value) : kind(Kind::Int), whole(static_cast<int64_t>(value)), real(0), imaginary(0) {}
  template <typename T, std::enable_if_t<std::is_floating_point<T>::value, int> = 0>
  Scalar(T value) : kind(Kind::Float), whole(0), real(static_cast<double>(value)), imaginary(0) {}
  Scalar(Half value) : Scalar(static_cast<double>(static_cast<float>(value))) {}
  Scalar(BFloat16 value) : Scalar(static_cast<double>(static_cast<float>(value))) {}
  template <typename T>
  Scalar(const complex<T> &value)
      : kind(Kind::Complex), whole(0), real(static_cast<double>(value.real_)),
        imaginary(static_cast<double>(value.imag_)) {}
  template <typename T> Scalar(const std::complex<T> &value) : Scalar(complex<T>(value)) {}

  bool isFloatingPoint() const { return kind == Kind::Float; }
  bool isComplex() const { return kind == Kind::Complex; }
  bool isBoolean() const { return kind == Kind::Bool; }
  bool isIntegral(bool includeBool) const { return kind == Kind::Int || (includeBool && kind == Kind::Bool); }
  bool isIntegral() const { return kind == Kind::Int; }
  bool isSymbolic() const { return false; }
  ScalarType type() const {
    return kind == Kind::Float ? kDouble : kind == Kind::Int ? kLong : kind == Kind::Bool ? kBool : kComplexDouble;
  }

  /// The number in another type; c10::Error where it does not fit.
  template <typename T> T to() const { return Convert<T>::of(*this); }
  double toDouble() const { return to<double>(); }
  float toFloat() const { return to<float>(); }
  int64_t toLong() const { return to<int64_t>(); }
  int toInt() const { return to<int>(); }
  int16_t toShort() const { return to<int16_t>(); }
  int8_t toChar() const { return to<int8_t>(); }
  uint8_t toByte() const { return to<uint8_t>(); }
  bool toBool() const { return to<bool>(); }
  Half toHalf() const { return to<Half>(); }
  BFloat16 toBFloat16() const { return to<BFloat16>(); }
  complex<float> toComplexFloat() const { return to<complex<float>>(); }
  complex<double> toComplexDouble() const { return to<complex<double>>(); }

  /// Whether this is that number. A complex number with an imaginary part is none.
  template <typename T> bool equal(T number) const {
    if (kind == Kind::Complex)
      return imaginary == 0 && real == static_cast<double>(number);
    return kind == Kind::Float ? real == static_cast<double>(number) : static_cast<T>(whole) == number;
  }
  Scalar operator-() const {
    return kind == Kind::Complex ? Scalar(complex<double>(-real, -imaginary))
           : kind == Kind::Float ? Scalar(-real)
                                 : Scalar(-whole);
  }

private:
  enum class Kind : uint8_t { Int, Float, Bool, Complex };

  template <typename T, typename = void> struct Convert {
    static T of(const Scalar &s) { return T(static_cast<float>(Convert<double>::of(s))); } // half types
  };
  template <typename T> struct Convert<complex<T>, void> {
    static complex<T> of(const Scalar &s) {
      if (s.kind == Kind::Complex)
        return complex<T>(static_cast<T>(s.real), static_cast<T>(s.imaginary));
      return complex<T>(Convert<T>::of(s));
    }
  };
  template <typename T> struct Convert<std::complex<T>, void> {
    static std::complex<T> of(const Scalar &s) { return Convert<complex<T>>::of(s); }
  };
  template <typename T> struct Convert<T, std::enable_if_t<std::is_floating_point<T>::value>> {
    static T of(const Scalar &s) {
      s.checkReal();
      const double value = s.kind == Kind::Float || s.kind == Kind::Complex ? s.real : static_cast<double>(s.whole);
      TORCH_CHECK((std::is_same<T, double>::value || !std::isfinite(value) ||
                   std::abs(value) <= static_cast<double>(std::numeric_limits<T>::max())),
                  "value cannot be converted to type ", sizeof(T) == 4 ? "float" : "double", " without overflow");
      return static_cast<T>(value);
    }
  };
  template <typename T> struct Convert<T, std::enable_if_t<std::is_integral<T>::value>> {
    static T of(const Scalar &s) {
      s.checkReal();
      if (s.kind == Kind::Int || s.kind == Kind::Bool) {
        TORCH_CHECK((std::is_same<T, bool>::value || sizeof(T) == 8 ||
                     (s.whole >= static_cast<int64_t>(std::numeric_limits<T>::lowest()) &&
                      s.whole <= static_cast<int64_t>(std::numeric_limits<T>::max()))),
                    "value cannot be converted to type ", typeName<T>(), " without overflow");
        return static_cast<T>(s.whole);
      }
      if (std::is_same<T, bool>::value)
        return s.real != 0;
      TORCH_CHECK((s.real >= -9223372036854775808.0 && s.real < 9223372036854775808.0 &&
                   s.real >= static_cast<double>(std::numeric_limits<T>::lowest()) &&
                   s.real <= static_cast<double>(std::numeric_limits<T>::max())),
                  "value cannot be converted to type ", typeName<T>(), " without overflow");
      return static_cast<T>(s.real);
    }
  };

  template <typename T> static const char *typeName() { return TypeMeta(CppTypeToScalarType<T>::value).name(); }
  void checkReal() const {
    TORCH_CHECK(kind != Kind::Complex || imaginary == 0, "value cannot be converted to a real type without loss of its "
                                                         "imaginary part");
  }

  Kind kind;
  int64_t whole;
  double real, imaginary;
};

inline std::ostream &operator<<(std::ostream &out, const Scalar &s) {
  if (s.isFloatingPoint())
    return out << s.toDouble();
  if (s.isComplex())
    return out << s.toComplexDouble();
  if (s.isBoolean())
    return out << (s.toBool() ? "true" : "false");
  return out << s.toLong();
}
inline std::string toString(const Scalar &s) { return str(s); }

} // namespace tsc_torch
} // namespace c10

#endif
