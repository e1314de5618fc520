//===- Scalar.h - dtypes, devices and numbers -------------------*- C++ -*-===//
#ifndef TSC_TENSOR_SCALAR_H
#define TSC_TENSOR_SCALAR_H

#include "llvm/ADT/StringRef.h"
#include <bit>
#include <cassert>
#include <complex>
#include <cstdint>
#include <optional>
#include <string>

namespace tsc {

/// The types of elements. The numbers are PyTorch's (an archive and `aten::to(x, 6, …)` hold them).
enum class DType : int8_t {
  UInt8 = 0,
  Int8 = 1,
  Int16 = 2,
  Int32 = 3,
  Int64 = 4,
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
  Opaque = 16, ///< Has its elements in a companion (tsc/Tensor/Opaque.h). No program writes this number.
};

/// Returns the bytes of an element of a dtype, which is one of those above: numbers from files go through
/// isValidDType().
constexpr size_t itemSize(DType dtype) {
  assert(static_cast<size_t>(dtype) <= static_cast<size_t>(DType::Opaque) && "one of the dtypes");
  constexpr uint8_t sizes[] = {1, 1, 2, 4, 8, 2, 4, 8, 4, 8, 16, 1, 1, 1, 4, 2, 1}; // by number
  return sizes[static_cast<size_t>(dtype)];
}
static_assert(itemSize(DType::ComplexDouble) == 16 && itemSize(DType::QInt32) == 4 && itemSize(DType::BFloat16) == 2);
/// Returns a dtype's name as it is after `torch.` in Python: "float32".
llvm::StringRef pythonName(DType dtype);
/// Returns a dtype's name as it is in IR text: "Float", "Long", "Double", "Bool".
llvm::StringRef irName(DType dtype);
/// Returns the dtype that Python calls `name`; nothing where there is none. Synonyms ("half", "long") are found, too.
std::optional<DType> dtypeFromPythonName(llvm::StringRef name);
/// Returns the dtype that IR text calls `name`; nothing where there is none.
std::optional<DType> dtypeFromIRName(llvm::StringRef name);
/// Whether a number is one of PyTorch's dtypes above.
bool isValidDType(int64_t number);
/// Returns a number as C++ streams write it by default: six digits, "2", "0.25", "1e+10".
std::string shortString(double value);
inline bool isComplex(DType d) {
  return d == DType::ComplexHalf || d == DType::ComplexFloat || d == DType::ComplexDouble;
}
inline bool isFloating(DType d) {
  return d == DType::Half || d == DType::Float || d == DType::Double || d == DType::BFloat16;
}
inline bool isIntegral(DType d, bool includeBool = false) {
  return (d >= DType::UInt8 && d <= DType::Int64) || (includeBool && d == DType::Bool);
}
/// Returns torch.promote_types(a, b).
DType promoteTypes(DType a, DType b);
/// Returns the real dtype of a complex one (ComplexFloat -> Float); others stay.
DType toRealDType(DType dtype);
/// Returns the complex dtype of a floating one (Float -> ComplexFloat); ComplexFloat for those that have none.
DType toComplexDType(DType dtype);

/// The kinds of devices (DeviceKinds.def), by PyTorch's numbers.
enum class DeviceKind : int8_t {
#define DEVICE_KIND(ENUMERATOR, NUMBER, NAME, TYPE_NAME, ABSENT) ENUMERATOR = NUMBER,
#include "tsc/Tensor/DeviceKinds.def"
};
/// Returns how the names of types of tensors on such devices begin: "CUDA", as in CUDAFloatType.
llvm::StringRef typeNameOf(DeviceKind kind);

/// A device, as torch.device; the index is -1 where none is given.
struct Device {
  DeviceKind kind = DeviceKind::CPU;
  int16_t index = -1;
  bool operator==(const Device &) const = default;
  std::string str() const; ///< "cpu", "cuda:0"
  /// Returns the device that a text such as "cpu" or "cuda:0" names; nothing for other texts.
  static std::optional<Device> parse(llvm::StringRef text);
};

/// torch.layout, by PyTorch's numbers.
enum class Layout : int8_t { Strided = 0, Sparse = 1, SparseCsr = 2, Mkldnn = 3 };
/// torch.memory_format, by PyTorch's numbers.
enum class MemoryFormat : int8_t { Contiguous = 0, Preserve = 1, ChannelsLast = 2, ChannelsLast3d = 3 };

/// An IEEE half as a bit pattern. Arithmetic happens in float, with one rounding (to nearest even) per store.
struct Half {
  uint16_t bits = 0;
  Half() = default;
  explicit Half(float value) : bits(fromFloat(value)) {}
  operator float() const {
    uint32_t magnitude = static_cast<uint32_t>(bits & 0x7fffu) << 13;
    uint32_t sign = static_cast<uint32_t>(bits & 0x8000u) << 16;
    // The exponent's bias differs by 112; multiplying by 2^112 also normalises subnormals.
    uint32_t result = std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) * 0x1p112f);
    if ((bits & 0x7c00u) == 0x7c00u)
      result = 0x7f800000u | (magnitude & 0x007fffffu);
    return std::bit_cast<float>(result | sign);
  }

