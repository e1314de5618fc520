//===- ScalarType.h - Types of elements -------------------------*- C++ -*-===//
#ifndef TSC_TORCH_C10_SCALARTYPE_H
#define TSC_TORCH_C10_SCALARTYPE_H
#include <c10/util/BFloat16.h>
#include <c10/util/Exception.h>
#include <c10/util/Half.h>
#include <c10/util/Optional.h>
#include <c10/util/complex.h>
#include <cstdint>
#include <type_traits>

/// X(type in C++, name): by PyTorch's numbers, in their order.
#define TSC_TORCH_FORALL_TYPES(X)                                                                                      \
  X(uint8_t, Byte)                                                                                                     \
  X(int8_t, Char)                                                                                                      \
  X(int16_t, Short)                                                                                                    \
  X(int32_t, Int)                                                                                                      \
  X(int64_t, Long)                                                                                                     \
  X(::c10::Half, Half)                                                                                                 \
  X(float, Float)                                                                                                      \
  X(double, Double)                                                                                                    \
  X(::c10::complex<float>, ComplexFloat)                                                                               \
  X(::c10::complex<double>, ComplexDouble)                                                                             \
  X(bool, Bool)                                                                                                        \
  X(::c10::BFloat16, BFloat16)
#define AT_FORALL_SCALAR_TYPES(X)                                                                                      \
  X(uint8_t, Byte)                                                                                                     \
  X(int8_t, Char)                                                                                                      \
  X(int16_t, Short)                                                                                                    \
  X(int, Int)                                                                                                          \
  X(int64_t, Long)                                                                                                     \
  X(float, Float)                                                                                                      \
  X(double, Double)

namespace c10 {
inline namespace tsc_torch {

/// The type of a tensor's elements.
enum class ScalarType : int8_t {
  Byte = 0,
  Char = 1,
  Short = 2,
  Int = 3,
  Long = 4,
  Half = 5,
  Float = 6,
  Double = 7,
  ComplexHalf = 8,
  ComplexFloat = 9,
  ComplexDouble = 10,
  Bool = 11,
  QInt8 = 12,
  QUInt8 = 13,
  QInt32 = 14,
  BFloat16 = 15,
  QUInt4x2 = 16,
  QUInt2x4 = 17,
  UInt16 = 27,
  UInt32 = 28,
  UInt64 = 29,
  Undefined = 100, ///< The dtype of an undefined tensor.
  NumOptions = 101
};

constexpr ScalarType kByte = ScalarType::Byte;
constexpr ScalarType kChar = ScalarType::Char;
constexpr ScalarType kShort = ScalarType::Short;
constexpr ScalarType kInt = ScalarType::Int;
constexpr ScalarType kLong = ScalarType::Long;
constexpr ScalarType kHalf = ScalarType::Half;
constexpr ScalarType kFloat = ScalarType::Float;
constexpr ScalarType kDouble = ScalarType::Double;
constexpr ScalarType kComplexHalf = ScalarType::ComplexHalf;
constexpr ScalarType kComplexFloat = ScalarType::ComplexFloat;
constexpr ScalarType kComplexDouble = ScalarType::ComplexDouble;
constexpr ScalarType kBool = ScalarType::Bool;
constexpr ScalarType kBFloat16 = ScalarType::BFloat16;
constexpr ScalarType kQInt8 = ScalarType::QInt8;
constexpr ScalarType kQUInt8 = ScalarType::QUInt8;
constexpr ScalarType kQInt32 = ScalarType::QInt32;
constexpr ScalarType kUInt16 = ScalarType::UInt16;
constexpr ScalarType kUInt32 = ScalarType::UInt32;
constexpr ScalarType kUInt64 = ScalarType::UInt64;

/// The ScalarType of a type in C++: CppTypeToScalarType<float>::value.
template <typename T> struct CppTypeToScalarType;
#define TSC_TORCH_MAP(TYPE, NAME)                                                                                      \
  template <> struct CppTypeToScalarType<TYPE> : std::integral_constant<ScalarType, ScalarType::NAME> {};
TSC_TORCH_FORALL_TYPES(TSC_TORCH_MAP)
#undef TSC_TORCH_MAP
template <> struct CppTypeToScalarType<std::complex<float>> : CppTypeToScalarType<complex<float>> {};
template <> struct CppTypeToScalarType<std::complex<double>> : CppTypeToScalarType<complex<double>> {};
/// The other of `long` and `long long`, which are two types of one size.
template <>
struct CppTypeToScalarType<std::conditional_t<std::is_same<int64_t, long>::value, long long, long>>
    : std::integral_constant<ScalarType, sizeof(long long) == 8 ? ScalarType::Long : ScalarType::Int> {};

/// "Float"; "UNKNOWN_SCALAR" of another number.
inline const char *toString(ScalarType type) {
  switch (type) {
#define TSC_TORCH_NAME(TYPE, NAME)                                                                                     \
  case ScalarType::NAME: return #NAME;
    TSC_TORCH_FORALL_TYPES(TSC_TORCH_NAME)
#undef TSC_TORCH_NAME
  case ScalarType::ComplexHalf: return "ComplexHalf";
  case ScalarType::QInt8: return "QInt8";
  case ScalarType::QUInt8: return "QUInt8";
  case ScalarType::QInt32: return "QInt32";
  case ScalarType::UInt16: return "UInt16";
  case ScalarType::UInt32: return "UInt32";
  case ScalarType::UInt64: return "UInt64";
  case ScalarType::Undefined: return "Undefined";
  default: return "UNKNOWN_SCALAR";
  }
}
inline std::ostream &operator<<(std::ostream &out, ScalarType type) { return out << toString(type); }

/// Bytes of an element.
inline size_t elementSize(ScalarType type) {
  switch (type) {
#define TSC_TORCH_SIZE(TYPE, NAME)                                                                                     \
  case ScalarType::NAME: return sizeof(TYPE);
    TSC_TORCH_FORALL_TYPES(TSC_TORCH_SIZE)
#undef TSC_TORCH_SIZE
  case ScalarType::ComplexHalf:
  case ScalarType::QInt32:
  case ScalarType::UInt32: return 4;
  case ScalarType::UInt64: return 8;
  case ScalarType::UInt16: return 2;
  case ScalarType::QInt8:
  case ScalarType::QUInt8: return 1;
  default: TORCH_CHECK(false, "Unknown ScalarType");
  }
  return 0;
}

inline bool isComplexType(ScalarType type) {
  return type == kComplexHalf || type == kComplexFloat || type == kComplexDouble;
}
inline bool isReducedFloatingType(ScalarType type) { return type == kHalf || type == kBFloat16; }
inline bool isFloatingType(ScalarType type) { return type == kDouble || type == kFloat || isReducedFloatingType(type); }
inline bool isIntegralType(ScalarType type, bool includeBool) {
  return (static_cast<int8_t>(type) >= 0 && static_cast<int8_t>(type) <= 4) || (includeBool && type == kBool) ||
         type == kUInt16 || type == kUInt32 || type == kUInt64;
}
inline bool isQIntType(ScalarType type) { return type == kQInt8 || type == kQUInt8 || type == kQInt32; }
inline bool isSignedType(ScalarType type) {
  return type != kByte && type != kBool && type != kUInt16 && type != kUInt32 && type != kUInt64;
}
/// The type of the parts of a complex type; of another, the type itself.
inline ScalarType toRealValueType(ScalarType type) {
  return type == kComplexHalf ? kHalf : type == kComplexFloat ? kFloat : type == kComplexDouble ? kDouble : type;
}

} // namespace tsc_torch
} // namespace c10