private:
  static uint16_t fromFloat(float value) {
    uint32_t word = std::bit_cast<uint32_t>(value);
    uint32_t sign = (word >> 16) & 0x8000u;
    word &= 0x7fffffffu;
    if (word > 0x7f800000u) // NaN: keep the upper payload bits and stay a (quiet) NaN.
      return static_cast<uint16_t>(sign | 0x7e00u | ((word >> 13) & 0x3ffu));
    if (word >= 0x47800000u)
      return static_cast<uint16_t>(sign | 0x7c00u);
    if (word < 0x38800000u) // Subnormal in half: adding 0.5 lets the float adder round at bit 2^-24.
      return static_cast<uint16_t>(sign | (std::bit_cast<uint32_t>(std::bit_cast<float>(word) + 0.5f) - 0x3f000000u));
    return static_cast<uint16_t>(sign | ((word - 0x38000000u + 0xfffu + ((word >> 13) & 1u)) >> 13));
  }
};
/// A bfloat16 as a bit pattern; arithmetic as for Half.
struct BFloat16 {
  uint16_t bits = 0;
  BFloat16() = default;
  explicit BFloat16(float value) : bits(fromFloat(value)) {}
  operator float() const { return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16); }

private:
  static uint16_t fromFloat(float value) {
    uint32_t word = std::bit_cast<uint32_t>(value);
    if ((word & 0x7fffffffu) > 0x7f800000u)
      return 0x7fc0u;
    return static_cast<uint16_t>((word + 0x7fffu + ((word >> 16) & 1u)) >> 16);
  }
};

/// TorchScript's Scalar (in schemas) and `number`: a bool, int, float or complex.
class Scalar {
public:
  /// Which of the four it is.
  enum class Kind : uint8_t { Bool, Int, Double, Complex };
  Scalar() : Scalar(int64_t{0}) {}
  Scalar(bool v) : k(Kind::Bool), i(v) {}
  Scalar(int v) : k(Kind::Int), i(v) {}
  Scalar(int64_t v) : k(Kind::Int), i(v) {}
  Scalar(double v) : k(Kind::Double), d(v) {}
  Scalar(std::complex<double> v) : k(Kind::Complex), d(v.real()), im(v.imag()) {}

  Kind kind() const { return k; }
  bool isBool() const { return k == Kind::Bool; }
  bool isIntegral(bool includeBool = true) const { return k == Kind::Int || (includeBool && k == Kind::Bool); }
  bool isFloating() const { return k == Kind::Double; }
  bool isComplex() const { return k == Kind::Complex; }
  /// Whether the number is not 0.
  bool toBool() const { return isIntegral() ? i != 0 : d != 0 || (isComplex() && im != 0); }
  /// Returns the number as an int: a float is truncated, one out of range or NaN becomes INT64_MIN, and a complex
  /// number loses its imaginary part.
  int64_t toInt() const { return isIntegral() ? i : saturatingInt(d); }
  /// Returns the number as a float; a complex one loses its imaginary part.
  double toDouble() const { return isIntegral() ? static_cast<double>(i) : d; }
  std::complex<double> toComplex() const { return {toDouble(), isComplex() ? im : 0.0}; }
  /// Returns the dtype that stands for numbers of this kind in promotion: Bool, Int64, Float or ComplexFloat.
  static DType category(Kind kind);
  DType category() const { return category(k); }

private:
  static int64_t saturatingInt(double v);
  Kind k;
  union {
    int64_t i;
    double d;
  };
  double im = 0;
};

} // namespace tsc

#endif