namespace caffe2 {
inline namespace tsc_torch {

/// What Tensor::dtype() gives: a ScalarType with a name and a size.
class TypeMeta {
public:
  TypeMeta() noexcept = default;
  TypeMeta(c10::ScalarType type) noexcept : type(type) {}
  template <typename T> static TypeMeta Make() { return TypeMeta(c10::CppTypeToScalarType<T>::value); }
  static TypeMeta fromScalarType(c10::ScalarType type) { return TypeMeta(type); }
  template <typename T> bool Match() const { return type == c10::CppTypeToScalarType<T>::value; }
  template <typename T> static constexpr size_t ItemSize() { return sizeof(T); }
  template <typename T> static c10::ScalarType Id() { return c10::CppTypeToScalarType<T>::value; }
  c10::ScalarType toScalarType() const noexcept { return type; }
  c10::ScalarType id() const noexcept { return type; }
  bool isScalarType() const noexcept { return type != c10::ScalarType::Undefined; }
  bool isScalarType(c10::ScalarType other) const noexcept { return type == other; }
  size_t itemsize() const { return c10::elementSize(type); }
  /// Returns the name as PyTorch prints it: "float", "long int".
  const char *name() const noexcept {
    switch (type) {
    case c10::ScalarType::Byte: return "unsigned char";
    case c10::ScalarType::Char: return "signed char";
    case c10::ScalarType::Short: return "short int";
    case c10::ScalarType::Int: return "int";
    case c10::ScalarType::Long: return "long int";
    case c10::ScalarType::Half: return "c10::Half";
    case c10::ScalarType::Float: return "float";
    case c10::ScalarType::Double: return "double";
    case c10::ScalarType::ComplexFloat: return "c10::complex<float>";
    case c10::ScalarType::ComplexDouble: return "c10::complex<double>";
    case c10::ScalarType::Bool: return "bool";
    case c10::ScalarType::BFloat16: return "c10::BFloat16";
    case c10::ScalarType::QInt8: return "c10::qint8";
    case c10::ScalarType::QUInt8: return "c10::quint8";
    case c10::ScalarType::QInt32: return "c10::qint32";
    default: return "nullptr (uninitialized)";
    }
  }
  friend bool operator==(TypeMeta a, TypeMeta b) noexcept { return a.type == b.type; }
  friend bool operator!=(TypeMeta a, TypeMeta b) noexcept { return a.type != b.type; }
  friend bool operator==(TypeMeta a, c10::ScalarType b) noexcept { return a.type == b; }
  friend bool operator!=(TypeMeta a, c10::ScalarType b) noexcept { return a.type != b; }
  friend bool operator==(c10::ScalarType a, TypeMeta b) noexcept { return a == b.type; }
  friend bool operator!=(c10::ScalarType a, TypeMeta b) noexcept { return a != b.type; }
  friend std::ostream &operator<<(std::ostream &out, TypeMeta meta) { return out << meta.name(); }

private:
  c10::ScalarType type = c10::ScalarType::Undefined;
};

} // namespace tsc_torch
} // namespace caffe2

namespace c10 {
inline namespace tsc_torch {
using caffe2::TypeMeta;
inline ScalarType typeMetaToScalarType(TypeMeta meta) { return meta.toScalarType(); }
inline TypeMeta scalarTypeToTypeMeta(ScalarType type) { return TypeMeta(type); }
/// Returns the ScalarType of a TypeMeta, or nothing for none.
inline optional<ScalarType> optTypeMetaToScalarType(optional<TypeMeta> meta) {
  if (!meta)
    return nullopt;
  return meta->toScalarType();
}
} // namespace tsc_torch
} // namespace c10

namespace torch {
inline namespace tsc_torch {
/// A dtype, as hosts name the type.
using Dtype = c10::ScalarType;
constexpr auto kUInt8 = c10::kByte;
constexpr auto kInt8 = c10::kChar;
constexpr auto kInt16 = c10::kShort;
constexpr auto kInt32 = c10::kInt;
constexpr auto kInt64 = c10::kLong;
constexpr auto kFloat16 = c10::kHalf;
constexpr auto kFloat32 = c10::kFloat;
constexpr auto kFloat64 = c10::kDouble;
constexpr auto kComplex64 = c10::kComplexFloat;
constexpr auto kComplex128 = c10::kComplexDouble;
constexpr auto kU8 = kUInt8;
constexpr auto kI8 = kInt8;
constexpr auto kI16 = kInt16;
constexpr auto kI32 = kInt32;
constexpr auto kI64 = kInt64;
constexpr auto kF16 = kFloat16;
constexpr auto kF32 = kFloat32;
constexpr auto kF64 = kFloat64;
} // namespace tsc_torch
} // namespace torch

#endif
